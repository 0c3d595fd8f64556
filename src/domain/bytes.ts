/** How large a text is, in UTF-8 or in characters, asked of everything that comes from outside. */

export function hasMoreBytes(text: string, maxBytes: number): boolean {
  // No UTF-16 unit takes more than three bytes, so hardly any text has to be encoded to tell.
  return 3 * text.length > maxBytes && new TextEncoder().encode(text).length > maxBytes;
}

export function hasMoreCharacters(text: string, maxCharacters: number): boolean {
  // Nor has any text more characters than UTF-16 units.
  return text.length > maxCharacters && [...text].length > maxCharacters;
}
