/** Sessions of members: who is signed in, where, and until when. */
import type { Member } from '../model/member.ts';
import type { Actor } from '../model/permission.ts';
import type { Claims, Session, SignInMethod } from './credentials.ts';

/** Maximum number of sessions of one member. The least recently used end first. */
export const maxSessions = { browsers: 100, programs: 1000 };

/** Client that signs in. */
export interface Device {
  userAgent: string | undefined;
  /** Whether the client keeps a cookie of the site. */
  isBrowser: boolean;
  /** ID of the browser, if it has signed in to this account before. */
  knownAs?: string | undefined;
  /** The session of the client's previous cookie, which ends because it is replaced. */
  replaces?: Session | undefined;
}

/** The member whom a token or cookie authenticates. */
export interface SignedIn {
  actor: NonNullable<Actor>;
  session: Session;
  claims: Claims;
}

export interface Sessions {
  readonly lifetimeMs: number;
  /**
   * Starts a session of this member, in the state in which the credentials were checked. Refuses `bad-credentials` if they were
   * deactivated or revoked meanwhile.
   */
  begin(
    member: Member,
    by: SignInMethod,
    device: Device,
    when: { now: number; signedInAt: number | undefined },
  ): Promise<Claims>;
  /**
   * Returns undefined if the session has ended. One lookup, and a few more for administrators who need a second factor. `isUse`
   * (default true): records the use.
   */
  find(claims: Claims, now: number, isUse?: boolean): Promise<SignedIn | undefined>;
  /** Waits until the use is recorded, if that was due. */
  noted(session: Session): Promise<void>;
  /** Time at which it ends if it is not used again. */
  endOf(session: Session): number;
}
