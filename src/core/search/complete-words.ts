/** Tag names, tag values and types that match what is being typed, from pages that the caller can see. */
import type { Reader } from '../ports/reader.ts';

/** Longer input is not completed. */
const maxPrefixLength = 200;

/**
 * `sea` matches tag names, `season:su` values of one tag, and `type:pl` types: those with that beginning, in alphabetical
 * order, at most `limit` for each spelling of the beginning. Common variants of case are tried: `great b` finds `great barn`,
 * `Great barn`, `Great Barn` and `GREAT BARN`, but not `gReat barn`.
 */
export async function completeWords(reader: Reader, text: string, limit: number): Promise<string[]> {
  const [, named, typed = ''] = /^(?:([^:]*):)?\s*(.*)$/s.exec(text.normalize('NFC').trimStart()) ?? [];
  const key = named?.trim().toLowerCase();
  if (typed.length > maxPrefixLength || key === '') return [];
  if (key === undefined) return reader.lists.words('tag', [typed.toLowerCase()], limit);
  return reader.lists.words(key === 'type' ? 'type' : { valueOf: key }, spellings(typed), limit);
}

function spellings(typed: string): string[] {
  const capital = (word: string) => word.replace(/^./su, (first) => first.toUpperCase());
  const lower = typed.toLowerCase();
  return [
    ...new Set([typed, lower, capital(lower), lower.split(' ').map(capital).join(' '), typed.toUpperCase()]),
  ];
}
