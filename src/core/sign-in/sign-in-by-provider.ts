/** Signing in by a provider: the identity must be linked already. E-mail addresses are never used to find a member. */

import { say } from '#words/say.ts';
import { followProvider } from '../members/groups.ts';
import { Problem } from '../model/problem.ts';
import type { Claims } from '../ports/credentials.ts';
import type { Device, Sessions } from '../ports/sessions.ts';
import type { Identity } from '../ports/sign-in-provider.ts';
import type { Store } from '../ports/store.ts';
import { unlessUnwritable } from './sessions.ts';

/**
 * Starts a session of the member to whom the identity is linked, and updates their groups to those that the provider reports.
 * Refuses `bad-credentials` in the same words for an unknown identity, a deactivated member, and a member other than
 * `memberId`, if that is given.
 */
export async function signInByProvider(
  { store, sessions, now }: { store: Store; sessions: Sessions; now: number },
  { identity, label }: { identity: Identity; label: string },
  device: Device,
  memberId?: number,
): Promise<Claims> {
  const link = await store.identities.find(identity.issuer, identity.subject);
  const member = link && (await store.members.findById(link.memberId));
  if (!member?.isActive) {
    throw new Problem('bad-credentials', say('problem.noAccountOfThisWikiIsLinked', { label }));
  }
  if (memberId !== undefined && member.id !== memberId) {
    throw new Problem('bad-credentials', say('problem.thisAccountIsLinkedToADifferent', { label }));
  }
  const { groups } = identity;
  await unlessUnwritable(store, async () => {
    if (groups) await followProvider(store, member.id, groups, now);
    if (identity.withholdsGroups) await recordWithheldGroups(store, member.id, identity.provider);
  });
  // The person may have signed in at the provider long ago; the time is known only if the provider reports it.
  const signedInAt = identity.signedInAt === null ? undefined : Math.min(now, identity.signedInAt);
  const { provider, issuer, subject } = identity;
  const by = { method: 'provider', provider, issuer, subject } as const;
  return sessions.begin(member, by, device, { now, signedInAt });
}

/** The member keeps their groups, and administrators learn why these do not follow the provider. */
async function recordWithheldGroups(store: Store, memberId: number, provider: string): Promise<void> {
  await store.transact((store) =>
    store.audit.record({
      kind: 'groups-withheld',
      subject: { kind: 'member', id: memberId },
      note: `from ${provider}: too many to be sent at sign-in`,
    }),
  );
}
