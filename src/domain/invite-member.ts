/** Invitations: one-time links, seven days long, by which a person becomes a member. The first makes the first administrator. */
import { checkMember } from './manage-members.ts';
import type { Member } from './member.ts';
import type { Actor } from './permission.ts';
import { invalid, Problem } from './problem.ts';
import type { Passphrases, Secrets } from './session.ts';
import type { Store } from './store.ts';

const invitationLifetimeMs = 7 * 24 * 60 * 60 * 1000;

export const spentSentence = 'This invitation is used up or has expired: ask for a new one.';

/** `'setup'`: the wiki itself invites its first administrator. Refuses `unauthenticated`, `administrators-only`. */
export async function inviteMember(
  store: Store,
  secrets: Secrets,
  actor: Actor | 'setup',
  wanted: { isAdmin?: boolean },
  now: number,
): Promise<{ token: string; expiresAt: number }> {
  if (actor === null)
    throw new Problem('unauthenticated', 'Inviting somebody needs a signed-in administrator.');
  if (actor !== 'setup' && !actor.isAdmin) {
    throw new Problem('administrators-only', 'Only administrators may invite members.');
  }
  const { secret, hash } = secrets.make();
  const expiresAt = now + invitationLifetimeMs;
  await store.transact((store) =>
    store.members.insertInvitation({
      tokenHash: hash,
      isAdmin: wanted.isAdmin ?? false,
      invitedBy: actor === 'setup' ? null : actor.memberId,
      createdAt: now,
      expiresAt,
    }),
  );
  return { token: secret, expiresAt };
}

/** The invitation behind a token, if it can still be used. */
export async function findInvitation(
  store: Store,
  secrets: Secrets,
  token: string,
  now: number,
): Promise<{ isAdmin: boolean; isSetup: boolean; expiresAt: number } | undefined> {
  const invitation = await store.members.findInvitation(secrets.hash(token));
  if (!invitation || invitation.expiresAt <= now) return undefined;
  const isSetup = invitation.invitedBy === null;
  // A set-up link is for a wiki without members; it is worth nothing once somebody is there.
  if (isSetup && (await hasMembers(store))) return undefined;
  return { isAdmin: invitation.isAdmin, isSetup, expiresAt: invitation.expiresAt };
}

/** Works once for each invitation, however many try at the same time. Bad fields leave it usable. */
export async function acceptInvitation(
  store: Store,
  passphrases: Passphrases,
  secrets: Secrets,
  input: { token: string; email: string; name: string; pass: string },
  now: number,
): Promise<Member> {
  if (!(await findInvitation(store, secrets, input.token, now))) throw spentInvitation();
  const { email, name } = checkMember({ ...input, passphrase: input.pass, isAdmin: false });
  const passphraseHash = await passphrases.hash(input.pass);
  return store.transact(async (store) => {
    const invitation = await findInvitation(store, secrets, input.token, now);
    if (!invitation || !(await store.members.useInvitation(secrets.hash(input.token), now)))
      throw spentInvitation();
    return store.members.insert({ email, name, isAdmin: invitation.isAdmin, passphraseHash, createdAt: now });
  });
}

/** The refusal of an invitation that was used or has expired. */
export function spentInvitation(): Problem {
  return invalid('/token', spentSentence);
}

export function isSpent(error: unknown): boolean {
  return error instanceof Problem && Boolean(error.errors?.some(({ pointer }) => pointer === '/token'));
}

/** A token for the first administrator, as long as the wiki has no members at all. */
export async function ensureSetupInvitation(
  store: Store,
  secrets: Secrets,
  now: number,
): Promise<string | undefined> {
  if (await hasMembers(store)) return undefined;
  return (await inviteMember(store, secrets, 'setup', { isAdmin: true }, now)).token;
}

async function hasMembers(store: Store): Promise<boolean> {
  return (await store.members.list({ limit: 1, offset: 0 })).total > 0;
}
