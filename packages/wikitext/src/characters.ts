/** Kinds of characters by their code units, as several constructs ask for them. */

/** ASCII letters. */
export function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

/** White space of ASCII, line ends included. */
export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

/** Space or tab. */
export function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}
