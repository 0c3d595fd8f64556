/** Reads that find and list pages; part of `Reader`, whose rules apply. */

import type { Criteria } from '../model/criteria.ts';
import type { NumberedTerms } from '../model/numbered-terms.ts';
import type { Location, MemberName, Page, PageName } from '../model/page.ts';
import type { Box } from '../model/written-criteria.ts';

/** Part of a list: at most `limit` entries after the first `offset`. */
export interface Range {
  limit: number;
  offset: number;
}

export type SearchOrder =
  | 'alphabetical'
  | 'reverse alphabetical'
  | 'first created'
  | 'last created'
  | 'oldest update'
  | 'most recent update'
  | 'relevance'
  | 'tree';

/** Position in the order of a search: the value that the order compares, then the ID. */
export interface Position {
  key: string | number;
  id: number;
}

export interface SearchCriteria extends Criteria, Range {
  order: SearchOrder;
  /**
   * Alternative to an offset: pages after a position in that order, or from the beginning; the result then includes the last
   * one's position.
   */
  after?: { from: Position | undefined };
}

/** A page that has some words of a question, with the numbers of the terms of its title and of the beginning of its body. */
export interface LikelyPage extends Pick<Page, 'id' | 'language'> {
  title: Int32Array;
  body: Int32Array;
  /** Whether it has every phrase. */
  hasAll: boolean;
}

/** `weights`: how much each phrase of the question says, zero if no visible page has it. `numbered`: the terms by their numbers. */
export interface LikelyPages {
  pages: LikelyPage[];
  weights: number[];
  numbered: NumberedTerms;
}

/** A page with its position in the tree. */
export type TreePosition = Pick<Page, 'id' | 'trail'> & {
  /** For pages at the root: rank and sort key from which a walk continues. */
  rank?: number | null;
  sortKey?: string;
};

export type ChildPage = PageName & { type: string | null; hasChildren: boolean };

export interface TypesAndTags {
  types: { type: string; count: number }[];
  tags: { key: string; value: string; count: number }[];
}

export type MapPlace = PageName & Pick<Page, 'type' | 'language' | 'originalId'> & { location: Location };

