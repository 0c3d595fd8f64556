/** The same for text of the host, which keeps the marks that the engine gave it: see `nested-tags.ts`. */
export function withoutStrayControls(text: string): string {
  return text.includes('\0') || text.includes('\u0001')
    ? text.replace(/\u0001(?:\d{1,3}\/|(?<=>\u0001)[el])|[\0\u0001]/g, (found) =>
        found.length > 1 ? found : '\uFFFD',
      )
    : text;
}

/** Replaces NUL and U+0001, which the engine uses as placeholders. */
export function withoutControls(text: string): string {
  return text.includes('\0') || text.includes('\u0001') ? text.replace(/[\0\u0001]/g, '\uFFFD') : text;
}
