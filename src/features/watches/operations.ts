/**
 * Watches: members are notified of what others do to pages, a subtree, pages with a tag or what a search finds, on the site, by mail
 * and in a private feed.
 */

import { type Static, Type } from 'typebox';
import { type ListedWatch, listWatches as readWatches } from '#core/members/watches.ts';
import { isoTime } from '#core/model/iso-time.ts';
import { actorOf } from '#core/model/member.ts';
import { visibilityOf } from '#core/model/permission.ts';
import { notSignedIn, Problem } from '#core/model/problem.ts';
import { eventFields } from '#core/operations/event-schema.ts';
import {
  component,
  flag,
  idField,
  oneOf,
  option,
  orNull,
  text,
  textOrNull,
  time,
} from '#core/operations/fields.ts';
import { converted, listOf, nothing, operation } from '#core/operations/operation.ts';
import { rangeFields, rangeOf } from '#core/operations/paging.ts';
import type { Reader } from '#core/ports/reader.ts';
import type { Store } from '#core/ports/store.ts';
import type { MailFrequency, Notification } from '#core/ports/watch-store.ts';
import { getReadable } from '#core/reading/find-page.ts';
import { say } from '#words/say.ts';
import { mail, NewWatch } from './new-watch.ts';
import { beginAtEnd } from './notify.ts';
import {
  getSubscription,
  readTarget,
  refuseBeyondLimit,
  type Subscription,
  targetText,
  type WatchInput,
  watchesOfPage,
  watchNotFound,
} from './watches.ts';

const entriesInFeed = 50;
const pathExample = '/garden/roses';
const WatchObject = component('Watch', 'A watch of a member.', {
  id: idField('ID of the watch.', 9),
  kind: oneOf(
    ['page', 'subtree', 'tag', 'search', 'mentions', 'threads', 'proposals', 'reviews'],
    'Target of the watch.',
    'subtree',
  ),
  page: orNull(
    Type.Object({
      id: idField('Page ID.', 12),
      path: text('Present path.', '/garden'),
      title: text('Present title.', 'Garden'),
    }),
    'The watched page. Null for tags, searches and the whole wiki, and if the member cannot read it now.',
    null,
  ),
  tag: textOrNull('The watched tag.', 'kind:tree'),
  search: textOrNull('Query of the watched search.', null),
  mail,
  createdAt: time('When the member began to watch'),
});

const { affects: _, reviewed: _mark, ...fieldsForAll } = eventFields;
const NotificationObject = component('Notification', 'An event that matched a watch.', {
  ...fieldsForAll,
  id: idField('ID of the notification.', 31),
  event: idField('ID of the event, as in `/v1/changes`.', 42),
  change: idField('ID of the change, for `to` of `/v1/diff`.', 41),
  watch: idField('ID of the watch that matched.', 9),
  read: flag('Whether the member marked it as read.', false),
});

const id = idField('ID of the watch.', 9);
const byMember = { access: 'self', subtree: 'refused' } as const;
/** For members who are signed in, not for programs. */
const bySignIn = { access: 'self', scope: 'none' } as const;

export const watch = operation({
  ...byMember,
  name: 'watch',
  summary: 'Watch',
  description:
    'The member is notified of what others do to these pages from now on, as far as the member may read them, and never of their own edits. Sending the same watch again changes its mail setting. At most 1,000 watches, 20 of them searches.',
  scope: 'write',
  input: NewWatch,
  output: converted(WatchObject, watchJson),
  writes: true,
  audit: [],
  ports: ['store', 'reader', 'secrets'],
  async run({ store, reader, secrets }, { input: { mail = 'off', ...target }, by, now }) {
    return begin(store, reader, by.memberId, { ...target, mail, at: now, key: secrets.make().secret });
  },
});

export const listWatches = operation({
  ...byMember,
  name: 'listWatches',
  summary: 'List my watches',
  description: 'Latest watch first.',
  scope: 'read',
  input: Type.Object(rangeFields(100)),
  output: listOf(converted(WatchObject, watchJson), 'The watches.'),
  ports: ['watches', 'reader'],
  run: async ({ watches, reader }, { input, by }) =>
    readWatches(watches, reader, by.memberId, rangeOf(input, 100)),
});

export const unwatch = operation({
  ...byMember,
  name: 'unwatch',
  summary: 'End a watch',
  description:
    'Existing notifications stay. A watch of mentions, threads, proposals or reviews only loses its mail.',
  scope: 'write',
  input: Type.Object({ id }),
  output: nothing('The second factor has been turned off.'),
  problems: ['not-found'],
  writes: true,
  audit: [],
  ports: ['watches'],
  async run({ watches }, { input, by }) {
    if (!(await watches.remove(by.memberId, input.id))) throw watchNotFound();
  },
});

