/**
 * Pages whose title or path matches what is being typed, best first, for completion and near matches. Limited to pages that the
 * caller can see.
 */
import type { PageName } from '../model/page.ts';
import type { Reader } from '../ports/reader.ts';

const maxFragmentLength = 255;

/** Empty input and input longer than any title match nothing. */
export async function completeTitles(
  reader: Reader,
  fragment: string,
  limit: number,
): Promise<(PageName & { type: string | null })[]> {
  const typed = fragment.normalize('NFC').replace(/\s+/gu, ' ').trim();
  if (typed === '' || typed.length > maxFragmentLength) return [];
  return reader.pages.complete(typed, limit);
}
