/** `coppice trash`: deleted pages by the command line, which sees all of them. */
import type { Deletion } from '#domain/ports/trash-store.ts';
import { dayMs, emptyTrash, purgeDeletion } from '#domain/trash/purge-trash.ts';
import { restorePage } from '#domain/trash/restore-page.ts';
import { commandOf, idArgument, readArguments, UsageError, type Work } from './command/arguments.ts';
import type { CommandContext, Terminal } from './command/context.ts';
import { actorFor } from './command/first-administrator.ts';
import { printable } from './command/printable.ts';

const help = `Usage: coppice trash <what> [arguments]

  list [--json]                       Deleted pages, latest first.
  restore ID [--path PATH]            Brings one back with all that was deleted along, to where it was or to PATH.
  purge ID                            Deletes one for good, with its history and files.
  empty [--days N]                    Deletes for good what was deleted over N days ago; without --days, everything.

The wiki may be running or not.
`;

const subcommands: Record<string, Work> = { list, restore, purge, empty };
const batchSize = 200;

export const run = commandOf('trash', help, subcommands);

async function list(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const { values } = readArguments(args, [], { json: { type: 'boolean', default: false } });
  await using open = await context.open();
  const all: Deletion[] = [];
  for (;;) {
    const { deletions } = await open.store
      .readAsSystem()
      .trash.list({ limit: batchSize, offset: all.length });
    all.push(...deletions);
    if (deletions.length < batchSize) break;
  }
  if (values.json) io.stdout.write(`${JSON.stringify(all.map(shown), null, 2)}\n`);
  else if (all.length === 0) io.stderr.write('The trash is empty.\n');
  else for (const deletion of all) io.stdout.write(`${lineOf(deletion)}\n`);
  return 0;
}

async function restore(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, ['ID'], { path: { type: 'string' } });
  const id = idArgument(positionals[0], 'trash list');
  await using open = await context.open();
  const { path } = values;
  const actor = await actorFor(open.store, undefined);
  const page = await restorePage(open.store, actor, id, path === undefined ? {} : { path }, context.clock());
  io.stdout.write(`${printable(page.path)}\n`);
  return 0;
}

async function purge(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const id = idArgument(readArguments(args, ['ID'], {}).positionals[0], 'trash list');
  await using open = await context.open();
  const actor = await actorFor(open.store, undefined);
  await purgeDeletion(open.store, open.files.store, actor, id, context.clock());
  io.stdout.write(`Deleted for good: ${id}.\n`);
  return 0;
}

async function empty(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const { values } = readArguments(args, [], { days: { type: 'string', default: '0' } });
  if (!/^\d{1,5}$/.test(values.days)) throw new UsageError('--days: expected a number of days from 0.');
  await using open = await context.open();
  const now = context.clock();
  // To the millisecond in which it begins.
  const before = now + 1 - Number(values.days) * dayMs;
  let purged = 0;
  for (;;) {
    const round = await emptyTrash(open.store, open.files.store, before, now);
    if (round === 0) break;
    purged += round;
  }
  io.stdout.write(`Deleted for good: ${purged} ${purged === 1 ? 'deletion' : 'deletions'}.\n`);
  return 0;
}

function shown({ id, path, title, pages, deletedAt, deletedBy }: Deletion) {
  return { id, path, title, pages, deletedAt: new Date(deletedAt).toISOString(), deletedBy };
}

function lineOf({ id, path, pages, deletedAt, deletedBy }: Deletion): string {
  const parts = [id, new Date(deletedAt).toISOString(), `${pages} ${pages === 1 ? 'page' : 'pages'}`];
  return [...parts, printable(path), printable(deletedBy.name)].join('\t');
}
