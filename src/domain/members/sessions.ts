/**
 * Sessions: rows that a sign-in begins and that tokens and the site's cookie refer to. Whoever ends the row ends them all
 * at once, in every process, as each request looks it up together with its member.
 *
 * A session ends when it is as old as `lifetimeMs`, or has not been used for `idleMs`. One that only tokens refer to ends
 * sooner, as none of them can be valid any more.
 */

import type { Actor } from '../permission.ts';
import {
  type Claims,
  clockToleranceMs,
  type Secrets,
  type Session,
  type SignInMethod,
  tokenLifetimeMs,
} from '../ports/credentials.ts';
import type { Store } from '../ports/store.ts';
import { Problem } from '../problem.ts';
import { actorOf, type Member } from './member.ts';
import { actorUnder, type SecondFactorRule } from './required-second-factor.ts';

export interface SessionLimits {
  lifetimeMs: number;
  idleMs: number;
}

/** Client that signs in. */
export interface Device {
  userAgent: string | undefined;
  /** Will keep a cookie of the site. */
  isBrowser: boolean;
  /** The session that its cookie referred to until now: nothing will refer to it any more, so it ends. */
  replaces?: Session | undefined;
}

/** Who a token or cookie speaks for. */
export interface SignedIn {
  actor: NonNullable<Actor>;
  session: Session;
  claims: Claims;
}

export interface Sessions {
  readonly lifetimeMs: number;
  /**
   * Begins a session of this member, as they were when the credentials were looked at. Refuses `bad-credentials` if they
   * were deactivated or revoked meanwhile.
   */
  begin(
    member: Member,
    by: SignInMethod,
    device: Device,
    when: { now: number; signedInAt: number | undefined },
  ): Promise<Claims>;
  /** Undefined if the session has ended. One look-up, a few more for an administrator of whom a second factor is required. `isUse` (default true): it is noted as used now. */
  find(claims: Claims, now: number, isUse?: boolean): Promise<SignedIn | undefined>;
  /** Waits until it is written that the session is used now, if that was due. */
  noted(session: Session): Promise<void>;
  /** When it ends if it is not used any more. */
  endOf(session: Session): number;
}

const seenEveryMs = 5 * 60 * 1000;
const maxUserAgentLength = 200;
/** Maximum sessions of one member. Those unused for longest end first. */
export const maxSessions = { browsers: 100, programs: 1000 };

/** The words for every kind of wrong credential. */
export function badCredentials(): Problem {
  return new Problem('bad-credentials', 'These credentials could not be authenticated.');
}

/** `onFailure`: told if it cannot be written when a session was used, which refuses nobody. */
export function createSessions(
  store: Store,
  secrets: Secrets,
  { lifetimeMs, idleMs }: SessionLimits,
  onFailure: (error: unknown) => void = () => {},
  rule: SecondFactorRule = 'none',
): Sessions {
  /** A token is renewed by a request, which `seenAt` may be late to tell by `seenEveryMs`. */
  const idleOf = (isBrowser: boolean) => (isBrowser ? idleMs : tokenLifetimeMs + seenEveryMs);
  const endOf = ({ isBrowser, createdAt, seenAt }: Session) =>
    Math.min(createdAt + lifetimeMs, seenAt + idleOf(isBrowser));
  const noting = new Map<string, Promise<void>>();

  /** Without waiting: reading goes on where nothing can be written. */
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
      await store.transact(async (store) => {
        const current = await store.members.lock(member.id);
        const isSame = current?.isActive && current.epoch === member.epoch;
        // Whatever a bot came to have to sign in with.
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
      return {
        memberId: member.id,
        epoch: member.epoch,
        sessionId: id,
        issuedAt: now,
        ...(isBrowser ? { isCookie: true } : {}),
        ...(signedInAt === undefined ? {} : { signedInAt }),
      };
    },

    async find(claims, now, isUse = true) {
      const found = await store.sessions.find(claims.sessionId);
      if (!found) return undefined;
      const { member, session } = found;
      if (member.id !== claims.memberId || member.epoch !== claims.epoch || !member.isActive)
        return undefined;
      // A session written by a clock that ran ahead would last too long.
      if (session.createdAt > now + clockToleranceMs || now >= endOf(session)) return undefined;
      if (isUse && Math.abs(now - session.seenAt) >= seenEveryMs) noteSeen(session.id, now);
      const actor = await actorUnder(rule, store, member, actorOf(member, now), session.method);
      return { actor, session, claims };
    },
  };
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
