/** Names for character codes, and the classes of characters that several constructs need. */

/** UTF-16 codes of the characters that have a meaning in wikitext. */
export const char = Object.freeze({
  nul: 0,
  tab: 9,
  newline: 10,
  formFeed: 12,
  carriageReturn: 13,
  space: 32,
  exclamation: 33,
  quote: 34,
  hash: 35,
  apostrophe: 39,
  closeParenthesis: 41,
  plus: 43,
  comma: 44,
  hyphen: 45,
  dot: 46,
  slash: 47,
  colon: 58,
  semicolon: 59,
  lessThan: 60,
  equals: 61,
  greaterThan: 62,
  question: 63,
  openBracket: 91,
  backslash: 92,
  closeBracket: 93,
  caret: 94,
  underscore: 95,
  openBrace: 123,
  pipe: 124,
  closeBrace: 125,
  delete: 127,
  /** The first code beyond ASCII. */
  notAscii: 128,
  fixedSpace: 160,
  replacement: 0xfffd,
});

/** Whether the code is an ASCII letter. */
export function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

/** Whether the code is ASCII white space, including line ends. */
export function isSpace(code: number): boolean {
  return code === char.space || (code >= char.tab && code <= char.carriageReturn);
}

/** Whether the code is a space or a tab. */
export function isBlank(code: number): boolean {
  return code === char.space || code === char.tab;
}

/** Whether the code is a digit from 0 to 9. */
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Trims ASCII white space, as MediaWiki does: no-break spaces and other white space stay. */
export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  if (text.charCodeAt(0) > char.space && text.charCodeAt(end - 1) > char.space) return text;
  while (start < end && isTrimmed(text.charCodeAt(start))) start++;
  while (end > start && isTrimmed(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isTrimmed(code: number): boolean {
  return isSpace(code) && code !== char.formFeed;
}
