/** Reading tools: each returns the same data as the API would to the same caller, in brief form. */
import { Type } from 'typebox';
import type { PageName, WholePage } from '#core/model/page.ts';
import { Problem } from '#core/model/problem.ts';
import { diffPage } from '#core/pages/diff-page.ts';
import { getNamed } from '#core/pages/find-named.ts';
import { listBacklinks } from '#core/pages/list-backlinks.ts';
import { listChildren } from '#core/pages/list-children.ts';
import { listHistory } from '#core/pages/list-history.ts';
import { markdownOf, markdownOfPart } from '#core/pages/markdown-page.ts';
import { getSection, listSections, sectionsFound } from '#core/pages/page-section.ts';
import { editableAmong } from '#core/pages/protection.ts';
import { findVersion } from '#core/pages/view-page.ts';
import { wantedLinks } from '#core/pages/wanted-links.ts';
import { nearOutlines } from '#core/places/near-places.ts';
import { excerptOf } from '#core/search/excerpt.ts';
import { searchPages } from '#core/search/search-pages.ts';
import { listOf, partOf } from './answer.ts';
import { offsetField, optional, pageField, rangeFields, type Tool, type ToolCall, tool } from './tool.ts';

const scopes = ['read'] as const;

/** Maximum number of sections listed for a page. */
const maxNamed = 100;
const defaultMetres = 10_000;

