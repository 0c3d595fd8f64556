/**
 * Events: what happened to pages, in the order of commits, for programs that follow the wiki. Each is written in the
 * transaction of the change that it tells.
 */
import type { MemberName } from '../pages/page.ts';

export const eventKinds = [
  'created',
  'edited',
  'moved',
  'permissions',
  'deleted',
  'restored',
  'erased',
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
};

/** An event of a page whose row is there; path, title and who may read it are taken from the row. */
export interface NewEvent {
  kind: EventKind;
  pageId: number;
  at: number;
  editorId: number;
  msg: string;
  /** The change that it is about, if not the page's latest. */
  changeId?: number;
  /** Whether pages beneath look the same afterwards. */
  keepsFacts?: boolean;
  /** Its former path, title and trail (as stored), where they differ. */
  from?: { path?: string; title?: string; trail?: string };
  /** Former audience: readers in it who are not in the new one learn that they have lost the page, and nothing more. */
  lostBy?: { audience: number; path: string };
}

/** An event as its reader sees it. */
export interface WikiEvent {
  id: number;
  /** Place in the feed; a higher one is later. */
  position: number;
  kind: EventKind;
  at: number;
  /** Null if the reader learns only that they may no longer read the page. */
  page: { id: number; path: string; title: string | null };
  from: string | null;
  editor: MemberName | null;
  msg: string;
  /** For moderators. Also true where no review is needed. */
  isReviewed: boolean;
}
