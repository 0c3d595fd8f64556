/**
 * Stored invitations and reset links, and the administrator who made them. A grant is valid only while its maker could make it
 * again: it ends with their role, their account and their epoch, so that nobody regains access through a link that they made
 * themselves.
 */
import { clockToleranceMs } from './iso-time.ts';
import type { Role } from './member.ts';

export interface Grantor {
  id: number;
  name: string;
  isAdmin: boolean;
  isActive: boolean;
  epoch: number;
  /** The maker's epoch when it was granted. */
  grantedAtEpoch: number | null;
}

/** Whether links that this administrator made still hold: they are one, and no session of theirs was revoked since. */
export function isStanding({ isAdmin, isActive, epoch, grantedAtEpoch }: Grantor): boolean {
  return isAdmin && isActive && epoch === grantedAtEpoch;
}

/** A link dated in the future, as after a wrong clock was corrected, is invalid, because it would live too long. */
export function isInTime(
  { createdAt, expiresAt }: { createdAt: number; expiresAt: number },
  now: number,
): boolean {
  return createdAt <= now + clockToleranceMs && now < expiresAt;
}

export interface Invitation {
  id: number;
  /** Role of the new member. */
  role: Role;
  byCommandLine: boolean;
  /** Null if made by the command line, or by the wiki for its first administrator. */
  inviter: Grantor | null;
  createdAt: number;
  expiresAt: number;
}

export interface ResetLink {
  memberId: number;
  memberEpoch: number;
  /** Null if made by the command line, or mailed to the member. */
  maker: Grantor | null;
  createdAt: number;
  expiresAt: number;
}
