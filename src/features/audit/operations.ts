/** The audit log, for administrators. */
import { Type } from 'typebox';
import type { AuditEntry } from '#core/model/audit-entry.ts';
import { auditKinds } from '#core/model/audit-kinds.ts';
import {
  component,
  exampleTime,
  idField,
  idOrNull,
  integer,
  oneOf,
  optionalText,
  orNull,
  text,
  textOrNull,
} from '#core/operations/fields.ts';
import { converted, operation } from '#core/operations/operation.ts';
import { countOf, limitField } from '#core/operations/paging.ts';
import { readKinds } from './audit.ts';

const defaultLimit = 100;
const place = (description: string) =>
  Type.Optional(integer(description, 417, { minimum: 0, maximum: Number.MAX_SAFE_INTEGER }));

const AuditEntryObject = component(
  'AuditEntry',
  'Action on an account, right or page, with its author, time and origin.',
  {
    id: integer('ID of the entry.', 417),
    at: text('When, ISO 8601 in UTC; for an entry that stands for several, the first time.', exampleTime),
    kind: text(`Kind of the action: ${Object.keys(auditKinds).join(', ')}.`, 'role-changed'),
    actor: orNull(
      Type.Object({
        id: integer('Member ID.', 1),
        name: text('Name of the member now.', 'Ada Lovelace'),
      }),
      'Member who did it; null: nobody who is signed in, see `via`.',
      { id: 1, name: 'Ada Lovelace' },
    ),
    subject: orNull(
      Type.Object({
        kind: text('`member`, `page`, `invitation`, `sign-up`, `mail` …', 'member'),
        id: idOrNull('Its ID, if it has one.', 3),
        name: text('Name of the member now, or path of the page then.', 'Grace Hopper'),
      }),
      'Object of the action; null: a sign-in to no account.',
      { kind: 'member', id: 3, name: 'Grace Hopper' },
    ),
    from: textOrNull(
      'Address of the client, of failed sign-ins the first half of an IPv6 one; null: it was not a request.',
      '203.0.113.7',
    ),
    via: oneOf(
      ['site', 'api', 'command line', 'wiki'],
      'Interface that was used; `wiki`: the wiki by itself.',
      'api',
    ),
    token: idOrNull('ID of the API token that was used; null: none.', null),
    note: text('More of it, in words.', 'member → administrator'),
    times: integer('For how many failed sign-ins of that hour it stands; 1 for everything else.', 1),
    lastAt: text('The last of these times.', exampleTime),
  },
);

const AuditEntries = component('AuditEntries', 'Entries, and where to go on.', {
  entries: Type.Array(AuditEntryObject, { description: 'The entries.' }),
  next: integer('Cursor: that of the last entry given, or the one sent if there was none.', 417),
});

export const readAudit = operation({
  name: 'audit',
  summary: 'Read the audit log',
  description:
    'Sign-ins, failed ones too, and every change of accounts, rights, invitations and tokens, and deletions: in the order of commits, oldest first, from the beginning or after a cursor, or newest first before one. For administrators. Nothing removes entries before their time.',
  access: 'administrator',
  scope: 'admin',
  input: Type.Object({
    after: place('Cursor: `next` of an earlier answer. Without it, from the beginning.'),
    before: place(
      'Cursor: entries before it, newest first; `next` is then that for `before`. 0: the latest.',
    ),
    limit: limitField(defaultLimit, 100),
    kind: optionalText('Kinds, separated by commas.', 'signed-in,sign-in-failed'),
    member: Type.Optional(idField('Member ID: what they did, and what was done to their account.', 3)),
  }),
  output: converted(AuditEntries, (found: { entries: AuditEntry[]; next: number }) => ({
    ...found,
    entries: found.entries.map(auditJson),
  })),
  ports: ['audit'],
  async run({ audit }, { input: { after = 0, before, kind, member, ...query } }) {
    const limit = countOf(query.limit, defaultLimit);
    const filter = {
      ...(kind === undefined ? {} : { kinds: readKinds(kind) }),
      ...(member === undefined ? {} : { memberId: member }),
    };
    const entries =
      before === undefined
        ? await audit.listAfter(after, limit, filter)
        : await audit.listBefore(before === 0 ? undefined : before, limit, filter);
    return { entries, next: entries.at(-1)?.position ?? before ?? after };
  },
});

export function auditJson({ at, lastAt, tokenId, position: _, ...entry }: AuditEntry) {
  return {
    ...entry,
    at: new Date(at).toISOString(),
    token: tokenId,
    lastAt: new Date(lastAt).toISOString(),
  };
}
