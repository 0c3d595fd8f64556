/**
 * What follows from a page's content: links, tags, type, location, description, search terms. Derived in one
 * place, written in the transaction of the change, and rebuilt from the changes by `coppice rebuild`.
 */

export interface DerivedLink {
  kind: 'page' | 'template' | 'file';
  /** As written, normalised (white space, NFC): a path if it starts with `/`, else a title. */
  target: string;
  /** How often the page says it. */
  count: number;
}

export interface Derived {
  links: DerivedLink[];
  /** In order of appearance; keys lower case. */
  tags: { key: string; value: string }[];
  /** Terms in order of the text: title first, then the body's plain text, as `domain/search.ts` cuts them. */
  terms: string[];
}
