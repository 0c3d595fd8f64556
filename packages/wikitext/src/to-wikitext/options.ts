/** Facts about a site by which addresses become its pages and files. */
import type { Rules } from '../options.ts';
import { coppiceRules } from '../rules.ts';
import type { HtmlElement } from './html-tree.ts';

export type Options = {
  /**
   * Dialect that the wikitext is for: what is markup there is escaped. Without it the wikitext is Coppice's own, and tags and
   * `__WORDS__` are escaped that could mean something to some wiki.
   */
  rules?: Rules;
  /** Page that an address leads to, as it is written between brackets; undefined for any other address. */
  target?: (href: string, link: HtmlElement) => string | undefined;
  /** Prefixed title that an address on another wiki has: `w:Oak`. Undefined where it has none. */
  interwiki?: (href: string) => string | undefined;
  /** Name of the file that the picture at an address shows, without `File:`; undefined for any other picture. */
  fileName?: (src: string, picture: HtmlElement) => string | undefined;
  /** `airy` has an empty line between all blocks, and cells of one row on one line. */
  layout?: 'compact' | 'airy';
  /** Addresses in text stay as they are, and so become links. */
  keepsAddresses?: boolean;
};

export const defaultRules = coppiceRules;