export const readTools: readonly Tool[] = [
  tool({
    name: 'search',
    description:
      'Search pages by words, type, tag or place in the tree. Each result has a snippet and the anchor of the matching section, for read_page.',
    input: Type.Object({
      text: optional(
        Type.String({
          description:
            'Words in title or body. "Double quotes" keep a phrase together; -word or -"a phrase" leaves out pages that contain it.',
        }),
      ),
      type: optional(Type.String({ description: 'Type of the pages, such as Place.' })),
      tag: optional(Type.String({ description: 'Tag, or tag:value.' })),
      ancestor: optional(Type.String({ description: 'Path of a page. Only pages beneath it are found.' })),
      ...rangeFields(10),
    }),
    scopes,
    subtree: 'within',
    strangersMs: 20,
    async run(call, { tag, limit = 10, offset = 0, ...input }) {
      const text = input.text ?? '';
      const { pages, total } = await searchPages(call.reader, {
        ...input,
        ...(tag === undefined ? {} : { tags: [tag] }),
        order: text.trim() === '' ? 'alphabetical' : 'relevance',
        limit,
        offset,
        history: 'none',
      });
      const sections = await sectionsFound(call.reader, call.renderer.language, pages, text);
      const items = pages.map((page) => {
        const section = sections.get(page.id);
        const snippet = excerptOf(page.content.body, text).map((part) => part.text);
        return [named(page), ...(section ? [`  in #${section.id}`] : []), `  ${snippet.join('')}`].join('\n');
      });
      return listOf(items, { offset, total });
    },
  }),

  tool({
    name: 'read_page',
    description:
      'Read a page, or one of its sections. Returns the ID of its latest change, which edit_page needs, and the anchors of its sections. In Markdown, [[Title]] is a link to a page that does not exist. To edit the page, read it with format "source".',
    input: Type.Object({
      page: pageField,
      section: optional(Type.String({ description: 'Anchor of a section, to read only that section.' })),
      format: optional(
        Type.Union([Type.Literal('markdown'), Type.Literal('source')], {
          description:
            '"markdown" (default), or "source" for the text as it was written, which edit_page needs.',
        }),
      ),
      version: optional(Type.Integer({ minimum: 1, description: 'ID of an older change.' })),
      offset: offsetField,
    }),
    scopes,
    subtree: 'within',
    strangersMs: 2,
    async run(call, { page: name, section: anchor, format = 'markdown', version, offset = 0 }) {
      const { reader, renderer } = call;
      const { path } = await getNamed(reader, name);
      const found = await findVersion(reader, path, {
        history: 'none',
        ...(version === undefined ? {} : { version }),
      });
      if ('movedTo' in found) throw new Problem('not-found', 'The page was just moved. Read it again.');
      const { page } = found;
      const sections = await listSections(reader, renderer.language, page.content);
      const section = anchor === undefined ? undefined : getSection(sections, anchor);
      const text = await textOf(call, page, section, format);
      const { facts, written } = partOf(text, offset);
      const anchors = sections.slice(0, maxNamed).map(({ id }) => `#${id}`);
      const head = [
        `path: ${page.path}`,
        `title: ${page.title}`,
        ...(offset === 0 && !section && anchors.length > 0 ? [`sections: ${anchors.join(' ')}`] : []),
      ];
      return {
        facts: {
          page: page.id,
          change: version ?? page.changeId,
          changed: new Date(page.updatedAt).toISOString(),
          'written in': page.content.format,
          'you may edit it': (await editableAmong(reader, [page.id], call.now)).has(page.id),
          ...(sections.length > maxNamed ? { sections: sections.length } : {}),
          ...facts,
        },
        written: `${head.join('\n')}\n\n${written}`,
      };
    },
  }),

  tool({
    name: 'list_children',
    description:
      'List the pages directly beneath a page, or the root pages. Pages marked (+) have pages beneath them.',
    input: Type.Object({ page: optional(pageField), ...rangeFields(50) }),
    scopes,
    subtree: 'within',
    strangersMs: 2,
    async run({ reader }, { page, limit = 50, offset = 0 }) {
      const path = page === undefined || page === '/' ? null : (await getNamed(reader, page)).path;
      const { pages, total } = await listChildren(reader, path, { limit, offset });
      return listOf(
        pages.map((child) => `${named(child)}${child.hasChildren ? ' (+)' : ''}`),
        { offset, total },
      );
    },
  }),

  tool({
    name: 'backlinks',
    description: 'List the pages that link to a page.',
    input: Type.Object({ page: pageField, ...rangeFields(50) }),
    scopes,
    subtree: 'within',
    strangersMs: 2,
    async run({ reader }, { page, limit = 50, offset = 0 }) {
      const { path } = await getNamed(reader, page);
      const { pages, total } = await listBacklinks(reader, path, { limit, offset });
      return listOf(pages.map(named), { offset, total });
    },
  }),

  tool({
    name: 'near',
    description: 'List pages about places around a point, nearest first, with their distances.',
    input: Type.Object({
      lat: Type.Number({ minimum: -90, maximum: 90 }),
      lon: Type.Number({ minimum: -180, maximum: 180 }),
      metres: optional(
        Type.Number({ minimum: 0, maximum: 20_037_509, description: `Distance; ${defaultMetres} without.` }),
      ),
      ...rangeFields(20),
    }),
    scopes,
    subtree: 'within',
    strangersMs: 10,
    async run({ reader }, { lat, lon, metres = defaultMetres, limit = 20, offset = 0 }) {
      const { pages, total } = await nearOutlines(reader, { lat, lon, radiusMetres: metres, limit, offset });
      return listOf(
        pages.map((page) => `${named(page)}: ${Math.round(page.distanceMetres)} m`),
        { offset, total },
      );
    },
  }),

  tool({
    name: 'wanted',
    description: 'List titles that pages link to but no page has yet, most wanted first.',
    input: Type.Object({ limit: rangeFields(25).limit }),
    scopes,
    subtree: 'within',
    strangersMs: 2,
    async run({ reader }, { limit = 25 }) {
      const wanted = await wantedLinks(reader, limit, 5);
      const items = wanted.map(({ title, count, links }) => {
        const paths = links.map(({ path }) => path).join(', ');
        return `${title}: ${count} ${count === 1 ? 'page' : 'pages'}, such as ${paths}`;
      });
      return listOf(items, { total: items.length });
    },
  }),

  tool({
    name: 'history',
    description: 'List the changes of a page, newest first: change ID, time, author, message.',
    input: Type.Object({ page: pageField, ...rangeFields(20) }),
    scopes,
    subtree: 'within',
    strangersMs: 2,
    async run({ reader }, { page, limit = 20, offset = 0 }) {
      const { path } = await getNamed(reader, page);
      const { changes, total } = await listHistory(reader, path, { limit, offset });
      const items = changes.map(
        ({ id, at, editor, content }) =>
          `${id} ${new Date(at).toISOString()} ${editor.name}: ${content.msg || '(no message)'}`,
      );
      return listOf(items, { offset, total });
    },
  }),

  tool({
    name: 'diff',
    description:
      'Compare two changes of a page line by line. By default, compares the latest change with the one before it.',
    input: Type.Object({
      page: pageField,
      from: optional(Type.Integer({ minimum: 1, description: 'ID of the older change.' })),
      to: optional(Type.Integer({ minimum: 1, description: 'ID of the newer change.' })),
      offset: offsetField,
    }),
    scopes,
    subtree: 'within',
    strangersMs: 2,
    async run({ reader, renderer }, { page, offset = 0, ...wanted }) {
      const { path } = await getNamed(reader, page);
      const { from, to, fields, body } = await diffPage(reader, renderer, path, wanted);
      const changed = fields.map(
        (one) => `${one.field}: ${JSON.stringify(one.from)} → ${JSON.stringify(one.to)}`,
      );
      const signs = { same: ' ', removed: '-', added: '+' };
      const hunks = body.hunks.map(({ lines }) =>
        ['@@', ...lines.map(({ kind, text }) => `${signs[kind]}${text}`)].join('\n'),
      );
      const { facts, written } = partOf([...changed, ...hunks].join('\n'), offset);
      return {
        facts: {
          from: from?.id ?? 'nothing',
          to: to.id,
          ...(body.linesLeftOut > 0 ? { 'lines left out': body.linesLeftOut } : {}),
          ...facts,
        },
        ...(written === undefined ? {} : { written }),
      };
    },
  }),
];

function named({ id, title, path }: PageName): string {
  return `${path} (page ${id}) ${title}`;
}

async function textOf(
  { reader, renderer, now }: ToolCall,
  page: WholePage,
  section: { start: number; end: number } | undefined,
  format: 'markdown' | 'source',
): Promise<string> {
  const source = section ? page.content.body.slice(section.start, section.end) : page.content.body;
  if (format === 'source') return source;
  return section
    ? markdownOfPart(reader, renderer, page, source, now)
    : markdownOf(reader, renderer, page, now);
}
