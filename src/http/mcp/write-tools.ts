/**
 * Writing tools. A model can set titles, texts and messages, but not access; and it can only edit what it has read: if the page
 * has changed since, the edit is refused.
 */
import { Type } from 'typebox';
import { withSubstitutions } from '#core/content/substitute.ts';
import type { WholePage } from '#core/model/page.ts';
import { audienceOf } from '#core/model/permission.ts';
import { invalid } from '#core/model/problem.ts';
import { accessBeneath } from '#core/pages/access-beneath.ts';
import { createPage } from '#core/pages/create-page.ts';
import { saveEdit } from '#core/pages/edit-page.ts';
import { getNamed } from '#core/pages/find-named.ts';
import { getSection, listSections, replaceSection } from '#core/pages/page-section.ts';
import type { Reader } from '#core/ports/reader.ts';
import type { ToolAnswer } from './answer.ts';
import { optional, pageField, type Tool, tool } from './tool.ts';

/** Reading is needed as well, because pages are found with the caller's rights. */
const scopes = ['read', 'write'] as const;

const msg = optional(Type.String({ description: 'Purpose of the change, in a few words.' }));

export const writeTools: readonly Tool[] = [
  tool({
    name: 'create_page',
    description:
      'Create a page. Its address is made from its parent and title. The new page gets its parent’s access unless the wiki defines other defaults for new pages there.',
    input: Type.Object({
      title: Type.String(),
      body: Type.String(),
      parent: optional(pageField),
      format: optional(
        Type.Union([Type.Literal('markdown'), Type.Literal('wikitext')], {
          description: 'Language of the body. Default: the default language of the wiki.',
        }),
      ),
      msg,
    }),
    scopes,
    subtree: 'within',
    strangersMs: 0,
    async run({ reader, renderer, store, files, now, defaultFormat }, { title, body, parent, format, msg }) {
      const above = parent === undefined || parent === '/' ? {} : await beneath(reader, parent);
      const given = { title, body, ...above, ...(format ? { format } : {}), ...(msg ? { msg } : {}) };
      const place = { format: defaultFormat };
      const input = await withSubstitutions(reader, renderer, given, place, now);
      const page = await createPage(store, files, reader.actor, input, now, place);
      return savedAnswer(page, 'created');
    },
  }),

  tool({
    name: 'edit_page',
    description:
      'Edit a page: its text, one section of it, or its title. Needs the change that the edit is based on, as read_page returned it. If the page has changed since then, nothing is saved; read it again.',
    input: Type.Object({
      page: pageField,
      change: Type.Integer({ minimum: 1, description: 'The change that you read.' }),
      body: optional(
        Type.String({
          description:
            'New source of the whole page or, with “section”, of that section including its heading. Empty text removes the section.',
        }),
      ),
      section: optional(Type.String({ description: 'Anchor of the section that “body” replaces.' })),
      title: optional(Type.String({ description: 'New title. The address stays the same.' })),
      msg,
    }),
    scopes,
    subtree: 'within',
    strangersMs: 0,
    async run({ reader, renderer, store, files, now }, { page: name, change, body, section, title, msg }) {
      if (body === undefined && title === undefined)
        throw invalid('/body', 'Nothing to change: give “body”, “title” or both.');
      if (section !== undefined && body === undefined)
        throw invalid('/body', 'With “section”, give the “body” that replaces it.');
      const page = await getNamed(reader, name);
      const text = async () => {
        // If the page is at another change, the edit is refused below.
        if (body === undefined || section === undefined || page.changeId !== change) return body;
        const sections = await listSections(reader, renderer.language, page.content);
        return replaceSection(page.content.body, getSection(sections, section), body);
      };
      const wanted = { body: await text(), title, msg };
      const input = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
      const { path } = page;
      const given = await withSubstitutions(reader, renderer, input, { path }, now);
      const edit = { ...given, matches: [change] };
      const saved = await saveEdit(store, files, reader.actor, path, edit, now);
      return savedAnswer(saved.page, saved.outcome);
    },
  }),
];

/** A new page beneath a private page is as private, unless an ancestor has defaults for new pages. */
async function beneath(reader: Reader, name: string | number) {
  const parent = await getNamed(reader, name);
  const { id, path, permissions, group } = parent;
  if (audienceOf(parent, reader) === 0 || (await accessBeneath(reader, path))) return { parent: id };
  return { parent: id, permissions, group: group?.name ?? null };
}

function savedAnswer({ id, changeId, path }: WholePage, outcome: string): ToolAnswer {
  return { facts: { outcome, page: id, change: changeId }, written: `path: ${path}` };
}
