/** First change of a page's history that all readers of the page can see. */
import { type RawBuilder, sql } from 'kysely';
import type { PageWrites } from '#core/ports/store.ts';
import type { Placeholder } from '../engine.ts';
import { invalidate } from '../invalidation.ts';
import { changeSome, type Prepared, prepare, type Session, send } from '../statements.ts';
import { forgetAliases } from './add-history.ts';

export function publicHistory(session: Session): Pick<PageWrites, 'showHistory' | 'showHistoryFrom'> {
  const { engine } = session;
  return {
    showHistory: (id, from) =>
      changeSome(session, async (db) => {
        const session = { engine, db, isTransaction: true };
        invalidate({ engine, db }, 'pages', ['history_from'], [{ id, versions: [], shownBy: [] }]);
        send(session, showing[from], { id });
        return from === 'first change' ? [] : forgetAliases(engine, db, id);
      }),
    showHistoryFrom: (id, from) =>
      changeSome(session, async (db) => {
        invalidate({ engine, db }, 'pages', ['history_from'], [{ id, versions: [], shownBy: [] }]);
        send({ engine, db, isTransaction: true }, showingFromGiven, { id, from });
      }),
  };
}

const showing = {
  'latest change': showingFrom(sql`change_id`),
  'first change': showingFrom(sql`0`),
};

const showingFromGiven = prepare<{ id: number; from: number }, unknown>((p) =>
  beginHistory(p('id'), p('from')),
);

function showingFrom(from: RawBuilder<number>): Prepared<{ id: number }, [unknown]> {
  return prepare<{ id: number }, unknown>((p) => beginHistory(p('id'), from));
}

function beginHistory(id: Placeholder, from: RawBuilder<unknown> | Placeholder): RawBuilder<unknown> {
  return sql`update pages set history_from = ${from}, history_bytes = coalesce((
      select sum(octet_length(c.content)) from changes c where c.page_id = pages.id and c.id >= ${from}), 0)
    where id = ${id}`;
}
