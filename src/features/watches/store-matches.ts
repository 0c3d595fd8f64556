/**
 * Finds the watches that match events, in a fixed number of statements for each batch of events and each 50 different searches:
 *
 * 1. watches of the page itself, and of its ancestors now and before a move;
 * 2. watches of the page's current tags;
 * 3. watches of searches that find the page now: each different search runs once, restricted to these pages;
 * 4. watches of members whom a comment mentions, and of those who wrote in its thread before;
 * 5. watches of members who made or reviewed a proposal: of several events of one merge, the first;
 * 6. watches of members who are responsible for a page whose review is due.
 *
 * A page in the trash counts as it was when it went there.
 */
import { type RawBuilder, sql } from 'kysely';
import { proposalIn, type WikiEvent } from '#core/model/event.ts';
import type { EventDetails } from '#core/ports/event-store.ts';
import type { MailFrequency, Match } from '#core/ports/watch-store.ts';
import { type MemberRow, memberOf } from '#store/members/members.ts';
import { type Found, searchesFinding } from '#store/search/watched-searches.ts';
import { rowsOf, type Session } from '#store/statements.ts';
import { audienceRow } from '#store/visibility.ts';

/** Value of `page_id` for watches of the whole wiki. */
const root = 0;

interface MatchedWatch {
  event_id: number;
  watch_id: number;
}

export async function matchEvents(
  session: Session,
  events: readonly (WikiEvent & EventDetails)[],
): Promise<Match[]> {
  if (events.length === 0) return [];
  const matched = [
    ...(await byPlace(session, events)),
    ...(await byTag(session, events)),
    ...(await bySearch(session, events)),
    ...(await byComment(session, events)),
    ...(await byProposal(session, events)),
    ...(await byReview(session, events)),
  ];
  return matched.length === 0 ? [] : details(session, matched);
}

function byPlace(session: Session, events: readonly (WikiEvent & EventDetails)[]): Promise<MatchedWatch[]> {
  const places = events.flatMap(({ id, page, trail, fromTrail }) =>
    [...new Set([root, ...trail, ...(fromTrail ?? []), page.id])].map((place) => [
      id,
      place,
      place === page.id ? 1 : 0,
    ]),
  );
  const t = session.engine.rows({ event_id: 'integer', place: 'integer', is_itself: 'integer' }, places);
  return rowsOf(
    session,
    sql<MatchedWatch>`select t.event_id, w.id as watch_id from ${t} as t join watches w on w.page_id = t.place
      where w.kind = 'subtree' or (w.kind = 'page' and t.is_itself = 1)`,
  );
}

function byTag(session: Session, events: readonly (WikiEvent & EventDetails)[]): Promise<MatchedWatch[]> {
  const t = eventPages(session, events);
  const tagged = sql`select page_id, key, value_key from tags
    union all select page_id, key, value_key from trashed_tags`;
  const from = sql`from ${t} as t join (${tagged}) g on g.page_id = t.page_id`;
  return rowsOf(
    session,
    sql<MatchedWatch>`select t.event_id, w.id as watch_id ${from} join watches w on w.value_key = g.value_key
        where w.tag_key is null or w.tag_key = g.key
      union select t.event_id, w.id ${from} join watches w on w.tag_name = g.key`,
  );
}

async function bySearch(
  session: Session,
  events: readonly (WikiEvent & EventDetails)[],
): Promise<MatchedWatch[]> {
  const { engine } = session;
  const pageIds = [...new Set(events.map(({ page }) => page.id))];
  const trashed = await rowsOf(
    session,
    sql<Found>`select page_id, target from trashed_searches where ${engine.among(sql.ref('page_id'), pageIds)}`,
  );
  const targets = Map.groupBy(
    [...(await searchesFinding(session, pageIds)), ...trashed],
    (one) => one.page_id,
  );
  const pairs = events.flatMap(({ id, page }) =>
    (targets.get(page.id) ?? []).map(({ target }) => [id, target]),
  );
  if (pairs.length === 0) return [];
  const t = engine.rows({ event_id: 'integer', target: 'text' }, pairs);
  return rowsOf(
    session,
    sql<MatchedWatch>`select t.event_id, w.id as watch_id from ${t} as t join watches w on w.target = t.target
      where w.criteria is not null`,
  );
}

