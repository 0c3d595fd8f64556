/** Tag names, tag values and types that match what is being typed, from pages that the caller can see. */
import { fold } from '../model/fold.ts';
import type { Reader } from '../ports/reader.ts';

/** Longer input is not completed. */
const maxPrefixLength = 200;

/** Words that are compared by their folded form: all of nearly every wiki. */
const maxCompared = 1000;

/**
 * `sea` matches tag names, `season:su` values of one tag, and `type:pl` types: those with that beginning, in alphabetical
 * order, at most `limit` for each spelling of the beginning. Common variants of case are tried: `great b` finds `great barn`,
 * `Great barn`, `Great Barn` and `GREAT BARN`. If that finds too few, words follow whose folded form has the folded beginning,
 * among the first in alphabetical order.
 */
export async function completeWords(reader: Reader, text: string, limit: number): Promise<string[]> {
  const [, named, typed = ''] = /^(?:([^:]*):)?\s*(.*)$/s.exec(text.normalize('NFC').trimStart()) ?? [];
  const key = named?.trim().toLowerCase();
  if (typed.length > maxPrefixLength || key === '') return [];
  const kind = key === undefined ? 'tag' : key === 'type' ? 'type' : { valueOf: key };
  const spelt = key === undefined ? [typed.toLowerCase()] : spellings(typed);
  const found = await reader.lists.words(kind, spelt, limit);
  const beginning = fold(typed);
  if (beginning === '' || found.length >= limit) return found;
  const known = new Set(found);
  const compared = await reader.lists.words(kind, [''], maxCompared);
  const others = compared.filter((word) => !known.has(word) && fold(word).startsWith(beginning));
  return [...found, ...others.slice(0, limit - found.length)];
}

function spellings(typed: string): string[] {
  const capital = (word: string) => word.replace(/^./su, (first) => first.toUpperCase());
  const lower = typed.toLowerCase();
  return [
    ...new Set([typed, lower, capital(lower), lower.split(' ').map(capital).join(' '), typed.toUpperCase()]),
  ];
}
