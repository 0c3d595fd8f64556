/** Types, tags and words in use, for suggestions. */
import { fold } from '#core/model/fold.ts';
import { ask } from '../ask.ts';

interface Vocabulary {
  types: { type: string; count: number }[];
  tags: { key: string; value: string; count: number }[];
}

let vocabularyAsked: Promise<Vocabulary> | undefined;

/** Types and tags in use, fetched once; empty if that fails. */
export function vocabulary(): Promise<Vocabulary> {
  vocabularyAsked ??= ask<Vocabulary>('/v1/vocabulary').then((found) => found ?? { types: [], tags: [] });
  return vocabularyAsked;
}

/** Words with this beginning: the most common first, then the rest of the wiki's. */
export async function wordsLike(
  text: string,
  usual: { word: string; detail: string }[],
  signal: AbortSignal,
): Promise<{ word: string; detail: string }[]> {
  const typed = fold(text.slice(text.indexOf(':') + 1).trim());
  const matching = usual.filter(({ word }) => fold(word).includes(typed));
  if (typed === '') return matching;
  // Offline, or if another key was pressed first, only the usual suggestions are shown.
  const found = await ask<{ words: string[] }>(`/search/words?text=${encodeURIComponent(text)}`, { signal });
  const known = new Set(matching.map(({ word }) => word));
  const others = (found?.words ?? []).filter((word) => !known.has(word));
  return [...matching, ...others.map((word) => ({ word, detail: '' }))];
}
