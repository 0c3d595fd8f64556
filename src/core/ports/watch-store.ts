/** Store port of watches and their notifications. */

import type { Criteria } from '../model/criteria.ts';
import type { EventKind, WikiEvent } from '../model/event.ts';
import type { Granted } from '../model/grant.ts';
import type { Member } from '../model/member.ts';
import type { Audience, Visibility } from '../model/permission.ts';
import type { EventDetails } from './event-store.ts';
import type { Range } from './list-reads.ts';

export const mailFrequencies = ['off', 'now', 'daily', 'weekly'] as const;
export type MailFrequency = (typeof mailFrequencies)[number];

/** Unread notifications are counted up to this number. */
export const maxUnread = 100;

/** A page; a subtree (`pageId` 0: the whole wiki); pages with a tag; pages that a search finds; comments. */
export type WatchTarget =
  | { kind: 'page' | 'subtree'; pageId: number }
  /** Key in lower case; without a key any tag with that value or name. */
  | { kind: 'tag'; key?: string; value: string }
  /** The query in normalised form, and its criteria. */
  | { kind: 'search'; query: string; criteria: Criteria }
  /** Comments that mention the member, and answers in threads in which the member wrote. */
  | { kind: 'mentions' | 'threads' }
  /** Reviews and merges of proposals that the member made or reviewed. */
  | { kind: 'proposals' }
  /** Reviews that are due of pages for which the member is responsible. */
  | { kind: 'reviews' };

export interface Watch {
  id: number;
  memberId: number;
  kind: WatchTarget['kind'];
  /** ID of the page, the tag, or the query; empty for comments. */
  target: string;
  mail: MailFrequency;
  createdAt: number;
}

/** An event that a member is notified of. */
export interface Notification {
  id: number;
  watchId: number;
  readAt: number | null;
  event: WikiEvent & EventDetails & { changeId: number };
}

/** A watch that matches an event, with its member and the readers of the page now, or before it was deleted. */
export interface Match {
  eventId: number;
  kind: EventKind;
  editorId: number;
  watchId: number;
  mail: MailFrequency;
  member: Member;
  page: { audience: Audience; ownerId: number; granted?: Granted };
}

export interface WatchStore {
  /**
   * Creates a watch, or changes the mail of the watch with the same target. `unsubscribeKey`: used if it is the member's first
   * watch.
   */
  save(
    memberId: number,
    target: WatchTarget,
    mail: MailFrequency,
    first: { at: number; unsubscribeKey: string },
  ): Promise<Watch>;
  /**
   * Within a transaction: lets these members watch mentions, threads, proposals or reviews, with mail at once, unless they do already. `makeKey`: makes the
   * unsubscribe key of a member who never watched anything.
   */
  join(
    memberIds: readonly number[],
    kind: 'mentions' | 'threads' | 'proposals' | 'reviews',
    at: number,
    makeKey: () => string,
  ): Promise<void>;
  find(memberId: number, kind: Watch['kind'], target: string): Promise<Watch | undefined>;
  /** Whether the member watches the page itself or its subtree. */
  isWatching(memberId: number, pageId: number): Promise<boolean>;
  /** Newest first. */
  listOf(memberId: number, range: Range): Promise<{ watches: Watch[]; total: number }>;
  /** Number of the member's watches, and how many of them are searches. */
  countOf(memberId: number): Promise<{ all: number; searches: number }>;
  /** Returns false if this member has no such watch. Watches of mentions, threads, proposals and reviews stay, without mail. */
  remove(memberId: number, id: number): Promise<boolean>;
  /** Ends the mail of one watch, or of all watches with this frequency. */
  stopMail(memberId: number, of: number | MailFrequency): Promise<void>;
  findByUnsubscribeKey(key: string): Promise<Member | undefined>;
  unsubscribeKeyOf(memberId: number): Promise<string | undefined>;
  /** `hash`: null ends the feed. */
  setFeed(memberId: number, hash: string | null, unsubscribeKey: string): Promise<void>;
  findByFeed(hash: string): Promise<Member | undefined>;
  hasFeed(memberId: number): Promise<boolean>;

  /** Notifications of events that are visible now, newest first, and their number, read or not. */
  notifications(
    memberId: number,
    visibility: Visibility,
    range: Range,
    onlyUnread: boolean,
  ): Promise<{ notifications: Notification[]; total: number }>;
  /** Number of visible unread notifications; counting stops at `limit`. */
  countUnread(memberId: number, visibility: Visibility, limit: number): Promise<number>;
  /** Marks these notifications, or all up to an ID, as read; other members' notifications are ignored. */
  markRead(memberId: number, which: readonly number[] | { upTo: number }, at: number): Promise<void>;
  /** Assigns all notifications that wait for mail of this frequency to this mail. */
  takeForMail(memberId: number, frequency: MailFrequency, mailId: number): Promise<void>;
  /** Visible unread notifications of the mail, oldest first, at most `limit`. */
  ofMail(memberId: number, mailId: number, visibility: Visibility, limit: number): Promise<Notification[]>;

  /** Position of the last event that was matched with the watches; undefined before the first. */
  position(): Promise<number | undefined>;
  /** Takes the lease until `until`. Returns whether this process has it; only one process has it at a time. */
  lease(now: number, until: number): Promise<boolean>;
  /** Stores the position to continue from, and releases the lease. */
  moveTo(position: number): Promise<void>;
  /** Whether there are any watches. */
  isUsed(): Promise<boolean>;
  /** Watches of active members that match these events. Runs a fixed number of statements for each 50 different searches. */
  match(events: readonly (WikiEvent & EventDetails)[]): Promise<Match[]>;
  /**
   * Creates notifications of events, once each even if called again, and deletes old ones. Mail with a frequency other than
   * `off` is queued, due at that time, unless one to the same member is waiting already.
   */
  deliver(
    matches: readonly Match[],
    now: number,
    dueAt: Record<Exclude<MailFrequency, 'off'>, number>,
  ): Promise<void>;
}
