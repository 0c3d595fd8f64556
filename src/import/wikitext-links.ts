/** Helpers for imports that rewrite links in wikitext. */

/** End of the element that is passed over, or 0. Tags that are known not to close again are not looked for again. */
export function endOfElement(text: string, tag: string, from: number, unclosed: Set<string>): number {
  if (unclosed.has(tag)) return 0;
  const end = tag === '--' ? /-->/g : new RegExp(`</${tag}\\s*>`, 'gi');
  end.lastIndex = from;
  if (end.test(text)) return end.lastIndex;
  unclosed.add(tag);
  return 0;
}

/** The engine decodes percent signs and entities of what is written in a target. */
export function escapeTarget(text: string): string {
  return text.replaceAll('%', '%25').replace(/&(?=[#\w]+;)/g, '&amp;');
}
