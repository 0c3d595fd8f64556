/** Renewal of keys that an earlier version folded otherwise: how far it is, and the sort keys besides those of pages. */
import { type RawBuilder, sql } from 'kysely';
import { sortKey } from '#core/model/fold.ts';
import type { MaintenanceStore } from '#core/ports/maintenance-store.ts';
import type { Database, Engine } from '../engine.ts';
import { sortKeyOf } from '../rows.ts';
import { change, type Session, writeUnseen } from '../statements.ts';

const sliceSize = 1000;

type SearchRenewal = Pick<MaintenanceStore, 'searchRenewal' | 'saveSearchRenewal' | 'renewSortKeys'>;

export function searchRenewal(session: Session): SearchRenewal {
  const { engine, db } = session;
  return {
    async searchRenewal() {
      const row = await db.selectFrom('search_renewal').select('after_id').executeTakeFirst();
      return row && Number(row.after_id);
    },
    saveSearchRenewal: (afterId) =>
      writeUnseen(session, (db) =>
        afterId === 'done'
          ? db.deleteFrom('search_renewal')
          : // Another process may be further.
            db.updateTable('search_renewal').set({ after_id: afterId }).where('after_id', '<', afterId),
      ),
    async renewSortKeys() {
      for (const keys of [filesKeys, wantedKeys]) {
        let after: string | undefined = '';
        while (after !== undefined) {
          const from: string = after;
          after = await change(session, (db) => renewSlice(engine, db, keys, from));
        }
      }
    },
  };
}

/** A table with a column that is folded from another, by its primary key. */
interface Keys {
  table: RawBuilder<unknown>;
  id: RawBuilder<string>;
  name: RawBuilder<string>;
  fold(name: string): string;
}

const filesKeys: Keys = {
  table: sql.table('files'),
  id: sql.ref('name'),
  name: sql.ref('filename'),
  fold: sortKey,
};
const wantedKeys: Keys = {
  table: sql.table('wanted'),
  id: sql.ref('key'),
  name: sql.ref('key'),
  fold: sortKeyOf,
};

/** Returns the last key of the slice; undefined after the last slice. ASCII is folded as before. */
async function renewSlice(
  engine: Engine,
  db: Database,
  { table, id, name, fold }: Keys,
  after: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string; name: string; sort_key: string }>`
    select ${id} as id, ${name} as name, sort_key from ${table}
    where ${id} > ${after} and octet_length(${name}) <> length(${name})
    order by ${id} limit ${sql.lit(sliceSize)}`.execute(db);
  const wrong = rows.filter((row) => row.sort_key !== fold(row.name));
  const t = engine.rows(
    { id: 'text', sort_key: 'text' },
    wrong.map((row) => [row.id, fold(row.name)]),
  );
  if (wrong.length > 0)
    await sql`update ${table} set sort_key = t.sort_key from ${t} as t where ${table}.${id} = t.id`.execute(
      db,
    );
  return rows.length < sliceSize ? undefined : rows.at(-1)?.id;
}
