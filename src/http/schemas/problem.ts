/** The wire shape of every refusal (RFC 9457), with the fields that some kinds add. */
import { Type } from 'typebox';
import { exampleTime, text, textOrNull } from './fields.ts';

export const ProblemBody = Type.Object(
  {
    type: Type.String({
      description: 'Kind of the problem, as an address that explains it.',
      format: 'uri-reference',
      examples: ['/v1/docs#problem-invalid'],
    }),
    title: text('The kind in words.', 'Bad request'),
    status: Type.Integer({ description: 'The HTTP status.', examples: [400] }),
    detail: text('This occurrence, as a sentence for a person.', 'A page needs a title.'),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
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
        { description: 'Every field or parameter that is unusable.' },
      ),
    ),
    requestId: Type.Optional(
      text(
        'With internal errors: ID under which the log has the cause.',
        '0198c1d2-7a3e-7cc1-b1e4-9d5f1f2b8a6c',
      ),
    ),
    retryAfter: Type.Optional(
      Type.Integer({ description: 'With 429: in how many seconds to try again.', examples: [42] }),
    ),
    reads: Type.Optional(text('With 503 at `/readyz`: `ok` or `failed`.', 'ok')),
    writes: Type.Optional(
      text(
        'With 503 at `/readyz`: `ok`, or why nothing can be saved: `full`, `read-only`, `gone` (the data folder) or `failed`.',
        'full',
      ),
    ),
    movedTo: Type.Optional(text('With 404: where a page that was moved is now.', '/park/roses')),
    deletedAt: Type.Optional(text('With 410: when the page was deleted.', exampleTime)),
    deletedBy: Type.Optional(
      Type.Object(
        {
          id: Type.Integer({ description: 'Member ID.', minimum: 1, examples: [3] }),
          name: text("The member's name.", 'Ada Lovelace'),
        },
        { description: 'With 410: who deleted the page.' },
      ),
    ),
    pages: Type.Optional(
      Type.Integer({
        description:
          'With 409: how many pages lie beneath, or are of the group. With 401: how many of them the caller may not edit.',
        examples: [12],
      }),
    ),
    trashed: Type.Optional(
      Type.Integer({
        description: 'With 409: how many more pages in the trash are of the group.',
        examples: [0],
      }),
    ),
    level: Type.Optional(
      text('With 403 `protected`: who can change the page, `moderators` or `administrators`.', 'moderators'),
    ),
    reason: Type.Optional(text('With 403 `blocked`: why.', 'Advertisements')),
    until: Type.Optional(
      textOrNull(
        'With 403: when the block or the protection ends by itself; null: it does not.',
        exampleTime,
      ),
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
  },
  { title: 'Problem', description: 'Reason of a refusal (RFC 9457).' },
);