const path = text('Path of a page.', pathExample);
const choice = Type.Optional(Type.Union([mail, Type.Null()]));

/** Strangers are told first whether there is such a page. */
export const readWatchesOfPage = operation({
  name: 'readWatchesOfPage',
  summary: 'Read my watches of a page',
  description: 'Watches of the page itself and of its subtree.',
  access: 'anyone',
  scope: 'none',
  input: Type.Object({ path }),
  output: Type.Unsafe<{
    page: { title: string; path: string };
    mails: Record<'page' | 'subtree', MailFrequency | undefined>;
    sendsMail: boolean;
  }>({}),
  problems: ['not-found', 'gone', 'unauthenticated'],
  ports: ['watches', 'reader', 'mails'],
  async run({ watches, reader, mails }, { input, by }) {
    const page = await getReadable(reader, input.path);
    if (by === null || by === 'command line') throw notSignedIn();
    const { page: own, subtree } = await watchesOfPage(watches, by.memberId, page.id);
    return { page, mails: { page: own?.mail, subtree: subtree?.mail }, sendsMail: mails.isOn };
  },
});

export const chooseWatches = operation({
  ...bySignIn,
  name: 'chooseWatches',
  summary: 'Choose what to watch of a page',
  description: 'Starts, changes or (where `null`) ends the watches of a page and of its subtree.',
  input: Type.Object({ path, page: choice, subtree: choice }),
  output: nothing('The watches have been set.'),
  problems: ['not-found', 'gone'],
  writes: true,
  audit: [],
  ports: ['store', 'reader', 'secrets'],
  async run({ store, reader, secrets }, { input, by, now }) {
    const { id, path } = await getReadable(reader, input.path);
    const known = await watchesOfPage(store.watches, by.memberId, id);
    for (const kind of ['page', 'subtree'] as const) {
      const target = kind === 'page' ? { page: path } : { ancestor: path };
      const mail = input[kind];
      const before = known[kind];
      if (mail)
        await begin(store, reader, by.memberId, { ...target, mail, at: now, key: secrets.make().secret });
      else if (before) await store.watches.remove(by.memberId, before.id);
    }
  },
});

/** Creates a watch, or changes the mail of an existing one. */
async function begin(
  store: Store,
  reader: Reader,
  memberId: number,
  { mail, at, key, ...input }: WatchInput & { mail: MailFrequency; at: number; key: string },
): Promise<ListedWatch> {
  const { target, page } = await readTarget(reader, input);
  // Matching of events starts with the first watch of the wiki.
  if (!(await store.watches.isUsed())) await beginAtEnd(store);
  // Locks the member, so that the count is still right when the watch is written.
  await store.members.lock(memberId);
  if (!(await store.watches.find(memberId, target.kind, targetText(target))))
    await refuseBeyondLimit(store.watches, memberId, target.kind);
  return { ...(await store.watches.save(memberId, target, mail, { at, unsubscribeKey: key })), page };
}

export const listNotifications = operation({
  ...byMember,
  name: 'listNotifications',
  summary: 'List my notifications',
  description:
    'Newest first. Only notifications about pages that the member may currently read. The newest 1,000 of each member are kept. With `unread=true`, `X-Total-Count` is the number of unread notifications.',
  scope: 'read',
  input: Type.Object({
    ...rangeFields(50),
    unread: option('Only unread notifications.', true),
  }),
  output: listOf(converted(NotificationObject, notificationJson), 'Notifications of the member.'),
  ports: ['watches', 'reader'],
  async run({ watches, reader }, { input, by }) {
    const visibility = visibilityOf(by, reader);
    const range = rangeOf(input, 50);
    const found = await watches.notifications(by.memberId, visibility, range, input.unread ?? false);
    return { items: found.notifications, total: found.total };
  },
});

export const markRead = operation({
  ...byMember,
  name: 'markRead',
  summary: 'Mark notifications as read',
  description: 'Marked notifications are left out of mail that has not been sent yet.',
  scope: 'read',
  input: component('MarkRead', 'Notifications to mark, by `ids` or `upTo`.', {
    ids: Type.Optional(
      Type.Array(idField('ID of a notification.', 31), {
        description: 'IDs of notifications.',
        maxItems: 1000,
        examples: [[31]],
      }),
    ),
    upTo: Type.Optional(
      idField('ID of the newest notification to mark; all earlier ones are marked as well.', 31),
    ),
  }),
  output: nothing('The notifications have been marked.'),
  writes: true,
  audit: [],
  ports: ['watches'],
  async run({ watches }, { input: { ids = [], upTo }, by, now }) {
    // Notifications of other members are ignored.
    await watches.markRead(by.memberId, upTo === undefined ? ids : { upTo }, now);
  },
});

