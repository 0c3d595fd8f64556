/** People with an account. Their e-mail addresses never leave the members' own operations. */
import type { Actor } from '../permission.ts';

export interface Member {
  id: number;
  /** E-mail address as written; compared without regard to case. */
  email: string;
  name: string;
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
}

/** The member as an actor whom nothing limits further. */
export function actorOf({ id, name, isAdmin, groupIds }: Member): NonNullable<Actor> {
  return { memberId: id, name, isAdmin, ...(groupIds.length > 0 ? { groupIds } : {}) };
}

export interface NewMember {
  /** One that nobody has, skipped before (`PageWrites.skipIds`). Otherwise the next. */
  id?: number;
  email: string;
  name: string;
  isAdmin: boolean;
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
