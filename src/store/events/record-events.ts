/**
 * Writes events (table `events`) in the transaction of their change. All writes of pages go through here.
 *
 * On SQLite the table has no further indexes, so that an event costs one page of the log.
 */
import { sql } from 'kysely';
import type { NewEvent } from '#core/model/event.ts';
import type { Database, Engine } from '../engine.ts';
import { prepare, send } from '../statements.ts';

const eventsAtOnce = 500;

/** Called while the rows of their pages exist, in this order. Sent without waiting: see `Engine.send`. */
export function recordEvents(engine: Engine, db: Database, events: readonly NewEvent[]): void {
  const session = { engine, db, isTransaction: true };
  for (let first = 0; first < events.length; first += eventsAtOnce) {
    const slice = events.slice(first, first + eventsAtOnce);
    send(session, recording, { rows: slice.map(rowOf) });
  }
}

function rowOf(
  { kind, pageId, at, editorId, msg, changeId, commentId, keepsFacts, from, lostBy }: NewEvent,
  n: number,
): unknown[] {
  return [
    n,
    kind,
    pageId,
    changeId ?? null,
    commentId ?? null,
    at,
    editorId,
    msg,
    lostBy?.path ?? null,
    lostBy?.audience ?? null,
    keepsFacts ? 0 : 1,
    from?.path ?? null,
    from?.title ?? null,
    from?.trail ?? null,
  ];
}

const recording = prepare<{ rows: unknown[][] }, unknown>((p, engine) => {
  const t = engine.rows(
    {
      n: 'integer',
      kind: 'text',
      page_id: 'integer',
      change_id: 'integer',
      comment_id: 'integer',
      at: 'integer',
      editor_id: 'integer',
      msg: 'text',
      lost_path: 'text',
      lost_audience: 'integer',
      facts: 'integer',
      from_path: 'text',
      from_title: 'text',
      from_trail: 'text',
    },
    p('rows'),
  );
  return sql`insert into events (kind, at, page_id, change_id, path, title, trail, audience, lost_audience, owner_id,
      editor_id, msg, facts, from_path, from_title, from_trail, comment_id,
      original_id, awaits_review)
    select t.kind, t.at, p.id, coalesce(t.change_id, p.change_id), coalesce(t.lost_path, p.path), p.title, p.trail,
      p.audience, t.lost_audience, p.owner_id, t.editor_id, t.msg, t.facts, t.from_path, t.from_title, t.from_trail,
      t.comment_id, p.original_id, case when t.lost_audience is null and t.kind not in ('proposed', 'reviewed', 'merged', 'due')
        and not exists (select 1 from members m where m.id = t.editor_id
        and m.role in ('moderator', 'administrator')) then 1 else 0 end
    from ${t} as t join pages p on p.id = t.page_id order by t.n`;
});
