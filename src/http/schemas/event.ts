/** The wire shape of an event, for the change feed and for webhooks. */
import { type Static, Type } from 'typebox';
import type { FeedEvent } from '#domain/events/list-events.ts';
import { idField, MemberName } from './output.ts';
import { pathExample } from './page-fields.ts';

export const kindLiterals = [
  Type.Literal('created'),
  Type.Literal('edited'),
  Type.Literal('moved'),
  Type.Literal('permissions'),
  Type.Literal('deleted'),
  Type.Literal('restored'),
  Type.Literal('erased'),
] as const;

export const eventFields = {
  id: idField('Event ID. The order is that of the list, not of the IDs.', 42),
  kind: Type.Union([...kindLiterals], {
    description: 'Kind of the event. An edit that does several things has an event for each.',
    examples: ['edited'],
  }),
  at: Type.String({
    description: 'When, ISO 8601 in UTC.',
    format: 'date-time',
    examples: ['2026-03-14T09:26:53.589Z'],
  }),
  page: Type.Object(
    {
      id: idField('Page ID.', 12),
      path: Type.String({ description: 'Path after the event.', examples: [pathExample] }),
      title: Type.Union([Type.String(), Type.Null()], {
        description: 'Title after the event. Null where the caller can read the page no more.',
        examples: ['Roses'],
      }),
    },
    { description: 'The page.' },
  ),
  from: Type.Optional(Type.String({ description: 'Path before a move.', examples: ['/garden/rose'] })),
  editor: Type.Union([MemberName, Type.Null()], {
    description: 'Member who did it. Null where the caller can read the page no more.',
    examples: [{ id: 3, name: 'Ada Lovelace' }],
  }),
  msg: Type.String({ description: 'Message of the change.', examples: ['Pruned'] }),
  reviewed: Type.Optional(
    Type.Boolean({
      description: 'For moderators who ask `before`: whether it is reviewed, or needs no review.',
      examples: [true],
    }),
  ),
  affects: Type.Object(
    {
      pages: Type.Array(
        Type.Object({
          id: idField('Page ID.', 12),
          path: Type.String({ description: 'Page path.', examples: [pathExample] }),
        }),
        {
          description:
            'Pages that may answer otherwise now: the page itself, pages that link to it, call it or lie beneath it, at most 1,000. Only those that the caller may read.',
        },
      ),
      lists: Type.Array(Type.String(), {
        description:
          'Lists that may answer otherwise now; `children:/garden` are the pages beneath that page.',
        examples: [['children:/garden', 'requested', 'search', 'updates']],
      }),
      more: Type.Optional(
        Type.Literal(true, { description: 'More pages are affected than are named.', examples: [true] }),
      ),
    },
    { description: 'Pages and lists that the event made stale.' },
  ),
};

export const EventObject = Type.Object(eventFields, {
  title: 'Event',
  description: 'Something that happened to a page.',
});

/** `forModerators`: with the mark that they share. */
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
