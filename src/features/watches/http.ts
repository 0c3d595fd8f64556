/** Watches and notifications in the API. */
import { component, text } from '#core/operations/fields.ts';
import { del, get, type HttpFace, post } from '#http/operation-routes.ts';
import { endFeed, listNotifications, listWatches, makeFeed, markRead, unwatch, watch } from './operations.ts';

const NotificationFeed = component('NotificationFeed', 'Address of the feed.', {
  url: text(
    'Address of the feed, shown only once.',
    'https://wiki.example.org/atom/watched/pXc3n2gq0l6Zc8m4Jb1r7uKd5tQy9wEaHfVsLoNi2xM',
  ),
});

export const http: HttpFace = {
  tag: 'Watching',
  routes: [
    post('/v1/watches', watch),
    get('/v1/watches', listWatches),
    del('/v1/watches/:id', unwatch),
    get('/v1/notifications', listNotifications),
    post('/v1/notifications/read', markRead),
    post('/v1/notifications/feed', makeFeed, {
      shown: {
        schema: NotificationFeed,
        toJson: (secret, { baseUrl }) => ({ url: `${baseUrl}/atom/watched/${secret}` }),
      },
    }),
    del('/v1/notifications/feed', endFeed),
  ],
};
