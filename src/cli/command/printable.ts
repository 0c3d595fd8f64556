/** Text from outside, such as names of files, for a terminal, which obeys control characters. */

/** One line: control characters, and those that turn the direction of writing, as U+FFFD. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}
