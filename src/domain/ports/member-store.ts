/** The part of the port to the database that keeps members, and what they sign in by. The rules on top of `store.ts` hold. */
import type { Block, IdentityLink, Member, NewMember, OAuthHandle, Role } from '../members/member.ts';
import type { Invitation, ResetLink } from '../members/one-time-links.ts';
import type { ApiToken, Session, SignInMethod } from './credentials.ts';
import type { Range } from './list-reads.ts';

export interface MemberStore extends OneTimeLinkStore {
  findById(id: number): Promise<Member | undefined>;
  /** E-mail addresses compare without regard to case. */
  findByEmail(email: string): Promise<Member | undefined>;
  list(range: Range): Promise<{ members: Member[]; total: number }>;
  /** Whose block is in force, the last one first. */
  listBlocked(range: Range, now: number): Promise<{ members: Member[]; total: number }>;
  /** Refuses `invalid` at `/email` if the address is taken. */
  insert(member: NewMember): Promise<Member>;
  /** In a transaction: as `findById`, and nobody else changes this member or begins a session of theirs until its end. */
  lock(id: number): Promise<Member | undefined>;
  /**
   * Writes the given fields. A change of `passphraseHash` or `isActive` also raises the epoch, ends every session and revokes
   * every API token; one of `passphraseHash` revokes every handle. Refuses `invalid` at
   * `/email` if the address is taken.
   */
  update(
    id: number,
    fields: {
      email?: string;
      name?: string;
      role?: Role;
      /** Null lifts it. */
      block?: Block | null;
      isActive?: boolean;
      passphraseHash?: string | null;
    },
  ): Promise<Member>;
  /** Ends every session, and raises the epoch. */
  raiseEpoch(id: number): Promise<void>;
  /** Without bots, those first who joined first. */
  activeAdministrators(limit: number): Promise<Member[]>;
  /** Members who are blocked for good are not counted. In a transaction: other callers wait until its end. */
  countActiveAdmins(exceptId?: number): Promise<number>;
  /**
   * In a transaction: whether a member other than `exceptId` has a name or address with the same skeleton. Nobody else
   * who calls it goes on until its end.
   */
  lockLookalikes(
    given: { name: string; email?: string },
    exceptId: number,
  ): Promise<{ name: boolean; email: boolean }>;

  /** Does the same whether or not somebody has this address. */
  countFailedSignIn(email: string, at: number): Promise<void>;
  /** Undefined if there is none. */
  findFailedSignIns(id: number): Promise<{ count: number; since: number } | undefined>;
  clearFailedSignIns(id: number): Promise<void>;

  insertHandle(handle: {
    handleHash: string;
    memberId: number;
    provider: string;
    createdAt: number;
  }): Promise<void>;
  findHandle(provider: string, handleHash: string): Promise<OAuthHandle | undefined>;
  /** Revokes a member's handles for a provider and ends the sessions they opened; returns how many handles. */
  removeHandles(memberId: number, provider: string): Promise<number>;
}

/** Invitations, and links by which members choose a new passphrase. */
export interface OneTimeLinkStore {
  /** Removes those that have expired, and those of an older epoch of their inviter, which none can be valid again. */
  purgeInvitations(now: number): Promise<void>;
  /** Returns its ID. */
  insertInvitation(invitation: {
    tokenHash: string;
    role: Role;
    byCommandLine: boolean;
    inviter: { id: number; epoch: number } | null;
    createdAt: number;
    expiresAt: number;
  }): Promise<number>;
  /** Unless it was used. */
  findInvitation(tokenHash: string): Promise<Invitation | undefined>;
  findInvitationById(id: number): Promise<Invitation | undefined>;
  /** From now on the invitation is used by this token and by no other. */
  setInvitationToken(id: number, tokenHash: string): Promise<void>;
  /** Neither used nor expired, newest first. */
  listInvitations(now: number, limit: number): Promise<Invitation[]>;
  /** False if there is no such unused invitation. */
  removeInvitation(id: number): Promise<boolean>;
  /** Removes all that the member has open. */
  removeInvitationsOf(inviterId: number): Promise<void>;
  /** Takes an unused, unexpired invitation out of use, once: true for exactly one caller. */
  useInvitation(tokenHash: string, at: number): Promise<boolean>;

  /** Forgets those that expired before `forgetBefore`. */
  insertResetLink(link: {
    tokenHash: string;
    memberId: number;
    memberEpoch: number;
    maker: { id: number; epoch: number } | null;
    createdAt: number;
    expiresAt: number;
    forgetBefore?: number;
  }): Promise<void>;
  /** Unless it was used. */
  findResetLink(tokenHash: string): Promise<ResetLink | undefined>;
  /** Takes an unused, unexpired link out of use, once: true for exactly one caller. */
  useResetLink(tokenHash: string, at: number): Promise<boolean>;
  /** False if the member has none that is unused. */
  removeOpenResetLinks(memberId: number): Promise<boolean>;
  /** Members among these who have a link that is neither used nor expired. */
  withOpenResetLinks(memberIds: readonly number[], now: number): Promise<Set<number>>;
  /** Links of the member that were used since then; undefined if none was. */
  findUsedResetLinks(memberId: number, since: number): Promise<{ count: number; lastAt: number } | undefined>;
}

/** Accounts at providers, by which members sign in. */
export interface IdentityStore {
  find(issuer: string, subject: string): Promise<IdentityLink | undefined>;
  /** A member's, in order of linking. */
  listOf(memberId: number): Promise<IdentityLink[]>;
  /** Like `listOf`; in a transaction, and other callers for this member wait until its end. */
  lockOf(memberId: number): Promise<IdentityLink[]>;
  /** Refuses `invalid` if the identity is linked, to whomever. */
  insert(link: IdentityLink): Promise<IdentityLink>;
  /** Also ends the sessions that it opened. */
  remove(issuer: string, subject: string): Promise<void>;
}

export interface SessionStore {
  /** With the member whose it is. */
  find(id: string): Promise<{ session: Session; member: Member } | undefined>;
  /** A member's, the one that was used last first; at most `limit`. */
  listOf(memberId: number, limit: number): Promise<Session[]>;
  insert(session: Omit<Session, 'method' | 'provider'>, by: SignInMethod): Promise<void>;
  noteSeen(id: string, at: number): Promise<void>;
  /** Ends one of this member; false if there is none. */
  end(memberId: number, id: string): Promise<boolean>;
  /** Ends all of this member but one. */
  endOthers(memberId: number, keptId: string): Promise<void>;
  /** Keeps the `kept` of this member and kind that were used last. */
  trim(memberId: number, isBrowser: boolean, kept: number): Promise<void>;
  /** Removes some of this kind that were last used before then, of whomever. */
  sweep(isBrowser: boolean, seenBefore: number): Promise<void>;
}

export interface ApiTokenStore {
  /** With the member whose it is. */
  find(hash: string): Promise<{ token: ApiToken; member: Member } | undefined>;
  /** A member's, newest first; at most `limit`. */
  listOf(memberId: number, limit: number): Promise<ApiToken[]>;
  insert(
    token: Pick<ApiToken, 'memberId' | 'name' | 'scopes' | 'ancestorId' | 'createdAt' | 'expiresAt'> & {
      hash: string;
    },
  ): Promise<ApiToken>;
  noteUsed(id: number, at: number, address: string): Promise<void>;
  /** False if this member has no such token. */
  remove(memberId: number, id: number): Promise<boolean>;
  removeExpired(memberId: number, now: number): Promise<void>;
}
