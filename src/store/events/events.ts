/**
 * Events as their readers see them. Visibility depends on the current state of the page, so that nothing about a page that has
 * become private is revealed, at any time:
 *
 * - events of a page that the reader may read, from the first change that the page shows them; if it is in the trash, those who
 *   could read it then, as it was, also for filters;
 * - the loss of a page that the reader could read before: only its path at that time;
 * - the deletion or erasure of a page that no longer exists, if the reader could read it.
 */
import { type RawBuilder, sql } from 'kysely';
import type { EventKind, WikiEvent } from '#core/model/event.ts';
import { seesEverything, type Visibility } from '#core/model/permission.ts';
import type { EventDetails, EventFilter, EventPlace, EventStore } from '#core/ports/event-store.ts';
import { type Engine, storable } from '../engine.ts';
import { indexable, readTrail } from '../rows.ts';
import { changeSome, changeUnseen, rowsOf, type Session } from '../statements.ts';
import type { RowOf } from '../tables.ts';
import { visible } from '../visibility.ts';
import { findAffected } from './affected.ts';
import { recordEvents } from './record-events.ts';

export function eventStore(session: Session): EventStore {
  const { engine } = session;
  const listed = async (from: Start, limit: number, visibility: Visibility, filter: EventFilter) => {
    await engine.numberCommitted?.('events', session.isTransaction ? session.db : undefined);
    const { beyond, order, within } = directionOf(engine, from, filter.until);
    const rows = await rowsOf(
      session,
      sql<EventRow>`select ${columns(engine)} from ${source}
        where ${beyond} and ${within} and ${shown(visibility)} and ${await matching(session, filter)}
        order by ${order} limit ${limit}`,
    );
    return rows.map((row) => eventOf(row, visibility));
  };
  const placeOf: EventStore['placeOf'] = async (count, from, visibility) => {
    await engine.numberCommitted?.('events', session.isTransaction ? session.db : undefined);
    const { beyond, order } = directionOf(engine, from);
    const rows = await rowsOf(
      session,
      sql<EventPlace>`select ${engine.commitOrder} as position, e.at from ${source}
        where ${beyond} and ${shown(visibility)} order by ${order} limit 1 offset ${count - 1}`,
    );
    return rows[0];
  };
  return {
    list: (after, limit, visibility, filter = {}) => listed({ after }, limit, visibility, filter),
    listBefore: (before, limit, visibility, filter = {}) => listed({ before }, limit, visibility, filter),
    placeOf,
    last: (visibility) => placeOf(1, { before: undefined }, visibility),
    review: (ids, isReviewed, visibility) =>
      changeUnseen(session, async (db) => {
        const { numAffectedRows } = await sql`update events set awaits_review = ${sql.lit(isReviewed ? 0 : 1)}
          where awaits_review = ${sql.lit(isReviewed ? 1 : 0)} and id in (select e.id from ${source}
            where ${engine.among(sql.ref('e.id'), ids)} and e.lost_audience is null and ${shown(visibility)})`.execute(
          db,
        );
        return Number(numAffectedRows);
      }),
    forgetReviews: (before, limit) =>
      changeUnseen(session, async (db) => {
        const { numAffectedRows } =
          await sql`update events set awaits_review = 0 where id in (select e.id from events e
          where e.awaits_review = 1 and e.at < ${before} order by ${engine.commitOrder} limit ${limit})`.execute(
            db,
          );
        return Number(numAffectedRows);
      }),
    async timeAt(position) {
      const rows = await rowsOf(
        session,
        sql<{ at: number }>`select e.at from events e where ${engine.commitOrder} = ${position}`,
      );
      return rows[0]?.at;
    },
    affected: (names, visibility, limit, spend) => findAffected({ session, visibility }, names, limit, spend),
    record: (events) => changeSome(session, async (db) => recordEvents(engine, db, events)),
  };
}

export type EventRow = RowOf<'events'> & {
  position: number;
  editor_name: string | null;
  /** Columns of the page, in the trash or not; null if there is none. */
  history_from: number | null;
  page_audience: number | null;
};

/** Joins an event (e) with its page (p), the page in the trash (t), and its editor (m). */
export const joins = sql`left join pages p on p.id = e.page_id left join trashed_pages t on t.id = e.page_id
  left join members m on m.id = e.editor_id`;
const source = sql`events e ${joins}`;

export function columns(engine: Engine): RawBuilder<unknown> {
  return sql`e.id, ${engine.commitOrder} as position, e.kind, e.at, e.page_id, e.change_id, e.path, e.title, e.trail,
    e.audience, e.lost_audience, e.owner_id, e.editor_id, e.msg, e.facts, e.from_path, e.from_title, e.from_trail,
    e.comment_id, e.original_id, e.awaits_review, m.name as editor_name, coalesce(p.history_from, t.history_from) as history_from,
    coalesce(p.audience, t.audience) as page_audience`;
}

