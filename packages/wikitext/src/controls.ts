/** Replaces NUL and U+0001, which the engine uses as placeholders. */
export function withoutControls(text: string): string {
  return text.includes('\0') || text.includes('\u0001') ? text.replace(/[\0\u0001]/g, '\uFFFD') : text;
}
