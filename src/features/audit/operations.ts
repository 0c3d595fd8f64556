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
    at: text(
      'Time of the action, ISO 8601 in UTC. For an entry that stands for several actions, the first time.',
      exampleTime,
    ),
    kind: text(`Kind of the action: ${auditKinds.join(', ')}.`, 'role-changed'),
    actor: orNull(
      Type.Object({
        id: integer('Member ID.', 1),
        name: text('Name of the member now.', 'Ada Lovelace'),
      }),
      'Member who acted. Null for somebody who is not signed in; see `via`.',
      { id: 1, name: 'Ada Lovelace' },
    ),
    subject: orNull(
      Type.Object({
        kind: text('`member`, `page`, `invitation`, `sign-up`, `mail` …', 'member'),
        id: idOrNull('ID of the thing, if it has one.', 3),
        name: text('Name that the member has now, or path that the page had then.', 'Grace Hopper'),
      }),
      'Thing that was acted on. Null for a sign-in to an account that does not exist.',
      { kind: 'member', id: 3, name: 'Grace Hopper' },
    ),
    from: textOrNull(
      'Address of the client; for failed sign-ins, only the first half of an IPv6 address. Null if there was no request.',
      '203.0.113.7',
    ),
    via: oneOf(
      ['site', 'api', 'command line', 'wiki'],
      'Interface that was used. `wiki` stands for what the wiki does by itself.',
      'api',
    ),
    token: idOrNull('ID of the API token that was used. Null if none was.', null),
    note: text('Further details, as text.', 'member → administrator'),
    times: integer(
      'Number of failed sign-ins in that hour that the entry stands for; 1 for everything else.',
      1,
    ),
    lastAt: text('Time of the latest of these actions.', exampleTime),
  },
);

const AuditEntries = component('AuditEntries', 'Entries, and the cursor of the next request.', {
  entries: Type.Array(AuditEntryObject, { description: 'The entries.' }),
  next: integer(
    'Cursor of the last returned entry, or the cursor of the request if nothing was returned.',
    417,
  ),
});

export const readAudit = operation({
  name: 'audit',
  summary: 'Read the audit log',
  description:
    'Sign-ins, failed sign-ins, deletions, and every change of accounts, rights, invitations and tokens. Entries are in the order of commits: oldest first from the beginning or after a cursor, or newest first before a cursor. For administrators. Entries are deleted only when their retention time is over.',
  access: 'administrator',
  scope: 'admin',
  input: Type.Object({
    after: place('Cursor: `next` of an earlier response. Without it, the list starts at the beginning.'),
    before: place(
      'Lists the entries before this cursor, newest first. 0 stands for the latest entries; `next` of the response is the cursor for the next older entries.',
    ),
    limit: limitField(defaultLimit, 100),
    kind: optionalText('Kinds, separated by commas.', 'signed-in,sign-in-failed'),
    member: Type.Optional(idField('Member ID, for actions by this member and on their account.', 3)),
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
