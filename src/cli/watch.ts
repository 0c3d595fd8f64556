/** `coppice watch`: manages a member's watches and notifications, within what that member may read. */

import { getByEmail } from '#core/members/manage-members.ts';
import { isoTime } from '#core/model/iso-time.ts';
import { actorOf } from '#core/model/member.ts';
import type { Store } from '#core/ports/store.ts';
import { type MailFrequency, mailFrequencies } from '#core/ports/watch-store.ts';
import { listNotifications, markRead } from '#core/watches/notifications.ts';
import { type ListedWatch, listWatches, unwatch, watch } from '#core/watches/watch.ts';
import { commandOf, idArgument, UsageError } from './command/arguments.ts';
import { allOf, inWiki } from './command/in-wiki.ts';

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

const notificationsShown = 100;

const target = {
  page: { type: 'string' },
  ancestor: { type: 'string' },
  tag: { type: 'string' },
  search: { type: 'string' },
  mail: { type: 'string', default: 'off' },
} as const;

export const run = commandOf('watch', help, {
  list: inWiki(['EMAIL'], {}, ([email]) => async ({ store }) => {
    const reader = await readerOf(store, email);
    const all = await allOf(async (range) => (await listWatches(store, reader, range)).watches);
    return all.map(shown);
  }),
  add: inWiki(['EMAIL'], target, ([email], { mail, ...target }) => {
    if (!isFrequency(mail)) throw new UsageError(`--mail: expected one of ${mailFrequencies.join(', ')}.`);
    return async ({ store, secrets }, now) =>
      shown(await watch(store, secrets, await readerOf(store, email), { ...target, mail }, now));
  }),
  remove: inWiki(['EMAIL', 'ID'], {}, ([email, written]) => {
    const id = idArgument(written, 'watch list');
    return async ({ store }) => {
      await unwatch(store, await readerOf(store, email), id);
      return { removed: id };
    };
  }),
  notifications: inWiki(
    ['EMAIL'],
    { unread: { type: 'boolean', default: false } },
    ([email], { unread }) =>
      async ({ store }) => {
        const range = { limit: notificationsShown, offset: 0 };
        const { notifications } = await listNotifications(store, await readerOf(store, email), range, unread);
        return notifications.map(({ id, watchId, readAt, event: { kind, page, editor, at, msg } }) => ({
          ...{ id, watch: watchId, kind, path: page.path, title: page.title, by: editor?.name ?? null, msg },
          ...{ at: isoTime(at), read: readAt !== null },
        }));
      },
  ),
  read: inWiki(['EMAIL'], {}, ([email]) => async ({ store }, now) => {
    await markRead(store, await readerOf(store, email), { upTo: Number.MAX_SAFE_INTEGER }, now);
    return 'Every notification is read.';
  }),
});

async function readerOf(store: Store, email: string) {
  return store.readAs(actorOf(await getByEmail(store, email)));
}

function isFrequency(text: string): text is MailFrequency {
  return (mailFrequencies as readonly string[]).includes(text);
}

function shown({ id, kind, target, page, mail, createdAt }: ListedWatch) {
  const isPage = kind === 'page' || kind === 'subtree';
  return {
    ...{ id, kind, page: page?.path ?? (target === '0' ? '/' : null), target: isPage ? null : target, mail },
    createdAt: isoTime(createdAt),
  };
}
