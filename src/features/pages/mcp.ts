/** Tools of agents for pages: each names the operations that it carries out, and shows their answers in brief form. */
import { Type } from 'typebox';
import type { PageName } from '#core/model/page.ts';
import { invalid } from '#core/model/problem.ts';
import { pageCreation, pageEdit } from '#core/pages/operations.ts';
import { listOf, partOf, type ToolAnswer } from '#http/mcp/answer.ts';
import { type Tool, tool, toolOf } from '#http/mcp/tool.ts';
import {
  compareChanges,
  findPlaceBeneath,
  listChanges,
  listLinksTo,
  listPagesBeneath,
  listPlacesNear,
  listWantedTitles,
  offset,
  pageName,
  readForEdit,
  readPageText,
  searchForPages,
} from './operations.ts';

/** Maximum number of sections listed for a page. */
const maxNamed = 100;

const named = ({ id, title, path }: PageName) => `${path} (page ${id}) ${title}`;
const msg = Type.Optional(Type.String({ description: 'Purpose of the change, in a few words.' }));

export const mcp: readonly Tool[] = [
  toolOf(searchForPages, {
    name: 'search',
    title: 'Search',
    strangersMs: 20,
    show: ({ items, total }, { offset }) =>
      listOf(
        items.map(({ page, anchor, snippet }) =>
          [named(page), ...(anchor === undefined ? [] : [`  in #${anchor}`]), `  ${snippet.join('')}`].join(
            '\n',
          ),
        ),
        { offset, total },
      ),
  }),
  toolOf(readPageText, {
    name: 'read_page',
    title: 'Read a page',
    strangersMs: 2,
    more: { offset },
    show({ page, change, anchors, text, mayEdit }, { section, offset = 0 }) {
      const { facts, written } = partOf(text, offset);
      const shown = anchors.slice(0, maxNamed).join(' ');
      const head = [
        `path: ${page.path}`,
        `title: ${page.title}`,
        ...(offset === 0 && section === undefined && shown !== '' ? [`sections: ${shown}`] : []),
      ];
      return {
        facts: {
          page: page.id,
          change,
          changed: new Date(page.updatedAt).toISOString(),
          'written in': page.content.format,
          'you may edit it': mayEdit,
          ...(anchors.length > maxNamed ? { sections: anchors.length } : {}),
          ...facts,
        },
        written: `${head.join('\n')}\n\n${written}`,
      };
    },
  }),
  toolOf(listPagesBeneath, {
    name: 'list_children',
    title: 'List pages beneath',
    strangersMs: 2,
    show: ({ pages, total }, { offset }) =>
      listOf(
        pages.map((child) => `${named(child)}${child.hasChildren ? ' (+)' : ''}`),
        { offset, total },
      ),
  }),
  toolOf(listLinksTo, {
    name: 'backlinks',
    title: 'List backlinks',
    strangersMs: 2,
    show: ({ pages, total }, { offset }) => listOf(pages.map(named), { offset, total }),
  }),
  toolOf(listPlacesNear, {
    name: 'near',
    title: 'List places near a point',
    strangersMs: 10,
    show: ({ pages, total }, { offset }) =>
      listOf(
        pages.map((page) => `${named(page)}: ${Math.round(page.distanceMetres)} m`),
        { offset, total },
      ),
  }),
  toolOf(listWantedTitles, {
    name: 'wanted',
    title: 'List wanted pages',
    strangersMs: 2,
    show(wanted) {
      const items = wanted.map(({ title, count, links }) => {
        const paths = links.map(({ path }) => path).join(', ');
        return `${title}: ${count} ${count === 1 ? 'page' : 'pages'}, such as ${paths}`;
      });
      return listOf(items, { total: items.length });
    },
  }),
  toolOf(listChanges, {
    name: 'history',
    title: 'List changes',
    strangersMs: 2,
    show: ({ changes, total }, { offset }) =>
      listOf(
        changes.map(
          ({ id, at, editor, content }) =>
            `${id} ${new Date(at).toISOString()} ${editor.name}: ${content.msg || '(no message)'}`,
        ),
        { offset, total },
      ),
  }),
  toolOf(compareChanges, {
    name: 'diff',
    title: 'Compare changes',
    strangersMs: 2,
    more: { offset },
    show({ from, to, fields, body }, { offset = 0 }) {
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

  tool({
    name: 'create_page',
    title: 'Create a page',
    description:
      'Create a page, with a body of its own or from a page template. Its address is made from its parent and title. The new page gets its parent’s access unless the wiki defines other defaults for new pages there.',
    operations: [findPlaceBeneath, pageCreation],
    strangersMs: 0,
    input: Type.Object({
      title: Type.String(),
      body: Type.Optional(Type.String()),
      from: Type.Optional(
        Type.String({
          description: 'Path of a page of the type "Page template", whose text the page begins with.',
        }),
      ),
      parent: Type.Optional(pageName),
      format: Type.Optional(
        Type.Union([Type.Literal('markdown'), Type.Literal('wikitext')], {
          description:
            'Language of the body. The default is the language of the template, or else of the wiki.',
        }),
      ),
      msg,
    }),
    async run({ carry, defaultFormat }, { parent, ...given }) {
      if (given.body === undefined && given.from === undefined)
        throw invalid('/body', 'A new page needs “body”, or “from” with a page template.');
      const place = await carry(findPlaceBeneath, parent === undefined ? {} : { page: parent });
      return savedAnswer(
        await carry(pageCreation, { page: { ...given, ...place }, defaultFormat }),
        'created',
      );
    },
  }),
  // A model can only edit what it has read: if the page has changed since, the edit is refused. It sets no access.
  tool({
    name: 'edit_page',
    title: 'Edit a page',
    description:
      'Edit a page: its text, one section of it, or its title. Needs the change that the edit is based on, as read_page returned it. If the page has changed since then, nothing is saved; read it again.',
    operations: [readForEdit, pageEdit],
    strangersMs: 0,
    input: Type.Object({
      page: pageName,
      change: Type.Integer({ minimum: 1, description: 'The change that you read.' }),
      body: Type.Optional(
        Type.String({
          description:
            'New source of the whole page or, with “section”, of that section including its heading. Empty text removes the section.',
        }),
      ),
      section: Type.Optional(Type.String({ description: 'Anchor of the section that “body” replaces.' })),
      title: Type.Optional(Type.String({ description: 'New title. The address stays the same.' })),
      msg,
    }),
    async run({ carry }, { title, msg, ...given }) {
      if (given.body === undefined && title === undefined)
        throw invalid('/body', 'Nothing to change: give “body”, “title” or both.');
      if (given.section !== undefined && given.body === undefined)
        throw invalid('/body', 'With “section”, give the “body” that replaces it.');
      const { path, body } = await carry(readForEdit, given);
      const edit = {
        ...(body === undefined ? {} : { body }),
        ...(title === undefined ? {} : { title }),
        ...(msg === undefined ? {} : { msg }),
        matches: [given.change],
      };
      const saved = await carry(pageEdit, { path, edit });
      return savedAnswer(saved.page, saved.outcome);
    },
  }),
];

function savedAnswer({ id, changeId, path }: PageName & { changeId: number }, outcome: string): ToolAnswer {
  return { facts: { outcome, page: id, change: changeId }, written: `path: ${path}` };
}
