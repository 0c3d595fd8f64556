/** Comments as JSON. */
import { type Static, Type } from 'typebox';
import { isoTime } from '#core/model/iso-time.ts';
import {
  component,
  count,
  flag,
  idField,
  idOrNull,
  oneOf,
  orNull,
  text,
  textOrNull,
  timeOrNull,
} from '#core/operations/fields.ts';
import { MemberName } from '#core/operations/schemas.ts';
import type { Comment } from '#core/ports/comment-store.ts';

export const pathExample = '/garden/roses';
export const body = text(
  'Text as Markdown. `@Name` mentions a member. At most 10,000 characters.',
  'Which year was **this**?',
);

export interface ShownComment extends Comment {
  markup: string;
}

const QuoteObject = Type.Object({
  text: text('The words as they were quoted.', 'planted in 1912'),
  before: text(
    'Text of the page before the quoted words, when the comment was written.',
    'The oldest roses were ',
  ),
  after: text('Text of the page after the quoted words, when the comment was written.', ' by Ada.'),
  start: count(
    'Position in the plain text of the page, in UTF-16 code units. If the words are gone: where they were.',
    23,
  ),
  end: count('Position after the words.', 38),
  state: oneOf(
    ['present', 'changed', 'gone'],
    'Whether the page still has the words, has other words in their place, or has neither.',
    'present',
  ),
  goneIn: idOrNull('ID of the change that removed the words. Null if they are not gone.', null),
});

export const CommentObject = component('Comment', 'A comment on a page.', {
  id: idField('ID of the comment. The page shows it at `#comment-ID`.', 18),
  page: Type.Object(
    {
      id: idField('Page ID.', 12),
      path: text('Present path.', pathExample),
      title: text('Present title.', 'Roses'),
    },
    { description: 'The page.' },
  ),
  body,
  markup: text('Text as HTML.', '<p>Which year was <strong>this</strong>?</p>'),
  author: MemberName,
  stranger: textOrNull(
    'Name of a person without an account who wrote it, and whose comment the author approved. Null for members.',
    null,
  ),
  at: Type.String({
    format: 'date-time',
    description: 'When the comment was written.',
    examples: ['2026-03-14T09:26:53.589Z'],
  }),
  editedAt: timeOrNull('When the text of the comment was last changed. Null if never.', null),
  quote: orNull(
    QuoteObject,
    'The words of the page that the comment is about. Null for the whole page.',
    null,
  ),
  replyTo: idOrNull('First comment of the thread. Null for the first comment itself.', null),
  resolved: flag('Whether the thread is resolved.', false),
  resolvedAt: timeOrNull('When the thread was resolved.', null),
  resolvedBy: orNull(MemberName, 'Member who resolved the thread. Null while it is open.', null),
  mentions: Type.Array(MemberName, { description: 'Members whom the comment mentions.' }),
});

export function commentJson(comment: ShownComment): Static<typeof CommentObject> {
  const { id, page, body, markup, author, stranger, at, editedAt, quote, replyTo, resolved, mentions } =
    comment;
  return {
    id,
    page,
    body,
    markup,
    author,
    stranger,
    at: isoTime(at),
    editedAt: isoTime(editedAt),
    quote: quote && withoutGoneId(quote),
    replyTo,
    resolved: resolved !== null,
    resolvedAt: isoTime(resolved?.at ?? null),
    resolvedBy: resolved?.by ?? null,
    mentions,
  };
}

function withoutGoneId({ goneId, ...quote }: NonNullable<Comment['quote']>): Static<typeof QuoteObject> {
  return { ...quote, goneIn: goneId };
}
