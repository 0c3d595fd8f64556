/** Finds the member with an address, for faces on which administrators name members so. */
import { Type } from 'typebox';
import { getByEmail } from '../members/manage-members.ts';
import { text } from './fields.ts';
import { operation } from './operation.ts';
import { MemberName } from './schemas.ts';

export const memberByEmail = operation({
  name: 'memberByEmail',
  summary: 'Find a member by e-mail address',
  description: 'Only administrators can find members by address.',
  access: 'administrator',
  scope: 'members',
  input: Type.Object({ email: text('E-mail address of the member.', 'ada@example.org') }),
  output: MemberName,
  problems: ['not-found'],
  ports: ['members'],
  async run(store, { input }) {
    const { id, name } = await getByEmail(store, input.email);
    return { id, name };
  },
});
