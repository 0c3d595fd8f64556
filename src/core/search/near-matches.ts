/**
 * Suggestions for a page that does not exist: misspelt names, other case, number or diacritics, and pages with the same name
 * elsewhere. Limited to pages that the reader can see.
 */

import { fold } from '../model/fold.ts';
import type { PageName } from '../model/page.ts';
import { slugOf } from '../model/path.ts';
import type { Reader } from '../ports/reader.ts';
import { likeness } from './likeness.ts';

/** Names with a lower similarity are not suggested. */
const least = 0.5;
/** Bonus for a page with the requested parent. */
const sameParent = 0.15;
/** Only this many characters of each name are compared. */
const comparedLength = 80;
const candidates = 200;

/** Most similar first. `path` must come from `readPath`. Runs a fixed number of statements. */
export async function nearMatches(reader: Reader, path: string, limit: number): Promise<PageName[]> {
  const cut = path.lastIndexOf('/');
  const parentKey = fold(path.slice(0, cut));
  const wanted = nameOf(path.slice(cut + 1)).slice(0, comparedLength);
  if (wanted === '') return [];
  const found = await reader.pages.alike(
    {
      beginning: readStart(wanted),
      fragments: fragmentsOf(wanted),
      beside: path.slice(0, cut + 1),
      length: wanted.length,
    },
    candidates,
  );
  const score = (page: PageName) => {
    const at = page.path.lastIndexOf('/');
    const names = [nameOf(page.title), nameOf(page.path.slice(at + 1))];
    const best = Math.max(...names.map((name) => likeness(name.slice(0, comparedLength), wanted)));
    return best < least ? 0 : best + (fold(page.path.slice(0, at)) === parentKey ? sameParent : 0);
  };
  return found
    .map((page) => ({ page, score: score(page) }))
    .filter((one) => one.score > 0)
    .sort((a, b) => b.score - a.score || a.page.id - b.page.id)
    .slice(0, limit)
    .map(({ page: { id, title, path } }) => ({ id, title, path }));
}

/** Words joined by hyphens, folded as for searching. */
function nameOf(text: string): string {
  return fold(slugOf(text));
}

function readStart(name: string): string {
  const characters = [...name.replaceAll('-', ' ')];
  return characters.slice(0, characters.length < 5 ? 1 : characters.length < 8 ? 2 : 3).join('');
}

/**
 * The words of a name, and the halves of each, one of which is right wherever the mistake is. Fragments shorter than three
 * letters are useless.
 */
function fragmentsOf(name: string): string[] {
  const pieces = name.split('-').flatMap((word) => {
    const characters = [...word];
    const middle = Math.floor(characters.length / 2);
    return [characters, characters.slice(0, middle), characters.slice(middle)];
  });
  const long = pieces.filter(({ length }) => length >= 3).map((piece) => piece.join(''));
  return [...new Set(long)].sort((a, b) => b.length - a.length).slice(0, 8);
}