type Start = { after: number } | { before: number | undefined };

/** Conditions and order of a list that goes forward from a position, or backward from one or from the end. */
function directionOf(engine: Engine, from: Start, until?: number) {
  const place = engine.commitOrder;
  const isForward = 'after' in from;
  const start = isForward ? from.after : from.before;
  return {
    beyond:
      start === undefined
        ? sql<boolean>`${place} is not null`
        : isForward
          ? sql<boolean>`${place} > ${start}`
          : sql<boolean>`${place} < ${start}`,
    within:
      until === undefined
        ? sql<boolean>`1 = 1`
        : isForward
          ? sql<boolean>`${place} <= ${until}`
          : sql<boolean>`${place} >= ${until}`,
    order: isForward ? place : sql`${place} desc`,
  };
}

/** Whether the visibility covers the event. */
export function shown(visibility: Visibility): RawBuilder<boolean> {
  const now = visible('p', visibility);
  const couldRead = visible('e', visibility, 'lost_audience');
  const history = (page: 'p' | 't') =>
    seesEverything(visibility)
      ? sql`1 = 1`
      : sql`(e.change_id >= ${sql.ref(`${page}.history_from`)} or ${sql.ref(`${page}.owner_id`)} = ${visibility.ownerId})`;
  return sql`case when e.lost_audience is not null then ${couldRead} and not ${visible('e', visibility)} and not (p.id is not null and ${now})
    when p.id is not null then ${now} and ${history('p')}
    when e.kind in ('deleted', 'erased') then ${visible('e', visibility)}
    else t.id is not null and ${visible('t', visibility)} and ${history('t')} end`;
}

async function matching(session: Session, filter: EventFilter): Promise<RawBuilder<boolean>> {
  const { kinds, ancestorId, type, tag, editorId, role, isReviewed, positions } = filter;
  const conditions = [sql<boolean>`1 = 1`];
  if (positions) conditions.push(session.engine.among(session.engine.commitOrder, positions));
  if (kinds) conditions.push(session.engine.amongTexts(sql.ref('e.kind'), kinds));
  if (editorId !== undefined) conditions.push(sql`e.editor_id = ${editorId} and e.lost_audience is null`);
  if (role !== undefined) conditions.push(sql`m.role = ${role} and e.lost_audience is null`);
  // A literal, because partial indexes are not used for parameters.
  if (isReviewed !== undefined) conditions.push(sql`e.awaits_review = ${sql.lit(isReviewed ? 0 : 1)}`);
  if (type !== undefined)
    conditions.push(sql`case when p.id is null then t.type else p.type end = ${storable(type)}`);
  if (tag) {
    const value = sql`g.value_key = ${indexable(String(storable(tag.value)))}`;
    const key = (name: string) => sql`g.key = ${storable(name.toLowerCase())}`;
    const isTag =
      tag.key === undefined ? sql`(${key(tag.value)} or ${value})` : sql`${key(tag.key)} and ${value}`;
    const hasTag = (table: string, page: string) =>
      sql`exists (select 1 from ${sql.table(table)} g where g.page_id = ${sql.ref(page)} and ${isTag})`;
    conditions.push(sql`(${hasTag('tags', 'p.id')} or ${hasTag('trashed_tags', 't.id')})`);
  }
  if (ancestorId !== undefined) {
    // By ID, because ancestors may have moved since the event.
    const beneath = (column: string) => sql`${sql.ref(column)} like ${`%/${ancestorId}/%`}`;
    conditions.push(sql`(${sql.join(['p.trail', 'e.trail', 'e.from_trail'].map(beneath), sql` or `)})`);
  }
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

export function eventOf(row: EventRow, visibility: Visibility): WikiEvent & EventDetails {
  const { id, position, at, editor_id, lost_audience } = row;
  const isLost = lost_audience !== null;
  // Names from before the first visible change are visible to the owner only.
  const showsBefore =
    seesEverything(visibility) ||
    row.owner_id === visibility.ownerId ||
    row.change_id > (row.history_from ?? 0);
  const before = <V>(value: V | null) => (showsBefore && !isLost ? value : null);
  return {
    id,
    position,
    kind: row.kind as EventKind,
    at,
    page: { id: row.page_id, path: row.path, title: isLost ? null : row.title },
    from: before(row.from_path),
    editor: isLost ? null : { id: editor_id, name: row.editor_name ?? '' },
    msg: isLost ? '' : row.msg,
    commentId: isLost ? null : row.comment_id,
    isReviewed: row.awaits_review === 0,
    // Its name as those knew it who lost access.
    fromTitle: isLost ? row.from_title : before(row.from_title),
    changesFacts: row.facts === 1,
    originalId: row.original_id,
    trail: readTrail(row.trail),
    fromTrail: row.from_trail === null ? null : readTrail(row.from_trail),
  };
}