function byComment(session: Session, events: readonly (WikiEvent & EventDetails)[]): Promise<MatchedWatch[]> {
  const commented = events.flatMap(({ id, commentId }) => (commentId === null ? [] : [[id, commentId]]));
  if (commented.length === 0) return Promise.resolve([]);
  const t = session.engine.rows({ event_id: 'integer', comment_id: 'integer' }, commented);
  return rowsOf(
    session,
    sql<MatchedWatch>`select t.event_id, w.id as watch_id from ${t} as t
        join comment_mentions n on n.comment_id = t.comment_id
        join watches w on w.member_id = n.member_id and w.kind = 'mentions'
      union select t.event_id, w.id from ${t} as t join comments c on c.id = t.comment_id
        join comments o on o.id = c.reply_to or (o.reply_to = c.reply_to and o.id < c.id)
        join watches w on w.member_id = o.author_id and w.kind = 'threads'`,
  );
}

function byProposal(session: Session, events: readonly WikiEvent[]): Promise<MatchedWatch[]> {
  const first = new Map<string, [eventId: number, proposalId: number]>();
  for (const event of events) {
    const proposal = proposalIn(event);
    const key = `${event.kind} ${proposal} ${event.at}`;
    if (proposal !== null && event.kind !== 'proposed' && !first.has(key))
      first.set(key, [event.id, proposal]);
  }
  if (first.size === 0) return Promise.resolve([]);
  const t = session.engine.rows({ event_id: 'integer', proposal_id: 'integer' }, [...first.values()]);
  return rowsOf(
    session,
    sql<MatchedWatch>`select t.event_id, w.id as watch_id from ${t} as t join proposals p on p.id = t.proposal_id
        join watches w on w.member_id = p.author_id and w.kind = 'proposals'
      union select t.event_id, w.id from ${t} as t join proposal_reviews r on r.proposal_id = t.proposal_id
        join watches w on w.member_id = r.member_id and w.kind = 'proposals'`,
  );
}

function byReview(session: Session, events: readonly (WikiEvent & EventDetails)[]): Promise<MatchedWatch[]> {
  const due = events.filter(({ kind }) => kind === 'due').map(({ id }) => id);
  if (due.length === 0) return Promise.resolve([]);
  return rowsOf(
    session,
    sql<MatchedWatch>`select e.id as event_id, w.id as watch_id from events e
      join watches w on w.member_id = e.editor_id and w.kind = 'reviews'
      where ${session.engine.among(sql.ref('e.id'), due)}`,
  );
}

function eventPages(session: Session, events: readonly WikiEvent[]): RawBuilder<unknown> {
  return session.engine.rows(
    { event_id: 'integer', page_id: 'integer' },
    events.map(({ id, page }) => [id, page.id]),
  );
}

type DetailRow = MemberRow & {
  event_id: number;
  event_kind: string;
  editor_id: number;
  watch_id: number;
  mail: string;
  page_audience: Match['page']['audience'];
  granted: string | null;
  page_owner: number;
};

async function details(session: Session, matched: readonly MatchedWatch[]): Promise<Match[]> {
  const pairs = new Map(
    matched.map((one) => [`${one.event_id} ${one.watch_id}`, [one.event_id, one.watch_id]]),
  );
  const t = session.engine.rows({ event_id: 'integer', watch_id: 'integer' }, [...pairs.values()]);
  const rows = await rowsOf(
    session,
    sql<DetailRow>`select m.*, e.id as event_id, e.kind as event_kind, e.editor_id, w.id as watch_id, w.mail,
        coalesce(p.audience, r.audience, e.audience) as page_audience,
        (select a.key from audiences a
          where a.id = ${audienceRow(sql`coalesce(p.audience, r.audience, e.audience)`)}) as granted,
        coalesce(p.owner_id, r.owner_id, e.owner_id) as page_owner
      from ${t} as t join events e on e.id = t.event_id join watches w on w.id = t.watch_id and w.created_at <= e.at
        join members m on m.id = w.member_id left join pages p on p.id = e.page_id
        left join trashed_pages r on r.id = e.page_id
      order by e.id, w.id`,
  );
  return rows.map((row) => ({
    eventId: row.event_id,
    kind: row.event_kind as Match['kind'],
    editorId: row.editor_id,
    watchId: row.watch_id,
    mail: row.mail as MailFrequency,
    member: memberOf(row),
    page: {
      audience: row.page_audience,
      ownerId: row.page_owner,
      ...(row.granted === null ? {} : { granted: { id: 0, key: row.granted } }),
    },
  }));
}
