/** Watches of a member, with mail and notifications. */
import { type Static, Type } from 'typebox';
import {
  component,
  flag,
  idField,
  oneOf,
  option,
  optionalText,
  orNull,
  text,
  textOrNull,
  time,
} from '#core/operations/fields.ts';
import { rangeFields, rangeOf } from '#core/operations/paging.ts';
import type { Notification } from '#core/ports/watch-store.ts';
import { endFeed, makeFeed } from '#core/watches/feed.ts';
import { listNotifications, markRead } from '#core/watches/notifications.ts';
import { type ListedWatch, listWatches, unwatch, watch } from '#core/watches/watch.ts';
import { pagingHeaders, setPaging } from '../lists.ts';
import { eventFields } from '../schemas/event.ts';
import { pathExample } from '../schemas/page-fields.ts';
import type { HttpSettings, Server, Service } from '../service.ts';

const tags = ['Watching'];
const mail = oneOf(
  ['off', 'now', 'daily', 'weekly'],
  'When mail tells of it: never, at once, at seven in the morning, or on Mondays (UTC).',
  'daily',
);

const NewWatch = component(
  'NewWatch',
  'Exactly one of `page`, `ancestor`, `tag` and `search`; `mail` is `off` without.',
  {
    page: optionalText('Path of a page.', pathExample),
    ancestor: optionalText(
      'Path of a page that is watched with all beneath it; `/` is the whole wiki.',
      '/garden',
    ),
    tag: optionalText('Pages with this tag, as in a search.', 'kind:tree'),
    search: optionalText(
      'Pages that a search finds, as its query. Order and limit are left out.',
      'text=oak&type=Place',
    ),
    mail: Type.Optional(mail),
  },
);

const WatchObject = component('Watch', 'A watch of a member.', {
  id: idField('ID of the watch.', 9),
  kind: oneOf(['page', 'subtree', 'tag', 'search'], 'Target of the watch.', 'subtree'),
  page: orNull(
    Type.Object({
      id: idField('Page ID.', 12),
      path: text('Present path.', '/garden'),
      title: text('Present title.', 'Garden'),
    }),
    'The watched page. Null for tags, searches and the whole wiki, and where the member cannot read it now.',
    null,
  ),
  tag: textOrNull('The watched tag.', 'kind:tree'),
  search: textOrNull('Query of the watched search.', null),
  mail,
  createdAt: time('When the member began to watch'),
});

const { affects: _, reviewed: _mark, ...told } = eventFields;
const NotificationObject = component('Notification', 'An event that a watch met.', {
  ...told,
  id: idField('ID of the notification.', 31),
  event: idField('ID of the event, as in `/v1/changes`.', 42),
  change: idField('ID of the change: `to` of `/v1/diff`.', 41),
  watch: idField('ID of the watch that it met.', 9),
  read: flag('Whether the member marked it as read.', false),
});

