/** Database rows, read and written without the store. */
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { Store } from '#core/ports/store.ts';
import type { StoreConfig } from '#store/store.ts';

export interface Row {
  table: string;
  row: Record<string, unknown>;
}

export async function dumpOf(store: Store): Promise<Row[]> {
  return Array.fromAsync(store.maintenance.dump());
}

/** Runs statements directly on the database, without foreign-key checks on SQLite. */
export async function meddle(config: StoreConfig, statements: string): Promise<void> {
  if (config.kind === 'sqlite') {
    const db = new DatabaseSync(config.file);
    db.exec(`pragma foreign_keys = off; ${statements}`);
    db.close();
    return;
  }
  const client = new pg.Client(config.url);
  await client.connect();
  await client.query(statements);
  await client.end();
}

/** Returns the rows of a query that runs directly on the database. */
export async function ask(config: StoreConfig, query: string): Promise<Record<string, unknown>[]> {
  if (config.kind === 'sqlite') {
    const db = new DatabaseSync(config.file, { readOnly: true });
    try {
      return db.prepare(query).all();
    } finally {
      db.close();
    }
  }
  const client = new pg.Client(config.url);
  await client.connect();
  const { rows } = await client.query(query);
  await client.end();
  return rows;
}

export function insertion({ table, row }: Row): string {
  return `insert into ${table} (${Object.keys(row).join(', ')}) values (${Object.values(row).map(literal).join(', ')})`;
}

export function literal(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}
