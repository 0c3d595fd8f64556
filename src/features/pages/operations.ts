/**
 * Reading pages as agents do: a page is named by path, ID or title, and answers are what their tools show. Each answers what the API
 * would to the same caller. Writing is in `core/pages/operations.ts`.
 */

import { type Static, Type } from 'typebox';
import { audienceOf } from '#core/model/permission.ts';
import { Problem } from '#core/model/problem.ts';
import { operation, type Ports, reading } from '#core/operations/operation.ts';
import { accessBeneath } from '#core/pages/access-beneath.ts';
import { diffPage } from '#core/pages/diff-page.ts';
import { getNamed } from '#core/pages/find-named.ts';
import { listBacklinks } from '#core/pages/list-backlinks.ts';
import { listChildren } from '#core/pages/list-children.ts';
import { listHistory } from '#core/pages/list-history.ts';
import { markdownOf, markdownOfPart } from '#core/pages/markdown-page.ts';
import { getSection, listSections, replaceSection, sectionsFound } from '#core/pages/page-section.ts';
import { editableAmong } from '#core/pages/protection.ts';
import { findVersion } from '#core/pages/view-page.ts';
import { wantedLinks } from '#core/pages/wanted-links.ts';
import { nearOutlines } from '#core/places/near-places.ts';
import { excerptOf, speechOf } from '#core/search/excerpt.ts';
import { searchPages } from '#core/search/search-pages.ts';
import { say } from '#words/say.ts';

const defaultMetres = 10_000;
const examplesOfLinks = 5;

export const pageName = Type.Union([Type.String(), Type.Integer()], {
  description: 'Path ("/garden/roses"), ID (7) or exact title ("Roses").',
});
const pageOrRoot = Type.Optional(pageName);
export const offset = Type.Optional(
  Type.Integer({ minimum: 0, description: 'Position to continue from, as an earlier result gave it.' }),
);
const limitOf = (limit: number) =>
  Type.Optional(
    Type.Integer({ minimum: 1, maximum: 50, description: `At most 50; the default is ${limit}.` }),
  );
const rangeFields = (limit: number) => ({ limit: limitOf(limit), offset });
const changeId = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }));
const anchor = (description: string) => Type.Optional(Type.String({ description }));

/** Type of an answer that only the core describes. */
const answer = <T>() => Type.Unsafe<T>({});
type AnswerOf<F extends (...given: never[]) => Promise<unknown>> = Awaited<ReturnType<F>>;

const SearchInput = Type.Object({
  text: Type.Optional(
    Type.String({
      description:
        'Words in title or body. "Double quotes" keep a phrase together; -word or -"a phrase" leaves out pages that contain it.',
    }),
  ),
  type: Type.Optional(Type.String({ description: 'Type of the pages, such as Place.' })),
  tag: Type.Optional(Type.String({ description: 'Tag, or tag:value.' })),
  ancestor: Type.Optional(Type.String({ description: 'Path of a page. Only pages beneath it are found.' })),
  ...rangeFields(10),
});

export const searchForPages = operation({
  ...reading,
  name: 'searchForPages',
  summary: 'Search for pages',
  description:
    'Search pages by words, type, tag or place in the tree. Each result has a snippet and the anchor of the matching section, for read_page.',
  input: SearchInput,
  output: answer<AnswerOf<typeof foundPages>>(),
  ports: ['reader', 'renderer'],
  run: async (ports, { input }) => foundPages(ports, input),
});

const TextInput = Type.Object({
  page: pageName,
  section: anchor('Anchor of a section, to read only that section.'),
  format: Type.Optional(
    Type.Union([Type.Literal('markdown'), Type.Literal('source')], {
      description: '"markdown" (default), or "source" for the text as it was written, which edit_page needs.',
    }),
  ),
  version: changeId('ID of an older change.'),
});

