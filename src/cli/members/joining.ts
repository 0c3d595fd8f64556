/** Commands for joining: invitations, and waiting sign-ups. */

import { approveSignUp, listSignUps, refuseSignUp } from '#core/joining/approve-sign-up.ts';
import { inviteMember, listInvitations, revokeInvitation } from '#core/joining/invite-member.ts';
import { maxWaiting } from '#core/joining/sign-up.ts';
import { isoTime } from '#core/model/iso-time.ts';
import { type Role, roles } from '#core/model/member.ts';
import type { Invitation } from '#core/model/one-time-links.ts';
import { invalid } from '#core/model/problem.ts';
import { idArgument, UsageError } from '../command/arguments.ts';
import { inWiki, listing, withId } from '../command/in-wiki.ts';

const invited = {
  admin: { type: 'boolean', default: false },
  role: { type: 'string', default: 'writer' },
} as const;

export const invite = inWiki(
  [],
  invited,
  (_, { admin, role: given }, { context }) => {
    const role = admin ? 'administrator' : readRole(given);
    return async ({ store, secrets }, now) => {
      const isEmpty = (await store.members.list({ limit: 1, offset: 0 })).total === 0;
      if (isEmpty && role !== 'administrator') {
        throw invalid(
          '/email',
          'There are no members yet. The first invitation must be for an administrator; add --admin.',
        );
      }
      const { token } = await inviteMember(
        { store, secrets, actor: isEmpty ? 'setup' : 'command line', now },
        { role },
      );
      return `${context.settings.address}/${isEmpty ? 'setup' : 'invite'}/${token}`;
    };
  },
  { mayCreate: true },
);

export const invitations = listing([], ({ store }, now) => listInvitations(store, now), {
  shown: shownInvitation,
  row: invitationRow,
  none: 'There are no open invitations.',
});

export const uninvite = withId('member invitations', async ({ store }, id) => {
  await revokeInvitation(store, id);
  return { revoked: id };
});

export const waitingSignUps = listing(
  [],
  async ({ store }, now) => {
    const range = { limit: maxWaiting, offset: 0 };
    const { signUps } = await listSignUps(store, range, now);
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

export const approve = inWiki(['ID'], { role: { type: 'string' } }, ([written], given, { context }) => {
  const id = idArgument(written, 'member waiting');
  const role = given.role === undefined ? context.settings.signUpRole : readRole(given.role);
  return async ({ store }, now) => {
    const { email, name } = await approveSignUp(store, 'command line', { id, role }, now);
    return { email, name, role };
  };
});

export const refuse = withId('member waiting', async ({ store }, id, now) => {
  await refuseSignUp(store, id, now);
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
