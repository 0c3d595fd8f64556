/**
 * Parts of pages that a caller selects: `fields` restricts what is loaded and returned, `include` adds related data.
 */
import { initialContent } from '#core/model/page-fields.ts';
import { invalid } from '#core/model/problem.ts';
import { optionalText } from '#core/operations/fields.ts';
import type { HistoryWanted, PageRow, Reader } from '#core/ports/reader.ts';
import { commonJson, fileJson, type WikiFacts } from './page-json.ts';
import { shownFields } from './schemas/page-fields.ts';
import { type SearchedFor, snippetsOf } from './snippets.ts';

/** Page fields, grouped by what has to be loaded for them. */
const fieldsOf = {
  row: [
    'id',
    'title',
    'description',
    'slug',
    'path',
    'parent',
    'depth',
    'type',
    'language',
    'location',
    'owner',
    'permissions',
    'group',
    'defaults',
  ],
  outline: ['tags', 'likes', 'files', 'lineage', 'translationOf'],
  content: ['data', 'history', ...Object.keys(shownFields)],
} as const;
const pageFieldNames: readonly string[] = Object.values(fieldsOf).flat();

const includable = ['children', 'backlinks', 'files', 'snippet'] as const;
type Includable = (typeof includable)[number];

/** Maximum number of children and backlinks for each page. */
const includedOfEach = 100;
/** Maximum number of pages in a list with included data. */
export const mostWithIncluded = 100;

/** `more`: fields that the operation adds to each page. */
export function selectionFields(more: readonly string[] = [], included: readonly Includable[] = includable) {
  return {
    fields: optionalText(
      `Names of the fields to return, separated by commas; other fields are not loaded. Possible: ${[...pageFieldNames, ...more].map((name) => `\`${name}\``).join(', ')}.`,
      'id,path,title',
    ),
    include: optionalText(
      `Additions to each page, separated by commas: ${included.map((name) => includeWords[name]).join('; ')}. With additions, at most 100 pages are returned.`,
      'children',
    ),
  };
}

const includeWords: Record<Includable, string> = {
  children: '`children`, its first 100 by title',
  backlinks: '`backlinks`, 100 pages that link to it, lowest IDs first',
  files: '`files`, its attached files',
  snippet: '`snippet`, with `text`: the part of the page where the words are',
};

export interface Selection {
  /** Undefined for all fields. */
  fields: ReadonlySet<string> | undefined;
  include: ReadonlySet<Includable>;
}

/** Refuses `invalid` for an unknown name. */
export function selectionOf(
  { fields, include }: { fields?: string; include?: string },
  more: readonly string[] = [],
  included: readonly Includable[] = includable,
): Selection {
  return {
    fields: fields === undefined ? undefined : namesOf('fields', fields, [...pageFieldNames, ...more]),
    include: namesOf('include', include ?? '', included) as Set<Includable>,
  };
}

function namesOf(parameter: string, text: string, known: readonly string[]): Set<string> {
  const names = new Set(
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  );
  for (const name of names)
    if (!known.includes(name))
      throw invalid(
        `?${parameter}`,
        `“${name.slice(0, 64)}” is not possible here. Possible: ${known.join(', ')}.`,
      );
  return names;
}

/** JSON of pages by ID, with only those of the selected fields that are columns of their row. */
export async function selectedJson(
  reader: Reader,
  ids: number[],
  fields: ReadonlySet<string>,
  { history, ...wiki }: { history: HistoryWanted } & WikiFacts,
): Promise<Map<number, Record<string, unknown>>> {
  const needs = (part: keyof typeof fieldsOf) => fieldsOf[part].some((name) => fields.has(name));
  const pages: PageRow[] = needs('content')
    ? await reader.pages.load(ids, fields.has('history') ? history : 'none')
    : needs('outline')
      ? await reader.pages.outlines(ids)
      : await reader.pages.states(ids);
  return new Map(
    pages.map((page) => [page.id, pick({ ...partJson(page, wiki), permissions: page.permissions }, fields)]),
  );
}

/** Parts that were not loaded are blank, and never among the selected fields. */
function partJson(page: PageRow, wiki: WikiFacts): object {
  const blank = {
    tags: {},
    likes: [],
    files: [],
    lineage: [],
    history: [],
    content: initialContent({ isPrivate: false }),
  };
  return commonJson({ ...blank, ...page }, wiki);
}

export function pick(json: object, fields: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(json).filter(([name]) => fields.has(name)));
}

/** Included data of each page, by ID; empty for pages that the caller may not read. A fixed number of statements. */
export async function includedJson(
  reader: Reader,
  ids: number[],
  include: ReadonlySet<Includable>,
  { search, baseUrl }: { search?: SearchedFor | undefined; baseUrl: string },
): Promise<Map<number, Record<string, unknown>>> {
  if (include.size === 0) return new Map();
  const rows = include.has('backlinks') ? await reader.pages.states(ids) : [];
  const [children, backlinks, files, snippets] = await Promise.all([
    include.has('children') ? reader.lists.childrenOfEach(ids, includedOfEach) : undefined,
    include.has('backlinks') ? reader.links.backlinksOfEach(rows, includedOfEach) : undefined,
    include.has('files') ? reader.pages.outlines(ids) : [],
    include.has('snippet') && search ? snippetsOf(reader, ids, search) : undefined,
  ]);
  const filesOf = new Map(files.map((page) => [page.id, page.files.map((file) => fileJson(file, baseUrl))]));
  return new Map(
    ids.map((id) => [
      id,
      {
        ...(children && { children: children.get(id) ?? [] }),
        ...(backlinks && { backlinks: backlinks.get(id) ?? [] }),
        ...(include.has('files') && { files: filesOf.get(id) ?? [] }),
        ...(snippets?.has(id) && { snippet: snippets.get(id) }),
      },
    ]),
  );
}
