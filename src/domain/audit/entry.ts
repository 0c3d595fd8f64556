/** An entry of the audit log: who did what to whom or what, when and from where. */
import type { AuditKind } from './kinds.ts';

export interface Origin {
  /** `wiki`: what it does by itself, such as emptying the trash. */
  via: 'site' | 'api' | 'command line' | 'wiki';
  /** Address of the client. */
  from: string | null;
  actorId: number | null;
  tokenId: number | null;
}

/** Facts that the log takes from outside of the operation that it tells of. */
export interface AuditContext {
  /** Whose request is being carried out. */
  origin(): Origin;
  clock(): number;
}

export type SubjectKind = 'member' | 'page' | 'invitation' | 'mail' | 'group' | 'webhook';

export interface NewAuditEntry {
  kind: AuditKind;
  /** Without a name for a member: theirs is looked up when the log is read, so that it can change or go. */
  subject?: { kind: SubjectKind; id?: number; name?: string };
  /** A few words more, such as the new role. No secrets, no e-mail addresses. */
  note?: string;
  /** Who did it, where the request does not tell: whoever signs in is known only then. */
  actorId?: number | null;
}

export interface AuditEntry extends Omit<Origin, 'actorId'> {
  id: number;
  /** Place in the order of commits. */
  position: number;
  at: number;
  kind: AuditKind;
  actor: { id: number; name: string } | null;
  subject: { kind: string; id: number | null; name: string } | null;
  note: string;
  /** For how many times it stands, and the last of them. */
  times: number;
  lastAt: number;
}

export const commandLine: Origin = { via: 'command line', from: null, actorId: null, tokenId: null };
