/**
 * Outline of an export in JSON lines: its pages, and which of them exist in the wiki; decides everything before anything is
 * written.
 */

import { Problem } from '#core/model/problem.ts';
import type { PageRow } from '#core/ports/reader.ts';
import type { Store } from '#core/ports/store.ts';
import { slicesOf } from '../slices.ts';
import type { Omission } from '../source.ts';
import { type LineOf, linesOf } from './records.ts';

export interface KnownPage {
  /** ID in the file. */
  id: number;
  path: string;
  title: string;
  createdAt: number;
  parentId: number | null;
  /** Number of the pass in which it is written, after its parent. */
  round: number;
  /** The page from an earlier run. */
  existing: PageRow | undefined;
  /** Undefined until it is written. */
  newId: number | undefined;
  /** The page was changed here and is open to more members than in the file, so it gets no comments and proposals. */
  isApart?: true;
  /** Its original, and the change of it that it renders, by their IDs in the file. */
  translation: { of: number; renders: number | undefined; paragraphs: readonly string[] } | undefined;
}

export interface LinesOutline {
  pages: Map<number, KnownPage>;
  leftOut: Omission[];
  collisions: { title: string; wanted: string; path: string }[];
  rounds: number;
  numbers: { pages: number; revisions: number; files: number };
  /** Highest IDs in the file. */
  last: { members: number; pages: number; changes: number };
  /** Whether IDs are kept, because the wiki has no pages except those of an earlier run. */
  keepsIds: boolean;
  /** Settings of the other wiki, if this one has no pages. */
  settings: Record<string, unknown>;
}

const askedAtOnce = 500;
const maxPages = 2_000_000;
const mostTries = 100;

/** Reads the whole file. Refuses `invalid` if it is inconsistent. */
export async function outlineOf(store: Store, path: string): Promise<LinesOutline> {
  const known = new Map<number, KnownPage>();
  const leftOut: Omission[] = [];
  const last = { members: 0, pages: 0, changes: 0 };
  const numbers = { pages: 0, revisions: 0, files: 0 };
  /** Page → position of its first change in the file. */
  const order = new Map<number, number>();
  const paths = new Set<string>();
  const meet = (...members: number[]) => {
    last.members = Math.max(last.members, ...members);
  };
  const there = await latestChanges(store);
  const isEmpty = there.size === 0;
  let settings: Record<string, unknown> = {};
  for await (const line of linesOf(path)) {
    if (line.kind === 'settings') settings = line.settings;
    else if (line.kind === 'page') {
      if (known.has(line.id) || paths.has(line.path))
        throw new Problem('invalid', `The file contains the page ${line.path} twice. Export it again.`);
      known.set(line.id, pageOf(line));
      paths.add(line.path);
      last.pages = Math.max(last.pages, line.id);
      meet(line.owner.id, ...line.likes);
      if (known.size > maxPages)
        throw new Problem('too-large', `The file contains more than ${maxPages} pages.`);
    } else if (line.kind === 'change') {
      if (!known.has(line.page))
        throw new Problem('invalid', `The change ${line.id} belongs to a page that is not in the file.`);
      if (!order.has(line.page)) order.set(line.page, order.size);
      last.changes = Math.max(last.changes, line.id);
      const latest = there.get(line.page);
      if (latest?.id === line.id && latest.at === Date.parse(line.at)) there.delete(line.page);
      meet(line.editor.id);
      numbers.revisions++;
    } else if (line.kind === 'file' || line.kind === 'proposal-file') {
      if (line.missing) leftOut.push({ source: line.filename, why: 'its bytes were lost before the export' });
      meet(line.uploader);
      numbers.files++;
    } else if (line.kind === 'damaged') {
      leftOut.push({ source: `change ${line.change}`, why: 'it could not be read when the export was made' });
    } else if (line.kind === 'end') {
      const { pages, changes, files } = line;
      if (pages !== known.size || changes !== numbers.revisions || files !== numbers.files)
        throw new Problem(
          'invalid',
          `The file is incomplete: it announces ${pages} pages, ${changes} changes and ${files} files, but contains ${known.size}, ${numbers.revisions} and ${numbers.files}.`,
        );
    }
  }
  if (known.size === 0) throw new Problem('invalid', 'The file contains no page.');
  numbers.pages = known.size;
  const existing = there.size > 0 ? undefined : await onlyThese(store, known);
  for (const page of existing ?? [])
    Object.assign(known.get(page.id) ?? {}, { existing: page, newId: page.id });
  const collisions = existing ? [] : await placed(store, [...known.values()]);
  for (const page of known.values())
    if (!order.has(page.id))
      leftOut.push({ source: page.path, why: 'the file contains none of its changes', isRefusal: true });
  return {
    pages: known,
    leftOut,
    collisions,
    rounds: roundsOf(known, order),
    numbers,
    last,
    keepsIds: existing !== undefined,
    settings: isEmpty ? settings : {},
  };
}

