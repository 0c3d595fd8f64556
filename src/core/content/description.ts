/**
 * Derives a page's description if its author wrote none: whole sentences that fit in 160 characters, else whole words and `…`.
 */

const derivedLength = 160;
/** Length of text that is searched for the end of a sentence, which depends only on nearby text. */
const segmentedLength = 2 * derivedLength;

/**
 * First sentences of a plain text that fit in a description, or its first words. Reads only the beginning of a long text.
 */
export function describe(plainText: string): string {
  // A little more than fits is enough to find where to cut; the rest of a long page is not processed.
  const start = onOneLine(plainText.slice(0, 2 * segmentedLength));
  const text = start.length < segmentedLength ? onOneLine(plainText.slice(0, derivedLength * 20)) : start;
  if (text.length <= derivedLength) return text;
  let fitting = 0;
  for (const { index, segment } of sentences.segment(text.slice(0, segmentedLength))) {
    const end = index + segment.trimEnd().length;
    if (end > derivedLength) break;
    fitting = end;
  }
  if (fitting > 0) return text.slice(0, fitting);
  const cut = text.slice(0, derivedLength - 1);
  const lastSpace = text[derivedLength - 1] === ' ' ? cut.length : cut.lastIndexOf(' ');
  // A text without spaces is cut between characters, never within a surrogate pair.
  const words = lastSpace > 0 ? cut.slice(0, lastSpace) : cut.replace(/[\ud800-\udbff]$/u, '');
  return `${words.replace(/[\s,;:–—-]+$/u, '')}…`;
}

function onOneLine(text: string): string {
  // Single spaces, the most common case, are left as they are.
  return text.replace(/[^\S ]\s*| \s+/gu, ' ').trim();
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
