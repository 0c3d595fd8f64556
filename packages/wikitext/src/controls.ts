/**
 * Replaces NUL and U+0001, which the engine uses as placeholders. `keepsMarks`: text of the host keeps the marks that the engine
 * gave it, see `nested-tags.ts`.
 */
export function withoutControls(text: string, keepsMarks = false): string {
  return text.includes('\0') || text.includes('\u0001')
    ? text.replace(/(\u0001\d{1,3}\/|(?<=>)\u0001[el])|[\0\u0001]/g, (_found, mark?: string) =>
        keepsMarks && mark ? mark : `\uFFFD${mark?.slice(1) ?? ''}`,
      )
    : text;
}
