/** A complete import: plan, write, check, certificate. */

import { allowedAliases } from '#core/pages/place.ts';
import type { Files } from '#core/ports/file-store.ts';
import type { Store } from '#core/ports/store.ts';
import { AccessHere } from './access-here.ts';
import { Authors } from './authors.ts';
import { type Certificate, Ledger } from './certificate.ts';
import type { CreateComparer } from './comparison/comparer.ts';
import { DeferredComparer } from './comparison/deferred-comparer.ts';
import { TolerantComparer } from './comparison/tolerant-comparer.ts';
import { keepOrders } from './keep-order.ts';
import { keepRecognised, recognised } from './keep-translations.ts';
import { type Plan, type PlannedAlias, type PlannedTree, type PlanOptions, planImport } from './plan.ts';
import { prune, refuseExcessivePruning } from './prune.ts';
import { slicesOf } from './slices.ts';
import type { Source } from './source.ts';
import { PageWriter, type WriteOptions } from './write.ts';
import { writeComments } from './write-comments.ts';

export interface ImportOptions extends PlanOptions, WriteOptions {
  /** Whether pages are deleted and moved here as they were in the source. */
  prunes: boolean;
  members: ReadonlyMap<string, number>;
  clock: () => number;
  /** Called after the plan and after each page; throwing stops the import. */
  onProgress: (done: number, total: number) => void | Promise<void>;
  createComparer: CreateComparer;
  /** Whether an empty wiki may be filled without its indexes, while nobody reads it. */
  mayBulkLoad?: boolean;
  /** Called with the plan before anything is written. */
  onPlanned?: ((plan: PlannedTree) => void) | undefined;
}

const checkedAtOnce = 500;
/** Number of pages from which a bulk load is worth its end. */
const pagesToBulkLoad = 2000;

/**
 * Refuses unreadable sources before anything is written. Otherwise ends early only if `onProgress` throws or the store fails;
 * what was written is kept, and repeating the import continues after it.
 */
export async function runImport(
  wiki: { store: Store; files: Files },
  source: Source,
  options: ImportOptions,
): Promise<Certificate> {
  const startedAt = new Date(options.clock()).toISOString();
  const ledger = new Ledger();
  using plan = await planImport(wiki.store, source, options, (omission) => ledger.leaveOut(omission));
  if (options.prunes && !options.isForced) {
    const known = Iterator.from(plan.pages()).reduce((count, { existing }) => count + (existing ? 1 : 0), 0);
    refuseExcessivePruning(plan.gone, known);
  }
  Object.assign(ledger.source, plan.numbers);
  options.onPlanned?.(plan);
  await options.onProgress(0, plan.count);

  const access = await AccessHere.of(wiki.store, plan.pages(), options);
  for (const page of plan.pages()) {
    ledger.addApproximations(page.path, access.unread(page));
    ledger.addApproximations(page.path, recognised(page.outline, plan));
  }
  await using comparer = options.isDry
    ? undefined
    : new TolerantComparer(
        options.createComparer({ actor: options.actor, now: options.now, pages: plan.count }),
      );
  const isBulkLoading =
    options.mayBulkLoad === true &&
    !options.isDry &&
    plan.count >= pagesToBulkLoad &&
    (await wiki.store.maintenance.beginBulkLoad());
  // Comparing pages needs the indexes.
  using deferred = isBulkLoading && comparer ? new DeferredComparer(comparer) : undefined;
  using authors = new Authors(wiki.store, plan.origin || source.name, options.members, options.now);
  if (comparer) {
    const writing = { source, plan, authors, access, ledger, comparer: deferred ?? comparer };
    await write(new PageWriter(wiki, writing, options), { source, plan }, options);
    if (isBulkLoading) await wiki.store.maintenance.endBulkLoad();
    await keepOrders(wiki.store, plan.pages());
    await deferred?.compareAll();
    await keepRecognised(wiki.store, plan, options.actor, (omission) => ledger.leaveOut(omission));
    ledger.gone = await prune(wiki, plan.gone, options);
    const added = await addAliases(wiki.store, plan, options);
    let kept = 0;
    for (const { outline } of plan.pages()) if (outline?.redirect !== undefined) kept++;
    // Redirects without a target are imported as pages.
    ledger.result.pages -= kept;
    ledger.result.redirects = added + kept;
  }
  if (options.isDry) ledger.gone = await prune(wiki, plan.gone, options);
  if (!options.isDry) await writeComments(wiki.store, { source, plan, authors, ledger });
  ledger.source.authors = authors.seen.size;
  ledger.result.authors = options.isDry ? 0 : authors.seen.size;
  const lost = options.isDry ? new Set<string>() : await unresolved(wiki.store, ledger.targets());
  const head = {
    kind: source.kind,
    source: source.name,
    parent: options.parentPath ?? '/',
    isDryRun: options.isDry,
    startedAt,
    finishedAt: new Date(options.clock()).toISOString(),
    collisions: plan.collisions,
    origin: plan.origin,
    ...(plan.unclear.length > 0 ? { unclear: plan.unclear } : {}),
  };
  return { ...ledger.certificate(head, lost), ...(comparer ? { comparison: await comparer.finish() } : {}) };
}

