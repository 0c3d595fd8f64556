/** The search indexes on SQLite: definition and verification. */
import { sql } from 'kysely';
import type { Database, IndexCheck } from '../engine.ts';
import { Digests, type Occurrence } from '../maintenance/index-digests.ts';

const indexes = {
  // Receives terms that are already split and folded. The `ascii` tokenizer treats every non-ASCII character as part of a word,
  // so it never splits or changes one, whatever Unicode version is built in.
  page_text: {
    columns: 'title, body',
    tokenizer: 'ascii',
    // A segment is rewritten when this percentage of it belongs to pages that were written since (default 10).
    hashsize: 1 << 20,
    deletemerge: 30,
  },
  // Updated for each page whose title or path changed, including moved subtrees: see `renewNames`. The columns are called after
  // the keys that they contained at first; they contain folded names.
  page_names: {
    columns: 'title_key, path_key',
    tokenizer: 'trigram case_sensitive 1',
    // A small buffer is flushed often, so little is merged at once: a move updates thousands of names.
    hashsize: 1 << 17,
    deletemerge: 50,
  },
};
type IndexName = keyof typeof indexes;

/**
 * Number of segments of an index that exist side by side before they are merged (default 4): merging accounts for most of what
 * saving a page writes.
 */
const partsBeforeMerging = 8;

/**
 * Index segments are stored in rows of this many bytes (default 4,050). Several share a page of the file, so that a new one
 * seldom moves its neighbours.
 */
const bytesOfRow = 480;

/** Buffering, flushing and merging of the indexes: https://sqlite.org/fts5.html#special_insert_commands. */
const settings = Object.entries(indexes).flatMap(([index, { hashsize, deletemerge }]) => [
  setting(index, 'automerge', partsBeforeMerging),
  setting(index, 'hashsize', hashsize),
  setting(index, 'deletemerge', deletemerge),
]);

function setting(index: string, option: string, value: number): string {
  return `insert into ${index} (${index}, rank) values ('${option}', ${value})`;
}

function indexCalled(name: string, like: IndexName): string {
  const { columns, tokenizer } = indexes[like];
  return `create virtual table ${name} using fts5 (${columns}, content='', contentless_delete=1, tokenize='${tokenizer}')`;
}

/** Statements that create the search indexes. */
export const searchIndexes = (Object.keys(indexes) as IndexName[])
  .flatMap((index) => [indexCalled(index, index), setting(index, 'pgsz', bytesOfRow)])
  .concat(settings);

/**
 * Indexes that are never dropped, because statements name them. The first is small, and new pages are appended to the second.
 */
export const hiddenPages = 'pages_hidden';
export const namedPages = 'pages_by_id';
/** Index for detecting new pages. */
export const pagesByPath = 'pages_by_path_in_order';

/** Tables whose indexes are dropped, except those of unique columns. */
const filledTables = ['pages', 'changes', 'links', 'tags'];

/** Makes each transaction write one segment; they are merged at the end. */
const whileBulkLoading = { hashsize: 64 << 20, automerge: 0 };

export async function dropIndexes(db: Database): Promise<boolean> {
  const pages = await sql`select 1 from pages limit 1`.execute(db);
  if (pages.rows.length > 0 || (await isBulkLoading(db))) return false;
  await sql`create table bulk_load (name text primary key, statement text not null) strict`.execute(db);
  // Search indexes are merged first; the space that this frees is then used by the other indexes.
  for (const index of Object.keys(indexes)) {
    const merging = `insert into ${index} (${index}) values ('optimize')`;
    await sql`insert into bulk_load values (${` ${index}`}, ${merging})`.execute(db);
    for (const [option, value] of Object.entries(whileBulkLoading))
      await sql.raw(setting(index, option, value)).execute(db);
  }
  const dropped = await sql<{ name: string }>`insert into bulk_load select name, sql from sqlite_schema
    where type = 'index' and sql is not null and tbl_name in (${sql.join(filledTables)}) and name not in (${hiddenPages}, ${namedPages}, ${pagesByPath})
    returning name`.execute(db);
  for (const { name } of dropped.rows) await sql`drop index ${sql.ref(name)}`.execute(db);
  return true;
}

export async function isBulkLoading(db: Database): Promise<boolean> {
  const table = await sql`select 1 from sqlite_schema where name = 'bulk_load'`.execute(db);
  return table.rows.length > 0;
}

export async function makeNextIndex(db: Database): Promise<boolean> {
  if (!(await isBulkLoading(db))) return false;
  const next = await sql<{
    name: string;
    statement: string;
  }>`select * from bulk_load order by name limit 1`.execute(db);
  const [index] = next.rows;
  if (!index) return false;
  await sql.raw(index.statement).execute(db);
  await sql`delete from bulk_load where name = ${index.name}`.execute(db);
  return true;
}

export async function forgetBulkLoad(db: Database): Promise<void> {
  // Created again if it is gone: a commit that writes something syncs all earlier ones to disk.
  await sql`create table if not exists bulk_load (name text primary key) strict`.execute(db);
  await sql`drop table bulk_load`.execute(db);
  for (const statement of settings) await sql.raw(statement).execute(db);
}

/**
 * The indexes store no text, only the positions of terms. So their content is read in index order, once, and summed up for each
 * page; the expected content is indexed beside it in the same way, some pages at a time.
 */
export async function checkIndexes(db: Database): Promise<IndexCheck> {
  const tables = Object.keys(indexes) as IndexName[];
  const run = (statement: string) => sql.raw(statement).execute(db);
  const drop = async () => {
    for (const table of tables) {
      for (const name of [`${table}_held`, `${table}_due`, `due_${table}`])
        await run(`drop table if exists temp.${name}`);
    }
  };
  await drop();
  const held = { page_text: new Digests(), page_names: new Digests() };
  for (const table of tables) {
    await run(`create virtual table temp.${table}_held using fts5vocab(main, ${table}, instance)`);
    await run(indexCalled(`temp.due_${table}`, table));
    await run(`create virtual table temp.${table}_due using fts5vocab(temp, due_${table}, instance)`);
    await digest(db, `${table}_held`, held[table]);
  }
  const wrong = async (table: IndexName, rows: (string | number)[][]) => {
    const [id, first, second] = [0, 1, 2].map((i) => sql`value ->> ${sql.lit(i)}`);
    await sql`insert into ${sql.table(`temp.due_${table}`)} (rowid, ${sql.raw(indexes[table].columns)})
      select ${id}, ${first}, ${second} from json_each(${JSON.stringify(rows)})`.execute(db);
    const due = new Digests();
    await digest(db, `${table}_due`, due);
    await run(`insert into temp.due_${table} (due_${table}) values ('delete-all')`);
    return held[table].takeDiffering(
      rows.map(([id]) => Number(id)),
      due,
    );
  };
  return {
    wrong: async (pages) => ({
      texts: await wrong(
        'page_text',
        pages.map(({ pageId, titleTerms, bodyTerms }) => [pageId, titleTerms, bodyTerms]),
      ),
      names: await wrong(
        'page_names',
        pages.map(({ pageId, title, path }) => [pageId, title, path]),
      ),
    }),
    rest: () => [...new Set(tables.flatMap((table) => held[table].ids()))],
    [Symbol.asyncDispose]: drop,
  };
}

async function digest(db: Database, vocabulary: string, into: Digests): Promise<void> {
  const all = sql<Occurrence>`select term, doc, col, "offset" from ${sql.table(`temp.${vocabulary}`)}`;
  for await (const { rows } of db.getExecutor().stream<Occurrence>(all.compile(db), 1000)) into.add(rows);
}
