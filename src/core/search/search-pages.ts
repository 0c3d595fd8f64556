/** Finds pages by path, title, type, tags, text and ancestor, limited to what the caller may read before any limit applies. */

import { say } from '#words/say.ts';
import { type CriteriaInput, type CriteriaLookups, hasCriteria, readCriteria } from '../model/criteria.ts';
import type { Location, PageOutline, WholePage } from '../model/page.ts';
import { invalid } from '../model/problem.ts';
import { isUsualWord } from '../model/stems.ts';
import { withSpaces } from '../model/terms.ts';
import { nearPlaces } from '../places/near-places.ts';
import type { SearchCriteria, SearchOrder } from '../ports/list-reads.ts';
import type { HistoryWanted, Reader } from '../ports/reader.ts';
import { findReadable } from '../reading/find-page.ts';
import { type CursorOrder, readCursor, writeCursor } from './cursor.ts';
import { rankPages } from './rank-pages.ts';
import { correctSpelling } from './spelling.ts';
import { resumeTree, treeKey } from './tree-cursor.ts';

export interface SearchInput extends CriteriaInput {
  order?: string | undefined;
  limit: number;
  offset: number;
  /** Cursor to continue from; the empty string starts at the beginning and requests a cursor for the next page. */
  cursor?: string | undefined;
  /** Only pages that have every word of the text as it is. */
  isStrict?: true;
}

/** If fewer pages have every word of a question, pages with most of them follow. */
const fewPages = 10;
/** Pages that are read to rank them. A few words are no question: few pages after those with all of them are of use. */
const mostLikely = (words: number) => (words < 4 ? 100 : 400);
/** If a text finds no more pages than this, its spelling is doubted. */
const littleFound = 2;

/** A criterion by place or link that matches more pages than this cannot be combined with other criteria. */
const maxLookedUp = 10_000;

const searchOrders: SearchOrder[] = [
  'alphabetical',
  'reverse alphabetical',
  'first created',
  'last created',
  'oldest update',
  'most recent update',
  'relevance',
  'tree',
];

/** Farther on, a list in the order of the tree goes on by its cursor, because skipping pages costs as much as listing them. */
const mostSkippedInTree = 10_000;

/**
 * Returns nothing without criteria, or if the ancestor is no readable page. `total` counts all visible matches. `next`: the
 * cursor after these, if a cursor was given and more pages follow.
 */
export async function findPages(reader: Reader, input: SearchInput): Promise<FoundPages> {
  const criteria = await searchCriteriaOf(reader, input);
  if (!criteria) return { ids: [], total: 0 };
  const { last, ...found } = await reader.lists.search(criteria);
  const mayForgive = criteria.text && !input.isStrict && criteria.logic === 'and' && !criteria.after;
  if (mayForgive && found.total < fewPages) return findForgiving(reader, input, criteria, found);
  if (last && criteria.order === 'tree') last.key = treeKey(criteria.after?.from, found.ids);
  return { ...found, next: last && writeCursor(criteria.order as CursorOrder, last) };
}

interface FoundPages {
  ids: number[];
  total: number;
  next?: string | undefined;
  /** The text as it was probably meant, if that finds more. */
  meant?: string;
}

/**
 * For a text of which few pages have every word: what it finds with its words apart where scripts have no spaces, or as it was probably
 * meant, if it finds nothing as it was typed, and then pages with most of its words.
 */
async function findForgiving(
  reader: Reader,
  input: SearchInput,
  criteria: SearchCriteria,
  found: FoundPages,
): Promise<FoundPages> {
  const apart = withSpaces(input.text ?? '');
  if (found.total === 0 && apart !== input.text) {
    const criteria = await searchCriteriaOf(reader, { ...input, text: apart });
    if (criteria)
      return findForgiving(reader, { ...input, text: apart }, criteria, await reader.lists.search(criteria));
  }
  const question = async (criteria: SearchCriteria, found: FoundPages) =>
    isQuestion(criteria) ? findLikely(reader, criteria, found) : found;
  const meant =
    found.total <= littleFound ? await correctSpelling(reader, input.text ?? '', criteria) : undefined;
  const corrected =
    meant === undefined ? undefined : await searchCriteriaOf(reader, { ...input, text: meant });
  if (meant === undefined || !corrected) return question(criteria, found);
  const others = await reader.lists.search(corrected);
  if (found.total > 0)
    return { ...(await question(criteria, found)), ...(others.total > found.total ? { meant } : {}) };
  const forgiven = others.total < fewPages ? await question(corrected, others) : others;
  return forgiven.total === 0
    ? question(criteria, found)
    : { ids: forgiven.ids, total: forgiven.total, meant };
}

