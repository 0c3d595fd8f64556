/** Commands for joining: invitations, and waiting sign-ups. */

import { invitation, invitationList, invitationRevocation } from '#core/joining/invitation-operations.ts';
import { inviteMember } from '#core/joining/invite-member.ts';
import { signUpApproval, signUpList, signUpRefusal } from '#core/joining/sign-up-operations.ts';
import { isoTime } from '#core/model/iso-time.ts';
import { type Role, roles } from '#core/model/member.ts';
import type { Invitation } from '#core/model/one-time-links.ts';
import { invalid } from '#core/model/problem.ts';
import { idArgument, UsageError } from '../command/arguments.ts';
import { allOf, inWiki, listing, withId } from '../command/in-wiki.ts';

const invited = {
  admin: { type: 'boolean', default: false },
  role: { type: 'string', default: 'writer' },
} as const;

export const invite = inWiki(
  [],
  invited,
  (_, { admin, role: given }, { context }) => {
    const role = admin ? 'administrator' : readRole(given);
    return async ({ carry, store, secrets }, now) => {
      const isEmpty = (await store.members.list({ limit: 1, offset: 0 })).total === 0;
      if (isEmpty && role !== 'administrator') {
        throw invalid(
          '/email',
          'There are no members yet. The first invitation must be for an administrator; add --admin.',
        );
      }
      const { token } = isEmpty
        ? await inviteMember({ store, secrets, actor: 'setup', now }, { role })
        : await carry(invitation, { role });
      return `${context.settings.address}/${isEmpty ? 'setup' : 'invite'}/${token}`;
    };
  },
  { mayCreate: true },
);

export const invitations = listing([], ({ carry }) => carry(invitationList, {}), {
  shown: shownInvitation,
  row: invitationRow,
  none: 'There are no open invitations.',
});

export const uninvite = withId('member invitations', async ({ carry }, id) => {
  await carry(invitationRevocation, { id });
  return { revoked: id };
});

export const waitingSignUps = listing(
  [],
  async ({ carry }) => {
    const signUps = await allOf(async (range) => (await carry(signUpList, range)).items);
    return signUps.map(({ id, email, name, waitingSince, createdAt }) => ({
      id,
      email,
      name,
      waitingSince: isoTime(waitingSince ?? createdAt),
    }));
  },
  {
    shown: (signUp) => signUp,
    row: ({ id, email, name, waitingSince }) => [String(id), email, name, `since ${waitingSince}`],
    none: 'Nobody waits.',
  },
);

export const approve = inWiki(['ID'], { role: { type: 'string' } }, ([written], given) => {
  const id = idArgument(written, 'member waiting');
  const role = given.role === undefined ? {} : { role: readRole(given.role) };
  return async ({ carry }) => {
    const { member } = await carry(signUpApproval, { id, ...role });
    return { email: member.email, name: member.name, role: member.role };
  };
});

export const refuse = withId('member waiting', async ({ carry }, id) => {
  await carry(signUpRefusal, { id });
  return { refused: id };
});

export function readRole(text: string): Role {
  const role = roles.find((one) => one === text);
  if (!role) throw new UsageError(`“${text}” is not a role. Choose from ${roles.join(', ')}.`);
  return role;
}

function shownInvitation({ id, role, inviter, createdAt, expiresAt }: Invitation) {
  return {
    id,
    role,
    admin: role === 'administrator',
    invitedBy: inviter && { id: inviter.id, name: inviter.name },
    createdAt: isoTime(createdAt),
    expiresAt: isoTime(expiresAt),
  };
}

function invitationRow({ id, role, inviter, expiresAt }: Invitation): string[] {
  const by = `by ${inviter?.name ?? 'the command line'}`;
  return [String(id), role, by, `until ${isoTime(expiresAt)}`];
}
