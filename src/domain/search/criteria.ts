/**
 * Criteria of a search: as a caller gives them, and as the store takes them. `store/search/criteria.ts` says in SQL what each
 * means.
 */
import type { Location } from '../pages/page.ts';
import { invalid } from '../problem.ts';
import { readTextQuery, type TextQuery } from './terms.ts';
import { type Box, readBox, readIds, readMoment, readNear, readOwner } from './written-criteria.ts';

/** Criteria from a caller; empty ones count as not given. */
export interface CriteriaInput {
  path?: string | undefined;
  title?: string | undefined;
  type?: string | undefined;
  /** `key:value`, or a name or value alone. */
  tags?: string[] | undefined;
  text?: string | undefined;
  ancestor?: string | undefined;
  /** Page IDs between commas. */
  ids?: string | undefined;
  /** Member ID. */
  owner?: string | undefined;
  /** Path of a page. */
  linksTo?: string | undefined;
  /** `lat,lon,metres`. */
  near?: string | undefined;
  /** `west,south,east,north`, as in GeoJSON. */
  bbox?: string | undefined;
  /** ISO 8601, or Unix seconds. */
  since?: string | undefined;
  logic?: string | undefined;
}

/** Criteria for the store. */
export interface Criteria {
  pathPrefix?: string;
  /** Matched anywhere in the title without regard to case. */
  titleFragment?: string;
  type?: string;
  /** Key undefined: any tag with that value, or of that name. Key lower case. */
  tags?: { key?: string; value: string }[];
  /** Words and phrases as `terms.ts` cuts them: all must be found. */
  text?: TextQuery;
  /** Pages of these IDs. */
  ids?: readonly number[];
  ownerId?: number;
  /** IDs of the pages that link to the page asked for. */
  linking?: readonly number[];
  /** This and those below always limit, whatever the logic: they say where and when. */
  ancestorId?: number;
  /** IDs of the places within the distance. */
  nearby?: readonly number[];
  box?: Box;
  /** Milliseconds: pages that changed then or later. */
  since?: number;
  logic: 'and' | 'or';
}

/** More criteria than anyone has a use for would only make the engines' plans explode. */
const maxTags = 20;
const maxFragmentLength = 255;

export function hasCriteria(input: CriteriaInput): boolean {
  const { path, title, type, tags, text, ancestor, ids, owner, linksTo, near, bbox, since } = input;
  return [path, title, type, tags, text, ancestor, ids, owner, linksTo, near, bbox, since].some(
    (given) => given !== undefined && given.length > 0,
  );
}

/** Questions to the wiki, as the caller sees it. */
export interface CriteriaLookups {
  /** ID of the page at a path. */
  findPage(path: string): Promise<number | undefined>;
  /** IDs of the pages that link to the page at a path. Refuses `invalid` for too many. */
  linkingTo(path: string): Promise<number[]>;
  /** IDs of the places within a distance. Refuses `invalid` for too many. */
  placesNear(near: Location & { radiusMetres: number }): Promise<number[]>;
}

/**
 * Undefined if nothing was asked for or nothing can match. Refuses `invalid` for an unknown logic, too many tags, and what is
 * not written as its criterion is.
 */
export async function readCriteria(
  input: CriteriaInput,
  { findPage, linkingTo, placesNear }: CriteriaLookups,
): Promise<Criteria | undefined> {
  const { path, title, type, tags: givenTags = [], text: words, ancestor, logic: union } = input;
  if (union && union !== 'or' && union !== 'and')
    throw invalid('?logic', 'Unknown logic: use “or” for the union of the criteria, or leave it out.');
  const tags = givenTags.filter((tag) => tag !== '').map(readTag);
  if (tags.length > maxTags) throw invalid('?tag', `At most ${maxTags} tags can be asked for at once.`);
  const logic = union === 'or' ? 'or' : 'and';
  const ids = input.ids ? readIds(input.ids) : undefined;
  const ownerId = input.owner ? readOwner(input.owner) : undefined;
  const near = input.near ? readNear(input.near) : undefined;
  const box = input.bbox ? readBox(input.bbox) : undefined;
  const since = input.since ? readMoment(input.since) : undefined;
  const text = words ? readTextQuery(words) : undefined;
  // Text of nothing but punctuation matches nothing; united with other criteria it adds nothing.
  if (words && !text && logic === 'and') return undefined;
  if (title && title.length > maxFragmentLength && logic === 'and') return undefined;
  const [ancestorId, linking, nearby] = await Promise.all([
    ancestor ? findPage(ancestor) : undefined,
    input.linksTo ? linkingTo(input.linksTo) : undefined,
    near && placesNear(near),
  ]);
  if (ancestor && ancestorId === undefined) return undefined;
  const criteria = {
    ...(path && { pathPrefix: path.normalize('NFC') }),
    ...(title && { titleFragment: title }),
    ...(type && { type: type.normalize('NFC').trim() }),
    ...(tags.length > 0 && { tags }),
    ...(text && { text }),
    ...(ids && { ids }),
    ...(ownerId !== undefined && { ownerId }),
    ...(linking && { linking }),
    ...(ancestorId !== undefined && { ancestorId }),
    ...(nearby && { nearby }),
    ...(box && { box }),
    ...(since !== undefined && { since }),
  };
  return Object.keys(criteria).length > 0 ? { ...criteria, logic } : undefined;
}

function readTag(text: string): { key?: string; value: string } {
  const tag = text.normalize('NFC');
  const colon = tag.indexOf(':');
  const key = tag.slice(0, Math.max(colon, 0)).trim().toLowerCase();
  // `:value` and `value` are not of the form tag:val, so any tag may have that value or name.
  return key === '' ? { value: tag.trim() } : { key, value: tag.slice(colon + 1).trim() };
}
