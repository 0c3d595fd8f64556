/** File names. A separate module, so that the browser can show the name that a file will get. */

const maxFilenameLength = 200;

/** The last segment of the client's name, without characters that have a meaning in wikitext or headers. */
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
