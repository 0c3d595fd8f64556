/**
 * Comments in a source. A pattern such as `<!--[\s\S]*?-->` reads to the end of the text at each beginning that has no end, so that
 * many of them cost with the square; the functions here read the text once.
 */

const comment = /<!--[\s\S]*?-->/g;

/** Returns the text without its comments. A comment without an end stays, as text. */
export function withoutComments(text: string): string {
  const end = endOfLast(text);
  return end === 0 ? text : text.slice(0, end).replace(comment, '') + text.slice(end);
}

/**
 * Returns a text of the same length in which no comment lacks its end: beginnings without one are masked by U+0000. Patterns that
 * look for comments among other things take linear time in it.
 */
export function withClosedComments(text: string): string {
  const end = endOfLast(text);
  return text.slice(0, end) + text.slice(end).replaceAll('<!--', '\0\0\0\0');
}

/** Offset after the last `-->`; 0 without any. Every comment before it has an end. */
function endOfLast(text: string): number {
  const at = text.lastIndexOf('-->');
  return at < 0 ? 0 : at + 3;
}
