/** The change feed, and marks of reviewed changes. */
import { Type } from 'typebox';
import { visibilityOf } from '../model/permission.ts';
import { component, idField, integer } from '../operations/fields.ts';
import { answer, converted, operation } from '../operations/operation.ts';
import type { EventFilter, FeedEvent } from '../ports/event-store.ts';
import { beginning, cursorOf, type FeedQuery, pageOfEvents, readCursor, readFilter } from './list-events.ts';
import { maxReviewed, reviewEvents } from './review-events.ts';

/** `before` and `after`: cursors; `latest` stands for the end. `isStream`: only where a stream begins. */
type Wanted = FeedQuery & { before?: string; after?: string; limit: number; isStream?: boolean };

/** `position`: where a stream begins. */
interface FeedAnswer {
  events: FeedEvent[];
  next: string;
  hasMore: boolean;
  filter: EventFilter;
  position: number;
}

export const changeFeed = operation({
  name: 'changes',
  summary: 'Follow the change feed',
  description:
    'Every event that the caller may read, exactly once, in the order of commits, oldest first, from the beginning of the wiki or after a cursor. With `Accept: text/event-stream` the response stays open: `id` is the cursor, `event` the kind, `data` the event. `Last-Event-ID` works like `after`.',
  access: 'anyone',
  scope: 'read',
  subtree: 'within',
  input: Type.Object({ wanted: Type.Unsafe<Wanted>({}), spend: Type.Unsafe<(cpuMs: number) => void>({}) }),
  output: answer<FeedAnswer>(),
  problems: ['moderators-only'],
  ports: ['store'],
  async run({ store }, { input: { wanted, spend }, by }) {
    const actor = by === 'command line' ? null : by;
    const { before, after, limit, isStream = false, ...query } = wanted;
    const filter = await readFilter(store, actor, query);
    const rest = { filter, events: [], hasMore: false };
    if (before !== undefined) {
      const place = before === 'latest' ? undefined : before;
      const position = (place && (await readCursor(store, actor, place, '?before'))) || undefined;
      const found = await pageOfEvents({ store, actor, spend }, { before: position }, limit, filter);
      return { ...found, next: found.next ?? before, filter, position: 0 };
    }
    if (isStream) return { ...rest, next: beginning, position: await readCursor(store, actor, after) };
    if (after === 'latest') {
      const end = await store.events.last(visibilityOf(actor, store));
      return { ...rest, next: end ? cursorOf(end) : beginning, position: 0 };
    }
    const position = await readCursor(store, actor, after);
    const found = await pageOfEvents({ store, actor, spend }, { after: position }, limit, filter);
    return { ...found, next: found.next ?? after ?? beginning, filter, position };
  },
});

export const changeReview = operation({
  name: 'reviewChanges',
  summary: 'Mark changes as reviewed',
  description:
    'For moderators, who share these marks. Events that the caller may not see are skipped. Changes that nobody reviews within 90 days stop waiting for review.',
  access: 'moderator',
  scope: 'admin',
  input: component('ReviewedInput', 'IDs of events, and the mark to set.', {
    ids: Type.Array(idField('Event ID.', 42), {
      description: `IDs of events, up to ${maxReviewed}.`,
      maxItems: maxReviewed,
      examples: [[42]],
    }),
    reviewed: Type.Optional(
      Type.Boolean({ description: '`false` removes the mark.', default: true, examples: [true] }),
    ),
  }),
  output: converted(
    component('Reviewed', 'Number of marks that changed.', {
      changed: integer('Number of events that had the other mark before.', 1),
    }),
    (changed: number) => ({ changed }),
  ),
  problems: ['blocked'],
  writes: 'itself',
  audit: [],
  ports: ['store'],
  run: ({ store }, { input: { ids, reviewed = true }, by }) =>
    reviewEvents(store, by === 'command line' ? null : by, ids, reviewed),
});
