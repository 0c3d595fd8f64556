/** Ports and settings that writing a letter needs. */
import type { Language } from '#html/html.ts';
import type { Comparison } from '../content/diff.ts';
import type { Secrets } from '../ports/credentials.ts';
import type { Store } from '../ports/store.ts';

/**
 * The wiki as presented in mail. `language`: of the site, for readers who have chosen none. `url`: the wiki's public address
 * without a trailing slash.
 */
export interface LetterHead {
  name: string;
  language: Language;
  url: string;
}

export interface LetterWriter {
  store: Store;
  secrets: Secrets;
  wiki: LetterHead;
  /** Compares two texts; by default on this thread. */
  compare?: (from: string, to: string) => Promise<Comparison>;
}
