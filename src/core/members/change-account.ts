/**
 * Changes that members make to their own account. A new passphrase needs the old one or a recent sign-in, and ends every
 * session.
 */

import { say } from '#words/say.ts';
import type { Member } from '../model/member.ts';
import type { Actor } from '../model/permission.ts';
import { invalid, notSignedIn, Problem } from '../model/problem.ts';
import { refuseUnlessRecent } from '../operations/recent-sign-in.ts';
import type { Passphrases } from '../ports/credentials.ts';
import type { SignedIn } from '../ports/sessions.ts';
import type { Store } from '../ports/store.ts';
import { changeMember, checkMember, refuseLookalike, setPassphrase } from './manage-members.ts';

/** Refuses `unauthenticated` for strangers and for members who no longer exist. */
export async function getOwnAccount(store: Store, actor: Actor): Promise<Member> {
  const member = actor && (await store.members.findById(actor.memberId));
  if (!member) throw new Problem('unauthenticated', say('problem.onlyYouCanSeeYourAccountSign'));
  return member;
}

/** Returns the account if its sign-in is recent. `what`: the operation, as the beginning of a sentence. Refuses with `unauthenticated`, with the detail `again` if the sign-in is too old. */
export async function getRecentAccount(
  store: Store,
  signedIn: SignedIn | undefined,
  now: number,
  what: string,
): Promise<Member> {
  if (!signedIn) throw notSignedIn();
  refuseUnlessRecent(signedIn.claims.signedInAt, now, what);
  return getOwnAccount(store, signedIn.actor);
}

/**
 * Renames the actor. Refuses `unauthenticated`, and `invalid` for names that are taken, look like another one or are malformed.
 */
export async function changeOwnName(store: Store, actor: Actor, name: string): Promise<Member> {
  return renameMember(store, await getOwnAccount(store, actor), name);
}

/** `language`: one of the site's, or null to let the browser decide. */
export async function changeOwnLanguage(store: Store, actor: Actor, language: string | null): Promise<void> {
  const member = await getOwnAccount(store, actor);
  if (language !== member.language) await store.members.update(member.id, { language });
}

/** Refuses `invalid` at `/name`, also if it looks like another member's name. */
export async function renameMember(store: Store, member: Member, name: string): Promise<Member> {
  const checked = checkMember({ email: member.email, name, passphrase: null, isAdmin: false });
  return store.transact(async (store) => {
    await refuseLookalike(store, { name: checked.name }, member.id);
    return changeMember(store, member.email, { name: checked.name });
  });
}

/**
 * Ends every session and revokes every handle. Refuses `invalid` at `/current` for a wrong passphrase. A member without a
 * passphrase adds a way into their account, so it refuses `unauthenticated` with the detail `again` unless they signed in a
 * moment ago.
 */
export async function changeOwnPassphrase(
  { store, passphrases, actor, now }: { store: Store; passphrases: Passphrases; actor: Actor; now: number },
  input: { current: string; pass: string; signedInAt: number | undefined },
): Promise<Member> {
  const member = await getOwnAccount(store, actor);
  if (member.passphraseHash === null) refuseUnlessRecent(input.signedInAt, now, 'Choosing a passphrase');
  if (member.passphraseHash !== null && !(await passphrases.verify(member.passphraseHash, input.current))) {
    throw invalid('/current', say('problem.thePassphraseIsWrong'));
  }
  const changed = await setPassphrase({ store, passphrases, now }, member.email, input.pass);
  // A guesser of codes does not have the new passphrase.
  await store.secondFactors.forgetGuesses(member.id);
  return changed;
}
