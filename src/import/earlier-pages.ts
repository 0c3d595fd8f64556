/**
 * Pages of earlier runs that the source no longer has where they were: a file that was moved keeps its page, a file that was
 * deleted is named, and a page that was deleted here stays deleted.
 */
import type { Page } from '#core/model/page.ts';
import type { Store } from '#core/ports/store.ts';
import type { LargeMap } from './large-map.ts';
import { hashOf, type ImportNote, noteOf } from './note.ts';
import type { PlacedPage } from './places.ts';
import type { ExistingPage } from './planned-page.ts';
import { isSameSource, type Omission } from './source.ts';

const atOnce = 500;
const maxDeletions = 10_000;

interface Gone {
  key: string;
  page: ExistingPage;
}

export function existingOf(page: Page, note: ImportNote | undefined): ExistingPage {
  const { id, path, changeId, content } = page;
  return {
    ...{ id, path, changeId, note: note ?? { from: '', source: '', revision: '', body: '', title: '' } },
    isEdited: note !== undefined && note.body !== '' && note.body !== hashOf(content.body),
  };
}

/** Changes `pages`, and returns the keys of those that are not to be written. Goes once through all pages of the wiki. */
export async function reconcileEarlier(
  store: Store,
  { name, parentPath, isForced }: { name: string; parentPath: string | null; isForced: boolean },
  pages: LargeMap<PlacedPage>,
  leaveOut: (omission: Omission) => void,
): Promise<ReadonlySet<string>> {
  const skipped = isForced ? new Set<string>() : await deletedHere(store, name, pages, leaveOut);
  const known = new Set<number>();
  for (const { existing } of pages.values()) if (existing) known.add(existing.id);
  // Without a page of an earlier run, this is another source of the same kind.
  if (known.size === 0) return skipped;
  const gone: Gone[] = [];
  for (let after = 0, length = atOnce; length === atOnce; ) {
    const some = await store.maintenance.pagesAfter(after, atOnce);
    length = some.length;
    for (const page of some) {
      after = page.id;
      const note = noteOf(page.content.data);
      if (known.has(page.id) || !note || note.source === '' || !isSameSource(note.from, name)) continue;
      const isWithin = parentPath === null || page.path.startsWith(`${parentPath}/`);
      if (isWithin && !pages.has(note.source)) gone.push({ key: note.source, page: existingOf(page, note) });
    }
  }
  // Several sources of one kind may lie in one wiki: most of the pages have to be of this one.
  if (gone.length > known.size) return skipped;
  const moved = movedTo(gone, pages);
  const paths = new Map<string, string>();
  for (const { key, page } of gone) {
    const to = moved.get(key);
    const planned = to === undefined ? undefined : pages.get(to);
    if (to === undefined || !planned) {
      const why = `it is not in the source any more: its page ${page.path} stays until it is deleted here`;
      leaveOut({ source: key, why });
      continue;
    }
    pages.set(to, { ...planned, path: page.path, existing: page });
    paths.set(planned.path, page.path);
    const why = `it was moved from ${key}: its page stays at ${page.path} until it is moved here`;
    leaveOut({ source: to, why });
  }
  for (const [key, page] of paths.size === 0 ? [] : pages.entries()) {
    const above = page.parentPath === null ? undefined : paths.get(page.parentPath);
    if (above !== undefined) pages.set(key, { ...page, parentPath: above });
  }
  return skipped;
}

/** Old key → new key, of files whose names are the same and occur once among those that went and those that came. */
function movedTo(gone: readonly Gone[], pages: LargeMap<PlacedPage>): Map<string, string> {
  const went = byName(gone.map(({ key }) => key));
  const came = byName(
    [...pages.values()].flatMap(({ outline, existing }) => (outline && !existing ? [outline.key] : [])),
  );
  return new Map(
    [...went].flatMap(([name, from]) => {
      const to = came.get(name);
      return from !== null && to ? [[from, to] as const] : [];
    }),
  );
}

/** Name of the file → key; null if several keys share it. */
function byName(keys: readonly string[]): Map<string, string | null> {
  const names = new Map<string, string | null>();
  for (const key of keys) {
    const name = key.slice(key.lastIndexOf('/', key.length - 2) + 1).toLowerCase();
    names.set(name, names.has(name) ? null : key);
  }
  return names;
}

/** Keys of pages that lie in the trash, and of those planned beneath them. */
async function deletedHere(
  store: Store,
  name: string,
  pages: LargeMap<PlacedPage>,
  leaveOut: (omission: Omission) => void,
): Promise<Set<string>> {
  const skipped = new Set<string>();
  const paths = new Set<string>();
  for (const deletion of await store.trash.before(Number.MAX_SAFE_INTEGER, maxDeletions)) {
    let after = { depth: -1, id: 0 };
    for (let length = atOnce; length === atOnce; ) {
      const some = await store.trash.pagesOf(deletion, after, atOnce);
      length = some.length;
      for (const { id, depth, path, content } of some) {
        after = { depth, id };
        const note = noteOf(content.data);
        const planned = note && isSameSource(note.from, name) ? pages.get(note.source) : undefined;
        if (!note || !planned || planned.existing || planned.path !== path) continue;
        skipped.add(note.source);
        paths.add(path);
        const why = `its page ${path} was deleted here: restore it from the trash, or import with --force`;
        leaveOut({ source: note.source, why });
      }
    }
  }
  for (let count = -1; paths.size > 0 && count !== skipped.size; ) {
    count = skipped.size;
    for (const [key, { parentPath, path, existing }] of pages.entries()) {
      if (parentPath === null || !paths.has(parentPath) || skipped.has(key) || existing) continue;
      skipped.add(key);
      paths.add(path);
      leaveOut({ source: key, why: `the page ${parentPath} above it was deleted here` });
    }
  }
  return skipped;
}