/** Whether pages with only some of the words follow those that have all of them. */
function isQuestion({ text, order, logic }: SearchCriteria): boolean {
  return order === 'relevance' && logic === 'and' && (text?.phrases.length ?? 0) > 1;
}

async function findLikely(
  reader: Reader,
  { text, ...criteria }: SearchCriteria,
  found: { ids: number[]; total: number },
): Promise<{ ids: number[]; total: number }> {
  if (!text) return found;
  const languages = await languagesOf(reader);
  const telling = text.phrases.filter(
    ({ terms: [term = ''], isQuoted }) => isQuoted || !isUsualWord(term, languages),
  );
  const phrases = telling.length > 0 ? telling : text.phrases;
  const likely = await reader.lists.likely(
    { ...criteria, text: { ...text, phrases } },
    mostLikely(phrases.length),
  );
  const ids = await rankPages(likely, phrases, reader.dialect.language);
  const { offset, limit } = criteria;
  return ids.length < found.total ? found : { ids: ids.slice(offset, offset + limit), total: ids.length };
}

/** Like `findPages`, with whole pages instead of IDs. */
export async function searchPages(
  reader: Reader,
  input: SearchInput & { history: HistoryWanted },
): Promise<{ pages: WholePage[]; total: number; meant?: string }> {
  const { ids, next: _, ...found } = await findPages(reader, input);
  return { pages: await reader.pages.load(ids, input.history), ...found };
}

/** Like `searchPages`, with titles and paths instead of whole pages. */
export async function searchOutlines(
  reader: Reader,
  input: SearchInput,
): Promise<{ pages: PageOutline[]; total: number; meant?: string }> {
  const { ids, next: _, ...found } = await findPages(reader, input);
  return { pages: await reader.pages.outlines(ids), ...found };
}

/**
 * Returns undefined if no criterion was given or nothing can match. Refuses `invalid` for an unknown order and for what
 * `readCriteria` refuses.
 */
export async function searchCriteriaOf(
  reader: Reader,
  { order: givenOrder, limit, offset, cursor, ...input }: SearchInput,
): Promise<SearchCriteria | undefined> {
  const usual = input.text && input.logic !== 'or' && cursor === undefined ? 'relevance' : 'alphabetical';
  const order = (givenOrder || usual) as SearchOrder;
  if (!searchOrders.includes(order)) {
    throw invalid('?order', say('problem.unknownOrderUseOneOf', { searchOrders: searchOrders.join(', ') }));
  }
  const after = cursor === undefined ? undefined : { from: readCursor(cursor, order) };
  if (order === 'tree') refuseInTree(input, offset);
  const criteria = await readCriteria(input, lookupsOf(reader));
  if (order === 'tree' && after?.from && criteria?.ancestorId !== undefined)
    after.from.id = await resumeTree(reader, after.from, criteria.ancestorId);
  return criteria && { ...criteria, order, limit, offset, ...(after && { after }) };
}

function refuseInTree({ logic: _, ancestor = '', ...others }: CriteriaInput, offset: number): void {
  if (ancestor === '' || hasCriteria(others)) throw invalid('?order', say('problem.theOrderTreeIsThatOfThe'));
  if (offset > mostSkippedInTree)
    throw invalid('?offset', say('problem.inTheOrderTreeAtMostPages', { mostSkippedInTree }));
}

/** Answers the lookups of criteria with the reader's rights. */
export function lookupsOf(reader: Reader): CriteriaLookups {
  return {
    languages: () => languagesOf(reader),
    synonyms: reader.synonyms,
    findPage: async (path) => (await findReadable(reader, path))?.id,
    linkingTo: (path) => linkingTo(reader, path),
    placesNear: (near) => placesNear(reader, near),
  };
}

/** Languages whose stems a text is searched by. */
export async function languagesOf({ dialect, lists }: Pick<Reader, 'dialect' | 'lists'>): Promise<string[]> {
  return [dialect.language, ...(await lists.languages())];
}

async function linkingTo(reader: Reader, path: string): Promise<number[]> {
  const page = await findReadable(reader, path);
  if (!page) return [];
  const { pages, total } = await reader.links.backlinks(page, { limit: maxLookedUp, offset: 0 });
  if (total > maxLookedUp)
    throw invalid('?linksTo', say('problem.moreThanPagesLinkThereUseV1', { maxLookedUp }));
  return pages.map(({ id }) => id);
}

async function placesNear(reader: Reader, near: Location & { radiusMetres: number }): Promise<number[]> {
  const { places, total } = await nearPlaces(reader, { ...near, limit: maxLookedUp, offset: 0 });
  if (total > maxLookedUp)
    throw invalid('?near', say('problem.moreThanPlacesAreThatNearReduce', { maxLookedUp }));
  return places.map(({ id }) => id);
}
