/** Reads that find and list pages: a part of `Reader`, whose rules hold. */

import type { Location, Page, PageName } from '../pages/page.ts';
import type { Criteria } from '../search/criteria.ts';

/** A part of a list: at most `limit`, after the first `offset`. */
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
  | 'relevance';

/** Place in the order of a search: the value that the order compares, and then the ID. */
export interface Position {
  key: string | number;
  id: number;
}

export interface SearchCriteria extends Criteria, Range {
  order: SearchOrder;
  /** Instead of an offset: those that come after a page in that order, or from the beginning, and the last one's position. */
  after?: { from: Position | undefined };
}

/** A page by its place in the tree. */
export type TreePosition = Pick<Page, 'id' | 'trail'> & {
  /** For pages at the root: a walk goes on from here. */
  sortKey?: string;
};

export type ChildPage = PageName & { type: string | null; hasChildren: boolean };

export interface TypesAndTags {
  types: { type: string; count: number }[];
  tags: { key: string; value: string; count: number }[];
}

export interface ListReads {
  /** `last`: with `after`, where the last one of these stands, if more follow. */
  search(criteria: SearchCriteria): Promise<{ ids: number[]; total: number; last?: Position }>;
  /**
   * How many visible matches each type and tag has: for facets. At most 50 of each, most first. Of more than some thousand
   * matches only those found first are looked at: then it is not `isWhole`.
   */
  facets(criteria: SearchCriteria): Promise<TypesAndTags & { isWhole: boolean }>;
  /**
   * Places whose location lies in cells around a point: a superset of what is within `radiusMetres` (the caller measures
   * exactly), in no order. At most `limit` of them, any.
   */
  placesAround(
    centre: Location,
    radiusMetres: number,
    limit?: number,
  ): Promise<{ id: number; location: Location }[]>;
  /** For each radius, of the places within it those in cells that lie within it as a whole: most of many. */
  countPlacesWithin(centre: Location, radiiMetres: number[]): Promise<number[]>;
  /**
   * At one moment `near`, as `placesAround` the smaller radius, and what tells how many are within the larger one: `counted`, as
   * `countPlacesWithin` does, and `edge`, those of `placesAround` that are not counted there.
   */
  placesNearest(
    centre: Location,
    nearMetres: number,
    radiusMetres: number,
  ): Promise<Record<'near' | 'edge', { id: number; location: Location }[]> & { counted: number }>;
  /** Places in a box (west > east crosses the antimeridian), for maps. By ID, at most `limit`. */
  placesIn(
    box: { south: number; west: number; north: number; east: number },
    limit: number,
  ): Promise<(PageName & { location: Location; type: string | null })[]>;
  updates(
    range: Range,
    belowId?: number,
  ): Promise<(PageName & { at: number; editor: { id: number; name: string } })[]>;
  /** Direct children (of the roots: null), by title; whether they have visible children of their own. */
  children(
    parentId: number | null,
    range: Range,
  ): Promise<{
    pages: ChildPage[];
    total: number;
  }>;
  /** The first children of each of these pages, by title: at most `limit` of each. One statement. */
  childrenOfEach(parentIds: number[], limit: number): Promise<Map<number, ChildPage[]>>;
  /** Pages that a member created, changed last first. */
  ownedBy(memberId: number, range: Range): Promise<{ pages: (PageName & { at: number })[]; total: number }>;
  /** Pages that a member edited, their own last change first, each once: those of the latest 1,000 changes of theirs. */
  editedBy(memberId: number, limit: number): Promise<(PageName & { at: number })[]>;
  /** Changes of a member that the actor may see, the latest first, before the change with this ID. */
  contributions(
    memberId: number,
    before: number | undefined,
    limit: number,
    withBody?: boolean,
  ): Promise<Contribution[]>;
  /** Pages that a member likes and that the actor may read, by ID, after this one. */
  likedBy(memberId: number, after: number, limit: number): Promise<(PageName & { at: number })[]>;
  /** Types and tags of the visible pages that changed last, at most `pages` of them: 50 of each, most first. */
  vocabulary(pages: number): Promise<TypesAndTags>;
  /**
   * Types, names of tags or values of one tag that begin with one of the prefixes and that a visible page has: each
   * once, in order of the prefixes and then of the words, at most `limit` for each prefix.
   */
  words(of: 'type' | 'tag' | { valueOf: string }, prefixes: string[], limit: number): Promise<string[]>;
  /** All pages visible to everyone, in order of ID after `afterId`: for site maps. */
  publicPages(afterId: number, limit: number): Promise<{ id: number; path: string; updatedAt: number }[]>;
  /**
   * All pages, or those beneath one, each before those beneath it, `after` the last one of the answer before. Those at the root come
   * first, in alphabetical order.
   */
  inTreeOrder(
    beneath: TreePosition | null,
    after: TreePosition | null,
    limit: number,
  ): Promise<TreePosition[]>;
}

/** A change as a list of what somebody did shows it. */
export interface Contribution {
  id: number;
  at: number;
  msg: string;
  /** The page as it is now. */
  page: PageName;
  isErased: boolean;
  /** Text of the page after the change, where it was asked for; absent where it was erased. */
  body?: string;
}
