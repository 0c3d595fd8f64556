/** A background import: it continues after the request that started it, reports progress, and can be cancelled. */

import type { Actor } from '#core/model/permission.ts';
import { Problem } from '#core/model/problem.ts';
import type { Files } from '#core/ports/file-store.ts';
import type { Outgoing } from '#core/ports/outgoing.ts';
import type { Store } from '#core/ports/store.ts';
import type { Certificate } from './certificate.ts';
import type { CreateComparer } from './comparison/comparer.ts';
import type { PlannedTree } from './plan.ts';
import type { Kind } from './source.ts';

export interface JobRequest {
  /** Path of the file that was uploaded. */
  place: string;
  /** Its name where it comes from; empty if there is none. */
  filename: string;
  /** Kind of the source; detected if undefined. */
  kind?: Kind | undefined;
  /** Name that the importer gave the source. */
  source?: string | undefined;
  /** Whether pages are deleted and moved here as they were in the source. */
  prunes?: boolean | undefined;
  /** Whether pictures of other sites are attached to the pages that show them. */
  fetches?: boolean | undefined;
  parentPath: string | null;
  isDry: boolean;
  actor: NonNullable<Actor>;
}

export type JobEnd = 'done' | 'refused' | 'cancelled';

/** The parts of the wiki that an import uses. */
export interface JobWiki {
  store: Store;
  files: Files;
  createComparer: CreateComparer;
  outgoing: Pick<Outgoing, 'get'>;
  maxFileBytes: number;
  clock: () => number;
}

/** The certificate in the form of the interface. */
export type JobCertificate = Certificate & {
  /** Tree that a dry run would create, at most the first thousand pages. */
  tree?: { path: string; title: string; isKnown: boolean }[];
};

/** An import whose claim was not renewed for this long has ended with its process. */
const silentMs = 60_000;
const tellEveryMs = 1000;
const shownPages = 1000;
const diedMessage =
  'The server was stopped during the import. Send the same file again, or continue with the upload. Pages that have been written stay.';

export function deadAt(now: number): { before: number; error: string } {
  return { before: now - silentMs, error: diedMessage };
}

class Cancelled extends Error {}

/** Renews the claim while `work` runs; `isOn` returns false once the job is cancelled. */
export async function keptAlive<T>(
  store: Store,
  id: number,
  clock: () => number,
  work: (progress: { done: number; total: number | null }, isOn: () => boolean) => Promise<T>,
): Promise<T> {
  const progress: { done: number; total: number | null } = { done: 0, total: null };
  let isOn = true;
  const timer = setInterval(() => {
    store.imports.renew(id, progress, clock()).then(
      (isRunning) => {
        isOn &&= isRunning;
      },
      // The database is unavailable, which makes the import itself fail.
      () => {},
    );
  }, tellEveryMs);
  try {
    return await work(progress, () => isOn);
  } finally {
    clearInterval(timer);
  }
}

/** Runs the job, records its outcome and resolves to it. Throws errors other than refusals. */
export async function runJob(
  { createComparer, outgoing, maxFileBytes, clock, ...wiki }: JobWiki,
  id: number,
  request: JobRequest,
): Promise<JobEnd> {
  const { store } = wiki;
  // Imported on first use, so that a server starts without the readers of all sources.
  const { importFrom } = await import('./import-from.ts');
  const { kindOf } = await import('./open-source.ts');
  try {
    let tree: JobCertificate['tree'];
    let total = 0;
    const certificate = await keptAlive(store, id, clock, async (progress, isOn) => {
      const known = await kindOf(request.place, request.kind, request.filename);
      const { actor, parentPath, isDry } = request;
      return await importFrom(wiki, request.place, {
        ...known,
        filename: request.filename,
        actor,
        parentPath,
        isDry,
        maxFileBytes,
        clock,
        now: clock(),
        members: new Map(),
        createComparer,
        permissions: undefined,
        isForced: false,
        keepsAddresses: false,
        ...(request.fetches ? { outgoing } : {}),
        prunes: request.prunes ?? false,
        origin: { given: request.source, filename: request.filename },
        onPlanned(plan) {
          total = plan.count;
          if (isDry) tree = treeOf(plan);
        },
        onProgress(done, total) {
          Object.assign(progress, { done, total });
          if (!isOn()) throw new Cancelled();
        },
      });
    });
    const whole: JobCertificate = tree ? { ...certificate, tree } : certificate;
    await store.imports.renew(id, { done: request.isDry ? 0 : total, total }, clock());
    const isDone = await store.imports.end(id, { state: 'done', certificate: JSON.stringify(whole) });
    return isDone ? 'done' : 'cancelled';
  } catch (error) {
    if (error instanceof Cancelled) return 'cancelled';
    if (!(error instanceof Problem)) throw error;
    await store.imports.end(id, { state: 'failed', error: error.message });
    return 'refused';
  }
}

function treeOf(plan: PlannedTree): NonNullable<JobCertificate['tree']> {
  return [
    ...Iterator.from(plan.pages())
      .take(shownPages)
      .map(({ path, title, existing }) => ({ path, title, isKnown: existing !== undefined })),
  ];
}
