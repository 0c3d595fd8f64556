/** The trash: deleted pages, until somebody restores them or an administrator deletes them for good. */
import { Type } from 'typebox';
import { dayMs, isoTime } from '#core/model/iso-time.ts';
import { component, exampleTime, integer, optionalText, text } from '#core/operations/fields.ts';
import { converted, listOf, nothing, operation, wholePage } from '#core/operations/operation.ts';
import { rangeFields, rangeOf } from '#core/operations/paging.ts';
import { deletionFields, MemberName } from '#core/operations/schemas.ts';
import type { Deletion } from '#core/ports/trash-store.ts';
import { emptyTrash, purgeDeletion } from './purge.ts';
import { noDeletion, restorePage } from './restore-page.ts';

const TrashEntry = component('TrashEntry', 'A deletion that can be undone.', {
  ...deletionFields,
  deletedAt: text('When the page was deleted.', exampleTime),
  deletedBy: MemberName,
});

const { id } = deletionFields;

export const deletionJson = ({ id, path, title, pages, deletedAt, deletedBy }: Deletion) => ({
  id,
  path,
  title,
  pages,
  deletedAt: isoTime(deletedAt),
  deletedBy,
});

export const listTrash = operation({
  name: 'trash',
  summary: 'List the trash',
  description:
    'Deletions, latest first. Administrators see all deletions, other members only those of pages that they could read.',
  access: 'member',
  scope: 'read',
  subtree: 'within',
  input: Type.Object(rangeFields(100)),
  output: listOf(converted(TrashEntry, deletionJson), 'The deletions.'),
  ports: ['reader'],
  async run({ reader }, { input }) {
    const { deletions: items, total } = await reader.trash.list(rangeOf(input, 100));
    return { items, total };
  },
});

export const restoreDeletion = operation({
  name: 'restorePage',
  summary: 'Restore a deleted page',
  description:
    'Restores the page with everything that was deleted along: pages beneath, history, files, likes, old paths. It gets the path that it had, or `path`. Its parent is the nearest of its former ancestors that still exists; with `path`, the page directly above that path, if there is one. Requires permission to edit all these pages.',
  access: 'self',
  scope: 'write',
  subtree: 'within',
  writesPages: true,
  input: component('Restoration', 'Path at which to restore the page.', {
    id,
    path: optionalText('Another path for the page.', '/park/roses'),
  }),
  output: wholePage,
  problems: ['path-taken', 'path-reserved', 'not-permitted', 'not-found'],
  writes: 'itself',
  audit: ['page-restored'],
  ports: ['store'],
  run: async ({ store }, { input, by, now }) => restorePage(store, by, input, now),
});

export const purgePage = operation({
  name: 'purgePage',
  summary: 'Delete permanently',
  description:
    'For administrators: removes a deletion from the trash, with the history, files and likes of its pages. Only a backup can restore them.',
  access: 'administrator',
  scope: 'admin',
  input: Type.Object({ id }),
  output: nothing('The deletion has been removed.'),
  problems: ['not-found'],
  writes: 'itself',
  audit: ['page-purged'],
  ports: ['store', 'files'],
  async run({ store, files }, { input: { id }, now }) {
    if (!(await purgeDeletion(store, files.store, id, now))) throw noDeletion(id);
  },
});

export const emptyTheTrash = operation({
  name: 'emptyTrash',
  summary: 'Empty the trash',
  description:
    'Permanently deletes what was deleted over some days ago, and returns the number of deletions.',
  access: 'administrator',
  scope: 'admin',
  input: Type.Object({ days: integer('Days since the deletion.', 30, { minimum: 0 }) }),
  output: Type.Integer(),
  writes: 'itself',
  audit: ['page-purged'],
  ports: ['store', 'files'],
  async run({ store, files }, { input, now }) {
    // Precise to the millisecond.
    const before = now + 1 - input.days * dayMs;
    let purged = 0;
    for (;;) {
      const round = await emptyTrash(store, files.store, before, now);
      if (round === 0) return purged;
      purged += round;
    }
  },
});
