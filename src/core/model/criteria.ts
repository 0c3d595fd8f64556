/**
 * Criteria of a search, in the form that callers give and in the form that the store takes. `store/search/criteria.ts`
 * translates them to SQL.
 */
import { say } from '#words/say.ts';
import type { Location } from './page.ts';
import { invalid } from './problem.ts';
import type { Synonyms } from './synonyms.ts';
import { readTextQuery, type TextQuery } from './terms.ts';
import { type Box, readBox, readIds, readMoment, readNear, readOwner } from './written-criteria.ts';

/** Criteria from a caller; empty ones are ignored. */
export interface CriteriaInput {
  path?: string | undefined;
  title?: string | undefined;
  type?: string | undefined;
  /** `key:value`, or only a name or value. */
  tags?: string[] | undefined;
  text?: string | undefined;
  ancestor?: string | undefined;
  /** Page IDs separated by commas. */
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
  /** Day by which the review of a page is due. */
  dueBy?: string | undefined;
  logic?: string | undefined;
}

/** Criteria for the store. */
export interface Criteria {
  pathPrefix?: string;
  /** Part of the title, in any case. */
  titleFragment?: string;
  type?: string;
  /** Without a key: any tag with that value or that name. Keys are in lower case. */
  tags?: { key?: string; value: string }[];
  /** Words and phrases in the form of `terms.ts`; all must occur. */
  text?: TextQuery;
  /** Pages of these IDs. */
  ids?: readonly number[];
  ownerId?: number;
  /** IDs of the pages that link to the page asked for. */
  linking?: readonly number[];
  /** From here on: criteria that always apply, regardless of the logic, because they restrict place and time. */
  ancestorId?: number;
  /** IDs of the places within the distance. */
  nearby?: readonly number[];
  box?: Box;
  /** Milliseconds since 1970: pages changed at or after that time. */
  since?: number;
  /** Pages that are to be reviewed from this day on, or from an earlier one. */
  dueBy?: string;
  logic: 'and' | 'or';
}

/** More tags have no practical use, and would make query plans too large. */
const maxTags = 20;
const maxFragmentLength = 255;

/** Whether a search is limited by anything; order and range do not count. */
export function hasCriteria(input: CriteriaInput): boolean {
  const { path, title, type, tags, text, ancestor, ids, owner, linksTo, near, bbox, since, dueBy } = input;
  return [path, title, type, tags, text, ancestor, ids, owner, linksTo, near, bbox, since, dueBy].some(
    (given) => given !== undefined && given.length > 0,
  );
}

/** Lookups that criteria need, with the caller's rights. */
export interface CriteriaLookups {
  /** Languages in which words of the text are reduced to their stems. */
  languages(): Promise<readonly string[]>;
  synonyms: Synonyms;
  /** ID of the page at a path. */
  findPage(path: string): Promise<number | undefined>;
  /** IDs of the pages that link to the page at a path. Refuses `invalid` for too many. */
  linkingTo(path: string): Promise<number[]>;
  /** IDs of the places within a distance. Refuses `invalid` for too many. */
  placesNear(near: Location & { radiusMetres: number }): Promise<number[]>;
}

/**
 * Returns undefined if no criterion was given or nothing can match. Refuses `invalid` for an unknown logic, too many tags, and
 * malformed values.
 */
export async function readCriteria(
  input: CriteriaInput,
  { findPage, linkingTo, placesNear, languages, synonyms }: CriteriaLookups,
): Promise<Criteria | undefined> {
  const { path, title, type, tags: givenTags = [], text: words, ancestor, logic: union } = input;
  if (union && union !== 'or' && union !== 'and')
    throw invalid('?logic', say('problem.unknownValueOfLogicUseOrTo'));
  const tags = givenTags.filter((tag) => tag !== '').map(readTag);
  if (tags.length > maxTags) throw invalid('?tag', say('problem.atMostTagsCanBeGivenAt', { maxTags }));
  const logic = union === 'or' ? 'or' : 'and';
  const ids = input.ids ? readIds(input.ids) : undefined;
  const ownerId = input.owner ? readOwner(input.owner) : undefined;
  const near = input.near ? readNear(input.near) : undefined;
  const box = input.bbox ? readBox(input.bbox) : undefined;
  const since = input.since ? readMoment(input.since) : undefined;
  const text = words ? readTextQuery(words, await languages(), synonyms) : undefined;
  // Text that consists of punctuation matches nothing; combined by `or` it adds nothing.
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
    ...(input.dueBy && { dueBy: input.dueBy }),
  };
  return Object.keys(criteria).length > 0 ? { ...criteria, logic } : undefined;
}

function readTag(text: string): { key?: string; value: string } {
  const tag = text.normalize('NFC');
  const colon = tag.indexOf(':');
  const key = tag.slice(0, Math.max(colon, 0)).trim().toLowerCase();
  // `:value` and `value` are not of the form key:value, so any tag may have that value or name.
  return key === '' ? { value: tag.trim() } : { key, value: tag.slice(colon + 1).trim() };
}
