/** Replaces NUL and U+0001, which are the engine's own. */
export function withoutControls(text: string): string {
  return text.includes('\0') || text.includes('\u0001') ? text.replace(/[\0\u0001]/g, '\uFFFD') : text;
}
