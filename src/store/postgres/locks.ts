/** Locks by name, held until the transaction ends: advisory locks, or rows of a table on an engine that has none. */
import { sql } from 'kysely';
import type { Database } from '../engine.ts';
import { prepare, type Session, send } from '../statements.ts';
import { rows } from './arrays.ts';

/** Arbitrary numbers that are the same in every process. */
const numbers = { migrations: 7_277_113, events: 7_277_114, audit: 7_277_115 };
type LockName = keyof typeof numbers;

export interface Locks {
  /** Waits for the lock. */
  take(db: Database, name: LockName): Promise<void>;
  /** Locks the counts of wanted links without waiting for the answer: see `lockWanted` of the engine. */
  lockWanted(session: Session, keys: readonly string[], countedAnew: ReadonlySet<string>): void;
}

/**
 * Maximum number of locks of one transaction. All transactions together may hold a few thousand (`max_locks_per_transaction`).
 */
const maxWantedLocks = 100;
/** Locked by everybody before the individual keys. No real key is a space. */
const everyKey = ' ';

export const advisoryLocks: Locks = {
  async take(db, name) {
    await sql`select pg_advisory_xact_lock(${numbers[name]})`.execute(db);
  },
  lockWanted(session, keys, countedAnew) {
    const isAlone = keys.length > maxWantedLocks;
    const locks = [[everyKey, isAlone], ...(isAlone ? [] : keys.map((key) => [key, countedAnew.has(key)]))];
    send(session, lockingWanted, { locks });
  },
};

/**
 * Advisory locks on keys that need not exist as rows: pages that link only to public pages need no lock, and transactions that
 * add to the same count wait for each other only there. Taken in the given order.
 */
const lockingWanted = prepare<{ locks: unknown[][] }, unknown>(
  (p) => sql`select count(case when t.alone then pg_advisory_xact_lock(hashtextextended(t.key, 0))::text
      else pg_advisory_xact_lock_shared(hashtextextended(t.key, 0))::text end)
    from ${rows({ key: 'text', alone: 'truth' }, p('locks'))} as t`,
);

/** Rows for wanted links: keys share them. */
const wantedRows = 1024;

/** Makes the rows where they are missing. */
export const lockTable = `create table if not exists locks (name text primary key);
  insert into locks (name) select 'wanted ' || n from generate_series(0, ${wantedRows - 1}) as n
    union all values ${Object.keys(numbers)
      .map((name) => `('${name}')`)
      .join(', ')}
    on conflict do nothing`;

export const rowLocks: Locks = {
  // Written, so that a serializable transaction conflicts instead of going on with what it saw before it waited.
  async take(db, name) {
    await sql`update locks set name = name where name = ${name}`.execute(db);
  },
  lockWanted(session, keys) {
    const names = new Set(keys.map((key) => `wanted ${hash(key) % wantedRows}`));
    send(session, lockingRows, { names: [...names].map((name) => [name]) });
  },
};

const lockingRows = prepare<{ names: string[][] }, unknown>(
  (
    p,
  ) => sql`select count(*) from (select l.name from locks l join ${rows({ name: 'text' }, p('names'))} as t on t.name = l.name
    order by l.name for update of l) as locked`,
);

function hash(text: string): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum = (sum * 31 + text.charCodeAt(i)) >>> 0;
  return sum;
}
