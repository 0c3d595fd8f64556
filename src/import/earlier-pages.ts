/**
 * Pages that earlier imports made beneath the same parent, each with the identity of its source. Only pages of this very source
 * are continued: a page that was made from another one keeps its text, even if both sources call it the same.
 */
import type { Page } from '#core/model/page.ts';
import type { Store } from '#core/ports/store.ts';
import { compareFingerprints } from './fingerprint.ts';
import type { LargeMap, LargeMaps } from './large-map.ts';
import { hashOf, type ImportNote, noteOf } from './note.ts';
import { decide, type Origin, type Tally } from './origin.ts';
import type { PlacedPage } from './places.ts';
import type { ExistingPage } from './planned-page.ts';
import { importSteps } from './steps.ts';

const atOnce = 500;

export interface EarlierPages {
  /** Name under which the pages of this import are recorded. */
  origin: string;
  /** Names of earlier imports that may have read the same source. Then none is continued. */
  unclear: readonly string[];
  /** The page that was made for this key. */
  pageOf(key: string): ExistingPage | undefined;
  /** All pages of this source, with their keys; empty for pages of folders without a text of their own. */
  pages(): Iterable<{ key: string; page: ExistingPage }>;
  /** Whether an earlier import made this page from this source. */
  isOurs(note: ImportNote): boolean;
}

export function existingOf(page: Page, note: ImportNote | undefined): ExistingPage {
  const { id, path, changeId, content } = page;
  const { title, body, msg, location, image } = content;
  const isEdited = note !== undefined && note.body !== '' && note.body !== hashOf(body);
  const isOfImport = importSteps.includes(msg) || /^Imported (?:from|as) /.test(msg);
  return {
    id,
    path,
    changeId,
    note: note ?? { from: '', source: '', revision: '', body: '', title: '' },
    isEdited,
    isTouched:
      isEdited ||
      title !== note?.title ||
      location !== null ||
      image !== null ||
      !(note.revision || isOfImport),
  };
}

/** Goes once through all pages of the wiki. `pages`: those that the source asks for, by key. */
export async function findEarlier(
  store: Store,
  maps: LargeMaps,
  { origin, parentPath }: { origin: Origin; parentPath: string | null },
  pages: LargeMap<PlacedPage>,
): Promise<EarlierPages> {
  const all = maps.make<ExistingPage>();
  const folders = maps.make<ExistingPage>();
  const tallies = new Map<string, Tally>();
  const beneath = parentPath ?? '';
  let planned = 0;
  for (const { outline } of pages.values()) if (outline?.fingerprint !== undefined) planned++;
  for (let after = 0, length = atOnce; length === atOnce; ) {
    const some = await store.maintenance.pagesAfter(after, atOnce);
    length = some.length;
    for (const page of some) {
      after = page.id;
      const note = noteOf(page.content.data);
      if (!note || !isBeneath(note, page.path, beneath)) continue;
      const name = nameIn(note);
      if (note.source === '') {
        folders.set(`${name}\0${page.id}`, existingOf(page, note));
        continue;
      }
      const key = `${name}\0${note.source}`;
      // The data of a page may have been copied along with its text.
      if (all.has(key) && page.path !== note.wanted) continue;
      const isCounted = !all.has(key);
      all.set(key, existingOf(page, note));
      const outline = isCounted ? pages.get(note.source)?.outline : undefined;
      if (outline) count(tallies, name, outline.fingerprint, note.text);
    }
  }
  const decision = decide(origin, tallies, planned);
  const name = ('continues' in decision ? decision.continues : undefined) ?? origin.name;
  const isUnclear = 'unclear' in decision;
  return {
    origin: name,
    unclear: isUnclear ? decision.unclear : [],
    pageOf: (key) => (isUnclear ? undefined : all.get(`${name}\0${key}`)),
    *pages() {
      if (isUnclear) return;
      for (const [key, page] of all.entries())
        if (key.startsWith(`${name}\0`)) yield { key: key.slice(name.length + 1), page };
      for (const [key, page] of folders.entries()) if (key.startsWith(`${name}\0`)) yield { key: '', page };
    },
    isOurs: (note) => !isUnclear && nameIn(note) === name && (note.beneath ?? beneath) === beneath,
  };
}

/** No earlier import, as in a wiki without pages. */
export function noEarlier({ name }: Origin): EarlierPages {
  return { origin: name, unclear: [], pageOf: () => undefined, pages: () => [], isOurs: () => false };
}

function nameIn({ origin, from }: ImportNote): string {
  return origin ?? from;
}

/** Imports that recorded no parent are told by where their pages lie. */
function isBeneath({ beneath }: ImportNote, path: string, wanted: string): boolean {
  return beneath === undefined ? `${path}/`.startsWith(`${wanted}/`) : beneath === wanted;
}

/** Adds what became of one page to the tally of an earlier import. */
export function count(
  tallies: Map<string, Tally>,
  name: string,
  now: string | undefined,
  then: string | undefined,
): void {
  if (now === undefined && then === undefined) return;
  const tally = tallies.get(name) ?? { same: 0, similar: 0, different: 0, unknown: 0 };
  tallies.set(name, tally);
  tally[now === undefined || then === undefined ? 'unknown' : compareFingerprints(now, then)]++;
}
