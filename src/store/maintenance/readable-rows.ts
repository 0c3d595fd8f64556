/** Reads all rows of a table in slices, or all readable ones if the file is damaged. */
import { type RawBuilder, sql } from 'kysely';
import type { Content } from '#core/model/page.ts';
import type { Database, Engine } from '../engine.ts';
import type { RowOf, Tables } from '../tables.ts';

const sliceSize = 1000;
/** Small, because each may have several MB. */
const changesAtOnce = 25;

type TableWithoutId = { [T in keyof Tables]: Tables[T] extends { id: unknown } ? never : T }[keyof Tables];

/** The primary key of all other tables is `id`. */
const otherKeys: { readonly [T in TableWithoutId]: readonly (keyof Tables[T])[] } = {
  oauth_handles: ['handle_hash'],
  identities: ['issuer', 'subject'],
  scheduled_exports: ['format'],
  settings: ['name'],
  likes: ['page_id', 'member_id'],
  favourites: ['member_id', 'page_id'],
  page_reads: ['page_id', 'month'],
  vain_searches: ['words'],
  file_texts: ['hash'],
  file_text_parts: ['hash', 'number'],
  file_terms: ['term', 'hash', 'number'],
  told_reviews: ['page_id'],
  outside_links: ['page_id', 'url'],
  editor_drafts: ['member_id', 'draft_id'],
  open_editors: ['page_id', 'member_id'],
  tags: ['page_id', 'seq'],
  trashed_tags: ['page_id', 'seq'],
  trashed_searches: ['page_id', 'target'],
  comment_mentions: ['member_id', 'comment_id'],
  comment_texts: ['page_id'],
  files: ['name'],
  links: ['source_id', 'kind', 'target'],
  wanted: ['key'],
  audience_readers: ['audience_id', 'subject'],
  group_members: ['group_id', 'member_id'],
  second_factors: ['member_id'],
  second_factor_clients: ['member_id', 'device'],
  spent_challenges: ['nonce'],
  stranger_days: ['sender', 'day'],
  sent_mails: ['kind', 'address_key'],
  answered_challenges: ['challenge_hash'],
  watchers: ['member_id'],
  proposal_changes: ['proposal_id', 'n'],
  proposal_files: ['name'],
};

function primaryKeyOf(table: keyof Tables): readonly string[] {
  return (otherKeys as Partial<Record<keyof Tables, readonly string[]>>)[table] ?? ['id'];
}

/** All rows of a table in order of their primary key. */
export async function* slices<T extends keyof Tables>(db: Database, table: T): AsyncGenerator<RowOf<T>[]> {
  const size = sizeOf(table);
  let after: unknown[] | undefined;
  for (;;) {
    const rows = await rowsAfter(db, table, after, size);
    if (rows.length > 0) yield rows as never;
    const last = rows.at(-1);
    if (!last || rows.length < size) return;
    after = primaryKeyOf(table).map((column) => last[column]);
  }
}

/**
 * Like `slices`, but skips unreadable rows, which are reported to `onLost` as a sentence. Readable neighbours are found by
 * trying numbers one by one, or block by block if the rows have no numbers and the engine supports it.
 */
export async function* readable<T extends keyof Tables>(
  { engine, db }: { engine: Engine; db: Database },
  table: T,
  onLost: (sentence: string) => void,
  after?: unknown[],
): AsyncGenerator<RowOf<T>[]> {
  type Rows = RowOf<T>[];
  let rest: { after: unknown[] | undefined } | undefined;
  const source: Source<Record<string, unknown>> = {
    after,
    size: sizeOf(table),
    rowsAfter: (after, size) => rowsAfter(db, table, after, size),
    keyOf: (row) => primaryKeyOf(table).map((column) => row[column]),
  };
  const around = rowsAround(engine, db, source, async (after, from, to) => {
    if (to === undefined) rest = { after };
    else for (const sentence of await namesOf({ engine, db }, table, from, to)) onLost(sentence);
  });
  for await (const rows of around) yield rows as Rows;
  if (!rest) return;
  if (!engine.blocks) {
    const from = String(rest.after?.[0] ?? 'its first row');
    onLost(`The rest of the table ${table}, from ${from} on, cannot be read.`);
    return;
  }
  for await (const { block, rows } of engine.blocks(db, table, beyond(table, rest.after))) {
    if (rows) yield rows as Rows;
    else onLost(`Rows of the table ${table} cannot be read: block ${block} of its file is damaged.`);
  }
}

export interface Source<R> {
  /** Key after which to begin. */
  after?: unknown[] | undefined;
  /** Rows per query. */
  size: number;
  /** In key order. `after`: the first columns of a key. */
  rowsAfter(after: unknown[] | undefined, size: number): Promise<R[]>;
  keyOf(row: R): unknown[];
}

/**
 * All readable rows of the source. `onLost` is called for rows with a first column above `from` and up to `to` that are
 * unreadable; without `to`, all rows after the key `after` are.
 */
