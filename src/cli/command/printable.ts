/** Makes external text, such as file names, safe for a terminal, which executes control characters. */

/** A single line, with control characters and bidirectional overrides replaced by U+FFFD. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}
