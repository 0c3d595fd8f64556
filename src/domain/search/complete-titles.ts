/** Pages whose title or path somebody is typing, best first, as far as they can see: for completion and near matches. */
import type { PageName } from '../pages/page.ts';
import type { Reader } from '../reader.ts';

const maxFragmentLength = 255;

/** Nothing typed, or more than any title has: nothing. */
export async function completeTitles(
  reader: Reader,
  fragment: string,
  limit: number,
): Promise<(PageName & { type: string | null })[]> {
  const typed = fragment.normalize('NFC').replace(/\s+/gu, ' ').trim();
  if (typed === '' || typed.length > maxFragmentLength) return [];
  return reader.pages.complete(typed, limit);
}
