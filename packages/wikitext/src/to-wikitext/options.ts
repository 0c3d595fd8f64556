/** Options: the dialect, how addresses map to pages and files, and the layout. */
import type { Rules } from '../options.ts';
import { coppiceRules } from '../rules.ts';
import type { HtmlElement } from './html-tree.ts';

/** How wikitext is written from HTML. Everything is optional. */
export type Options = {
  /**
   * Dialect of the wikitext; text that is markup in it is escaped. The default is Coppice's own, with every tag and every
   * `__WORD__` escaped, because the language and extensions of the wiki are unknown.
   */
  rules?: Rules;
  /** Returns the page at an address, as written in brackets; undefined if there is none. */
  target?: (href: string, link: HtmlElement) => string | undefined;
  /** Returns the prefixed title of a page on another wiki, such as `w:Oak`; undefined if the address has none. */
  interwiki?: (href: string) => string | undefined;
  /** Returns the name, without `File:`, of the file at the address of a picture; undefined if there is none. */
  fileName?: (src: string, picture: HtmlElement) => string | undefined;
  /** `airy`: an empty line between blocks, and the cells of a row on one line. */
  layout?: 'compact' | 'airy';
  /** Whether to leave bare addresses in text unescaped, so that they become links. */
  keepsAddresses?: boolean;
};

export const defaultRules = coppiceRules;
