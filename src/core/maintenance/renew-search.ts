/**
 * Renews what earlier versions derived for searching, because they folded less and knew no stems: search terms, sort keys and folded
 * paths. Runs in bounded pieces while the wiki is served; until the end, some older pages are found only by their words as they
 * stand, and not by words of other scripts than Latin. Pages that are indexed as before are only read.
 */
import { Damage } from '../model/damage.ts';
import { fold, foldLatin, isAscii } from '../model/fold.ts';
import type { Page } from '../model/page.ts';
import { joinedStemsOf } from '../model/stems.ts';
import { lockedState } from '../pages/page-state.ts';
import type { Store } from '../ports/store.ts';

/** Pages read at once; each may have 4 MB. */
const pieceSize = 50;
/** Pages written in one transaction, for which other writers wait. */
const pagesPerTransaction = 5;

/**
 * Renews the next piece. Returns the number of pages that were written, or undefined if all are renewed. Damaged pages are left
 * as they are.
 */
export async function renewSome(store: Store): Promise<number | undefined> {
  const { maintenance } = store;
  const after = await maintenance.searchRenewal();
  if (after === undefined) return undefined;
  const names = await maintenance.namesAfter(after, pieceSize, () => {});
  const last = names.at(-1);
  if (!last) {
    await maintenance.renewSortKeys();
    await maintenance.saveSearchRenewal('done');
    return 0;
  }
  const due = (await readablePages(store, after, names)).filter((page) =>
    isIndexedOtherwise(page, store.dialect.language),
  );
  for (let from = 0; from < due.length; from += pagesPerTransaction) {
    const some = due.slice(from, from + pagesPerTransaction);
    await store.transact(async (store) => {
      for (const { id } of some) {
        const locked = await lockedState(store, id);
        if (!locked) continue;
        const { state, derived } = locked;
        await store.maintenance.rewriteDerivedColumns(id, state);
        await store.links.saveDerived({ id, ...state }, derived, { titles: [], paths: [] });
      }
    });
  }
  await maintenance.saveSearchRenewal(last.id);
  return due.length;
}

async function readablePages(store: Store, after: number, names: { id: number }[]): Promise<Page[]> {
  const pages: Page[] = [];
  try {
    return await store.maintenance.pagesAfter(after, names.length);
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
  }
  for (const { id } of names) {
    try {
      pages.push(...(await store.maintenance.pagesAfter(id - 1, 1)));
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
    }
  }
  return pages;
}

/** References to characters that are not letters, which texts in Latin script have. */
const usualReferences = /&(?:nbsp|amp|lt|gt|quot|ndash|mdash|hellip);/g;

function isIndexedOtherwise({ title, path, language, content }: Page, wikiLanguage: string): boolean {
  const text = `${title}\n${path}\n${content.body}`;
  if (joinedStemsOf(text, language ?? wikiLanguage) !== '') return true;
  if (/&#?\w+;/.test(text.replace(usualReferences, ''))) return true;
  if (isAscii(text)) return false;
  return /[\p{sc=Hangul}\p{sc=Bopomofo}]/u.test(text) || fold(text) !== foldLatin(text);
}
