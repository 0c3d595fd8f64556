/** Lists as the store's parts read them: those of `list-reads.ts`, for any visibility. */

import type { Dependency } from '#cache/dependency.ts';
import type { Location, PageName } from '../pages/page.ts';
import type { Visibility } from '../permission.ts';
import type { Range, SearchCriteria, TypesAndTags } from './list-reads.ts';

export interface ListStore {
  /** `dependencies`: all that decides this. */
  search(
    criteria: SearchCriteria,
    visibility: Visibility,
  ): Promise<{ ids: number[]; total: number; dependencies: Dependency[] }>;
  /**
   * How many visible matches each type and tag has: for facets. At most 50 of each, most first. Of more than some thousand
   * matches only those found first are looked at: then it is not `isWhole`.
   */
  facets(criteria: SearchCriteria, visibility: Visibility): Promise<TypesAndTags & { isWhole: boolean }>;
  /**
   * Places whose location lies in cells around a point: a superset of what is within `radiusMetres` (the caller measures
   * exactly), in no order. At most `limit` of them, any.
   */
  placesAround(
    centre: Location,
    radiusMetres: number,
    visibility: Visibility,
    limit?: number,
  ): Promise<{ id: number; location: Location }[]>;
  /** For each radius, of the places within it those in cells that lie within it as a whole: most of many. */
  countPlacesWithin(centre: Location, radiiMetres: number[], visibility: Visibility): Promise<number[]>;
  /**
   * At one moment `near`, as `placesAround` the smaller radius, and what tells how many are within the larger one: `counted`, as
   * `countPlacesWithin` does, and `edge`, those of `placesAround` that are not counted there.
   */
  placesNearest(
    centre: Location,
    nearMetres: number,
    radiusMetres: number,
    visibility: Visibility,
  ): Promise<Record<'near' | 'edge', { id: number; location: Location }[]> & { counted: number }>;
  /** Places in a box (west > east crosses the antimeridian), for maps. By ID, at most `limit`. */
  placesIn(
    box: { south: number; west: number; north: number; east: number },
    visibility: Visibility,
    limit: number,
  ): Promise<(PageName & { location: Location; type: string | null })[]>;
  updates(
    visibility: Visibility,
    range: Range,
    belowId?: number,
  ): Promise<(PageName & { at: number; editor: { id: number; name: string } })[]>;
  /** Direct children (of the roots: null), by title; whether they have visible children of their own. */
  children(
    parentId: number | null,
    visibility: Visibility,
    range: Range,
  ): Promise<{
    pages: (PageName & { type: string | null; hasChildren: boolean })[];
    total: number;
    dependencies: Dependency[];
  }>;
  /** Pages that a member created, changed last first. */
  ownedBy(
    memberId: number,
    visibility: Visibility,
    range: Range,
  ): Promise<{ pages: (PageName & { at: number })[]; total: number }>;
  /** Pages that a member edited, their own last change first, each once: those of the latest 1,000 changes of theirs. */
  editedBy(memberId: number, visibility: Visibility, limit: number): Promise<(PageName & { at: number })[]>;
  /** Types and tags of the visible pages that changed last, at most `pages` of them: 50 of each, most first. */
  vocabulary(visibility: Visibility, pages: number): Promise<TypesAndTags>;
  /**
   * Types, names of tags or values of one tag that begin with one of the prefixes and that a visible page has: each
   * once, in order of the prefixes and then of the words, at most `limit` for each prefix.
   */
  words(
    of: 'type' | 'tag' | { valueOf: string },
    prefixes: string[],
    visibility: Visibility,
    limit: number,
  ): Promise<string[]>;
  /** All pages visible to everyone, in order of ID after `afterId`: for site maps. */
  publicPages(afterId: number, limit: number): Promise<{ id: number; path: string; updatedAt: number }[]>;
}