export async function* rowsAround<R>(
  engine: Engine,
  db: Database,
  { after, size: usualSize, rowsAfter, keyOf }: Source<R>,
  onLost: (after: unknown[] | undefined, from: number, to: number | undefined) => Promise<void> | void,
): AsyncGenerator<R[]> {
  /** Returns undefined for damaged rows. */
  const read = async (after: unknown[] | undefined, size: number) => {
    try {
      return await engine.attempt(db, () => rowsAfter(after, size));
    } catch (error) {
      if (!engine.isDamage(error)) throw error;
      return undefined;
    }
  };
  let size = usualSize;
  for (;;) {
    const rows = await read(after, size);
    if (rows) {
      if (rows.length > 0) yield rows;
      const last = rows.at(-1);
      if (!last || rows.length < size) return;
      after = keyOf(last);
      size = Math.min(2 * size, usualSize);
      continue;
    }
    if (size > 1) {
      size = 1;
      continue;
    }
    const from = after === undefined ? 0 : Number(after[0]);
    const isReadable = async (step: number) => (await read([from + step], 1)) !== undefined;
    let [lower, step] = [0, 1];
    // One by one at first, because there may be intact rows between damaged ones.
    while (from + step < mostRows && !(await isReadable(step)))
      [lower, step] = [step, step < oneByOne ? step + 1 : step * 2];
    // Also taken if the rows have no numbers.
    if (!(from + step < mostRows)) return onLost(after, from, undefined);
    while (step - lower > 1) {
      const middle = Math.floor((lower + step) / 2);
      if (await isReadable(middle)) step = middle;
      else lower = middle;
    }
    await onLost(after, from, from + step);
    after = [from + step];
  }
}

function sizeOf(table: keyof Tables): number {
  return table === 'changes' ? changesAtOnce : sliceSize;
}

const mostRows = 2 ** 40;
/** More rows than a block contains. */
const oneByOne = 300;
const mostNamed = 100;

/** Unreadable rows, found through indexes and referring tables. */
async function namesOf(
  { engine, db }: { engine: Engine; db: Database },
  table: keyof Tables,
  from: number,
  to: number,
): Promise<string[]> {
  const range =
    to === from + 1
      ? `The row ${to} of the table ${table} cannot be read.`
      : `Rows of the table ${table} with numbers from ${from + 1} to ${to} cannot be read.`;
  const found = async <R>(query: RawBuilder<R>): Promise<R[]> => {
    try {
      return (await engine.attempt(db, () => query.execute(db))).rows;
    } catch {
      return [];
    }
  };
  if (table === 'pages') {
    // One by one, because some of their changes may be damaged, too, which would fail a query for all.
    const pages: { page_id: number; content: string }[] = [];
    for (let id = from + 1; id <= Math.min(to, from + oneByOne) && pages.length < mostNamed; id++)
      pages.push(
        ...(await found(sql<(typeof pages)[0]>`select page_id, content from changes
          where page_id = ${id} order by id desc limit 1`)),
      );
    const names = pages.map(({ page_id, content }) => `Page ${page_id}${pathIn(content)} cannot be read.`);
    return pages.length === to - from ? names : [range, ...names];
  }
  if (table !== 'changes') return [range];
  // Compared by an expression, because an index on the number itself would lead to the damaged rows.
  const changes = await found(sql<{ id: number; page_id: number; path: string }>`
    select c.id, c.page_id, p.path from changes c join pages p on p.id = c.page_id
    where c.id + 0 > ${from} and c.id + 0 <= ${to} order by c.id + 0 limit ${mostNamed}`);
  const latest = await found(sql<{ id: number; page_id: number; path: string }>`
    select change_id as id, id as page_id, path from pages
    where change_id > ${from} and change_id <= ${to} order by change_id limit ${mostNamed}`);
  const known = new Map([...latest, ...changes].map((change) => [change.id, change]));
  const names = [...known.values()].map(
    ({ id, page_id, path }) => `Change ${id} of page ${page_id} at ${path} cannot be read.`,
  );
  return changes.length > 0 || known.size === to - from ? names : [range, ...names];
}

function pathIn(content: string): string {
  try {
    return ` at ${(JSON.parse(content) as Content).path}`;
  } catch {
    return '';
  }
}

/** In primary key order. `after`: the first columns of a key. */
async function rowsAfter(
  db: Database,
  table: keyof Tables,
  after: unknown[] | undefined,
  size: number,
): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<
    Record<string, unknown>
  >`select * from ${sql.table(table)} where ${beyond(table, after)}
    order by ${sql.join(primaryKeyOf(table).map((column) => sql.ref(column)))} limit ${size}`.execute(db);
  return rows;
}

function beyond(table: keyof Tables, after: unknown[] | undefined): RawBuilder<unknown> {
  if (after === undefined) return sql`1 = 1`;
  const columns = primaryKeyOf(table)
    .slice(0, after.length)
    .map((column) => sql.ref(column));
  return sql`(${sql.join(columns)}) > (${sql.join(after)})`;
}
