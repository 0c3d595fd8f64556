/**
 * Writing pages: every face creates, edits, moves and deletes them by these. Input is read by each face, because it may hold uploads;
 * the functions that are called check its fields, permissions and protection, with the rows locked.
 */
import { Type } from 'typebox';
import { withSubstitutions } from '../content/substitute.ts';
import type { Format } from '../model/page.ts';
import { operation, wholePage } from '../operations/operation.ts';
import type { HistoryWanted } from '../ports/reader.ts';
import { beginPage, type NewPageInput } from './begin-page.ts';
import { createPage } from './create-page.ts';
import { type Deleted, deletePage } from './delete-page.ts';
import { type EditInput, type SavedPage, saveEdit } from './edit-page.ts';
import { type RollbackInput, saveRollback } from './rollback-page.ts';

/** Signed-in members for themselves; a token limited to a subtree writes within it. */
const writing = { access: 'self', scope: 'write', subtree: 'within', writesPages: true } as const;
const path = Type.String({ description: 'Path of the page.' });

export const pageCreation = operation({
  ...writing,
  name: 'createPage',
  summary: 'Create a page',
  description:
    'The caller becomes the owner of the page. Without `path`, the path consists of the path of the parent, `/` and the slug. Without `slug`, the slug is made from the title. With `from`, the page begins with a page template.',
  input: Type.Object({ page: Type.Unsafe<NewPageInput>({}), defaultFormat: Type.Unsafe<Format>({}) }),
  output: wholePage,
  problems: ['path-taken', 'path-reserved'],
  writes: 'itself',
  audit: [],
  ports: ['store', 'files', 'reader', 'renderer'],
  async run({ store, files, reader, renderer }, { input: { page, defaultFormat }, by, now }) {
    const place = { format: defaultFormat };
    const begun = await beginPage(reader, page);
    const given = await withSubstitutions({ reader, renderer, now }, begun.page, place);
    return createPage({ store, files, actor: by, now }, given, { ...place, files: begun.files });
  },
});

/** Moves as well: by a new path, slug or parent. `history`: how much of it the answer includes. */
export const pageEdit = operation({
  ...writing,
  name: 'editPage',
  summary: 'Edit a page',
  description:
    'Fields that are left out stay as they are. A new path, or a new slug or parent without a path, moves the page and everything beneath it; old paths redirect to the new ones. An edit that alters nothing adds no change unless it has a new message, so an edit whose response was lost can be sent again. `If-Match` compares the version before saving; `base` in the body merges; without either the last edit wins.',
  input: Type.Object({
    path,
    edit: Type.Unsafe<EditInput>({}),
    history: Type.Optional(Type.Unsafe<HistoryWanted>({})),
  }),
  output: Type.Unsafe<SavedPage>({}),
  problems: ['path-taken', 'path-reserved', 'path-loop', 'not-permitted', 'not-found', 'edit-conflict'],
  writes: 'itself',
  audit: ['permissions-changed'],
  ports: ['store', 'files', 'reader', 'renderer'],
  async run({ store, files, reader, renderer }, { input: { path, edit, history }, by, now }) {
    const given = await withSubstitutions({ reader, renderer, now }, edit, { path });
    return saveEdit({ store, files, actor: by, now }, path, given, { history });
  },
});

export const pageRollback = operation({
  ...writing,
  name: 'rollback',
  summary: 'Restore an older change',
  description:
    'Restores the text that the page had after a change, and its files then, as a new change. If the page already has this text, no change is made. Path, parent and permissions stay as they are.',
  input: Type.Object({
    path,
    change: Type.Unsafe<RollbackInput>({}),
    history: Type.Optional(Type.Unsafe<HistoryWanted>({})),
  }),
  output: Type.Unsafe<SavedPage>({}),
  problems: ['not-permitted', 'not-found', 'gone', 'edit-conflict'],
  writes: true,
  audit: [],
  ports: ['store'],
  run: async ({ store }, { input: { path, change, history }, by, now }) =>
    saveRollback({ store, actor: by, now }, path, change, history),
});

export const pageDeletion = operation({
  ...writing,
  name: 'deletePage',
  summary: 'Delete a page',
  description:
    'Moves the page to the trash, from where it can be restored. Its path becomes free, and links to it become wanted links. Requires permission to edit the page; with `subtree=true`, to edit every page beneath it as well. Afterwards reads get 410 if the caller could read the page, otherwise 404.',
  input: Type.Object({
    path,
    subtree: Type.Optional(Type.Boolean()),
    matches: Type.Unsafe<number[] | undefined>({}),
  }),
  output: Type.Unsafe<Deleted>({}),
  problems: ['not-permitted', 'not-found', 'gone', 'pages-beneath', 'edit-conflict'],
  writes: true,
  audit: ['page-deleted'],
  ports: ['store'],
  run: async ({ store }, { input: { path, ...how }, by, now }) =>
    deletePage({ store, actor: by, now }, path, how),
});
