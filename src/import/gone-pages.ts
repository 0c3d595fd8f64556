/**
 * Pages of earlier runs that the source no longer has where they were: a file that was moved keeps its page, a file that was
 * deleted is named, and a page that was deleted here stays deleted.
 */
import type { Store } from '#core/ports/store.ts';
import type { EarlierPages } from './earlier-pages.ts';
import { compareFingerprints, ownLines } from './fingerprint.ts';
import type { LargeMap } from './large-map.ts';
import { noteOf } from './note.ts';
import type { PlacedPage } from './places.ts';
import type { ExistingPage } from './planned-page.ts';
import type { Omission } from './source.ts';

/** A page that the source does not have any more, or has elsewhere. */
export interface GonePage {
  /** Key under which it was imported; empty for the page of a folder. */
  key: string;
  page: ExistingPage;
  movedTo?: { key: string; path: string; parentPath: string | null };
}

const atOnce = 500;
const maxDeletions = 10_000;

/** Changes `pages`: moved files keep their pages where these are. */
export function findGone(earlier: EarlierPages, pages: LargeMap<PlacedPage>): GonePage[] {
  const kept = new Set<number>();
  const gone: GonePage[] = [];
  for (const [key, { outline, existing, wanted, parentPath }] of pages.entries()) {
    if (existing) kept.add(existing.id);
    // A page that was moved here stays where people put it.
    const isMoved = existing && existing.note.wanted !== wanted && existing.path === existing.note.wanted;
    if (outline && existing && isMoved)
      gone.push({ key, page: existing, movedTo: { key, path: wanted, parentPath } });
  }
  const lost: GonePage[] = [];
  for (const { key, page } of earlier.pages())
    if (!kept.has(page.id) && !pages.has(key)) lost.push({ key, page });
  const moved = movedTo(lost, pages);
  const elsewhere = new Map<string, string>();
  for (const { key, page } of lost) {
    const to = moved.get(key);
    const planned = to === undefined ? undefined : pages.get(to);
    if (to === undefined || !planned) {
      gone.push({ key, page });
      continue;
    }
    const { wanted, parentPath } = planned;
    if (page.path !== wanted) gone.push({ key, page, movedTo: { key: to, path: wanted, parentPath } });
    pages.set(to, { ...planned, path: page.path, existing: page });
    elsewhere.set(planned.path, page.path);
  }
  for (const [key, page] of elsewhere.size === 0 ? [] : pages.entries()) {
    const above = page.parentPath === null ? undefined : elsewhere.get(page.parentPath);
    if (above !== undefined) pages.set(key, { ...page, parentPath: above });
  }
  return gone;
}

/**
 * Old key → new key: of equal texts, of similar texts in files of one name, and of texts that differ in front matter and headings
 * alone, as where a page got another title. Each has to be the only one.
 */
function movedTo(lost: readonly GonePage[], pages: LargeMap<PlacedPage>): Map<string, string> {
  const gone = lost.flatMap(({ key, page }) => (key === '' ? [] : [{ key, text: page.note.text }]));
  if (gone.length === 0) return new Map();
  const came = [...pages.values()].flatMap(({ outline, existing }) =>
    outline && !existing ? [{ key: outline.key, text: outline.fingerprint }] : [],
  );
  const moved = pairs(
    gone.map(({ key, text }) => [text, key]),
    came.map(({ key, text }) => [text, key]),
  );
  const taken = new Set([...moved.values()]);
  const byName = pairs(
    gone.flatMap(({ key }) => (moved.has(key) ? [] : [[nameOf(key), key]])),
    came.flatMap(({ key }) => (taken.has(key) ? [] : [[nameOf(key), key]])),
  );
  const texts = new Map([...gone, ...came].map(({ key, text }) => [key, text]));
  for (const [from, to] of byName) {
    const [then, now] = [texts.get(from), texts.get(to)];
    if (then && now && compareFingerprints(then, now) === 'similar') moved.set(from, to);
  }
  const found = new Set(moved.values());
  const retitled = pairs(
    gone.flatMap(({ key, text }) => (moved.has(key) ? [] : [[ownLines(text), key]])),
    came.flatMap(({ key, text }) => (found.has(key) ? [] : [[ownLines(text), key]])),
  );
  for (const [from, to] of retitled) moved.set(from, to);
  return moved;
}

/** Pairs those whose names are equal and occur once on each side. */
function pairs(
  went: readonly (readonly [name: string | undefined, key: string])[],
  came: readonly (readonly [name: string | undefined, key: string])[],
): Map<string, string> {
  const keys = byName(came);
  return new Map(
    [...byName(went)].flatMap(([name, from]) => {
      const to = keys.get(name);
      return from !== null && to ? [[from, to] as const] : [];
    }),
  );
}

/** Name → key; null if several keys share it. */
function byName(
  some: readonly (readonly [name: string | undefined, key: string])[],
): Map<string, string | null> {
  const names = new Map<string, string | null>();
  for (const [name, key] of some) if (name !== undefined) names.set(name, names.has(name) ? null : key);
  return names;
}

function nameOf(key: string): string {
  return key.slice(key.lastIndexOf('/', key.length - 2) + 1).toLowerCase();
}

/** Keys of pages that lie in the trash, and of those planned beneath them. */
export async function deletedHere(
  store: Store,
  earlier: EarlierPages,
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
        const planned = note && earlier.isOurs(note) ? pages.get(note.source) : undefined;
        if (!note || !planned || planned.existing || planned.path !== path) continue;
        skipped.add(note.source);
        paths.add(path);
        const why = `its page ${path} was deleted here; restore it from the trash, or import with --force`;
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
