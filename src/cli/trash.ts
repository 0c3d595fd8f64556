/** `coppice trash`: manages deleted pages, without restrictions on visibility. */
import { isoTime } from '#core/model/iso-time.ts';
import type { Deletion } from '#core/ports/trash-store.ts';
import { dayMs, emptyTrash, purgeDeletion } from '#core/trash/purge-trash.ts';
import { restorePage } from '#core/trash/restore-page.ts';
import { commandOf, idArgument, UsageError } from './command/arguments.ts';
import { actorFor } from './command/first-administrator.ts';
import { allOf, inWiki, listing, withId } from './command/in-wiki.ts';
import { tabbed } from './command/print.ts';
import { printable } from './command/printable.ts';

const help = `Usage: coppice trash <what> [arguments]

  list [--json]                       Deleted pages, latest first.
  restore ID [--path PATH]            Brings one back with all that was deleted along, to where it was or to PATH.
  purge ID                            Deletes one for good, with its history and files.
  empty [--days N]                    Deletes for good what was deleted over N days ago; without --days, everything.

The wiki may be running or not.
`;

export const run = commandOf('trash', help, {
  list: listing(
    [],
    ({ store }) => allOf(async (range) => (await store.readAsSystem().trash.list(range)).deletions),
    { shown, row, layout: tabbed, none: 'The trash is empty.' },
  ),
  restore: inWiki(['ID'], { path: { type: 'string' } }, ([written], { path }) => {
    const id = idArgument(written, 'trash list');
    return async ({ store }, now) => {
      const actor = await actorFor(store, undefined);
      const page = await restorePage(store, actor, id, path === undefined ? {} : { path }, now);
      return printable(page.path);
    };
  }),
  purge: withId('trash list', async ({ store, files }, id, now) => {
    await purgeDeletion(store, files.store, await actorFor(store, undefined), id, now);
    return `Deleted for good: ${id}.`;
  }),
  empty: inWiki([], { days: { type: 'string', default: '0' } }, (_, { days }) => {
    if (!/^\d{1,5}$/.test(days)) throw new UsageError('--days: expected a number of days from 0.');
    return async ({ store, files }, now) => {
      // Precise to the millisecond.
      const before = now + 1 - Number(days) * dayMs;
      let purged = 0;
      for (;;) {
        const round = await emptyTrash(store, files.store, before, now);
        if (round === 0) break;
        purged += round;
      }
      return `Deleted for good: ${purged} ${purged === 1 ? 'deletion' : 'deletions'}.`;
    };
  }),
});

function shown({ id, path, title, pages, deletedAt, deletedBy }: Deletion) {
  return { id, path, title, pages, deletedAt: isoTime(deletedAt), deletedBy };
}

function row({ id, path, pages, deletedAt, deletedBy }: Deletion): string[] {
  const counted = `${pages} ${pages === 1 ? 'page' : 'pages'}`;
  return [String(id), isoTime(deletedAt), counted, printable(path), printable(deletedBy.name)];
}
