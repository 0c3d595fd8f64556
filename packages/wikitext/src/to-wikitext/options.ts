/** Options: the dialect, how addresses map to pages and files, and the layout. */
import type { Rules } from '../options.ts';
import { coppiceRules } from '../rules.ts';
import type { HtmlElement } from './html-tree.ts';

export type Options = {
  /**
   * Dialect that the wikitext is for: text that is markup there is escaped. By default Coppice's own, with every tag and every
   * `__WORD__` escaped, as the language and the extensions of the wiki are not known.
   */
  rules?: Rules;
  /** Page at an address, as written in brackets; undefined if there is none. */
  target?: (href: string, link: HtmlElement) => string | undefined;
  /** Prefixed title of a page on another wiki: `w:Oak`. Undefined if the address has none. */
  interwiki?: (href: string) => string | undefined;
  /** Name, without `File:`, of the file at the address of a picture; undefined if there is none. */
  fileName?: (src: string, picture: HtmlElement) => string | undefined;
  /** `airy`: an empty line between all blocks, and the cells of a row on one line. */
  layout?: 'compact' | 'airy';
  /** Leaves bare addresses in text unescaped, so that they become links. */
  keepsAddresses?: boolean;
};

export const defaultRules = coppiceRules;
