/** Finds the member with a name or an e-mail address, for faces on which administrators name members so. */
import { Type } from 'typebox';
import { text } from '../operations/fields.ts';
import { operation } from '../operations/operation.ts';
import { MemberName } from '../operations/schemas.ts';
import { getByEmail } from './manage-members.ts';
import { memberNamed } from './member-named.ts';

export const memberByNameOrEmail = operation({
  name: 'memberByNameOrEmail',
  summary: 'Find a member by name or e-mail address',
  description: 'Only administrators can find members by address.',
  access: 'administrator',
  scope: 'members',
  input: Type.Object({ email: text('Whole name or e-mail address of the member.', 'ada@example.org') }),
  output: MemberName,
  problems: ['not-found', 'invalid'],
  ports: ['store'],
  async run({ store }, { input: { email }, by }) {
    return email.includes('@') ? getByEmail(store, email) : memberNamed(store, by, email.trim(), '/email');
  },
});
