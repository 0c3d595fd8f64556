/** Words of scripts, in the language of the page. */
import type { LocalText, Words } from '#html/html.ts';
import { type Given, type Key, say as sayLater, textOf } from '#words/say.ts';

const language = globalThis.document?.documentElement.lang ?? 'en';

/** A message of the catalogue as plain text. */
export function say<K extends Key>(key: K, ...given: Given<K>): string {
  return textHere(sayLater(key, ...given));
}

/** Plain text of words that server and scripts make alike. */
export function textHere(words: Words | LocalText): string {
  return textOf(words, language);
}

/** Stands for an element among the arguments of a message. */
export const slot = '\u{e000}';

/** Splits words at the slot, and puts the element there. */
export function withElement(words: string, element: Node): (Node | string)[] {
  const [before = '', after = ''] = words.split(slot);
  return [before, element, after];
}
