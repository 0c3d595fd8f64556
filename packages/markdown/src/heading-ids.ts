/**
 * IDs of headings as GitHub makes them: lower case, no punctuation, words joined by hyphens, numbered if they repeat. The ID
 * that wikitext would give is added as a second anchor, so that links written either way work.
 */
import type { HeadingNode } from '@coppice/wikitext';
import { anchor, inlineText } from '@coppice/wikitext/build';

/** Gives all headings of a page different IDs: the stated one, or one made of the text as GitHub does. */
export function assignHeadingIds(headings: readonly HeadingNode[]): void {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  const texts = headings.map((heading) => inlineText(heading.children).trim());
  headings.forEach((heading, index) => {
    heading.id = unique(heading.attributes?.id || slug(texts[index] ?? '') || 'section', '-', taken, counts);
  });
  headings.forEach((heading, index) => {
    const former = anchor(texts[index] ?? '');
    if (former === '' || taken.has(former)) return;
    taken.add(former);
    heading.aliases = [former];
  });
}

function unique(base: string, joint: string, taken: Set<string>, counts: Map<string, number>): string {
  let id = base;
  let count = counts.get(base) ?? 0;
  while (taken.has(id)) id = `${base}${joint}${++count}`;
  counts.set(base, count);
  taken.add(id);
  return id;
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}
