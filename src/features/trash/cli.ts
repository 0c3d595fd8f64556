/** `coppice trash`: manages deleted pages, without restrictions on visibility. */
import { commandOf, idArgument, UsageError } from '#cli/command/arguments.ts';
import { allOf, inWiki, listing, withId } from '#cli/command/in-wiki.ts';
import { tabbed } from '#cli/command/print.ts';
import { printable } from '#cli/command/printable.ts';
import { isoTime } from '#core/model/iso-time.ts';
import type { Deletion } from '#core/ports/trash-store.ts';
import { deletionJson, emptyTheTrash, listTrash, purgePage, restoreDeletion } from './operations.ts';

const help = `Usage: coppice trash <what> [arguments]

  list [--json]                       Lists deleted pages, latest first.
  restore ID [--path PATH]            Restores a deletion with all its pages, to the former address or to PATH.
  purge ID                            Deletes a deletion permanently, with history and files.
  empty [--days N]                    Deletes permanently what was deleted over N days ago; without --days, everything.

The wiki may be running or not.
`;

export const run = commandOf('trash', help, {
  list: listing([], ({ carry }) => allOf(async (range) => (await carry(listTrash, range)).items), {
    shown: deletionJson,
    row,
    layout: tabbed,
    none: 'The trash is empty.',
  }),
  restore: inWiki(['ID'], { path: { type: 'string' } }, ([written], { path }) => {
    const id = idArgument(written, 'trash list');
    return async ({ carryAs }) => {
      const input = path === undefined ? { id } : { id, path };
      return printable((await carryAs(undefined, restoreDeletion, input)).path);
    };
  }),
  purge: withId('trash list', async ({ carry }, id) => {
    await carry(purgePage, { id });
    return `Deleted permanently: ${id}.`;
  }),
  empty: inWiki([], { days: { type: 'string', default: '0' } }, (_, { days }) => {
    if (!/^\d{1,5}$/.test(days)) throw new UsageError('--days: expected a number of days from 0.');
    return async ({ carry }) => {
      const purged = await carry(emptyTheTrash, { days: Number(days) });
      return `Deleted permanently: ${purged} ${purged === 1 ? 'deletion' : 'deletions'}.`;
    };
  }),
});

function row({ id, path, pages, deletedAt, deletedBy }: Deletion): string[] {
  const counted = `${pages} ${pages === 1 ? 'page' : 'pages'}`;
  return [String(id), isoTime(deletedAt), counted, printable(path), printable(deletedBy.name)];
}
