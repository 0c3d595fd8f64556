/** Helpers for imports that rewrite links in wikitext. */

/** End of the skipped element, or 0. Tags known to be unclosed are not searched for again. */
export function endOfElement(text: string, tag: string, from: number, unclosed: Set<string>): number {
  if (unclosed.has(tag)) return 0;
  const end = tag === '--' ? /-->/g : new RegExp(`</${tag}\\s*>`, 'gi');
  end.lastIndex = from;
  if (end.test(text)) return end.lastIndex;
  unclosed.add(tag);
  return 0;
}

/** Escapes percent signs and entities, which the engine decodes in targets. */
export function escapeTarget(text: string): string {
  return text.replaceAll('%', '%25').replace(/&(?=[#\w]+;)/g, '&amp;');
}