function pageOf(line: LineOf<'page'>): KnownPage {
  const { id, path, title, created, parent, translationOf, renders, renderedParagraphs = [] } = line;
  return {
    id,
    path,
    title,
    createdAt: Date.parse(created),
    parentId: parent,
    round: 0,
    existing: undefined,
    newId: undefined,
    translation:
      translationOf === undefined
        ? undefined
        : { of: translationOf, renders, paragraphs: renderedParagraphs },
  };
}

/** ID and time of the latest change of each page of the wiki. */
async function latestChanges(store: Store): Promise<Map<number, { id: number; at: number }>> {
  const latest = new Map<number, { id: number; at: number }>();
  for await (const page of pagesOf(store)) latest.set(page.id, { id: page.changeId, at: page.updatedAt });
  return latest;
}

async function* pagesOf(store: Store): AsyncGenerator<PageRow> {
  for (let after = 0; ; ) {
    const some = await store.maintenance.namesAfter(after, askedAtOnce);
    const last = some.at(-1);
    if (!last) return;
    yield* await store.readAsSystem().pages.states(some.map(({ id }) => id));
    after = last.id;
  }
}

/** All pages of the wiki, possibly none, if an earlier run wrote them with their own IDs; otherwise undefined. */
async function onlyThese(
  store: Store,
  known: ReadonlyMap<number, KnownPage>,
): Promise<PageRow[] | undefined> {
  const reader = store.readAsSystem();
  if ((await reader.trash.list({ limit: 1, offset: 0 })).total > 0) return undefined;
  const all: PageRow[] = [];
  for await (const page of pagesOf(store)) {
    const theirs = known.get(page.id);
    if (theirs?.path !== page.path || theirs.createdAt !== page.createdAt) return undefined;
    all.push(page);
  }
  return all;
}

/** Finds pages of an earlier run by path and creation time; pages whose path is taken get another one beside it. */
async function placed(store: Store, pages: KnownPage[]): Promise<LinesOutline['collisions']> {
  const taken = new Set(pages.map(({ path }) => path));
  const collisions = new Map<KnownPage, string>();
  let waiting = pages;
  for (let number = 2; waiting.length > 0 && number < mostTries; number++) {
    const again: KnownPage[] = [];
    for (const some of slicesOf(waiting)) {
      const reader = store.readAsSystem();
      const found = await reader.links.resolve(some.map(({ path }) => path));
      const loaded = await reader.pages.states([...new Set([...found.values()].map(({ id }) => id))]);
      const byId = new Map(loaded.map((page) => [page.id, page]));
      for (const page of some) {
        const there = byId.get(found.get(page.path)?.id ?? 0);
        if (there?.createdAt === page.createdAt) {
          Object.assign(page, { existing: there, newId: there.id, path: there.path });
        } else if (there?.path === page.path) {
          const wanted = collisions.get(page) ?? page.path;
          collisions.set(page, wanted);
          page.path = `${wanted}-${number}`;
          for (let next = number + 1; taken.has(page.path); next++) page.path = `${wanted}-${next}`;
          taken.add(page.path);
          again.push(page);
        }
      }
    }
    waiting = again;
  }
  return [...collisions].flatMap(([{ title, path, existing }, wanted]) =>
    existing ? [] : [{ title, wanted, path }],
  );
}

function roundsOf(pages: ReadonlyMap<number, KnownPage>, order: ReadonlyMap<number, number>): number {
  let rounds = 1;
  // Ensures that each page comes before its descendants.
  for (const page of pages.values()) {
    const above = page.parentId === null ? undefined : pages.get(page.parentId);
    if (!above) continue;
    const isLater = (order.get(above.id) ?? 0) > (order.get(page.id) ?? 0);
    page.round = above.round + (isLater ? 1 : 0);
    rounds = Math.max(rounds, page.round + 1);
  }
  return rounds;
}