export interface ListReads {
  /** `last`: with `after`, the position of the last page returned, if more follow. */
  search(criteria: SearchCriteria): Promise<{ ids: number[]; total: number; last?: Position }>;
  /** Visible pages with most of the weight of the words, which meet all other criteria; at most `limit`. Two or three statements. */
  likely(criteria: SearchCriteria, limit: number): Promise<LikelyPages>;
  /** Languages that visible pages have besides that of the wiki, in alphabetical order. */
  languages(): Promise<string[]>;
  /**
   * Number of visible matches by type and tag: at most 50 of each kind, most frequent first. If there are more than a few
   * thousand matches, only the first ones found are counted, and `isWhole` is false.
   */
  facets(criteria: SearchCriteria): Promise<TypesAndTags & { isWhole: boolean }>;
  /**
   * Places in the grid cells around a point, unordered: a superset of those within `radiusMetres`, which the caller measures
   * exactly. At most `limit`, arbitrarily chosen.
   */
  placesAround(
    centre: Location,
    radiusMetres: number,
    limit?: number,
  ): Promise<{ id: number; location: Location }[]>;
  /** For each radius, the number of places in cells that lie entirely within it, which are most of those within it. */
  countPlacesWithin(centre: Location, radiiMetres: number[]): Promise<number[]>;
  /**
   * In one snapshot: `near`, as `placesAround` the smaller radius; and the data to count those within the larger one: `counted`
   * as by `countPlacesWithin`, and `edge`, those of `placesAround` that are not in `counted`.
   */
  placesNearest(
    centre: Location,
    nearMetres: number,
    radiusMetres: number,
  ): Promise<Record<'near' | 'edge', { id: number; location: Location }[]> & { counted: number }>;
  /** Places in a box (west > east crosses the antimeridian) for maps, by ID, at most `limit`. */
  placesIn(box: Box, limit: number): Promise<MapPlace[]>;
  /**
   * Translations into this language that render an older change of their original, among those that the reader sees with it, by
   * ID from `after` on. `isOfWiki`: also pages without a language of their own. Looks at 5,000 translations at most; `last` is the
   * ID of the last one, if there are more.
   */
  behind(
    language: string,
    isOfWiki: boolean,
    after: number,
    limit: number,
  ): Promise<{ pages: { id: number; originalId: number }[]; last?: number }>;
  /**
   * Originals with their translations, as far as the reader sees both, by ID of the original from `after` on. Looks at 5,000
   * translations at most; `last` is the ID of the last original, if there are more.
   */
  translated(
    after: number,
    limit: number,
  ): Promise<{ originals: { id: number; translations: number[] }[]; last?: number }>;
  updates(range: Range, belowId?: number): Promise<(PageName & { at: number; editor: MemberName })[]>;
  /** Direct children (of the root: null) in their order: as members arranged them, then by title; whether they have visible children of their own. */
  children(parentId: number | null, range: Range): Promise<{ pages: ChildPage[]; total: number }>;
  /** The first children of each of these pages in their order, at most `limit` of each. One statement. */
  childrenOfEach(parentIds: number[], limit: number): Promise<Map<number, ChildPage[]>>;
  /** How many children each of these pages has, counted up to `most`; pages without any are left out. One statement. */
  childCounts(ids: number[], most: number): Promise<Map<number, number>>;
  /** Pages that a member created, most recently changed first. */
  ownedBy(memberId: number, range: Range): Promise<{ pages: (PageName & { at: number })[]; total: number }>;
  /**
   * Pages that a member edited, each once, by the member's own last change, latest first; based on their latest 1,000 changes.
   */
  editedBy(memberId: number, limit: number): Promise<(PageName & { at: number })[]>;
  /** Changes by a member that the actor may see, latest first, before the change with this ID. */
  contributions(
    memberId: number,
    range: { before: number | undefined; limit: number },
    withBody?: boolean,
  ): Promise<Contribution[]>;
  /** Pages that a member likes and the actor may read, by ID, after this ID. */
  likedBy(memberId: number, after: number, limit: number): Promise<(PageName & { at: number })[]>;
  /** Types and tags of the visible pages changed last, at most `pages` of them: 50 of each kind, most frequent first. */
  vocabulary(pages: number): Promise<TypesAndTags>;
  /**
   * Types, names of tags, or values of one tag that begin with one of the prefixes and occur on a visible page: each once, in
   * order of the prefixes and then of the words, at most `limit` for each prefix.
   */
  words(of: 'type' | 'tag' | { valueOf: string }, prefixes: string[], limit: number): Promise<string[]>;
  /** All pages visible to everyone, by ID, after `afterId`, for site maps. */
  publicPages(
    afterId: number,
    limit: number,
  ): Promise<Pick<Page, 'id' | 'path' | 'updatedAt' | 'language' | 'originalId'>[]>;
  /**
   * All pages, or those beneath a page, each before its descendants, continuing `after` the last one of the previous result.
   * Pages at the root come first, in their order.
   */
  inTreeOrder(
    beneath: TreePosition | null,
    after: TreePosition | null,
    limit: number,
  ): Promise<TreePosition[]>;
  /**
   * The pages before and after a page in the subtree of its topmost ancestor, or itself, whose children are arranged by hand;
   * neither if there is none. Depth first, without pages that only writers need.
   */
  neighbours(page: Pick<Page, 'id' | 'trail'>): Promise<Neighbours>;
}

export interface Neighbours {
  previous?: PageName;
  next?: PageName;
}

/** A change in a list of a member's contributions. */
export interface Contribution {
  id: number;
  at: number;
  msg: string;
  /** The page in its current state. */
  page: PageName;
  isErased: boolean;
  /** Text of the page after the change, if requested; absent if it was erased. */
  body?: string;
}
