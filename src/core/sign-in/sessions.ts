/**
 * Sessions: rows that a sign-in creates and to which tokens and the site's cookie refer. Deleting the row ends all of them at
 * once, in every process, because each request looks it up together with its member.
 *
 * A session ends at the age of `lifetimeMs`, or when unused for `idleMs`. One without a cookie ends earlier, when all its
 * tokens have expired.
 *
 * Administrators can also sign in where nothing can be written, to see what is wrong: their session is then in the sealed token
 * alone, ends after `unstoredLifetimeMs`, and counts only while the member is an administrator with the same credentials.
 */

import { say } from '#words/say.ts';
import { clockToleranceMs } from '../model/iso-time.ts';
import type { SecondFactorRule } from '../model/member.ts';
import { actorOf } from '../model/member.ts';
import { Problem } from '../model/problem.ts';
import {
  type Claims,
  type Secrets,
  type Session,
  type SignInMethod,
  tokenLifetimeMs,
} from '../ports/credentials.ts';
import { maxSessions, type Sessions, type SignedIn } from '../ports/sessions.ts';
import type { Store } from '../ports/store.ts';
import { actorUnder } from './required-second-factor.ts';

interface SessionLimits {
  lifetimeMs: number;
  idleMs: number;
}

/** Prefix of the ID of a session that is not stored, before the time of its start. */
const unstored = 'unstored ';
const unstoredLifetimeMs = 60 * 60 * 1000;
const seenEveryMs = 5 * 60 * 1000;
const maxUserAgentLength = 200;

/** The same words for every kind of wrong credential. */
export function badCredentials(): Problem {
  return new Problem('bad-credentials', say('problem.theseCredentialsCouldNotBeAuthenticated'));
}

/** `onFailure` is called if the use of a session cannot be recorded; the request is accepted all the same. */
export function createSessions(
  { store, secrets }: { store: Store; secrets: Secrets },
  { lifetimeMs, idleMs }: SessionLimits,
  onFailure: (error: unknown) => void = () => {},
  rule: SecondFactorRule = 'none',
): Sessions {
  /** Renewing a token counts as use, which `seenAt` may record up to `seenEveryMs` late. */
  const idleOf = (isBrowser: boolean) => (isBrowser ? idleMs : tokenLifetimeMs + seenEveryMs);
  const endOf = ({ isBrowser, createdAt, seenAt }: Session) =>
    Math.min(createdAt + lifetimeMs, seenAt + idleOf(isBrowser));
  const noting = new Map<string, Promise<void>>();

  /** Not awaited: reading continues even if nothing can be written. */
  const noteSeen = (id: string, now: number) => {
    if (noting.has(id)) return;
    const noted = store.sessions
      .noteSeen(id, now)
      .catch(onFailure)
      .finally(() => noting.delete(id));
    noting.set(id, noted);
  };

  return {
    lifetimeMs,
    noted: async ({ id }) => noting.get(id),
    endOf,

    async begin(member, by, device, { now, signedInAt }) {
      const { secret: id } = secrets.make();
      const { isBrowser, replaces, userAgent } = device;
      const claimsOf = (sessionId: string): Claims => ({
        memberId: member.id,
        epoch: member.epoch,
        sessionId,
        issuedAt: now,
        ...(isBrowser ? { isCookie: true } : {}),
        ...(signedInAt === undefined ? {} : { signedInAt }),
      });
      const stored = store.transact(async (store) => {
        const current = await store.members.lock(member.id);
        const isSame = current?.isActive && current.epoch === member.epoch;
        // Refused for bots, whatever credentials they may have.
        if (!isSame || current.isBot || !(await isStillThere(store, member.id, by))) throw badCredentials();
        if (replaces !== undefined) await store.sessions.end(replaces.memberId, replaces.id);
        await store.sessions.insert(
          {
            id,
            memberId: member.id,
            isBrowser,
            userAgent: userAgent?.slice(0, maxUserAgentLength) || null,
            createdAt: now,
            seenAt: now,
          },
          by,
        );
        await store.sessions.trim(
          member.id,
          isBrowser,
          isBrowser ? maxSessions.browsers : maxSessions.programs,
        );
        await store.sessions.sweep(isBrowser, now - idleOf(isBrowser));
        await store.audit.record({
          kind: 'signed-in',
          actorId: member.id,
          subject: { kind: 'member', id: member.id },
          note: `by ${by.method}${'provider' in by ? ` of ${by.provider}` : ''}`,
        });
      });
      try {
        await stored;
        return claimsOf(id);
      } catch (error) {
        if (!member.isAdmin || !failedToWrite(store, error)) throw error;
        // The transaction could not check this.
        if (member.isBot || !(await isStillThere(store, member.id, by))) throw badCredentials();
        return claimsOf(`${unstored}${now} ${by.method} ${isBrowser} ${id}`);
      }
    },

    async find(claims, now, isUse = true) {
      if (claims.sessionId.startsWith(unstored)) return findUnstored(store, rule, claims, now);
      const found = await store.sessions.find(claims.sessionId);
      if (!found) return undefined;
      const { member, session } = found;
      if (member.id !== claims.memberId || member.epoch !== claims.epoch || !member.isActive)
        return undefined;
      // A session written by a clock that ran ahead would last too long.
      if (session.createdAt > now + clockToleranceMs || now >= endOf(session)) return undefined;
      if (isUse && Math.abs(now - session.seenAt) >= seenEveryMs) noteSeen(session.id, now);
      const actor = await actorUnder({ rule, store }, member, actorOf(member, now), session.method);
      return { actor, session, claims };
    },
  };
}

/** Whether the error comes from a database that is known to take no writes, and is no refusal. */
export function failedToWrite(store: Store, error: unknown): boolean {
  const isRefusal = error instanceof Problem && error.code !== 'unavailable';
  const trouble = store.writeTrouble();
  return !isRefusal && (trouble === 'full' || trouble === 'read-only' || trouble === 'paused');
}

/** Runs work that a sign-in can do without while nothing can be written. */
export async function unlessUnwritable(store: Store, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!failedToWrite(store, error)) throw error;
  }
}

async function findUnstored(
  store: Store,
  rule: SecondFactorRule,
  claims: Claims,
  now: number,
): Promise<SignedIn | undefined> {
  const [, startedAt, method, isBrowser] = claims.sessionId.split(' ');
  const createdAt = Number(startedAt);
  const member = await store.members.findById(claims.memberId);
  if (!member?.isActive || !member.isAdmin || member.epoch !== claims.epoch) return undefined;
  if (createdAt > now + clockToleranceMs || now >= createdAt + unstoredLifetimeMs) return undefined;
  const session: Session = {
    id: claims.sessionId,
    memberId: member.id,
    method: method as Session['method'],
    provider: null,
    isBrowser: isBrowser === 'true',
    userAgent: null,
    createdAt,
    seenAt: now,
  };
  const actor = await actorUnder({ rule, store }, member, actorOf(member, now), session.method);
  return { actor, session, claims };
}

async function isStillThere(store: Store, memberId: number, by: SignInMethod): Promise<boolean> {
  switch (by.method) {
    case 'passphrase':
      return true;
    case 'handle':
      return (await store.members.findHandle(by.provider, by.handleHash))?.memberId === memberId;
    case 'provider':
      return (await store.identities.find(by.issuer, by.subject))?.memberId === memberId;
    case 'passkey':
      return (await store.passkeys.find(by.credentialId))?.memberId === memberId;
  }
}
