/**
 * Drafts of the editor: what members have written and not saved yet, kept so that they can go on at another device. They are
 * only for their member: nobody else sees them, they are in no list of proposals, and nothing is recorded of them. They are forms and
 * not proposals, because a form can be kept while it could not be saved.
 */

import { Type } from 'typebox';
import { isoTime } from '#core/model/iso-time.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import { component, idOrNull, text, time } from '#core/operations/fields.ts';
import { converted, nothing, operation } from '#core/operations/operation.ts';
import type { Draft, DraftOutline } from '#core/ports/draft-store.ts';
import { say } from '#words/say.ts';

const most = 50;
export const maxDraftBytes = 4_000_000;
const mostBytes = 5 * maxDraftBytes;

const id = Type.String({
  description: 'ID that the editor chose for the draft.',
  pattern: '^[A-Za-z0-9-]{1,64}$',
  examples: ['mdx1c2-17-42'],
});
const byId = Type.Object({ id });
const key = Type.String({
  description: 'Form in which the draft was written, such as a page or a section of it.',
  minLength: 1,
  maxLength: 400,
  examples: ['page 7 '],
});
const pageId = idOrNull('ID of the page that is edited. Null for a new page.', 7);
const title = Type.String({ description: 'Title in the form.', maxLength: 1000, examples: ['Roses'] });
const url = Type.String({
  description: 'Address of the editor on the site, with its query.',
  pattern: '^/[^/\\\\]',
  maxLength: 8000,
  examples: ['/edit/garden/roses'],
});
const base = Type.String({
  description: 'ID of the change that the form started from. Empty for a new page.',
  maxLength: 20,
  examples: ['41'],
});
const fields = Type.Array(
  Type.Object({
    name: text('Name of the field.', 'body'),
    value: text('Value of the field.', 'Roses need sun.'),
  }),
  { description: 'Fields of the form, without files.', maxItems: 300 },
);
const outline = { id, key, pageId, title, url, updatedAt: time('When the draft was last kept') };

const DraftOutlineObject = component('DraftOutline', 'A draft of the editor, without its text.', outline);
const DraftObject = component('Draft', 'A draft of the editor.', { ...outline, base, fields });

const outlineJson = ({ updatedAt, ...draft }: DraftOutline) => ({ ...draft, updatedAt: isoTime(updatedAt) });

const own = { access: 'self', scope: 'none', ports: ['store'] } as const;

export const keepDraft = operation({
  ...own,
  name: 'keepDraft',
  summary: 'Keep a draft of the editor',
  description: `Keeps text that the member has not saved yet. Replaces the draft with the same ID. The latest ${most} drafts of each member are kept, up to ${mostBytes / 1e6} MB together, for 60 days.`,
  refusesBlocked: true,
  input: component('DraftInput', 'A draft of the editor.', { id, key, pageId, title, url, base, fields }),
  output: nothing('The draft is kept.'),
  problems: ['too-large', 'blocked'],
  writes: true,
  audit: [],
  async run({ store }, { input, by, now }) {
    const parts = [
      input.title,
      input.url,
      input.key,
      ...input.fields.flatMap(({ name, value }) => [name, value]),
    ];
    if (parts.some((part) => part.includes('\0') || !part.isWellFormed()))
      throw invalid('/fields', say('problem.theTextMustBeWellFormedUnicode'));
    if (Buffer.byteLength(JSON.stringify(input.fields)) > maxDraftBytes)
      throw new Problem(
        'too-large',
        say('problem.aDraftCanHaveAtMostMb', { megabytes: maxDraftBytes / 1e6 }),
      );
    await store.drafts.save(by.memberId, input, now, { most, mostBytes });
  },
});

export const listDrafts = operation({
  ...own,
  name: 'listDrafts',
  summary: 'List my drafts of the editor',
  description: 'Texts that the caller has not saved, latest first, without the texts.',
  input: Type.Object({ key: Type.Optional(key) }),
  output: converted(
    Type.Array(DraftOutlineObject, { description: `At most ${most}.` }),
    (all: DraftOutline[]) => all.map(outlineJson),
  ),
  run: ({ store }, { input, by }) => store.drafts.listOf(by.memberId, input.key, most),
});

export const readDraft = operation({
  ...own,
  name: 'readDraft',
  summary: 'Read a draft of the editor',
  description: 'One of the caller’s own drafts, with all fields of its form.',
  input: byId,
  output: converted(DraftObject, ({ base, fields, ...draft }: Draft) => ({
    ...outlineJson(draft),
    base,
    fields,
  })),
  problems: ['not-found'],
  async run({ store }, { input: { id }, by }) {
    const draft = await store.drafts.find(by.memberId, id);
    if (!draft) throw new Problem('not-found', say('problem.youHaveNoSuchDraftItMay'));
    return draft;
  },
});

export const discardDraft = operation({
  ...own,
  name: 'discardDraft',
  summary: 'Discard a draft of the editor',
  description: 'Removes one of the caller’s own drafts, if it exists.',
  input: byId,
  output: nothing('The draft does not exist any more.'),
  writes: true,
  audit: [],
  run: ({ store }, { input: { id }, by }) => store.drafts.remove(by.memberId, id),
});
