/** The change feed: events after a cursor, oldest first, limited to what the caller may see. */

import { say } from '#words/say.ts';
import { type EventKind, eventKinds, type WikiEvent } from '../model/event.ts';
import type { Role } from '../model/member.ts';
import { readPath } from '../model/path.ts';
import { type Actor, isModerator, visibilityOf } from '../model/permission.ts';
import { invalid, Problem } from '../model/problem.ts';
import type { Affects, EventDetails, EventFilter, EventPlace, FeedEvent } from '../ports/event-store.ts';
import { findReadable } from '../reading/find-page.ts';
import { type EventReads, findAffects } from './affects.ts';

export interface FeedQuery {
  /** Comma-separated. */
  kind?: string | undefined;
  ancestor?: string | undefined;
  type?: string | undefined;
  tag?: string | undefined;
  editor?: number | undefined;
  role?: Role | undefined;
  reviewed?: boolean | undefined;
}

/** Refuses `invalid`, and `moderators-only` for `reviewed`. If the ancestor is no readable page, no event matches. */
export async function readFilter(store: EventReads, actor: Actor, query: FeedQuery): Promise<EventFilter> {
  const { kind, ancestor, type, tag, editor, role, reviewed } = query;
  const filter: EventFilter = {};
  if (kind !== undefined) filter.kinds = readKinds(kind);
  if (ancestor !== undefined) {
    const read = readPath(ancestor);
    if ('problem' in read) throw invalid('?ancestor', read.problem);
    filter.ancestorId = (await findReadable(store.readAs(actor), read.path))?.id ?? 0;
  }
  if (type !== undefined) filter.type = type;
  if (tag !== undefined) filter.tag = readTag(tag);
  if (editor !== undefined) filter.editorId = editor;
  if (role !== undefined) filter.role = role;
  if (reviewed !== undefined) {
    if (!isModerator(actor))
      throw new Problem('moderators-only', say('problem.onlyModeratorsSeeWhichChangesWereReviewed'));
    filter.isReviewed = reviewed;
  }
  return filter;
}

/** Returns at most `limit` events after the position, with the responses that each affects. */
export async function listEvents(
  { store, actor, spend }: { store: EventReads; actor: Actor; spend?: ((cpuMs: number) => void) | undefined },
  position: number,
  limit: number,
  filter: EventFilter,
): Promise<FeedEvent[]> {
  const events = await store.events.list(position, limit, visibilityOf(actor, store.readAs(actor)), filter);
  return withAffects(store, actor, events, spend);
}

/** Maximum number of visible events examined for one response when a filter rejects most of them. */
const lookedThrough = 5000;

interface FeedPage {
  events: FeedEvent[];
  /** Cursor to continue from; undefined if nothing was found. */
  next: string | undefined;
  /** Whether there may be more events after `next` already. */
  hasMore: boolean;
}

/** A page of the feed: the events after a position, oldest first, or those before a position or the end, latest first. */
export async function pageOfEvents(
  { store, actor, spend }: { store: EventReads; actor: Actor; spend?: ((cpuMs: number) => void) | undefined },
  from: { after: number } | { before: number | undefined },
  limit: number,
  filter: EventFilter,
): Promise<FeedPage> {
  const visibility = visibilityOf(actor, store.readAs(actor));
  // Unreviewed events have an index of their own and are never many.
  const isFiltered = Object.keys(filter).length > 0 && filter.isReviewed !== false;
  const edge = isFiltered ? await store.events.placeOf(lookedThrough, from, visibility) : undefined;
  const within = edge ? { ...filter, until: edge.position } : filter;
  const found =
    'after' in from
      ? await store.events.list(from.after, limit, visibility, within)
      : await store.events.listBefore(from.before, limit, visibility, within);
  const events = await withAffects(store, actor, found, spend);
  const isFull = events.length === limit;
  return {
    events,
    next: edge && !isFull ? cursorOf(edge) : events.at(-1)?.cursor,
    hasMore: isFull || edge !== undefined,
  };
}

async function withAffects(
  store: EventReads,
  actor: Actor,
  events: (WikiEvent & EventDetails)[],
  spend?: (cpuMs: number) => void,
): Promise<FeedEvent[]> {
  const affects = await findAffects(store, actor, events, spend);
  return events.map((event, i) => ({
    ...event,
    affects: affects[i] as Affects,
    cursor: cursorOf(event),
  }));
}

/** The cursor before all events. */
export const beginning = '0';

/** Contains a mark of the event itself, so that a cursor from before a database restore is refused. */
export function cursorOf({ position, at }: EventPlace): string {
  return `${position.toString(36)}-${at.toString(36)}`;
}

/** Position of a cursor. `latest`: the end of the feed for this reader. Refuses `invalid`. */
export async function readCursor(
  store: EventReads,
  actor: Actor,
  cursor: string | undefined,
  parameter = '?after',
): Promise<number> {
  if (cursor === undefined || cursor === beginning) return 0;
  if (cursor === 'latest')
    return (await store.events.last(visibilityOf(actor, store.readAs(actor))))?.position ?? 0;
  const [, position = '', at = ''] = /^([\da-z]{1,10})-([\da-z]{1,10})$/.exec(cursor) ?? [];
  const place = Number.parseInt(position, 36);
  if (position !== '' && (await store.events.timeAt(place)) === Number.parseInt(at, 36)) return place;
  throw invalid(parameter, say('problem.thisWikiHasNeverIssuedThisCursor'));
}

function readKinds(kind: string): EventKind[] {
  return kind.split(',').map((name) => {
    const known = eventKinds.find((known) => known === name.trim());
    if (!known)
      throw invalid(
        '?kind',
        say('problem.isNotOneOf', { name: name.slice(0, 40), eventKinds: eventKinds.join(', ') }),
      );
    return known;
  });
}

function readTag(tag: string): { key?: string; value: string } {
  const colon = tag.indexOf(':');
  if (colon < 1) return { value: tag };
  return { key: tag.slice(0, colon).trim(), value: tag.slice(colon + 1).trim() };
}
