/** Store port of members and their credentials. The rules in `store.ts` apply. */
import type { Block, IdentityLink, Member, NewMember, OAuthHandle, Role } from '../model/member.ts';
import type { Grantor, Invitation, ResetLink } from '../model/one-time-links.ts';
import type { ApiToken, Session, SignInMethod } from './credentials.ts';
import type { Range } from './list-reads.ts';

export interface MemberStore extends OneTimeLinkStore {
  findById(id: number): Promise<Member | undefined>;
  /** E-mail addresses are compared ignoring case. */
  findByEmail(email: string): Promise<Member | undefined>;
  list(range: Range): Promise<{ members: Member[]; total: number }>;
  /** Currently blocked members, latest block first. */
  listBlocked(range: Range, now: number): Promise<{ members: Member[]; total: number }>;
  /** Refuses `invalid` at `/email` if the address is taken. */
  insert(member: NewMember): Promise<Member>;
  /** Like `findById`, within a transaction: until its end nobody else changes this member or starts a session of theirs. */
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
      /** Null removes the block. */
      block?: Block | null;
      isActive?: boolean;
      language?: string | null;
      passphraseHash?: string | null;
    },
  ): Promise<Member>;
  /** Ends every session and increments the epoch. */
  raiseEpoch(id: number): Promise<void>;
  /** Without bots, in order of joining. */
  activeAdministrators(limit: number): Promise<Member[]>;
  /** Administrators and moderators. */
  activeModerators(limit: number): Promise<Member[]>;
  /** Permanently blocked members are not counted. Within a transaction: other callers wait until its end. */
  countActiveAdmins(exceptId?: number): Promise<number>;
  /**
   * Within a transaction: whether a member other than `exceptId` has a name or address with the same skeleton. Other callers
   * wait until its end.
   */
  lockLookalikes(
    given: { name: string; email?: string },
    exceptId: number,
  ): Promise<{ name: boolean; email: boolean }>;

  /** Does the same work whether or not a member has this address. */
  countFailedSignIn(email: string, at: number): Promise<void>;
  /** Returns undefined if there are none. */
  findFailedSignIns(id: number): Promise<{ count: number; since: number } | undefined>;
  clearFailedSignIns(id: number): Promise<void>;

  insertHandle(handle: OAuthHandle & { handleHash: string }): Promise<void>;
  findHandle(provider: string, handleHash: string): Promise<OAuthHandle | undefined>;
  /** Revokes a member's handles for a provider and ends the sessions that they opened. Returns the number of handles. */
  removeHandles(memberId: number, provider: string): Promise<number>;
}

/** The administrator who makes a link, with their epoch at that time. */
type MadeBy = Pick<Grantor, 'id' | 'epoch'>;

/** Store port of invitations, and of links for choosing a new passphrase. */
export interface OneTimeLinkStore {
  /** Removes expired invitations, and those of an older epoch of their inviter, which cannot become valid again. */
  purgeInvitations(now: number): Promise<void>;
  /** Returns the new invitation's ID. */
  insertInvitation(
    invitation: Omit<Invitation, 'id' | 'inviter'> & { tokenHash: string; inviter: MadeBy | null },
  ): Promise<number>;
  /** Returns undefined if it was used. */
  findInvitation(tokenHash: string): Promise<Invitation | undefined>;
  findInvitationById(id: number): Promise<Invitation | undefined>;
  /** Replaces the token of the invitation. */
  setInvitationToken(id: number, tokenHash: string): Promise<void>;
  /** Unused and unexpired invitations, newest first. */
  listInvitations(now: number, limit: number): Promise<Invitation[]>;
  /** Returns false if there is no such unused invitation. */
  removeInvitation(id: number): Promise<boolean>;
  /** Removes all open invitations of the member. */
  removeInvitationsOf(inviterId: number): Promise<void>;
  /** Marks an unused, unexpired invitation as used: returns true for exactly one caller. */
  useInvitation(tokenHash: string, at: number): Promise<boolean>;

  /** Also deletes links that expired before `forgetBefore`. Inserts nothing, by the same statements, if there is no such member. */
  insertResetLink(
    link: Omit<ResetLink, 'maker'> & { tokenHash: string; maker: MadeBy | null; forgetBefore?: number },
  ): Promise<void>;
  /** Returns undefined if it was used. */
  findResetLink(tokenHash: string): Promise<ResetLink | undefined>;
  /** Marks an unused, unexpired link as used: returns true for exactly one caller. */
  useResetLink(tokenHash: string, at: number): Promise<boolean>;
  /** Returns false if the member has no unused link. */
  removeOpenResetLinks(memberId: number): Promise<boolean>;
  /** Members among these who have an unused, unexpired link. */
  withOpenResetLinks(memberIds: readonly number[], now: number): Promise<Set<number>>;
  /** Links of the member that were used since then; undefined if there are none. */
  findUsedResetLinks(memberId: number, since: number): Promise<{ count: number; lastAt: number } | undefined>;
}

/** Store port of accounts at providers, by which members sign in. */
export interface IdentityStore {
  find(issuer: string, subject: string): Promise<IdentityLink | undefined>;
  /** Accounts of a member, in order of linking. */
  listOf(memberId: number): Promise<IdentityLink[]>;
  /** Like `listOf`, within a transaction: other callers for this member wait until its end. */
  lockOf(memberId: number): Promise<IdentityLink[]>;
  /** Refuses `invalid` if the identity is linked to any member. */
  insert(link: IdentityLink): Promise<IdentityLink>;
  /** Also ends the sessions that it opened. */
  remove(issuer: string, subject: string): Promise<void>;
}

export interface SessionStore {
  /** Returns it together with its member. */
  find(id: string): Promise<{ session: Session; member: Member } | undefined>;
  /** Sessions of a member, most recently used first, at most `limit`. */
  listOf(memberId: number, limit: number): Promise<Session[]>;
  insert(session: Omit<Session, 'method' | 'provider'>, by: SignInMethod): Promise<void>;
  noteSeen(id: string, at: number): Promise<void>;
  /** Ends a session of this member; returns false if there is none. */
  end(memberId: number, id: string): Promise<boolean>;
  /** Ends all sessions of this member except one. */
  endOthers(memberId: number, keptId: string): Promise<void>;
  /** Keeps the `kept` most recently used sessions of this member and kind. */
  trim(memberId: number, isBrowser: boolean, kept: number): Promise<void>;
  /** Removes some sessions of this kind, of any member, that were last used before then. */
  sweep(isBrowser: boolean, seenBefore: number): Promise<void>;
}

export interface ApiTokenStore {
  /** Returns it together with its member. */
  find(hash: string): Promise<{ token: ApiToken; member: Member } | undefined>;
  /** Tokens of a member, newest first, at most `limit`. */
  listOf(memberId: number, limit: number): Promise<ApiToken[]>;
  insert(
    token: Pick<ApiToken, 'memberId' | 'name' | 'scopes' | 'ancestorId' | 'createdAt' | 'expiresAt'> & {
      hash: string;
    },
  ): Promise<ApiToken>;
  noteUsed(id: number, at: number, address: string): Promise<void>;
  /** Returns false if this member has no such token. */
  remove(memberId: number, id: number): Promise<boolean>;
  removeExpired(memberId: number, now: number): Promise<void>;
}
