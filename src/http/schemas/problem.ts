/** JSON schema of refusals (RFC 9457), with the fields that some kinds add. */
import { Type } from 'typebox';
import {
  component,
  exampleTime,
  integer,
  object,
  objects,
  optionalText,
  orNull,
  text,
  textOrNull,
} from '#core/operations/fields.ts';

export const ProblemBody = component('Problem', 'Reason of a refusal (RFC 9457).', {
  type: Type.String({
    description: 'Kind of the problem, as an address that explains it.',
    format: 'uri-reference',
    examples: ['/v1/docs#problem-invalid'],
  }),
  title: text('The kind in words.', 'Bad request'),
  status: integer('The HTTP status.', 400),
  detail: text('This occurrence, as a sentence for a person.', 'A page needs a title.'),
  errors: Type.Optional(
    objects('Every field or parameter that is unusable.', {
      pointer: text(
        'JSON pointer into the body, `?name` for a query parameter, `{name}` for a part of the path.',
        '/title',
      ),
      code: text(
        'Kind of the mistake, for programs: `required`, `wrong-type`, `unknown-parameter`, `not-found`, `taken`, or the code of the problem itself, which is the end of `type`. Codes never change their meaning; there may be more of them.',
        'required',
      ),
      detail: text('The mistake, as a sentence for a person.', 'A page needs a title.'),
    }),
  ),
  requestId: optionalText(
    'With internal errors: ID under which the log has the cause.',
    '0198c1d2-7a3e-7cc1-b1e4-9d5f1f2b8a6c',
  ),
  retryAfter: Type.Optional(integer('With 429: in how many seconds to try again.', 42)),
  reads: optionalText('With 503 at `/readyz`: `ok` or `failed`.', 'ok'),
  writes: optionalText(
    'With 503 at `/readyz`: `ok`, or why nothing can be saved: `full`, `read-only`, `gone` (the data folder) or `failed`.',
    'full',
  ),
  movedTo: optionalText('With 404: where a page that was moved is now.', '/park/roses'),
  freePath: optionalText(
    'With `path-taken`: the next free path, which the request could give instead.',
    '/c-2',
  ),
  path: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0 }), {
      description:
        'With `not-expressible`: indexes of children from the document down to the smallest part concerned.',
      examples: [[1, 0]],
    }),
  ),
  range: Type.Optional(
    orNull(
      Type.Array(Type.Integer({ minimum: 0 })),
      'With `not-expressible`: start and end of that part in the body; null: it is new.',
      [6, 10],
    ),
  ),
  deletedAt: optionalText('With 410: when the page was deleted.', exampleTime),
  deletedBy: Type.Optional(
    object('With 410: who deleted the page.', {
      id: integer('Member ID.', 3, { minimum: 1 }),
      name: text("The member's name.", 'Ada Lovelace'),
    }),
  ),
  pages: Type.Optional(
    integer(
      'With 409: how many pages lie beneath, or are of the group. With 401: how many of them the caller may not edit.',
      12,
    ),
  ),
  trashed: Type.Optional(integer('With 409: how many more pages in the trash are of the group.', 0)),
  level: optionalText(
    'With 403 `protected`: who can change the page, `moderators` or `administrators`.',
    'moderators',
  ),
  reason: optionalText('With 403 `blocked`: why.', 'Advertisements'),
  until: Type.Optional(
    textOrNull('With 403: when the block or the protection ends by itself; null: it does not.', exampleTime),
  ),
  fields: Type.Optional(
    Type.Array(Type.String(), {
      description: 'With 412: the fields that both edits changed.',
      examples: [['body']],
    }),
  ),
  base: Type.Optional(
    Type.Unknown({
      description:
        'With 412: the version that the edit started from, as `{change, content}`; null if there is none.',
      examples: [{ change: 40, content: { body: 'Roses.' } }],
    }),
  ),
  theirs: Type.Optional(
    Type.Unknown({
      description: 'With 412: the version that is there now, as `{change, content}`.',
      examples: [{ change: 41, content: { body: 'Red roses.' } }],
    }),
  ),
  yours: Type.Optional(
    Type.Unknown({
      description: 'With 412: what the edit would have made of the base, as `{content}`.',
      examples: [{ content: { body: 'White roses.' } }],
    }),
  ),
});
