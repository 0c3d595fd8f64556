/** People with an account. Their e-mail addresses never leave the members' own operations. */
import type { Actor } from '../permission.ts';

export const roles = ['reader', 'writer', 'moderator', 'administrator'] as const;
/** Readers write nothing but what is their own; moderators look after what others wrote; administrators may do everything. */
export type Role = (typeof roles)[number];

/** Keeps a member from writing. */
export interface Block {
  at: number;
  /** When it ends by itself; null: it does not. */
  until: number | null;
  /** ID of the member who blocked them; null: the command line. */
  by: number | null;
  /** Shown to the member. */
  reason: string;
}

export interface Member {
  id: number;
  /** E-mail address as written; compared without regard to case. */
  email: string;
  name: string;
  role: Role;
  /** The role is `administrator`. */
  isAdmin: boolean;
  isActive: boolean;
  /** A program: it acts by API tokens alone, and nobody can sign in as it. */
  isBot: boolean;
  /** Raised by a new passphrase, deactivation and "sign out everywhere": tokens of an older epoch are dead. */
  epoch: number;
  /** Argon2id in PHC form; null for those who sign in by a provider alone. */
  passphraseHash: string | null;
  createdAt: number;
  /** Groups that the member is in. */
  groupIds: readonly number[];
  /** The last one; it may be over. */
  block: Block | null;
}

/** The member as an actor whom nothing limits further. `now` may be left out where the actor only reads: blocks keep from writing. */
export function actorOf(member: Member, now = Number.POSITIVE_INFINITY): NonNullable<Actor> {
  const { id, name, role, isAdmin, groupIds } = member;
  const block = blockAt(member, now);
  return {
    memberId: id,
    name,
    isAdmin,
    ...(role === 'reader' || role === 'moderator' ? { role } : {}),
    ...(block ? { block: { reason: block.reason, until: block.until } } : {}),
    ...(groupIds.length > 0 ? { groupIds } : {}),
  };
}

/** The block that is in force. */
export function blockAt({ block }: Pick<Member, 'block'>, now: number): Block | null {
  return block && (block.until === null || block.until > now) ? block : null;
}

/** The role as a new member is given it. */
export function newRole(role: Role): Pick<NewMember, 'isAdmin' | 'role'> {
  return role === 'administrator' ? { isAdmin: true } : { isAdmin: false, role };
}

export interface NewMember {
  /** One that nobody has, skipped before (`PageWrites.skipIds`). Otherwise the next. */
  id?: number;
  email: string;
  name: string;
  isAdmin: boolean;
  /** Role of one who is no administrator; `writer` by default. */
  role?: Exclude<Role, 'administrator'> | undefined;
  isBot?: boolean;
  passphraseHash: string | null;
  createdAt: number;
}

/** An account at a provider that signs a member in. Issuer and subject are one member's only. */
export interface IdentityLink {
  issuer: string;
  subject: string;
  memberId: number;
  /** Name of the provider in the settings when it was linked: for show alone. */
  provider: string;
  /** E-mail address or user name there, for the member's own eyes alone. */
  account: string | null;
  linkedAt: number;
}

/** A stored OAuth 2.0 token's handle, as the interface calls it; only its hash is kept. */
export interface OAuthHandle {
  memberId: number;
  provider: string;
  createdAt: number;
}