export const readPageText = operation({
  ...reading,
  name: 'readPageText',
  summary: 'Read the text of a page',
  description:
    'Read a page, or one of its sections. Returns the ID of its latest change, which edit_page needs, and the anchors of its sections. In Markdown, [[Title]] is a link to a page that does not exist. To edit the page, read it with format "source".',
  input: TextInput,
  output: answer<AnswerOf<typeof textOfPage>>(),
  problems: ['not-found', 'gone'],
  ports: ['reader', 'renderer'],
  run: async (ports, { input, now }) => textOfPage(ports, input, now),
});

export const listPagesBeneath = operation({
  ...reading,
  name: 'listPagesBeneath',
  summary: 'List pages beneath a page',
  description:
    'List the pages directly beneath a page, or the root pages. Pages marked (+) have pages beneath them.',
  input: Type.Object({ page: pageOrRoot, ...rangeFields(50) }),
  output: answer<AnswerOf<typeof listChildren>>(),
  problems: ['not-found', 'gone'],
  ports: ['reader'],
  async run({ reader }, { input: { page, limit = 50, offset = 0 } }) {
    const path = page === undefined || page === '/' ? null : (await getNamed(reader, page)).path;
    return listChildren(reader, path, { limit, offset });
  },
});

export const listLinksTo = operation({
  ...reading,
  name: 'listLinksTo',
  summary: 'List pages that link to a page',
  description: 'List the pages that link to a page.',
  input: Type.Object({ page: pageName, ...rangeFields(50) }),
  output: answer<AnswerOf<typeof listBacklinks>>(),
  problems: ['not-found', 'gone'],
  ports: ['reader'],
  run: async ({ reader }, { input: { page, limit = 50, offset = 0 } }) =>
    listBacklinks(reader, (await getNamed(reader, page)).path, { limit, offset }),
});

export const listPlacesNear = operation({
  ...reading,
  name: 'listPlacesNear',
  summary: 'List pages about places near a point',
  description: 'List pages about places around a point, nearest first, with their distances.',
  input: Type.Object({
    lat: Type.Number({ minimum: -90, maximum: 90 }),
    lon: Type.Number({ minimum: -180, maximum: 180 }),
    metres: Type.Optional(
      Type.Number({ minimum: 0, maximum: 20_037_509, description: `Distance; ${defaultMetres} without.` }),
    ),
    ...rangeFields(20),
  }),
  output: answer<AnswerOf<typeof nearOutlines>>(),
  ports: ['reader'],
  run: async ({ reader }, { input: { metres = defaultMetres, limit = 20, offset = 0, ...point } }) =>
    nearOutlines(reader, { ...point, radiusMetres: metres, limit, offset }),
});

export const listWantedTitles = operation({
  ...reading,
  name: 'listWantedTitles',
  summary: 'List wanted titles',
  description: 'List titles that pages link to but no page has yet, most wanted first.',
  input: Type.Object({ limit: limitOf(25) }),
  output: answer<AnswerOf<typeof wantedLinks>>(),
  ports: ['reader'],
  run: async ({ reader }, { input: { limit = 25 } }) => wantedLinks(reader, limit, examplesOfLinks),
});

export const listChanges = operation({
  ...reading,
  name: 'listChanges',
  summary: 'List the changes of a page',
  description: 'List the changes of a page, newest first: change ID, time, author, message.',
  input: Type.Object({ page: pageName, ...rangeFields(20) }),
  output: answer<AnswerOf<typeof listHistory>>(),
  problems: ['not-found', 'gone'],
  ports: ['reader'],
  run: async ({ reader }, { input: { page, limit = 20, offset = 0 } }) =>
    listHistory(reader, (await getNamed(reader, page)).path, { limit, offset }),
});

export const compareChanges = operation({
  ...reading,
  name: 'compareChanges',
  summary: 'Compare two changes of a page',
  description: 'Compare two changes of a page line by line. By default, the latest and the one before.',
  input: Type.Object({
    page: pageName,
    from: changeId('ID of the older change.'),
    to: changeId('ID of the newer change.'),
  }),
  output: answer<AnswerOf<typeof diffPage>>(),
  problems: ['not-found', 'gone'],
  ports: ['reader', 'renderer'],
  run: async ({ reader, renderer }, { input: { page, ...wanted } }) =>
    diffPage(reader, renderer, (await getNamed(reader, page)).path, wanted),
});

