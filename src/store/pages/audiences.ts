/** Finds and makes the rows that pages with the same readers and writers share. */
import { sql } from 'kysely';
import { audienceKey, type Granted, readersOf } from '#core/model/grant.ts';
import { audienceByDigits, audienceOf, type Wiki } from '#core/model/permission.ts';
import type { Database, Engine } from '../engine.ts';
import { insertRows } from '../insert-rows.ts';
import { indexable } from '../rows.ts';

export async function audiencesWith(
  engine: Engine,
  db: Database,
  keys: readonly string[],
): Promise<Map<string, Granted>> {
  // The same order in all transactions, so that none waits for another that waits for it.
  const entries = new Map([...new Set(keys)].sort().map((key) => [indexable(key), key]));
  const find = async () => {
    const { rows } = await sql<Granted>`select a.id, a.key from audiences a
      where ${engine.amongTexts(sql.ref('a.key_entry'), [...entries.keys()])}`.execute(db);
    return new Map(rows.map(({ id, key }) => [key, { id, key }]));
  };
  const known = await find();
  if (known.size === entries.size) return known;
  engine.invalidate(db, []);
  const missing = [...entries].filter(([, key]) => !known.has(key));
  const t = engine.rows(
    { key_entry: 'text', key: 'text' },
    missing.map(([entry, key]) => [entry, key]),
  );
  const made = await sql<Granted>`insert into audiences (key_entry, key)
    select t.key_entry, t.key from ${t} as t where 1 = 1
    on conflict (key_entry) do nothing returning id, key`.execute(db);
  insertRows(
    { engine, db },
    'audience_readers',
    made.rows.flatMap((row) =>
      [...new Set(readersOf(row))].map((subject) => ({ audience_id: row.id, subject })),
    ),
  );
  return find();
}

export interface Digits {
  permissions: number;
  group_id: number | null;
}

/** Audiences of pages with these digits and effective grants, in their order. */
export async function audiencesOfPages(
  engine: Engine,
  db: Database,
  pages: readonly (Digits & { entries: string })[],
  wiki: Wiki,
): Promise<{ audience: number; audience_id: number | null }[]> {
  const due = pages.map(({ permissions, group_id, entries }) => {
    const access = { permissions, group: group_id === null ? null : { id: group_id } };
    return { access, key: entries && audienceKey(audienceByDigits(access, wiki), entries) };
  });
  const keys = due.flatMap(({ key }) => (key === '' ? [] : [key]));
  const rows = keys.length === 0 ? new Map<string, Granted>() : await audiencesWith(engine, db, keys);
  return due.map(({ access, key }) => {
    const granted = rows.get(key);
    const audience = audienceOf({ ...access, ...(granted ? { granted } : {}) }, wiki);
    return { audience, audience_id: granted?.id ?? null };
  });
}
