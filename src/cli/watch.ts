/** `coppice watch`: what a member watches and was told of, by the command line, as far as that member may read it. */
import { getByEmail } from '#domain/members/manage-members.ts';
import { actorOf } from '#domain/members/member.ts';
import { type MailFrequency, mailFrequencies } from '#domain/ports/watch-store.ts';
import { listNotifications, markRead } from '#domain/watches/notifications.ts';
import { type ListedWatch, listWatches, unwatch, watch } from '#domain/watches/watch.ts';
import { commandOf, idArgument, readArguments, UsageError, type Work } from './command/arguments.ts';
import type { OpenWiki } from './command/context.ts';
import { print } from './command/print.ts';

const help = `Usage: coppice watch <what> EMAIL [arguments]

  list EMAIL                          What the member watches, as JSON.
  add EMAIL (--page PATH | --ancestor PATH | --tag TAG | --search QUERY) [--mail off|now|daily|weekly]
                                      Watches a page, one with all beneath it (/: the whole wiki), pages with a tag, or
                                      what a search such as text=oak&type=Place finds; or changes when mail tells.
  remove EMAIL ID                     Ends a watch.
  notifications EMAIL [--unread]      The latest hundred notifications, as JSON.
  read EMAIL                          Marks all notifications as read.

The wiki may be running or not.
`;

const limit = 100;

export const run = commandOf('watch', help, { list, add, remove, notifications, read } satisfies Record<
  string,
  Work
>);

async function list(...[args, context, io]: Parameters<Work>): Promise<number> {
  const [email = ''] = readArguments(args, ['EMAIL'], {}).positionals;
  await using open = await context.open();
  const reader = await readerOf(open, email);
  const all: ListedWatch[] = [];
  for (;;) {
    const { watches } = await listWatches(open.store, reader, { limit, offset: all.length });
    all.push(...watches);
    if (watches.length < limit) break;
  }
  print(io, all.map(shown));
  return 0;
}

async function add(...[args, context, io]: Parameters<Work>): Promise<number> {
  const { values, positionals } = readArguments(args, ['EMAIL'], {
    page: { type: 'string' },
    ancestor: { type: 'string' },
    tag: { type: 'string' },
    search: { type: 'string' },
    mail: { type: 'string', default: 'off' },
  });
  const { mail, ...target } = values;
  if (!isFrequency(mail)) throw new UsageError(`--mail: expected one of ${mailFrequencies.join(', ')}.`);
  await using open = await context.open();
  const reader = await readerOf(open, positionals[0]);
  print(io, shown(await watch(open.store, open.secrets, reader, { ...target, mail }, context.clock())));
  return 0;
}

async function remove(...[args, context, io]: Parameters<Work>): Promise<number> {
  const [email = '', given] = readArguments(args, ['EMAIL', 'ID'], {}).positionals;
  const id = idArgument(given, 'watch list');
  await using open = await context.open();
  await unwatch(open.store, await readerOf(open, email), id);
  print(io, { removed: id });
  return 0;
}

async function notifications(...[args, context, io]: Parameters<Work>): Promise<number> {
  const { values, positionals } = readArguments(args, ['EMAIL'], {
    unread: { type: 'boolean', default: false },
  });
  await using open = await context.open();
  const reader = await readerOf(open, positionals[0]);
  const range = { limit, offset: 0 };
  const { notifications } = await listNotifications(open.store, reader, range, values.unread);
  print(
    io,
    notifications.map(({ id, watchId, readAt, event: { kind, page, editor, at, msg } }) => ({
      ...{ id, watch: watchId, kind, path: page.path, title: page.title, by: editor?.name ?? null, msg },
      ...{ at: new Date(at).toISOString(), read: readAt !== null },
    })),
  );
  return 0;
}

async function read(...[args, context, io]: Parameters<Work>): Promise<number> {
  const [email = ''] = readArguments(args, ['EMAIL'], {}).positionals;
  await using open = await context.open();
  await markRead(open.store, await readerOf(open, email), { upTo: Number.MAX_SAFE_INTEGER }, context.clock());
  io.stdout.write('Every notification is read.\n');
  return 0;
}

async function readerOf({ store }: OpenWiki, email = '') {
  return store.readAs(actorOf(await getByEmail(store, email)));
}

function isFrequency(text: string): text is MailFrequency {
  return (mailFrequencies as readonly string[]).includes(text);
}

function shown({ id, kind, target, page, mail, createdAt }: ListedWatch) {
  const isPage = kind === 'page' || kind === 'subtree';
  return {
    ...{ id, kind, page: page?.path ?? (target === '0' ? '/' : null), target: isPage ? null : target, mail },
    createdAt: new Date(createdAt).toISOString(),
  };
}
