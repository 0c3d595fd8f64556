/** File names. In a module of its own, so that the browser can show the name that a file will have. */

const maxFilenameLength = 200;

/** The last segment of whatever the client called it, without characters that mean something in wikitext or headers. */
export function cleanFilename(filename: string): string {
  const last = filename.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const clean = last
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}[\]{}|<>#?"]+/gu, '_')
    .replace(/\s+/gu, ' ')
    .trim();
  if (/^\.*$/.test(clean)) return '';
  const characters = [...clean];
  if (characters.length <= maxFilenameLength) return clean;
  const extension = /\.[\p{L}\p{N}]{1,10}$/u.exec(clean)?.[0] ?? '';
  return characters.slice(0, maxFilenameLength - extension.length).join('') + extension;
}
