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
    description: 'Kind of the problem, as a URL that explains it.',
    format: 'uri-reference',
    examples: ['/v1/docs#problem-invalid'],
  }),
  title: text('Title of the kind.', 'Bad request'),
  status: integer('The HTTP status.', 400),
  detail: text('Explanation of this occurrence, as a sentence for people.', 'A page needs a title.'),
  errors: Type.Optional(
    objects('Every invalid field or parameter.', {
      pointer: text(
        'JSON pointer into the body, `?name` for a query parameter, `{name}` for a part of the path.',
        '/title',
      ),
      code: text(
        'Kind of the mistake, for programs: `required`, `wrong-type`, `unknown-parameter`, `not-found`, `taken`, or the code of the problem itself, which is the end of `type`. Codes never change their meaning; new codes may be added.',
        'required',
      ),
      detail: text('Explanation of the mistake, as a sentence for people.', 'A page needs a title.'),
    }),
  ),
  requestId: optionalText(
    'With internal errors: ID under which the log shows the cause.',
    '0198c1d2-7a3e-7cc1-b1e4-9d5f1f2b8a6c',
  ),
  retryAfter: Type.Optional(integer('With 429: number of seconds to wait before trying again.', 42)),
  reads: optionalText('With 503 at `/readyz`: `ok` or `failed`.', 'ok'),
  writes: optionalText(
    'With 503 at `/readyz`: `ok`, or why nothing can be saved: `full`, `read-only`, `gone` (the data folder) or `failed`.',
    'full',
  ),
  movedTo: optionalText('With 404: current address of a page that was moved.', '/park/roses'),
  freePath: optionalText(
    'With `path-taken`: the next free path, which the request could use instead.',
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
      'With `not-expressible`: start and end of that part in the body. Null if it is new.',
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
      'With 409: number of pages beneath the page, or of the group. With 401: number of these pages that the caller may not edit.',
      12,
    ),
  ),
  trashed: Type.Optional(
    integer('With 409: number of further pages in the trash that belong to the group.', 0),
  ),
  level: optionalText(
    'With 403 `protected`: who can change the page, `moderators` or `administrators`.',
    'moderators',
  ),
  reason: optionalText('With 403 `blocked`: the reason.', 'Advertisements'),
  until: Type.Optional(
    textOrNull(
      'With 403: when the block or the protection ends by itself. Null if it has no end.',
      exampleTime,
    ),
  ),
  approvals: Type.Optional(
    integer('With 403 `needs-approval`: number of approvals that the rule asks for.', 1),
  ),
  approvers: optionalText(
    'With 403 `needs-approval`: who can approve and merge.',
    'moderators and administrators',
  ),
  conflicts: Type.Optional(
    Type.Array(Type.Unknown(), {
      description:
        'With 409 `proposal-conflict`: for each change that conflicts its `path`, the `fields` that both sides changed, and `base`, `theirs` and `yours` as with 412. A version is null if there is none.',
      examples: [[{ path: '/garden/roses', fields: ['body'], base: null, theirs: null, yours: null }]],
    }),
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
        'With 412: the version that the edit started from, as `{change, content}`. Null if there is none.',
      examples: [{ change: 40, content: { body: 'Roses.' } }],
    }),
  ),
  theirs: Type.Optional(
    Type.Unknown({
      description: 'With 412: the current version, as `{change, content}`.',
      examples: [{ change: 41, content: { body: 'Red roses.' } }],
    }),
  ),
  yours: Type.Optional(
    Type.Unknown({
      description: 'With 412: the version that the edit would have made from the base, as `{content}`.',
      examples: [{ content: { body: 'White roses.' } }],
    }),
  ),
});
