/** An entry of the audit log: who did what to whom or what, when and from where. */
import type { AuditKind } from './kinds.ts';

export interface Origin {
  /** `wiki`: done by the wiki itself, such as emptying the trash. */
  via: 'site' | 'api' | 'command line' | 'wiki';
  /** Address of the client. */
  from: string | null;
  actorId: number | null;
  tokenId: number | null;
}

/** Facts about the request, which the operation itself does not know. */
export interface AuditContext {
  /** The member whose request is being carried out. */
  origin(): Origin;
  clock(): number;
}

export type SubjectKind = 'member' | 'page' | 'invitation' | 'sign-up' | 'mail' | 'group' | 'webhook';

export interface NewAuditEntry {
  kind: AuditKind;
  /** Without a name for a member: theirs is looked up when the log is read, so that it can change or go. */
  subject?: { kind: SubjectKind; id?: number; name?: string };
  /** Details in a few words, such as the new role. No secrets, no e-mail addresses. */
  note?: string;
  /** Author of the action, if the request does not say: at a sign-in the member is known only afterwards. */
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
  /** How many failed sign-ins the entry counts, and the time of the last one. */
  times: number;
  lastAt: number;
}

export const commandLine: Origin = { via: 'command line', from: null, actorId: null, tokenId: null };
