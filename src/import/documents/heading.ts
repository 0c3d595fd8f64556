/** Characters in which the heading of a document is looked for. */
const lookedAt = 20_000;

/** The words of the first heading of Markdown behind an offset, without marks; undefined if there is none. */
export function headingIn(text: string, from: number): string | undefined {
  const heading = /^[^\S\n]*#[ \t]+(\S.*)$/m.exec(text.slice(from, from + lookedAt))?.[1];
  const plain = heading
    ?.trimEnd()
    .replace(/(?<=[ \t])#+$/, '')
    .replace(/[*_`]|\{#[^{}]*\}|\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .trim();
  return plain || undefined;
}
