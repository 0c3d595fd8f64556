/**
 * Reading pages, their history and their place in the tree. For everybody, as far as they may read; a token limited to a subtree
 * reads within it, and elsewhere what anyone may.
 */
import { Type } from 'typebox';
import type { WholePage } from '../model/page.ts';
import { text } from '../operations/fields.ts';
import { type AnswerTo, answer, operation, reading } from '../operations/operation.ts';
import { countOf, limitField, rangeFields, rangeOf } from '../operations/paging.ts';
import type { Reader } from '../ports/reader.ts';
import { findReadable, getReadable, getWhole } from '../reading/find-page.ts';
import { checkPath } from './check-path.ts';
import { diffPage } from './diff-page.ts';
import { listBacklinks } from './list-backlinks.ts';
import { listChildren } from './list-children.ts';
import { listHistory } from './list-history.ts';
import { type MarkdownView, viewMarkdown } from './markdown-page.ts';
import type { PageView } from './page-view.ts';
import { recentUpdates } from './recent-updates.ts';
import { viewPage, type WantedVersion } from './view-page.ts';
import { wantedLinks } from './wanted-links.ts';

const path = text('Path of the page.', '/garden/roses');
const ofPage = ['not-found', 'gone'] as const;
const ofLongPage = ['not-found', 'gone', 'too-many-requests'] as const;

/** `isMarkdown`: as Markdown, with front matter if it is wanted. */
type PageWanted = WantedVersion & { isMarkdown?: boolean; frontMatter?: boolean };

export const pageReading = operation({
  ...reading,
  name: 'readPage',
  summary: 'Read a page',
  description:
    'The page and its body as HTML, now or after an older change; or as Markdown: its source if it is written in Markdown, otherwise its wikitext converted, with templates expanded. Links there begin with a slash, as in the HTML.',
  input: Type.Object({ path, wanted: Type.Unsafe<PageWanted>({}) }),
  output: answer<PageView | MarkdownView | { movedTo: string }>(),
  problems: ofLongPage,
  ports: ['reader', 'renderer'],
  run: ({ reader, renderer }, { input: { path, wanted }, now }) =>
    wanted.isMarkdown
      ? viewMarkdown({ reader, renderer, now }, path, wanted)
      : viewPage({ reader, renderer, now }, path, wanted),
});

export const pageByPath = operation({
  ...reading,
  name: 'findPage',
  summary: 'Find a page',
  description: 'The page at a path, without its text, if the caller can read it.',
  input: Type.Object({ path }),
  output: answer<AnswerTo<typeof findReadable>>(),
  ports: ['reader'],
  run: ({ reader }, { input }) => findReadable(reader, input.path),
});

export const wholePageByPath = operation({
  ...reading,
  name: 'loadPage',
  summary: 'Load a page',
  description: 'The page at a path with its text and files, but without its history.',
  input: Type.Object({ path }),
  output: answer<WholePage>(),
  problems: ofPage,
  ports: ['reader'],
  run: async ({ reader }, { input }) => getWhole(reader, (await getReadable(reader, input.path)).id, 'none'),
});

export const publicPageList = operation({
  ...reading,
  name: 'listPagesForCrawlers',
  summary: 'List pages for crawlers',
  description: 'Pages that anybody may read, by ID, after the page with an ID, with their languages.',
  input: Type.Object({ after: Type.Integer(), limit: Type.Integer({ minimum: 1 }) }),
  output: answer<(AnswerTo<Reader['lists']['publicPages']>[number] & { language: string })[]>(),
  ports: ['reader'],
  async run({ reader }, { input: { after, limit } }) {
    const pages = await reader.lists.publicPages(after, limit);
    return pages.map((page) => ({ ...page, language: page.language ?? reader.dialect.language }));
  },
});

export const pathCheck = operation({
  name: 'checkPath',
  summary: 'Check a path',
  description:
    'Says whether a page can be created at a path. The path must be well-formed, unused and not reserved.',
  access: 'unidentified',
  scope: 'none',
  input: Type.Object({ path }),
  output: answer<AnswerTo<typeof checkPath>>(),
  ports: ['reader'],
  run: ({ reader }, { input }) => checkPath(reader, input.path),
});

