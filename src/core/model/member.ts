/** Members: people with an account. E-mail addresses are used only by the member operations. */
import type { Actor } from './permission.ts';

export const roles = ['guest', 'reader', 'writer', 'moderator', 'administrator'] as const;
/**
 * Guests see what strangers see, and pages that name them or one of their groups. Readers can only change their own account;
 * moderators can undo what others wrote; administrators may do everything.
 */
export type Role = (typeof roles)[number];

/** A block, which keeps a member from writing. */
export interface Block {
  at: number;
  /** Time at which it ends; null for a permanent block. */
  until: number | null;
  /** ID of the member who set the block; null for the command line. */
  by: number | null;
  /** Shown to the member. */
  reason: string;
}

export interface Member {
  id: number;
  /** E-mail address as entered; compared ignoring case. */
  email: string;
  name: string;
  role: Role;
  /** Whether the role is `administrator`. */
  isAdmin: boolean;
  isActive: boolean;
  /** A program that acts only by API tokens; nobody can sign in as it. */
  isBot: boolean;
  /** Incremented by a new passphrase, deactivation and "sign out everywhere": tokens of an older epoch are invalid. */
  epoch: number;
  /** Argon2id in PHC form; null for members who only sign in by a provider. */
  passphraseHash: string | null;
  createdAt: number;
  /** Language of the site and of mail for the member, BCP 47; null if the browser and the wiki decide. */
  language: string | null;
  /** Groups that the member is in. */
  groupIds: readonly number[];
  /** The latest block, which may have ended. */
  block: Block | null;
}

/** The member as an actor without further limits. `now` may be omitted for reading, because blocks only prevent writing. */
export function actorOf(member: Member, now = Number.POSITIVE_INFINITY): NonNullable<Actor> {
  const { id, name, role, isAdmin, groupIds } = member;
  const block = blockAt(member, now);
  return {
    memberId: id,
    name,
    isAdmin,
    ...(role === 'writer' || role === 'administrator' ? {} : { role }),
    ...(block ? { block: { reason: block.reason, until: block.until } } : {}),
    ...(groupIds.length > 0 ? { groupIds } : {}),
  };
}

/** A member who is not signed in, and whether they have a second factor or a passkey. */
export interface AbsentMember {
  member: Member;
  hasSecondFactor: boolean;
}

/** The block in force at that time. */
export function blockAt({ block }: Pick<Member, 'block'>, now: number): Block | null {
  return block && (block.until === null || block.until > now) ? block : null;
}

/** The role in the form for creating a member. */
export function newRole(role: Role): Pick<NewMember, 'isAdmin' | 'role'> {
  return role === 'administrator' ? { isAdmin: true } : { isAdmin: false, role };
}

export interface NewMember {
  /** An unused ID, reserved before (`PageWrites.skipIds`). Defaults to the next ID. */
  id?: number;
  email: string;
  name: string;
  isAdmin: boolean;
  /** Role of a member who is no administrator; defaults to `writer`. */
  role?: Exclude<Role, 'administrator'> | undefined;
  isBot?: boolean;
  passphraseHash: string | null;
  createdAt: number;
}

/** A provider's account that signs a member in. Each pair of issuer and subject belongs to one member. */
export interface IdentityLink {
  issuer: string;
  subject: string;
  memberId: number;
  /** Name of the provider in the settings at the time of linking; for display only. */
  provider: string;
  /** E-mail address or user name at the provider, shown to the member only. */
  account: string | null;
  linkedAt: number;
}

/** The handle of a stored OAuth 2.0 token, as the interface calls it; only its hash is stored. */
export interface OAuthHandle {
  memberId: number;
  provider: string;
  createdAt: number;
}

export const secondFactorRules = ['none', 'administrators'] as const;

/** Members who are required to have one. */
export type SecondFactorRule = (typeof secondFactorRules)[number];
