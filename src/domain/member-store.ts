/** The part of the port to the database that keeps members, and what they sign in by. The rules on top of `store.ts` hold. */
import type { Invitation } from './invite-member.ts';
import type { Range } from './list-store.ts';
import type { IdentityLink, Member, NewMember, OAuthHandle } from './member.ts';

export interface MemberStore {
  findById(id: number): Promise<Member | undefined>;
  /** E-mail addresses compare without regard to case. */
  findByEmail(email: string): Promise<Member | undefined>;
  list(range: Range): Promise<{ members: Member[]; total: number }>;
  /** Refuses `invalid` at `/email` if the address is taken. */
  insert(member: NewMember): Promise<Member>;
  /** Writes the given fields; a change of `passphraseHash` or `isActive` also raises the epoch. */
  update(
    id: number,
    fields: { name?: string; isAdmin?: boolean; isActive?: boolean; passphraseHash?: string | null },
  ): Promise<Member>;
  /** Ends every session: raises the epoch alone. */
  raiseEpoch(id: number): Promise<void>;
  countActiveAdmins(): Promise<number>;

  /** Removes those that have expired, and those of an older epoch of their inviter, which none can be valid again. */
  purgeInvitations(now: number): Promise<void>;
  /** Returns its ID. */
  insertInvitation(invitation: {
    tokenHash: string;
    isAdmin: boolean;
    byCommandLine: boolean;
    inviter: { id: number; epoch: number } | null;
    createdAt: number;
    expiresAt: number;
  }): Promise<number>;
  /** Unless it was used. */
  findInvitation(tokenHash: string): Promise<Invitation | undefined>;
  /** Neither used nor expired, newest first. */
  listInvitations(now: number, limit: number): Promise<Invitation[]>;
  /** False if there is no such unused invitation. */
  removeInvitation(id: number): Promise<boolean>;
  /** Removes all that the member has open. */
  removeInvitationsOf(inviterId: number): Promise<void>;
  /** Takes an unused, unexpired invitation out of use, once: true for exactly one caller. */
  useInvitation(tokenHash: string, at: number): Promise<boolean>;

  insertHandle(handle: {
    handleHash: string;
    memberId: number;
    provider: string;
    createdAt: number;
  }): Promise<void>;
  findHandle(provider: string, handleHash: string): Promise<OAuthHandle | undefined>;
  /** Removes a member's handles for a provider; returns how many. */
  removeHandles(memberId: number, provider: string): Promise<number>;
}

/** Accounts at providers, by which members sign in. */
export interface IdentityStore {
  find(issuer: string, subject: string): Promise<IdentityLink | undefined>;
  /** A member's, in order of linking. */
  listOf(memberId: number): Promise<IdentityLink[]>;
  /** As `listOf`; in a transaction, and nobody else who calls it for this member goes on until its end. */
  lockOf(memberId: number): Promise<IdentityLink[]>;
  /** Refuses `invalid` if the identity is linked, to whomever. */
  insert(link: IdentityLink): Promise<IdentityLink>;
  remove(issuer: string, subject: string): Promise<void>;
}
