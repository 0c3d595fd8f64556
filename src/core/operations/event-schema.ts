/** JSON schema of an event, for the change feed, webhooks and notifications. */
import { type Static, Type } from 'typebox';
import type { FeedEvent } from '../events/list-events.ts';
import { eventKinds } from '../model/event.ts';
import {
  component,
  flag,
  idField,
  object,
  objects,
  oneOf,
  optionalText,
  orNull,
  text,
  textOrNull,
  time,
} from './fields.ts';
import { MemberName } from './schemas.ts';

const pathExample = '/garden/roses';

export const eventFields = {
  id: idField('Event ID. The order is that of the list, not of the IDs.', 42),
  kind: oneOf(
    eventKinds,
    'Kind of the event. An edit that does several things has an event for each.',
    'edited',
  ),
  at: time('When'),
  page: object('The page.', {
    id: idField('Page ID.', 12),
    path: text('Path after the event.', pathExample),
    title: textOrNull('Title after the event. Null where the caller can read the page no more.', 'Roses'),
  }),
  from: optionalText('Path before a move.', '/garden/rose'),
  editor: orNull(MemberName, 'Member who did it. Null where the caller can read the page no more.', {
    id: 3,
    name: 'Ada Lovelace',
  }),
  msg: text('Message of the change.', 'Pruned'),
  reviewed: Type.Optional(
    flag('For moderators who ask `before`: whether it is reviewed, or needs no review.', true),
  ),
  affects: object('Pages and lists that the event made stale.', {
    pages: objects(
      'Pages that may answer otherwise now: the page itself, pages that link to it, call it or lie beneath it, at most 1,000. Only those that the caller may read.',
      {
        id: idField('Page ID.', 12),
        path: text('Page path.', pathExample),
      },
    ),
    lists: Type.Array(Type.String(), {
      description: 'Lists that may answer otherwise now; `children:/garden` are the pages beneath that page.',
      examples: [['children:/garden', 'requested', 'search', 'updates']],
    }),
    more: Type.Optional(
      Type.Literal(true, { description: 'More pages are affected than are named.', examples: [true] }),
    ),
  }),
};

export const EventObject = component('Event', 'Something that happened to a page.', eventFields);

/** `forModerators`: includes the review mark. */
export function eventJson(event: FeedEvent, forModerators = false): Static<typeof EventObject> {
  const { id, kind, at, page, from, editor, msg, isReviewed, affects } = event;
  return {
    id,
    kind,
    at: new Date(at).toISOString(),
    page,
    ...(from === null ? {} : { from }),
    editor,
    msg,
    ...(forModerators ? { reviewed: isReviewed } : {}),
    affects,
  };
}
