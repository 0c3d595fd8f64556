/** Store port of events, in commit order. */
import type { EventKind, NewEvent, WikiEvent } from '../model/event.ts';
import type { Role } from '../model/member.ts';
import type { Visibility } from '../model/permission.ts';

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

/** Position of an event in the feed. */
export interface EventPlace {
  position: number;
  at: number;
}

export interface EventStore {
  /**
   * Visible events after this position, oldest first. Positions follow the order of commits: an event that appears later has a
   * higher position than all events listed before.
   */
  list(
    after: number,
    limit: number,
    visibility: Visibility,
    filter?: EventFilter,
  ): Promise<(WikiEvent & EventDetails)[]>;
  /** Like `list`, but backwards from the latest event, or from this position. */
  listBefore(
    before: number | undefined,
    limit: number,
    visibility: Visibility,
    filter?: EventFilter,
  ): Promise<(WikiEvent & EventDetails)[]>;
  /**
   * Position of the `count`th visible event from this position on, or backwards from the end without a position. Undefined if
   * there are fewer.
   */
  placeOf(
    count: number,
    from: { after: number } | { before: number | undefined },
    visibility: Visibility,
  ): Promise<EventPlace | undefined>;
  /**
   * Within a transaction: sets the review mark of those of these events that are visible. Returns the number of changed marks.
   */
  review(ids: readonly number[], isReviewed: boolean, visibility: Visibility): Promise<number>;
  /** Marks some events older than this moment as reviewed. Returns their number. */
  forgetReviews(before: number, limit: number): Promise<number>;
  /** Time of the event at this position; undefined if there is none. */
  timeAt(position: number): Promise<number | undefined>;
  /** The latest visible event. */
  last(visibility: Visibility): Promise<EventPlace | undefined>;
  /**
   * Visible pages that show something by one of these names, at most `limit` for each event, and whether there are more.
   * `oldAddresses` redirect to the event's page, if it is visible. Runs a fixed number of statements for each eight different
   * names and level of nested templates, and yields in between. `spend` receives the CPU time of each part.
   */
  affected(
    names: readonly AffectingNames[],
    visibility: Visibility,
    limit: number,
    spend?: (cpuMs: number) => void,
  ): Promise<{ pages: { id: number; path: string }[]; oldAddresses: string[]; more: boolean }[]>;
  /** Records events within a transaction, while the rows of their pages exist. */
  record(events: readonly NewEvent[]): Promise<void>;
}

/** Names by which other pages show something of the page of an event. */
export interface AffectingNames {
  pageId: number;
  /** Page of which it was a translation before the event. */
  originalId: number | null;
  /** Current and former titles and paths. */
  names: readonly string[];
  /** Whether links to the page may look different; otherwise only its embedded text may. */
  isNamed: boolean;
  /** Whether descendants show the page differently, because its title, path, place or permissions changed. */
  changesFacts: boolean;
}

/** Further details of an event, needed to find what it affects. */
export interface EventDetails {
  fromTitle: string | null;
  /** Whether descendants may show the page differently, because its title, path, place or permissions changed. */
  changesFacts: boolean;
  /** Page of which the page was a translation before the event. */
  originalId: number | null;
  /** IDs of the page's ancestors after and before the event, root first. */
  trail: number[];
  fromTrail: number[] | null;
}

export type FeedEvent = WikiEvent & EventDetails & { affects: Affects; cursor: string };

export interface Affects {
  pages: { id: number; path: string }[];
  lists: string[];
  more?: true;
}
