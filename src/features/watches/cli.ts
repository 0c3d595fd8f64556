/** `coppice watch`: manages a member's watches and notifications, within what that member may read. */
import { commandOf, idArgument, UsageError } from '#cli/command/arguments.ts';
import { allOf, inWiki } from '#cli/command/in-wiki.ts';
import type { ListedWatch } from '#core/members/watches.ts';
import { isoTime } from '#core/model/iso-time.ts';
import { type MailFrequency, mailFrequencies } from '#core/ports/watch-store.ts';
import { listNotifications, listWatches, markRead, unwatch, watch } from './operations.ts';

const help = `Usage: coppice watch <what> EMAIL [arguments]

  list EMAIL                          Prints the watches of a member as JSON.
  add EMAIL (--page PATH | --ancestor PATH | --tag TAG | --search QUERY) [--mail off|now|daily|weekly]
                                      Watches a page, a page with everything beneath it (/: the whole wiki), pages with
                                      a tag, or the results of a search such as text=oak&type=Place. If the watch
                                      exists, changes its mail setting.
  remove EMAIL ID                     Ends a watch.
  notifications EMAIL [--unread]      Prints the latest hundred notifications as JSON.
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
  list: inWiki(['EMAIL'], {}, ([email]) => async ({ carryAs }) => {
    const all = await allOf(async (range) => (await carryAs(email, listWatches, range)).items);
    return all.map(shown);
  }),
  add: inWiki(['EMAIL'], target, ([email], { mail, ...target }) => {
    if (!isFrequency(mail)) throw new UsageError(`--mail: expected one of ${mailFrequencies.join(', ')}.`);
    return async ({ carryAs }) => shown(await carryAs(email, watch, { ...target, mail }));
  }),
  remove: inWiki(['EMAIL', 'ID'], {}, ([email, written]) => {
    const id = idArgument(written, 'watch list');
    return async ({ carryAs }) => {
      await carryAs(email, unwatch, { id });
      return { removed: id };
    };
  }),
  notifications: inWiki(
    ['EMAIL'],
    { unread: { type: 'boolean', default: false } },
    ([email], { unread }) =>
      async ({ carryAs }) => {
        const { items } = await carryAs(email, listNotifications, { limit: notificationsShown, unread });
        return items.map(({ id, watchId, readAt, event: { kind, page, editor, at, msg } }) => ({
          id,
          watch: watchId,
          kind,
          path: page.path,
          title: page.title,
          by: editor?.name ?? null,
          msg,
          at: isoTime(at),
          read: readAt !== null,
        }));
      },
  ),
  read: inWiki(['EMAIL'], {}, ([email]) => async ({ carryAs }) => {
    await carryAs(email, markRead, { upTo: Number.MAX_SAFE_INTEGER });
    return 'All notifications have been marked as read.';
  }),
});

function isFrequency(text: string): text is MailFrequency {
  return (mailFrequencies as readonly string[]).includes(text);
}

function shown({ id, kind, target, page, mail, createdAt }: ListedWatch) {
  const isPage = kind === 'page' || kind === 'subtree';
  return {
    id,
    kind,
    page: page?.path ?? (target === '0' ? '/' : null),
    target: isPage ? null : target,
    mail,
    createdAt: isoTime(createdAt),
  };
}
