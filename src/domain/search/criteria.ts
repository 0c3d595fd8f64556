/**
 * Criteria of a search: as a caller gives them, and as the store takes them. `store/search/criteria.ts` says in SQL what each
 * means.
 */
import { invalid } from '../problem.ts';
import { readTextQuery, type TextQuery } from './terms.ts';

/** Criteria from a caller; empty ones count as not given. */
export interface CriteriaInput {
  path?: string | undefined;
  title?: string | undefined;
  type?: string | undefined;
  /** `key:value`, or a name or value alone. */
  tags?: string[] | undefined;
  text?: string | undefined;
  ancestor?: string | undefined;
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
  /** Always limits, whatever the logic. */
  ancestorId?: number;
  logic: 'and' | 'or';
}

/** More criteria than anyone has a use for would only make the engines' plans explode. */
const maxTags = 20;
const maxFragmentLength = 255;

export function hasCriteria({ path, title, type, tags, text, ancestor }: CriteriaInput): boolean {
  return [path, title, type, tags, text, ancestor].some((given) => given !== undefined && given.length > 0);
}

/**
 * Undefined if nothing was asked for or nothing can match. Refuses `invalid` for an unknown logic or too many tags. `findPage`: the
 * ID of the page at a path, if the caller may read it.
 */
export async function readCriteria(
  { path, title, type, tags: givenTags = [], text: words, ancestor, logic: union }: CriteriaInput,
  findPage: (path: string) => Promise<number | undefined>,
): Promise<Criteria | undefined> {
  if (union && union !== 'or' && union !== 'and')
    throw invalid('?logic', 'Unknown logic: use “or” for the union of the criteria, or leave it out.');
  const tags = givenTags.filter((tag) => tag !== '').map(readTag);
  if (tags.length > maxTags) throw invalid('?tag', `At most ${maxTags} tags can be asked for at once.`);
  const logic = union === 'or' ? 'or' : 'and';
  const text = words ? readTextQuery(words) : undefined;
  // Text of nothing but punctuation matches nothing; united with other criteria it adds nothing.
  if (words && !text && logic === 'and') return undefined;
  if (title && title.length > maxFragmentLength && logic === 'and') return undefined;
  const ancestorId = ancestor ? await findPage(ancestor) : undefined;
  if (ancestor && ancestorId === undefined) return undefined;
  const criteria = {
    ...(path && { pathPrefix: path.normalize('NFC') }),
    ...(title && { titleFragment: title }),
    ...(type && { type: type.normalize('NFC').trim() }),
    ...(tags.length > 0 && { tags }),
    ...(text && { text }),
    ...(ancestorId !== undefined && { ancestorId }),
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