export async function watchRoutes(server: Server, service: Service, settings: HttpSettings): Promise<void> {
  const { store, secrets, clock } = service;

  server.post(
    '/v1/watches',
    {
      config: { audit: [], access: 'required', scope: 'write', subtree: 'refused' },
      schema: {
        operationId: 'watch',
        tags,
        summary: 'Watch',
        description:
          'From now on the member is notified of what others do to these pages: as far as the member may read them, and never of their own edits. Sending the same again changes its mail. At most 1,000 watches, 20 of them searches.',
        body: NewWatch,
        response: { 200: WatchObject },
      },
    },
    async (request) => {
      const { mail = 'off', ...input } = request.body;
      return watchJson(await watch(store, secrets, request.reader, { ...input, mail }, clock()));
    },
  );

  server.get(
    '/v1/watches',
    {
      config: { access: 'required', scope: 'read', subtree: 'refused' },
      schema: {
        operationId: 'listWatches',
        tags,
        summary: 'List my watches',
        description: 'The watch that was made last first.',
        querystring: Type.Object(rangeFields(100)),
        response: { 200: Type.Array(WatchObject, { description: 'The watches.' }) },
        headersOut: pagingHeaders,
      },
    },
    async (request, reply) => {
      const range = rangeOf(request.query, 100);
      const { watches, total } = await listWatches(store, request.reader, range);
      setPaging(request, reply, range, total);
      return watches.map(watchJson);
    },
  );

  server.delete(
    '/v1/watches/:id',
    {
      config: { audit: [], access: 'required', scope: 'write', subtree: 'refused' },
      schema: {
        operationId: 'unwatch',
        tags,
        summary: 'End a watch',
        description: 'Notifications that there are already stay.',
        params: Type.Object({ id: idField('ID of the watch.', 9) }),
        others: { 204: 'It has ended.' },
        problems: ['not-found'],
      },
    },
    async (request) => unwatch(store, request.reader, request.params.id),
  );

  server.get(
    '/v1/notifications',
    {
      config: { access: 'required', scope: 'read', subtree: 'refused' },
      schema: {
        operationId: 'listNotifications',
        tags,
        summary: 'List my notifications',
        description:
          'Newest first, as far as the member may read the pages now. The newest 1,000 of each member are kept. With `unread=true`, `X-Total-Count` is the number that are not marked as read.',
        querystring: Type.Object({
          ...rangeFields(50),
          unread: option('Only those that are not marked as read.', true),
        }),
        response: {
          200: Type.Array(NotificationObject, { description: 'Notifications of the member.' }),
        },
        headersOut: pagingHeaders,
      },
    },
    async (request, reply) => {
      const range = rangeOf(request.query, 50);
      const found = await listNotifications(store, request.reader, range, request.query.unread);
      setPaging(request, reply, range, found.total);
      return found.notifications.map(notificationJson);
    },
  );

  server.post(
    '/v1/notifications/read',
    {
      config: { audit: [], access: 'required', scope: 'read', subtree: 'refused' },
      schema: {
        operationId: 'markRead',
        tags,
        summary: 'Mark notifications as read',
        description: 'Mail that is still to be sent leaves them out.',
        body: component('MarkRead', 'Notifications to mark, by `ids` or `upTo`.', {
          ids: Type.Optional(
            Type.Array(idField('ID of a notification.', 31), {
              description: 'IDs of notifications.',
              maxItems: 1000,
              examples: [[31]],
            }),
          ),
          upTo: Type.Optional(
            idField('All up to this ID, such as that of the newest one that was shown.', 31),
          ),
        }),
        others: { 204: 'They are marked.' },
      },
    },
    async (request) => {
      const { ids = [], upTo } = request.body;
      await markRead(store, request.reader, upTo === undefined ? ids : { upTo }, clock());
    },
  );

  server.post(
    '/v1/notifications/feed',
    {
      config: { audit: ['feed-made'], access: 'required', answersSecret: true },
      schema: {
        operationId: 'makeNotificationFeed',
        tags,
        summary: 'Make my private feed',
        description:
          'An Atom feed of the notifications, for a feed reader: whoever knows its address reads it without a sign-in. The address that was made before no longer works.',
        response: {
          200: component('NotificationFeed', 'Address of the feed.', {
            url: text(
              'Address of the feed, shown this once.',
              'https://wiki.example.org/atom/watched/pXc3n2gq0l6Zc8m4Jb1r7uKd5tQy9wEaHfVsLoNi2xM',
            ),
          }),
        },
      },
    },
    async (request) => {
      const token = await makeFeed(store, secrets, request.reader);
      return { url: `${settings.baseUrl}/atom/watched/${token}` };
    },
  );

  server.delete(
    '/v1/notifications/feed',
    {
      config: { audit: ['feed-ended'], access: 'required' },
      schema: {
        operationId: 'endNotificationFeed',
        tags,
        summary: 'End my private feed',
        description: 'Its address no longer works.',
        others: { 204: 'It has ended.' },
      },
    },
    async (request) => endFeed(store, secrets, request.reader),
  );
}

function watchJson({ id, kind, target, page, mail, createdAt }: ListedWatch): Static<typeof WatchObject> {
  return {
    id,
    kind,
    page,
    tag: kind === 'tag' ? target : null,
    search: kind === 'search' ? target : null,
    mail,
    createdAt: new Date(createdAt).toISOString(),
  };
}

function notificationJson({ id, watchId, readAt, event }: Notification): Static<typeof NotificationObject> {
  const { kind, at, page, from, editor, msg, changeId } = event;
  return {
    id,
    event: event.id,
    kind,
    at: new Date(at).toISOString(),
    page,
    ...(from === null ? {} : { from }),
    editor,
    msg,
    change: changeId,
    watch: watchId,
    read: readAt !== null,
  };
}
