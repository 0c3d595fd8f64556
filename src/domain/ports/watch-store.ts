/** The part of the port to the database that keeps watches and their notifications. */
import type { EventKind, WikiEvent } from '../events/event.ts';
import type { Member } from '../members/member.ts';
import type { Audience, Visibility } from '../permission.ts';
import type { Criteria } from '../search/criteria.ts';
import type { EventDetails } from './event-store.ts';
import type { Range } from './list-reads.ts';

export const mailFrequencies = ['off', 'now', 'daily', 'weekly'] as const;
export type MailFrequency = (typeof mailFrequencies)[number];

/** A page; a page with all beneath it (`pageId` 0: the whole wiki); pages with a tag; pages that a search finds. */
export type WatchTarget =
  | { kind: 'page' | 'subtree'; pageId: number }
  /** Key lower case; without it any tag of that value, or of that name. */
  | { kind: 'tag'; key?: string; value: string }
  /** The query in one spelling, and what it asks for. */
  | { kind: 'search'; query: string; criteria: Criteria };

export interface Watch {
  id: number;
  memberId: number;
  kind: WatchTarget['kind'];
  /** ID of the page, the tag, or the query. */
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

/** A watch that an event meets, with whom it is for and who may read the page now, or could before it went. */
export interface Match {
  eventId: number;
  kind: EventKind;
  editorId: number;
  watchId: number;
  mail: MailFrequency;
  member: Member;
  page: { audience: Audience; ownerId: number };
}

export interface WatchStore {
  /** Watches, or changes the mail of the watch of the same target. `unsubscribeKey`: for one who watches for the first time. */
  save(
    memberId: number,
    target: WatchTarget,
    mail: MailFrequency,
    at: number,
    unsubscribeKey: string,
  ): Promise<Watch>;
  find(memberId: number, kind: Watch['kind'], target: string): Promise<Watch | undefined>;
  /** Newest first. */
  listOf(memberId: number, range: Range): Promise<{ watches: Watch[]; total: number }>;
  /** How many there are of this member, and how many of them are searches. */
  countOf(memberId: number): Promise<{ all: number; searches: number }>;
  /** False if this member has no such watch. */
  remove(memberId: number, id: number): Promise<boolean>;
  /** Ends the mail of one watch, or of all of this frequency. */
  stopMail(memberId: number, of: number | MailFrequency): Promise<void>;
  findByUnsubscribeKey(key: string): Promise<Member | undefined>;
  unsubscribeKeyOf(memberId: number): Promise<string | undefined>;
  /** `hash`: null ends the feed. */
  setFeed(memberId: number, hash: string | null, unsubscribeKey: string): Promise<void>;
  findByFeed(hash: string): Promise<Member | undefined>;
  hasFeed(memberId: number): Promise<boolean>;

  /** Newest first, of events that the visibility covers now, and how many there are, read or not. */
  notifications(
    memberId: number,
    visibility: Visibility,
    range: Range,
    onlyUnread: boolean,
  ): Promise<{ notifications: Notification[]; total: number }>;
  /** Unread ones that the visibility covers; at most `limit` are counted. */
  countUnread(memberId: number, visibility: Visibility, limit: number): Promise<number>;
  /** Marks these, or all up to an ID; others' are left alone. */
  markRead(memberId: number, which: readonly number[] | { upTo: number }, at: number): Promise<void>;
  /** From now on this mail tells of all notifications that waited for mail of this frequency. */
  takeForMail(memberId: number, frequency: MailFrequency, mailId: number): Promise<void>;
  /** Notifications of the mail that the visibility covers and the member has not read, oldest first; at most `limit`. */
  ofMail(memberId: number, mailId: number, visibility: Visibility, limit: number): Promise<Notification[]>;

  /** Position of the last event that was matched with the watches; undefined: none was. */
  position(): Promise<number | undefined>;
  /** Whether this process has the lease, which only one of several has at a time, until `until`. */
  lease(now: number, until: number): Promise<boolean>;
  /** Goes on from this position, and ends the lease. */
  moveTo(position: number): Promise<void>;
  /** Whether anybody watches anything. */
  isUsed(): Promise<boolean>;
  /** Watches of active members that these events meet. A fixed number of statements for each 50 different searches. */
  match(events: readonly (WikiEvent & EventDetails)[]): Promise<Match[]>;
  /**
   * Tells members of events, once each however often it is called, and forgets old notifications. Mail of a frequency other than `off` is
   * queued, due at that time, unless one to the same member waits already.
   */
  deliver(
    matches: readonly Match[],
    now: number,
    dueAt: Record<Exclude<MailFrequency, 'off'>, number>,
  ): Promise<void>;
}