export const findPlaceBeneath = operation({
  ...reading,
  name: 'findPlaceBeneath',
  summary: 'Find the place of a new page',
  description:
    'Parent and access of a new page beneath another. Beneath a private page it is as private, unless a page above has defaults for new pages.',
  input: Type.Object({ page: pageOrRoot }),
  output: answer<{ parent?: number; permissions?: number; group?: string | null }>(),
  problems: ['not-found', 'gone'],
  ports: ['reader'],
  async run({ reader }, { input: { page } }) {
    if (page === undefined || page === '/') return {};
    const parent = await getNamed(reader, page);
    const { id, path, permissions, group } = parent;
    if (audienceOf(parent, reader) === 0 || (await accessBeneath(reader, path)).defaults)
      return { parent: id };
    return { parent: id, permissions, group: group?.name ?? null };
  },
});

export const readForEdit = operation({
  ...reading,
  name: 'readForEdit',
  summary: 'Read a page to edit it',
  description: 'Its path, and the new body: the one given, or its own with one section replaced by that.',
  input: Type.Object({
    page: pageName,
    change: Type.Integer({ minimum: 1, description: 'The change that you read.' }),
    section: anchor('Anchor of the section that “body” replaces.'),
    body: Type.Optional(Type.String()),
  }),
  output: answer<{ path: string; body: string | undefined }>(),
  problems: ['not-found', 'gone'],
  ports: ['reader', 'renderer'],
  async run({ reader, renderer }, { input: { page: name, change, section, body } }) {
    const page = await getNamed(reader, name);
    // If the page is at another change, the edit is refused anyway.
    if (body === undefined || section === undefined || page.changeId !== change)
      return { path: page.path, body };
    const sections = await listSections(reader, renderer.language, page.content);
    const whole = replaceSection(page.content.body, getSection(sections, section), body);
    return { path: page.path, body: whole };
  },
});

type Reading = Pick<Ports, 'reader' | 'renderer'>;

async function foundPages(
  { reader, renderer }: Reading,
  { tag, limit = 10, offset = 0, ...input }: Static<typeof SearchInput>,
) {
  const text = input.text ?? '';
  const { pages, total } = await searchPages(reader, {
    ...input,
    limit,
    offset,
    ...(tag === undefined ? {} : { tags: [tag] }),
    order: text.trim() === '' ? 'alphabetical' : 'relevance',
    history: 'none',
  });
  const sections = await sectionsFound(reader, renderer.language, pages, text);
  const items = pages.map((page) => ({
    page,
    anchor: sections.get(page.id)?.id,
    snippet: excerptOf(page.content.body, text, speechOf(reader, page.language)).map((part) => part.text),
  }));
  return { items, total };
}

async function textOfPage(
  { reader, renderer }: Reading,
  { page: name, section: anchor, format = 'markdown', version }: Static<typeof TextInput>,
  now: number,
) {
  const { path } = await getNamed(reader, name);
  const found = await findVersion(reader, path, {
    history: 'none',
    ...(version === undefined ? {} : { version }),
  });
  if ('movedTo' in found) throw new Problem('not-found', say('problem.thePageWasJustMovedReadIt'));
  const { page } = found;
  const sections = await listSections(reader, renderer.language, page.content);
  const section = anchor === undefined ? undefined : getSection(sections, anchor);
  const source = section ? page.content.body.slice(section.start, section.end) : page.content.body;
  const markdown = () =>
    section
      ? markdownOfPart({ reader, renderer, now }, page, source)
      : markdownOf(reader, renderer, page, now);
  return {
    page,
    change: version ?? page.changeId,
    anchors: sections.map(({ id }) => `#${id}`),
    text: format === 'source' ? source : await markdown(),
    mayEdit: (await editableAmong(reader, [page.id], now)).has(page.id),
  };
}
