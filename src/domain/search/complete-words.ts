/** Tag names, tag values and types that somebody is typing, as far as they can see pages that have them. */
import type { Reader } from '../reader.ts';

/** Longer words are hardly typed to be completed. */
const maxPrefixLength = 200;

/**
 * `sea` asks for names of tags, `season:su` for values of one tag, `type:pl` for types; of each those that begin so, in
 * alphabetical order, at most `limit` for each way to write the beginning. Case is what people usually mean by it:
 * `great b` finds `great barn`, `Great barn`, `Great Barn` and `GREAT BARN`, but not `gReat barn`.
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
