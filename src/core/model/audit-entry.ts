/** An entry of the audit log: who did what to what, when and from where. */
import type { AuditKind } from './audit-kinds.ts';

export interface Origin {
  /** `wiki` means an automatic action, such as emptying the trash. */
  via: 'site' | 'api' | 'command line' | 'wiki';
  /** IP address of the client. */
  from: string | null;
  actorId: number | null;
  tokenId: number | null;
}

/** Facts about the request that the operation itself does not know. */
export interface AuditContext {
  /** The member whose request is being carried out. */
  origin(): Origin;
  clock(): number;
}

type SubjectKind =
  | 'member'
  | 'page'
  | 'invitation'
  | 'sign-up'
  | 'mail'
  | 'group'
  | 'webhook'
  | 'proposal'
  | 'submission'
  | 'setting';

export interface NewAuditEntry {
  kind: AuditKind;
  /** For members the name is omitted and looked up when the log is read, so that it can change or be erased. */
  subject?: { kind: SubjectKind; id?: number; name?: string };
  /** Details in a few words, such as the new role. No secrets, no e-mail addresses. */
  note?: string;
  /** Author of the action if the request has none yet: at sign-in the member is known only afterwards. */
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
  /** Number of failed sign-ins that the entry counts, and the time of the last one. */
  times: number;
  lastAt: number;
}

export const commandLine: Origin = { via: 'command line', from: null, actorId: null, tokenId: null };
