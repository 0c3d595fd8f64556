/** Data derived from the content of a page: what it links to, its tags, its search terms, and what is shown for it. */
import type { References, Tree } from '@coppice/wikitext';
import type { Content, Location } from './page.ts';

export interface ReadText {
  tree: Tree;
  references: References;
}

export interface DerivedLink {
  /** `template`: a call of a template, or a call of a module as `Module:X`, by a page or by another module. */
  kind: 'page' | 'template' | 'file';
  /** Target as written, normalised (white space, NFC): a path if it starts with `/`, else a title. */
  target: string;
  /** Number of occurrences on the page. */
  count: number;
}

export interface Derived {
  links: DerivedLink[];
  /** In order of appearance; keys lower case. */
  tags: { key: string; value: string }[];
  /**
   * Search terms in the order of the text, separated by spaces: title first, then the body's plain text, as
   * `core/model/terms.ts` splits them.
   */
  terms: string;
  /** Marked stems of the title and of the body's plain text: see `core/model/stems.ts`. */
  stems: { title: string; body: string };
}

/** Values shown for a page if nobody set them. */
export interface Shown {
  description: string;
  type: string | null;
  location: Location | null;
}

/** Fields from which data is derived. */
export const derivedFields = [
  'body',
  'format',
  'path',
  'title',
  'type',
  'location',
  'description',
  'language',
] as const;

export type DerivedFields = Pick<Content, (typeof derivedFields)[number]>;

export interface DerivedContent {
  shown: Shown;
  derived: Derived;
  followsPath: boolean;
  /** Sentence about the limit that the text exceeds. */
  excess?: string;
}

/** Derives data on a thread of its own if that takes long. The parsed text is returned only if it was parsed here. */
export type Derive = (content: DerivedFields) => Promise<DerivedContent & { read?: ReadText }>;