async function write(
  writer: PageWriter,
  { source, plan }: { source: Source; plan: Plan },
  options: Pick<ImportOptions, 'onProgress'>,
): Promise<void> {
  let done = 0;
  /** Used for keys that occur more than once in the source. */
  const begun = new Set<string>();
  const step = () => options.onProgress(++done, plan.count);
  for (let round = 0; round < plan.rounds; round++) {
    for (const page of plan.pages()) {
      if (page.outline || page.round !== round) continue;
      await writer.bare(page);
      await step();
    }
    for await (const entry of source.read((key) => plan.placed(key)?.round === round)) {
      if (entry.event === 'page') {
        const page = plan.placed(entry.key);
        const isAgain = begun.has(entry.key);
        if (plan.repeated.has(entry.key)) begun.add(entry.key);
        if (page && !isAgain) writer.begin(page);
      } else if (entry.event === 'revision') await writer.revision(entry.revision);
      else if (entry.event === 'file') await writer.file(entry.file, entry.bytes);
      else {
        await writer.end();
        await step();
      }
    }
    await writer.flush();
  }
  await writer.flush();
}

/** Writes aliases, and returns the number of redirects that they replace. */
async function addAliases(
  store: Store,
  plan: Plan,
  { actor, now }: Pick<ImportOptions, 'actor' | 'now'>,
): Promise<number> {
  let count = 0;
  let some: PlannedAlias[] = [];
  const add = async () => {
    const paths = [...new Set(some.map(({ to }) => to.path))];
    const resolved = await store.readAsSystem().links.resolve(paths);
    const found = some.flatMap(({ path, to }) => {
      const page = resolved.get(to.path);
      return page ? [{ path, pageId: page.id }] : [];
    });
    await store.transact(async (store) => {
      const wanted = found.map(({ path }) => path);
      const allowed = new Set(await allowedAliases(store, actor, wanted, now));
      await store.pages.addAliases(found.filter(({ path }) => allowed.has(path)));
    });
    count += some.filter(({ isRedirect }) => isRedirect).length;
    some = [];
  };
  for (const alias of plan.aliases()) {
    some.push(alias);
    if (some.length >= checkedAtOnce) await add();
  }
  await add();
  return count;
}

async function unresolved(store: Store, paths: string[]): Promise<Set<string>> {
  const lost = new Set<string>();
  for (const some of slicesOf(paths)) {
    const resolved = await store.readAsSystem().links.resolve(some);
    for (const path of some) if (!resolved.has(path)) lost.add(path);
  }
  return lost;
}
