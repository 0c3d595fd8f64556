/** JSON schema of an event, for the change feed, webhooks and notifications. */
import { type Static, Type } from 'typebox';
import { eventKinds } from '../model/event.ts';
import type { FeedEvent } from '../ports/event-store.ts';
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
  id: idField('Event ID. The order of the list is not the order of the IDs.', 42),
  kind: oneOf(
    eventKinds,
    'Kind of the event. An edit that changes several aspects has one event for each.',
    'edited',
  ),
  at: time('When'),
  page: object('The page.', {
    id: idField('Page ID.', 12),
    path: text('Path after the event.', pathExample),
    title: textOrNull('Title after the event. Null if the caller can no longer read the page.', 'Roses'),
  }),
  from: optionalText('Path before a move.', '/garden/rose'),
  editor: orNull(MemberName, 'Member who caused the event. Null if the caller can no longer read the page.', {
    id: 3,
    name: 'Ada Lovelace',
  }),
  msg: text('Message of the change.', 'Pruned'),
  comment: Type.Optional(idField('ID of the comment, for events of the kind `commented`.', 18)),
  reviewed: Type.Optional(
    flag('For moderators who use `before`: whether the event is reviewed or needs no review.', true),
  ),
  affects: object('Pages and lists that the event made stale.', {
    pages: objects(
      'Pages whose responses may have changed, at most 1,000: the page itself, and pages that link to it, use it as a template or lie beneath it. Only those that the caller may read.',
      {
        id: idField('Page ID.', 12),
        path: text('Page path.', pathExample),
      },
    ),
    lists: Type.Array(Type.String(), {
      description:
        'Lists whose responses may have changed. `children:/garden` stands for the pages beneath that page.',
      examples: [['children:/garden', 'requested', 'search', 'updates']],
    }),
    more: Type.Optional(
      Type.Literal(true, {
        description: 'Whether more pages are affected than are listed.',
        examples: [true],
      }),
    ),
  }),
};

export const EventObject = component('Event', 'Something that happened to a page.', eventFields);

/** The event as the API shows it. `forModerators`: with the review mark. */
export function eventJson(event: FeedEvent, forModerators = false): Static<typeof EventObject> {
  const { id, kind, at, page, from, editor, msg, commentId, isReviewed, affects } = event;
  return {
    id,
    kind,
    at: new Date(at).toISOString(),
    page,
    ...(from === null ? {} : { from }),
    editor,
    msg,
    ...(commentId === null ? {} : { comment: commentId }),
    ...(forModerators ? { reviewed: isReviewed } : {}),
    affects,
  };
}
