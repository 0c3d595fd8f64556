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
  /** It alters nothing that pages beneath show of the page. */
  keepsFacts?: boolean;
  /** Its former path, title and trail (as stored), where they differ. */
  from?: { path?: string; title?: string; trail?: string };
  /** Tells those whom this audience included, and the page's no longer does, that they have lost it; nothing else of it. */
  lostBy?: { audience: number; path: string };
}

/** An event as its reader is told of it. */
export interface WikiEvent {
  id: number;
  /** Place in the feed; a higher one is later. */
  position: number;
  kind: EventKind;
  at: number;
  /** Title: null where all that the reader is told is that the page is not theirs to read any more. */
  page: { id: number; path: string; title: string | null };
  from: string | null;
  editor: MemberName | null;
  msg: string;
}
