/**
 * Imports started over HTTP: an upload is received, then previewed or imported in the background. It is kept for three days
 * while it can still be used: after a dry run, and after a cancelled or failed import.
 */
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { readPath } from '#core/model/path.ts';
import type { Actor } from '#core/model/permission.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import type { ImportJob, ImportJobs } from '#core/ports/import-store.ts';
import type { Store } from '#core/ports/store.ts';
import { deadAt, type JobEnd, type JobRequest, keptAlive } from './job.ts';
import type { Kind } from './source.ts';

export interface ImportRequest {
  /** File name given by the client; empty if there is none. */
  filename: string;
  /** Kind of the source; detected if undefined. */
  kind?: Kind | undefined;
  /** Name of the source, by which later imports continue this one. */
  source?: string | undefined;
  /** Whether pages are deleted and moved here as they were in the source. */
  prunes?: boolean | undefined;
  /** Whether pictures of other sites are attached to the pages that show them. */
  fetches?: boolean | undefined;
  parentPath: string | null;
  isDry: boolean;
}

type Receive = (write: (bytes: AsyncIterable<Uint8Array>) => Promise<void>) => Promise<ImportRequest>;

export interface Imports extends ImportJobs {
  /** Resolves to its ID when the upload is complete. Refuses `too-many-requests` while another import runs. */
  begin(actor: NonNullable<Actor>, receive: Receive): Promise<number>;
  again(actor: NonNullable<Actor>, id: number, changes: Partial<ImportRequest>): Promise<number>;
  uploadOf(id: number): Promise<ImportRequest | undefined>;
}

/** Carries out an import that has been claimed, and records its outcome. Rejects with errors that are no refusals. */
export type RunImport = (id: number, request: JobRequest) => Promise<JobEnd>;

interface Surroundings {
  store: Store;
  clock: () => number;
  folder: string;
  run: RunImport;
  /** Called with errors that are no refusals. */
  failed: (error: unknown, id: number) => void;
}

export const maxImportBytes = 20_000_000_000;
const keptMs = 3 * 24 * 60 * 60 * 1000;
const cancelledWithinMs = 5000;
const listed = 20;

export function openImports({ store, clock, folder, run: carryOut, failed }: Surroundings): Imports {
  const running = new Map<number, Promise<void>>();
  const folderOf = (id: number) => join(folder, String(id));
  const uploadIn = (id: number) => join(folderOf(id), 'upload');
  const requestIn = (id: number) => join(folderOf(id), 'request.json');
  const drop = (id: number) => rm(folderOf(id), { recursive: true, force: true });

  /** Claims the single slot for an import, and releases it if `prepare` fails. */
  async function start(
    actor: NonNullable<Actor>,
    prepare: (id: number) => Promise<ImportRequest>,
  ): Promise<number> {
    const id = await store.imports.begin(actor.memberId, clock(), deadAt(clock()));
    if (id === undefined)
      throw new Problem('too-many-requests', 'Another import is running. Wait until it ends, or cancel it.', {
        details: { retryAfter: 60 },
      });
    let request: ImportRequest;
    try {
      request = await keptAlive(store, id, clock, () => prepare(id));
      await writeFile(requestIn(id), JSON.stringify(request), { mode: 0o600 });
    } catch (error) {
      await drop(id);
      const why = error instanceof Problem ? error.message : 'The file is incomplete.';
      await store.imports.end(id, { state: 'failed', error: why });
      throw error;
    }
    // Continues after the response.
    const ended = run(id, actor, request)
      .catch((error) => failed(error, id))
      .finally(() => running.delete(id));
    running.set(id, ended);
    return id;
  }

  async function run(id: number, actor: NonNullable<Actor>, request: ImportRequest): Promise<void> {
    const end = await carryOut(id, { ...request, place: uploadIn(id), actor }).catch(async (error) => {
      const why = 'The import failed. The log of the server contains the reason.';
      await store.imports.end(id, { state: 'failed', error: why });
      throw error;
    });
    const isOfUse = request.isDry ? end === 'done' : end === 'cancelled';
    if (!isOfUse) await drop(id);
  }

  async function get(id: number): Promise<ImportJob> {
    const job = await store.imports.find(id, deadAt(clock()));
    if (!job) throw new Problem('not-found', `Import ${id} not found.`);
    return job;
  }

  async function requestOf(id: number): Promise<ImportRequest | undefined> {
    const text = await readFile(requestIn(id), 'utf8').catch(() => undefined);
    return text === undefined ? undefined : JSON.parse(text);
  }

  return {
    begin: async (actor, receive) =>
      start(actor, async (id) => {
        await mkdir(folderOf(id), { recursive: true });
        let length = 0;
        const request = await receive(async (bytes) => {
          length = await write(bytes, uploadIn(id));
        });
        if (length === 0) throw invalid('/file', 'The file is missing or empty.');
        return request;
      }),
    again: async (actor, before, changes) => {
      await get(before);
      return start(actor, async (id) => {
        const request = await requestOf(before);
        // If two calls run at once, the second one finds nothing to rename.
        const isMoved = await rename(folderOf(before), folderOf(id)).then(
          () => true,
          () => false,
        );
        if (!request || !isMoved)
          throw invalid('', 'The upload of this import is no longer stored. Send the file again.');
        return { ...request, ...changes };
      });
    },
    get,
    list: () => store.imports.list(listed, deadAt(clock())),
    uploadOf: requestOf,
    cancel: async (id) => {
      const { state } = await get(id);
      if (state !== 'running') return drop(id);
      await store.imports.end(id, { state: 'cancelled' });
      // Waits, so that the next import finds no half-written page.
      await Promise.race([running.get(id), setTimeout(cancelledWithinMs)]);
    },
  };
}

export function uploadFolder(dataFolder: string): string {
  return join(dataFolder, 'imports');
}

/** Deletes abandoned uploads. */
export async function sweepUploads(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found && found.mtimeMs < now - keptMs) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Path of the parent page for the whole import; null for the root. Refuses `invalid`. */
export function readParent(text: string): string | null {
  if (text.trim() === '' || text.trim() === '/') return null;
  const read = readPath(text);
  if ('problem' in read) throw invalid('/parent', read.problem);
  return read.path;
}

/** Resolves to the number of bytes. */
async function write(bytes: AsyncIterable<Uint8Array>, place: string): Promise<number> {
  let length = 0;
  const counted = async function* () {
    for await (const chunk of bytes) {
      length += chunk.length;
      if (length > maxImportBytes)
        throw new Problem('too-large', `An import can have at most ${maxImportBytes} bytes.`);
      yield chunk;
    }
  };
  try {
    await pipeline(Readable.from(counted()), createWriteStream(place, { mode: 0o600 }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
      throw new Problem('unavailable', 'The disk is full, so nothing was imported.');
    throw error;
  }
  return length;
}
