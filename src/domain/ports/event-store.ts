/** Store port of events, in commit order. */
import type { EventKind, NewEvent, WikiEvent } from '../events/event.ts';
import type { Role } from '../members/member.ts';
import type { Visibility } from '../permission.ts';

export interface EventFilter {
  /** Any of these kinds; undefined for all. */
  kinds?: readonly EventKind[];
  /** Beneath this page, now or at the time of the event, or before it moved. */
  ancestorId?: number;
  /** Current type of the page, as it is shown. */
  type?: string;
  /** A current tag of the page: with that key and value, or, without a key, with that name or value. */
  tag?: { key?: string; value: string };
  editorId?: number;
  /** Current role of the editor. */
  role?: Role;
  /** True: reviewed, or needing no review. False: waiting for review. */
  isReviewed?: boolean;
  /** Only events at these positions. */
  positions?: readonly number[];
  /** Last position to look at, in the direction of the list. */
  until?: number;
}

/** Place of an event. */
export interface EventPlace {
  position: number;
  at: number;
}

export interface EventStore {
  /**
   * Events after this position that the visibility covers, oldest first. Positions are given in the order of commits: an
   * event that appears later has a higher one than all that were ever listed.
   */
  list(
    after: number,
    limit: number,
    visibility: Visibility,
    filter?: EventFilter,
  ): Promise<(WikiEvent & EventDetails)[]>;
  /** Like `list`, from the latest on backwards; before this position if it is given. */
  listBefore(
    before: number | undefined,
    limit: number,
    visibility: Visibility,
    filter?: EventFilter,
  ): Promise<(WikiEvent & EventDetails)[]>;
  /**
   * Place of the event that is the `count`th from this position on, of those that the visibility covers; backwards from the end if there
   * is no position. Undefined if there are fewer.
   */
  placeOf(
    count: number,
    from: { after: number } | { before: number | undefined },
    visibility: Visibility,
  ): Promise<EventPlace | undefined>;
  /** In a transaction: marks those of these events that the visibility covers. How many had another mark. */
  review(ids: readonly number[], isReviewed: boolean, visibility: Visibility): Promise<number>;
  /** Takes some from before this moment for reviewed. How many. */
  forgetReviews(before: number, limit: number): Promise<number>;
  /** When the event at this position happened; undefined if there is none. */
  timeAt(position: number): Promise<number | undefined>;
  /** The last one that the visibility covers. */
  last(visibility: Visibility): Promise<EventPlace | undefined>;
  /**
   * Pages that show something by one of these names, as far as the visibility covers them: at most `limit` for each event, and
   * whether there are more. `oldAddresses` lead to the event's page, if the visibility covers it. A fixed number of statements for each hundred names and level of nested templates.
   */
  affected(
    names: readonly AffectingNames[],
    visibility: Visibility,
    limit: number,
  ): Promise<{ pages: { id: number; path: string }[]; oldAddresses: string[]; more: boolean }[]>;
  /** In a transaction, while the rows of the pages are there: tells what is done to them. */
  record(events: readonly NewEvent[]): Promise<void>;
}

/** By what pages show something of one that an event is about. */
export interface AffectingNames {
  pageId: number;
  /** Titles and paths, now and before. */
  names: readonly string[];
  /** Whether a link to it may look otherwise, or else only its text may. */
  isNamed: boolean;
  /** Whether pages beneath show the page differently: its title, path, place or permissions changed. */
  changesFacts: boolean;
}

/** More of an event, for whoever finds out what it affects. */
export interface EventDetails {
  /** Former audience of a page, for those who can no longer read it; null for every other event. */
  lostAudience: number | null;
  fromTitle: string | null;
  /** Whether pages beneath may show the page differently: its title, path, place or permissions changed. */
  changesFacts: boolean;
  /** Trails of the page after the event and before it, as IDs, root first. */
  trail: number[];
  fromTrail: number[] | null;
}
