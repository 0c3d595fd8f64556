/**
 * Invitations and reset links as they are stored, and the administrator behind one. What an administrator granted is good only
 * while they could grant it again: it ends with their role, their account and their epoch, so that nobody returns through a
 * link of their own making.
 */
import { clockToleranceMs } from '../ports/credentials.ts';
import type { Role } from './member.ts';

export interface Grantor {
  id: number;
  name: string;
  isAdmin: boolean;
  isActive: boolean;
  epoch: number;
  /** The epoch at the time of granting. */
  grantedAtEpoch: number | null;
}

export function isStanding({ isAdmin, isActive, epoch, grantedAtEpoch }: Grantor): boolean {
  return isAdmin && isActive && epoch === grantedAtEpoch;
}

/** Not so one of the future, as after a clock that ran ahead was set back: it would be good for longer than it says. */
export function isInTime(
  { createdAt, expiresAt }: { createdAt: number; expiresAt: number },
  now: number,
): boolean {
  return createdAt <= now + clockToleranceMs && now < expiresAt;
}

export interface Invitation {
  id: number;
  /** Role of the member that it makes. */
  role: Role;
  byCommandLine: boolean;
  /** Null: made by the command line, or by the wiki for its first administrator. */
  inviter: Grantor | null;
  createdAt: number;
  expiresAt: number;
}

export interface ResetLink {
  memberId: number;
  memberEpoch: number;
  /** Null: made by the command line, or mailed to the member. */
  maker: Grantor | null;
  createdAt: number;
  expiresAt: number;
}