export const makeFeed = operation({
  ...bySignIn,
  name: 'makeNotificationFeed',
  summary: 'Make my private feed',
  description:
    'An Atom feed of the notifications, for a feed reader. Anyone who knows its address can read it without signing in. An earlier address stops working.',
  input: Type.Object({}),
  output: text('Secret in the address of the feed.', 'pXc3n2gq0l6Zc8m4Jb1r7uKd5tQy9wEaHfVsLoNi2xM'),
  answersSecret: true,
  writes: true,
  audit: ['feed-made'],
  ports: ['watches', 'secrets'],
  async run({ watches, secrets }, { by: { memberId }, record }) {
    const { secret, hash } = secrets.make();
    await watches.setFeed(memberId, hash, secrets.make().secret);
    await record({ kind: 'feed-made', subject: { kind: 'member', id: memberId } });
    return secret;
  },
});

export const endFeed = operation({
  ...bySignIn,
  name: 'endNotificationFeed',
  summary: 'End my private feed',
  description: 'The address of the feed stops working.',
  input: Type.Object({}),
  output: nothing('The second factor has been turned off.'),
  writes: true,
  audit: ['feed-ended'],
  ports: ['watches', 'secrets'],
  async run({ watches, secrets }, { by: { memberId }, record }) {
    await watches.setFeed(memberId, null, secrets.make().secret);
    await record({ kind: 'feed-ended', subject: { kind: 'member', id: memberId } });
  },
});

export const hasFeed = operation({
  ...bySignIn,
  name: 'hasNotificationFeed',
  summary: 'Ask whether I have a private feed',
  description: 'The address of the feed is not returned again.',
  input: Type.Object({}),
  output: Type.Boolean(),
  ports: ['watches'],
  run: async ({ watches }, { by }) => watches.hasFeed(by.memberId),
});

export const readFeed = operation({
  name: 'readNotificationFeed',
  summary: 'Read a private feed',
  description:
    'Notifications of the member whose secret is in the address, about pages that they may currently read.',
  access: 'anyone',
  scope: 'none',
  input: Type.Object({
    token: text('Secret in the address.', 'pXc3n2gq0l6Zc8m4Jb1r7uKd5tQy9wEaHfVsLoNi2xM'),
  }),
  output: Type.Unsafe<Notification[]>({}),
  problems: ['not-found'],
  ports: ['watches', 'reader', 'secrets'],
  async run({ watches, reader, secrets }, { input: { token } }) {
    const member = await watches.findByFeed(secrets.hash(token));
    if (!member?.isActive) throw new Problem('not-found', say('problem.feedNotFoundItsAddressMayHave'));
    const range = { limit: entriesInFeed, offset: 0 };
    const visibility = visibilityOf(actorOf(member), reader);
    return (await watches.notifications(member.id, visibility, range, false)).notifications;
  },
});

/** Open to strangers, because the link in the mail is a secret. */
const byLink = {
  access: 'anyone',
  scope: 'none',
  input: Type.Object({
    key: text('Secret of the member in the link.', 'pXc3n2gq0l6Zc8m4Jb1r7uKd5tQy9wEaHfVsLoNi2xM'),
    of: text('Which mail ends: the ID of a watch, or a frequency such as `daily`.', 'daily'),
  }),
  output: Type.Unsafe<Subscription>({}),
} as const;

export const readSubscription = operation({
  ...byLink,
  name: 'readSubscription',
  summary: 'Read the effect of an unsubscribe link',
  description: 'Changes nothing.',
  problems: ['not-found'],
  ports: ['watches'],
  run: async ({ watches }, { input }) => getSubscription(watches, input.key, input.of),
});

export const unsubscribe = operation({
  ...byLink,
  name: 'unsubscribe',
  summary: 'Unsubscribe by the link in a mail',
  description: 'Notifications on the site continue. The request can be repeated.',
  problems: ['not-found'],
  writes: true,
  audit: [],
  ports: ['watches'],
  async run({ watches }, { input }) {
    const subscription = await getSubscription(watches, input.key, input.of);
    await watches.stopMail(subscription.memberId, subscription.of);
    return subscription;
  },
});

function watchJson({ id, kind, target, page, mail, createdAt }: ListedWatch): Static<typeof WatchObject> {
  return {
    id,
    kind,
    page,
    tag: kind === 'tag' ? target : null,
    search: kind === 'search' ? target : null,
    mail,
    createdAt: isoTime(createdAt),
  };
}

function notificationJson({ id, watchId, readAt, event }: Notification): Static<typeof NotificationObject> {
  const { kind, at, page, from, editor, msg, changeId, commentId } = event;
  return {
    id,
    event: event.id,
    kind,
    at: isoTime(at),
    page,
    ...(from === null ? {} : { from }),
    editor,
    msg,
    ...(commentId === null ? {} : { comment: commentId }),
    change: changeId,
    watch: watchId,
    read: readAt !== null,
  };
}
