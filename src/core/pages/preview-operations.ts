/** Previews of a body before it is saved, of a move and of a deletion. None of them changes anything. */
import { Type } from 'typebox';
import { type Preview, previewPage } from '../content/preview-page.ts';
import { refuseUnlessWriter } from '../model/may-write.ts';
import type { Format, WholePage } from '../model/page.ts';
import { optionalText, text } from '../operations/fields.ts';
import { type AnswerTo, answer, operation } from '../operations/operation.ts';
import { findReadable, getWhole } from '../reading/find-page.ts';
import { previewDeletion } from './preview-deletion.ts';
import { previewMove } from './preview-move.ts';
import { mayEdit, refuseProtectedHere } from './protection.ts';

const path = text('Path of the page.', '/garden/roses');

export const bodyPreview = operation({
  name: 'preview',
  summary: 'Preview a body',
  description: 'Renders a body without saving it, and returns the meaning of its markers and links.',
  access: 'anyone',
  scope: 'read',
  subtree: 'within',
  input: Type.Object({
    body: text('Content to preview.', 'Roses need [[Pruning]].'),
    path: optionalText('Path of the page that the body is for.', '/garden/roses'),
    title: optionalText('Title of the page that the body is for.', 'Roses'),
    format: Type.Optional(Type.Unsafe<Format>({})),
  }),
  output: answer<Preview>(),
  ports: ['reader', 'renderer'],
  run: ({ reader, renderer }, { input, now }) => previewPage(reader, renderer, input, now),
});

export const movePreview = operation({
  name: 'previewMove',
  summary: 'Preview a move',
  description:
    'Lists the pages that would move along and the targets that are already used, without moving anything. It is refused whenever the move would be refused.',
  access: 'self',
  scope: 'read',
  subtree: 'within',
  input: Type.Object({
    path,
    to: text('New path of the page.', '/park/roses'),
    parent: optionalText(
      'Path of its new parent, empty for the root. Without it, the page keeps its parent.',
      '/park',
    ),
  }),
  output: answer<AnswerTo<typeof previewMove>>(),
  problems: ['path-reserved', 'path-loop', 'not-permitted', 'not-found', 'gone'],
  ports: ['reader'],
  run: ({ reader }, { input: { path, to, parent } }) => previewMove(reader, path, { path: to, parent }),
});

export const deletionPreview = operation({
  name: 'previewDeletion',
  summary: 'Preview a deletion',
  description: 'Pages and files that a deletion would take along, and links that it would break.',
  access: 'self',
  scope: 'read',
  subtree: 'within',
  input: Type.Object({ path }),
  output: answer<AnswerTo<typeof previewDeletion>>(),
  problems: ['not-permitted', 'not-found', 'gone'],
  ports: ['reader'],
  run: ({ reader }, { input }) => previewDeletion(reader, input.path),
});

/** Members who may read a page, but not save it, propose the change. */
export const pageOpening = operation({
  name: 'openForEditing',
  summary: 'Edit a page',
  description: 'The page with its text, and whether the caller can only propose a change of it.',
  access: 'self',
  scope: 'read',
  subtree: 'within',
  refusesBlocked: true,
  input: Type.Object({ path }),
  output: answer<{ page: WholePage | undefined; isProposal: boolean }>(),
  problems: ['protected'],
  ports: ['reader'],
  async run({ reader }, { input, now }) {
    const found = await findReadable(reader, input.path);
    const page = found && (await getWhole(reader, found.id, 'none'));
    if (page) refuseProtectedHere(reader.actor, page, now);
    return { page, isProposal: page !== undefined && !mayEdit(reader.actor, page, now, reader) };
  },
});

/** Members with the role `reader` propose new pages. */
export const pageBeginning = operation({
  name: 'beginPage',
  summary: 'Write a page',
  description: 'Whether the caller can only propose a new page.',
  access: 'self',
  scope: 'read',
  subtree: 'within',
  input: Type.Object({}),
  output: answer<{ isProposal: boolean }>(),
  ports: [],
  async run(_ports, { by }) {
    const isProposal = by.role === 'reader';
    if (!isProposal) refuseUnlessWriter(by);
    return { isProposal };
  },
});
