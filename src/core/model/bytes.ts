/** Size limits of texts, in UTF-8 bytes or in characters. Every text from outside is checked. */

/** Whether the text takes more bytes than this in UTF-8. Most texts are not encoded for it. */
export function hasMoreBytes(text: string, maxBytes: number): boolean {
  // A UTF-16 unit takes at most three bytes, so most texts need not be encoded.
  return 3 * text.length > maxBytes && new TextEncoder().encode(text).length > maxBytes;
}

/** Whether the text has more code points than this. Most texts are not counted for it. */
export function hasMoreCharacters(text: string, maxCharacters: number): boolean {
  // A text has at most as many characters as UTF-16 units.
  return text.length > maxCharacters && [...text].length > maxCharacters;
}
