/**
 * Events: changes of pages in commit order, for programs that follow the wiki. Each is written in the transaction of its
 * change.
 */
import type { MemberName } from './page.ts';

export const eventKinds = [
  'created',
  'edited',
  'moved',
  'permissions',
  'deleted',
  'restored',
  'erased',
  'ordered',
  'commented',
  'proposed',
  'reviewed',
  'merged',
  'due',
] as const;
export type EventKind = (typeof eventKinds)[number];

/** Words of notifications and mail, between the name of the editor and the page. */
export const eventWords: Record<EventKind, string> = {
  created: 'created',
  edited: 'changed',
  moved: 'moved',
  permissions: 'changed who may read',
  deleted: 'deleted',
  restored: 'restored',
  erased: 'erased',
  ordered: 'ordered the pages beneath',
  commented: 'commented on',
  proposed: 'proposed a change of',
  reviewed: 'reviewed a proposal for',
  merged: 'merged a proposal for',
  // The editor of such an event is the responsible member.
  due: 'is to review',
};

/** An event of an existing page, from whose row path, title and readers are taken. */
export interface NewEvent {
  kind: EventKind;
  pageId: number;
  at: number;
  editorId: number;
  msg: string;
  /** The change that the event is about, if it is not the page's latest. */
  changeId?: number;
  /** The comment that the event is about. */
  commentId?: number;
  /** Whether descendants look the same afterwards. */
  keepsFacts?: boolean;
  /** Former path, title and trail (as stored), if they differ. */
  from?: { path?: string; title?: string; trail?: string };
  /** Former audience: its members who are not in the new one learn only that they can no longer see the page. */
  lostBy?: { audience: number; path: string };
}

/** An event as its reader sees it. */
export interface WikiEvent {
  id: number;
  /** Position in the feed; later events have higher ones. */
  position: number;
  kind: EventKind;
  at: number;
  /** Null if the reader learns only that they can no longer read the page. */
  page: { id: number; path: string; title: string | null };
  from: string | null;
  editor: MemberName | null;
  msg: string;
  /** The comment that the event is about; null for other events. */
  commentId: number | null;
  /** For moderators. Also true if no review is needed. */
  isReviewed: boolean;
}

/** ID of the proposal that the event is about, which its message names; null for other events. */
export function proposalIn({ kind, msg }: Pick<WikiEvent, 'kind' | 'msg'>): number | null {
  if (kind !== 'proposed' && kind !== 'reviewed' && kind !== 'merged') return null;
  const id = /^Proposal (\d{1,15})$/.exec(msg)?.[1];
  return id === undefined ? null : Number(id);
}

/** Message of an event about a proposal, from which its ID is read again. */
export function proposalMessage(id: number): string {
  return `Proposal ${id}`;
}
