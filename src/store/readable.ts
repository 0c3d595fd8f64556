/** All rows of a table, in slices; where the file is damaged, all that can be read. */
import { type Selectable, sql } from 'kysely';
import type { Database, Engine } from './engine.ts';
import type { Tables } from './tables.ts';

const sliceSize = 1000;
/** Each may be of several MB. */
const changesAtOnce = 25;

const primaryKeys = {
  members: ['id'],
  invitations: ['id'],
  reset_links: ['id'],
  oauth_handles: ['handle_hash'],
  identities: ['issuer', 'subject'],
  sessions: ['id'],
  pages: ['id'],
  changes: ['id'],
  aliases: ['id'],
  likes: ['page_id', 'member_id'],
  tags: ['page_id', 'seq'],
  files: ['name'],
  links: ['source_id', 'kind', 'target'],
  wanted: ['key'],
} satisfies { [T in keyof Tables]: (keyof Tables[T])[] };

/** All rows of a table in order of their primary key. */
export async function* slices<T extends keyof Tables>(
  db: Database,
  table: T,
): AsyncGenerator<Selectable<Tables[T]>[]> {
  const size = sizeOf(table);
  let after: unknown[] | undefined;
  for (;;) {
    const rows = await rowsAfter(db, table, after, size);
    if (rows.length > 0) yield rows as never;
    const last = rows.at(-1);
    if (!last || rows.length < size) return;
    after = primaryKeys[table].map((column) => last[column]);
  }
}

/** As `slices`, without the rows that cannot be read, of which `onLost` is told a sentence. Their neighbours are found by halving. */
export async function* readable<T extends keyof Tables>(
  engine: Engine,
  db: Database,
  table: T,
  onLost: (sentence: string) => void,
): AsyncGenerator<Selectable<Tables[T]>[]> {
  /** Undefined: damaged. */
  const read = async (after: unknown[] | undefined, size: number) => {
    try {
      return await rowsAfter(db, table, after, size);
    } catch (error) {
      if (!engine.isDamage(error)) throw error;
      return undefined;
    }
  };
  let size = sizeOf(table);
  let after: unknown[] | undefined;
  for (;;) {
    const rows = await read(after, size);
    if (!rows && size > 1) {
      size = 1;
      continue;
    }
    if (rows) {
      if (rows.length > 0) yield rows as never;
      const last = rows.at(-1);
      if (!last || rows.length < size) return;
      after = primaryKeys[table].map((column) => last[column]);
      continue;
    }
    const from = after === undefined ? 0 : Number(after[0]);
    const isReadable = async (step: number) => (await read([from + step], 1)) !== undefined;
    let [lower, step] = [0, 1];
    while (from + step < mostRows && !(await isReadable(step))) [lower, step] = [step, step * 2];
    // Also where the rows have no number.
    if (!(from + step < mostRows)) {
      onLost(
        `The rest of the table ${table}, from ${String(after?.[0] ?? 'its first row')} on, cannot be read.`,
      );
      return;
    }
    while (step - lower > 1) {
      const middle = Math.floor((lower + step) / 2);
      if (await isReadable(middle)) step = middle;
      else lower = middle;
    }
    for (const sentence of await namesOf(db, table, from, from + step)) onLost(sentence);
    after = [from + step];
  }
}

function sizeOf(table: keyof Tables): number {
  return table === 'changes' ? changesAtOnce : sliceSize;
}

const mostRows = 2 ** 40;
const mostNamed = 100;

/** Of rows that cannot be read, by what indexes say of them. */
async function namesOf(db: Database, table: keyof Tables, from: number, to: number): Promise<string[]> {
  const range = `Rows of the table ${table} with numbers from ${from + 1} to ${to} cannot be read.`;
  if (table !== 'changes') return [range];
  try {
    // Not by the numbers themselves, which would lead to the rows.
    const { rows } = await sql<{ id: number; page_id: number; path: string }>`
      select c.id, c.page_id, p.path from changes c join pages p on p.id = c.page_id
      where c.id + 0 > ${from} and c.id + 0 <= ${to} order by c.id + 0 limit ${mostNamed}`.execute(db);
    if (rows.length === 0) return [range];
    return rows.map(({ id, page_id, path }) => `Change ${id} of page ${page_id} at ${path} cannot be read.`);
  } catch {
    return [range];
  }
}

/** In order of their primary key. `after`: the first columns of one. */
async function rowsAfter(
  db: Database,
  table: keyof Tables,
  after: unknown[] | undefined,
  size: number,
): Promise<Record<string, unknown>[]> {
  const columns = primaryKeys[table].map((column) => sql.ref(column));
  const beyond = after
    ? sql`where (${sql.join(columns.slice(0, after.length))}) > (${sql.join(after)})`
    : sql``;
  const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)} ${beyond}
    order by ${sql.join(columns)} limit ${size}`.execute(db);
  return rows;
}