export const pageHistory = operation({
  ...reading,
  name: 'history',
  summary: 'List the changes of a page',
  description:
    'Newest first. The owner and administrators get all changes, others those that the page shows to its readers (see `history` of an edit). If the changes have more than 16 MB together, fewer are returned; `Link` leads to the next ones.',
  input: Type.Object({ path, ...rangeFields(50) }),
  output: answer<AnswerTo<typeof listHistory>>(),
  problems: ofLongPage,
  ports: ['reader'],
  run: ({ reader }, { input: { path, ...range } }) => listHistory(reader, path, rangeOf(range, 50)),
});

export const pageDiff = operation({
  ...reading,
  name: 'diff',
  summary: 'Compare two changes of a page',
  description: 'By default, compares the current change with the one before it.',
  input: Type.Object({ path, between: Type.Unsafe<{ from?: number; to?: number }>({}) }),
  output: answer<AnswerTo<typeof diffPage>>(),
  problems: ofLongPage,
  ports: ['reader', 'renderer'],
  run: ({ reader, renderer }, { input: { path, between } }) => diffPage(reader, renderer, path, between),
});

const listing = {
  ...reading,
  description: 'Ordered by title. Only pages that the caller may see.',
  output: answer<AnswerTo<typeof listChildren>>(),
  ports: ['reader'],
} as const;

export const rootList = operation({
  ...listing,
  name: 'roots',
  summary: 'List the root pages',
  input: Type.Object(rangeFields(100)),
  run: ({ reader }, { input }) => listChildren(reader, null, rangeOf(input, 100)),
});

export const childList = operation({
  ...listing,
  name: 'children',
  summary: 'List the children of a page',
  input: Type.Object({ path, ...rangeFields(100) }),
  problems: ofPage,
  run: ({ reader }, { input: { path, ...range } }) => listChildren(reader, path, rangeOf(range, 100)),
});

export const backlinkList = operation({
  ...reading,
  name: 'backlinks',
  summary: 'List backlinks of a page',
  description:
    'Pages that link to this one and that the caller may see: by title, or by ID if there are more than 500.',
  input: Type.Object({ path, ...rangeFields(100) }),
  output: answer<AnswerTo<typeof listBacklinks>>(),
  problems: ofPage,
  ports: ['reader'],
  run: ({ reader }, { input: { path, ...range } }) => listBacklinks(reader, path, rangeOf(range, 100)),
});

const updating = {
  ...reading,
  summary: 'List recent updates',
  description: 'The most recently updated pages, each once; 10 by default.',
  input: Type.Object({
    num: limitField(10, 10),
    offset: Type.Optional(Type.Integer({ minimum: 0 })),
    below: Type.Optional(Type.String({ description: 'Path of a page, for pages beneath it.' })),
  }),
  output: answer<AnswerTo<typeof recentUpdates>>(),
  ports: ['reader'],
} as const;

export const updateList = operation({
  ...updating,
  name: 'updates',
  run: ({ reader }, { input: { num, offset, below } }) =>
    recentUpdates(reader, countOf(num, 10), offset, below),
});

export const updateListUpTo = operation({ ...updating, name: 'updatesUpTo', run: updateList.run });

const wanting = {
  ...reading,
  summary: 'List requested links',
  description:
    'Targets of links for which there is no page yet, those with most linking pages first; 25 by default.',
  input: Type.Object({
    num: limitField(25, 25),
    /** Linking pages that are named for each; by default as many as possible. */
    linking: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  output: answer<AnswerTo<typeof wantedLinks>>(),
  ports: ['reader'],
} as const;

export const wantedList = operation({
  ...wanting,
  name: 'requestedLinks',
  run: ({ reader }, { input: { num, linking } }) => wantedLinks(reader, countOf(num, 25), linking),
});

export const wantedListUpTo = operation({ ...wanting, name: 'requestedLinksUpTo', run: wantedList.run });
