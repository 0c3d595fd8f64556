/**
 * Imports an export in JSON lines: every page with its changes, files and access. If the wiki has no other pages, IDs are kept,
 * and the same export can be made again byte for byte.
 */

import { Problem } from '#core/model/problem.ts';
import { readExported, type Settings, shortSetting } from '#core/model/settings.ts';
import type { Files } from '#core/ports/file-store.ts';
import type { Store } from '#core/ports/store.ts';
import { type Certificate, Ledger } from '../certificate.ts';
import { keepOrder } from '../keep-order.ts';
import { keepTranslations, type NewTranslation } from '../keep-translations.ts';
import type { ImportOptions } from '../run.ts';
import { slicesOf } from '../slices.ts';
import { Lines } from './lines.ts';
import { type LinesOutline, outlineOf } from './outline.ts';
import { People } from './people.ts';
import type { LineOf } from './records.ts';
import { LinesWriter, type LinesWriting } from './write.ts';
import { writeComments } from './write-comments.ts';
import { writeProposals } from './write-proposals.ts';

type LinesOptions = Omit<ImportOptions, 'isForced' | 'keepsAddresses'>;

/** Refuses unreadable files before anything is written; a repeated run continues. */
export async function importLines(
  wiki: { store: Store; files: Files },
  path: string,
  options: LinesOptions,
): Promise<Certificate> {
  if (options.parentPath !== null || options.permissions !== undefined)
    throw new Problem(
      'invalid',
      'JSON lines define where each page lies and who may read it. Leave “parent” and “permissions” out.',
    );
  const startedAt = new Date(options.clock()).toISOString();
  const outline = await outlineOf(wiki.store, path);
  const ledger = new Ledger();
  for (const omission of outline.leftOut) ledger.leaveOut(omission);
  Object.assign(ledger.source, outline.numbers);
  const { pages } = outline;
  options.onPlanned?.({ pages: () => pages.values(), count: pages.size });
  await options.onProgress(0, pages.size);
  const people = new People(wiki.store, options.actor, options.members, options.now);
  const { settings } = wiki.store;
  const { taken, refused } = readExported(outline.settings, settings.current(), settings.fixed);
  for (const { name, why } of refused) ledger.leaveOut({ source: `setting ${name}`, why });
  if (!options.isDry) {
    await applySettings(wiki.store, taken, options);
    const { maxFileBytes } = options;
    const writing: LinesWriting = { ...wiki, outline, people, ledger, maxFileBytes };
    const writer = new LinesWriter(writing);
    await write(writing, path, writer, options);
    await keepTranslations(wiki.store, options.actor, translationsIn(outline, writer, ledger), (omission) =>
      ledger.leaveOut(omission),
    );
    await writeComments(wiki.store, path, outline, people);
    await writeProposals(writing, path);
    await countLinks(wiki.store, writer.targets, ledger);
    for (const [was, is] of people.renumbered)
      ledger.addApproximations('', [{ construct: 'ID of a member', before: String(was), after: String(is) }]);
  }
  ledger.source.authors = people.count;
  ledger.result.authors = people.count;
  const head = {
    kind: 'jsonl',
    source: 'jsonl',
    parent: '/',
    isDryRun: options.isDry,
    startedAt,
    finishedAt: new Date(options.clock()).toISOString(),
    collisions: outline.collisions,
  };
  return ledger.certificate(head, new Set());
}

/** Translations whose originals are in the file as well. */
function translationsIn(
  { pages }: LinesOutline,
  { renderedIds }: LinesWriter,
  ledger: Ledger,
): NewTranslation[] {
  return [...pages.values()].flatMap(({ path, newId, translation }) => {
    if (!translation || newId === undefined) return [];
    const originalId = pages.get(translation.of)?.newId;
    if (originalId === undefined) {
      ledger.leaveOut({ source: path, why: 'the page that it translates is not in the file' });
      return [];
    }
    const change = renderedIds.get(translation.renders ?? 0);
    const rendered = change === undefined ? undefined : { change, paragraphs: translation.paragraphs };
    return [{ source: path, id: newId, originalId, rendered }];
  });
}

/** Before anything else, so that nobody reads a page of a private wiki meanwhile. */
async function applySettings(
  store: Store,
  taken: Partial<Settings>,
  { actor, now }: Pick<LinesOptions, 'actor' | 'now'>,
): Promise<void> {
  if (Object.keys(taken).length === 0) return;
  await store.transact(async (store) => {
    await store.settings.write(taken, now, actor.memberId);
    for (const [name, value] of Object.entries(taken))
      await store.audit.record({
        kind: 'settings-changed',
        subject: { kind: 'setting', name },
        note: shortSetting(value),
      });
  });
  await store.settings.refresh();
}

async function write(
  { store, outline }: LinesWriting,
  path: string,
  writer: LinesWriter,
  { onProgress }: LinesOptions,
): Promise<void> {
  // Concurrent writers get IDs after all of these.
  if (outline.keepsIds) await store.transact((store) => store.pages.skipIds(outline.last));
  let done = 0;
  const orders: LineOf<'order'>[] = [];
  for (let round = 0; round < outline.rounds; round++) {
    let isAmongPages = false;
    const lines = new Lines(path);
    for (let line = await lines.next(); line; line = await lines.next()) {
      if (line.kind === 'page') {
        if (!isAmongPages) await writer.endGroup();
        isAmongPages = true;
        const page = outline.pages.get(line.id);
        if (page?.round !== round) continue;
        await writer.page(page, line);
        await onProgress(++done, outline.pages.size);
        continue;
      }
      isAmongPages = false;
      if (line.kind === 'order' && round === outline.rounds - 1) orders.push(line);
      else if (line.kind === 'change') await writer.change(line);
      else if (line.kind === 'file') await writer.file(line, lines.bytes(line.name));
    }
    await writer.endGroup();
  }
  for (const { of, pages } of orders) {
    const idOf = (id: number) => outline.pages.get(id)?.newId;
    const parentId = of === null ? null : idOf(of);
    // Root pages that were here before keep the order that they have.
    if (parentId === undefined || (parentId === null && !outline.keepsIds)) continue;
    await keepOrder(
      store,
      parentId,
      pages.flatMap((id) => idOf(id) ?? []),
    );
  }
}

async function countLinks(store: Store, targets: ReadonlyMap<string, number>, ledger: Ledger): Promise<void> {
  for (const some of slicesOf([...targets])) {
    const found = await store.readAsSystem().links.resolve(some.map(([target]) => target));
    for (const [target, count] of some)
      ledger.addLinks(
        Array.from({ length: count }, () => ({ old: target, new: found.get(target)?.path ?? null })),
      );
  }
}
