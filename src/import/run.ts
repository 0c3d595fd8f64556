/** An import from beginning to end: plan, write, check, certificate. */
import type { Files } from '#domain/files/attach-files.ts';
import type { Store } from '#domain/ports/store.ts';
import { Authors } from './authors.ts';
import { type Certificate, Ledger } from './certificate.ts';
import { type Plan, type PlanOptions, planImport } from './plan.ts';
import type { Source } from './source.ts';
import { PageWriter, type WriteOptions } from './write.ts';

export interface ImportOptions extends PlanOptions, WriteOptions {
  isDry: boolean;
  members: ReadonlyMap<string, number>;
  clock: () => number;
  /** Called after the plan and after each page; may throw to stop the import. */
  onProgress: (done: number, total: number, plan: Plan) => void | Promise<void>;
}

const checkedAtOnce = 500;

/**
 * Refuses what cannot be read before anything is written. Ends early only by what `onProgress` throws or a failure of the
 * store: what was written until then stays, and the same import goes on after it.
 */
export async function runImport(
  wiki: { store: Store; files: Files },
  source: Source,
  options: ImportOptions,
): Promise<{ certificate: Certificate; plan: Plan }> {
  const startedAt = new Date(options.clock()).toISOString();
  const plan = await planImport(wiki.store, source, options);
  const ledger = new Ledger();
  for (const omission of plan.leftOut) ledger.leaveOut(omission);
  Object.assign(ledger.source, plan.numbers);
  const total = plan.pages.length;
  await options.onProgress(0, total, plan);

  const authors = new Authors(wiki.store, source.name, options.members, options.now);
  if (!options.isDry) {
    await write(wiki, source, plan, authors, ledger, options);
    const added = await addAliases(wiki.store, plan);
    const kept = plan.pages.filter(({ outline }) => outline?.redirect !== undefined).length;
    // Redirects that lead nowhere stay pages.
    ledger.result.pages -= kept;
    ledger.result.redirects = added + kept;
  }
  ledger.source.authors = authors.seen.size;
  ledger.result.authors = options.isDry ? 0 : authors.seen.size;
  const lost = options.isDry ? new Set<string>() : await unresolved(wiki.store, ledger.targets());
  const head = {
    ...{ kind: source.kind, source: source.name, parent: options.parentPath ?? '/', isDryRun: options.isDry },
    ...{ startedAt, finishedAt: new Date(options.clock()).toISOString(), collisions: plan.collisions },
  };
  return { certificate: ledger.certificate(head, lost), plan };
}

async function write(
  wiki: { store: Store; files: Files },
  source: Source,
  plan: Plan,
  authors: Authors,
  ledger: Ledger,
  options: ImportOptions,
): Promise<void> {
  const writer = new PageWriter(wiki, source, plan, authors, ledger, options);
  let done = 0;
  const step = () => options.onProgress(++done, plan.pages.length, plan);
  for (let round = 0; round < plan.rounds; round++) {
    const inRound = plan.pages.filter((page) => page.round === round);
    const byKey = new Map(
      inRound.flatMap((page) => (page.outline ? [[page.outline.key, page] as const] : [])),
    );
    // Parents stand before their children among them.
    for (const page of inRound) {
      if (page.outline) continue;
      await writer.bare(page);
      await step();
    }
    if (byKey.size === 0) continue;
    for await (const told of source.read((key) => byKey.has(key))) {
      if (told.event === 'page') {
        const page = byKey.get(told.key);
        if (page) writer.begin(page);
      } else if (told.event === 'revision') await writer.revision(told.revision);
      else if (told.event === 'file') await writer.file(told.file, told.bytes);
      else {
        await writer.end();
        await step();
      }
    }
    await writer.flush();
  }
  await writer.flush();
}

/** Writes aliases, and returns how many redirects they replace. */
async function addAliases(store: Store, { aliases }: Plan): Promise<number> {
  let count = 0;
  for (let from = 0; from < aliases.length; from += checkedAtOnce) {
    const some = aliases.slice(from, from + checkedAtOnce);
    const paths = [...new Set(some.map(({ to }) => to.path))];
    const resolved = await store.readAsSystem().links.resolve(paths);
    const found = some.flatMap(({ path, to }) => {
      const page = resolved.get(to.path);
      return page ? [{ path, pageId: page.id }] : [];
    });
    await store.transact((store) => store.pages.addAliases(found));
    count += some.filter(({ isRedirect }) => isRedirect).length;
  }
  return count;
}

async function unresolved(store: Store, paths: string[]): Promise<Set<string>> {
  const lost = new Set<string>();
  for (let from = 0; from < paths.length; from += checkedAtOnce) {
    const some = paths.slice(from, from + checkedAtOnce);
    const resolved = await store.readAsSystem().links.resolve(some);
    for (const path of some) if (!resolved.has(path)) lost.add(path);
  }
  return lost;
}
