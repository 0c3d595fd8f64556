/** How large a text is in UTF-8, asked of everything that comes from outside. */

export function hasMoreBytes(text: string, maxBytes: number): boolean {
  // No UTF-16 unit takes more than three bytes, so hardly any text has to be encoded to tell.
  return 3 * text.length > maxBytes && new TextEncoder().encode(text).length > maxBytes;
}
