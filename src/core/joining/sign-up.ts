/**
 * Signing up without an invitation, if the wiki permits it: at once, or after an administrator's approval. With a mail server
 * the address is confirmed first, by its link together with the passphrase, so that nobody can be made to confirm somebody
 * else's account.
 *
 * Response and timing are the same for every address. The outcome is told by mail, or at sign-in.
 */

import { say } from '#words/say.ts';
import { checkMember, refuseLookalike } from '../members/manage-members.ts';
import { notify } from '../members/notify.ts';
import { type Member, newRole } from '../model/member.ts';
import { invalid, Problem, tooManyRequests } from '../model/problem.ts';
import type { SignUpRules } from '../model/settings.ts';
import type { Passphrases, ProofsOfWork, Secrets } from '../ports/credentials.ts';
import type { SignUp } from '../ports/sign-up-store.ts';
import type { Store } from '../ports/store.ts';

/** The person's next step: the link in a mail, waiting for approval, or signing in. */
type NextStep = 'confirm' | 'wait' | 'sign-in';

interface SignUpInput {
  email: string;
  name: string;
  pass: string;
  /** Solution of the challenge. */
  proof: string;
}

const hour = 60 * 60_000;
const confirmableMs = 24 * hour;
const waitingMs = 30 * 24 * hour;
/** Minimum time between two mails to the same address. */
const mailEveryMs = 5 * 60_000;
/** Maximum number of unconfirmed requests; the oldest are dropped. */
const maxUnconfirmed = 1000;
/** Maximum number of administrators who are told by mail. */
const maxNotified = 20;
/** Maximum number of requests that wait for approval. */
export const maxWaiting = 1000;

/** Refuses `sign-up-closed` if membership is by invitation only. */
export function refuseUnlessOpen({ mode }: SignUpRules): void {
  if (mode === 'invitation')
    throw new Problem('sign-up-closed', say('problem.membersOfThisWikiNeedAnInvitation'));
}

/**
 * Refuses `sign-up-closed`, `invalid` for invalid fields, a name that looks like a member's and a proof that is invalid or was
 * used, and `too-many-requests` if too many wait. Fields are checked first, so that a mistake costs no proof.
 */
export async function signUp(
  { store, now }: { store: Store; now: number },
  { passphrases, proofsOfWork }: { passphrases: Passphrases; proofsOfWork: ProofsOfWork },
  rules: SignUpRules,
  input: SignUpInput,
): Promise<NextStep> {
  refuseUnlessOpen(rules);
  const { email, name } = checkMember({ ...input, passphrase: input.pass, isAdmin: false }, passphrases);
  const proof = await proofsOfWork.check(input.proof, now);
  if (!proof || !(await store.signUps.spendProof(proof)))
    throw invalid('/proof', say('problem.theProofOfWorkIsMissingWrong'));
  const passphraseHash = await passphrases.hash(input.pass);
  const asked = { email, name, passphraseHash, createdAt: now };
  return store.transact(async (store) => {
    await store.signUps.purge(now);
    await refuseLookalike(store, { name });
    if (store.mails.isOn) {
      const unconfirmed = { ...asked, waitingSince: null, expiresAt: now + confirmableMs };
      const made = await store.signUps.insert(unconfirmed, now - mailEveryMs);
      await store.signUps.trimUnconfirmed(maxUnconfirmed);
      if (made?.createdAt === now) await store.mails.insert({ kind: 'sign-up', address: email }, now);
      return 'confirm';
    }
    if (rules.mode === 'approval') {
      await refuseIfFull(store, now);
      const waiting = { ...asked, waitingSince: now, expiresAt: now + waitingMs };
      const made = await store.signUps.insert(waiting, now);
      if (made) await recordAsking(store, made.id);
      return 'wait';
    }
    const { email: isTaken } = await store.members.lockLookalikes({ name, email }, 0);
    if (!isTaken) await join(store, asked, rules, now);
    return 'sign-in';
  });
}

/** The request of a mailed link, if its address can still be confirmed. */
export async function findSignUp(
  store: Store,
  secrets: Secrets,
  token: string,
  now: number,
): Promise<SignUp | undefined> {
  return store.signUps.findByToken(secrets.hash(token), now);
}

/**
 * Works once; a wrong passphrase leaves it usable. Returns the new member, or undefined if an administrator has to approve.
 * Refuses `sign-up-closed`, `invalid` for a used link at `/token`, another passphrase at `/pass` and a name or address that was
 * taken meanwhile, and `too-many-requests` if too many wait.
 */
export async function confirmSignUp(
  { store, now }: { store: Store; now: number },
  { passphrases, secrets }: { passphrases: Passphrases; secrets: Secrets },
  rules: SignUpRules,
  { token, pass }: { token: string; pass: string },
): Promise<Member | undefined> {
  refuseUnlessOpen(rules);
  const asked = await findSignUp(store, secrets, token, now);
  if (!asked) throw spentConfirmation();
  if (!(await passphrases.verify(asked.passphraseHash, pass)))
    throw invalid('/pass', say('problem.thisIsNotThePassphraseThatYou'));
  return store.transact(async (store) => {
    await refuseLookalike(store, asked);
    if (rules.mode === 'approval') {
      const waiting = await refuseIfFull(store, now);
      if (!(await store.signUps.startWaiting(asked, now, now + waitingMs))) throw spentConfirmation();
      if (!waiting.hasBegunToday) await tellAdministrators(store, now);
      await recordAsking(store, asked.id);
      return undefined;
    }
    if (!(await store.signUps.take(asked.id, now))) throw spentConfirmation();
    return join(store, asked, rules, now);
  });
}

async function join(
  store: Store,
  { email, name, passphraseHash }: Pick<SignUp, 'email' | 'name' | 'passphraseHash'>,
  { role }: SignUpRules,
  now: number,
): Promise<Member> {
  const member = await store.members.insert({
    email,
    name,
    ...newRole(role),
    passphraseHash,
    createdAt: now,
  });
  const { id } = member;
  await store.audit.record({
    kind: 'signed-up',
    actorId: id,
    subject: { kind: 'member', id },
    note: `as ${role}`,
  });
  return member;
}

async function recordAsking(store: Store, id: number): Promise<void> {
  await store.audit.record({
    kind: 'signed-up',
    subject: { kind: 'sign-up', id },
    note: 'waits for approval',
  });
}

/** At most once a day, because strangers could otherwise flood them. */
async function tellAdministrators(store: Store, now: number): Promise<void> {
  const administrators = await store.members.activeAdministrators(maxNotified);
  await Promise.all(
    administrators.map(({ email }) => notify(store, { kind: 'sign-ups-wait', address: email }, now)),
  );
}

/** `hasBegunToday`: whether a waiting request was made today (UTC). */
async function refuseIfFull(store: Store, now: number): Promise<{ hasBegunToday: boolean }> {
  const { total, latest } = await store.signUps.waiting(now);
  if (total >= maxWaiting)
    throw tooManyRequests(say('problem.tooManyPeopleAreWaitingForApproval'), (24 * hour) / 1000);
  return { hasBegunToday: latest >= now - (now % (24 * hour)) };
}

function spentConfirmation(): Problem {
  return invalid('/token', say('problem.thisLinkWasAlreadyUsedWasReplaced2'));
}
