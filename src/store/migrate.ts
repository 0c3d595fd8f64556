/**
 * Brings a database to the shape that this version works with. All that is missing is done in one transaction, which
 * of several processes that start at once only one does; the others find it done.
 */
import { sql } from 'kysely';
import { Problem } from '#domain/problem.ts';
import type { Database, Engine, SchemaWords } from './engine.ts';
import * as schema from './migrations/0001-schema.ts';
import * as apiTokens from './migrations/0002-api-tokens.ts';
import * as idempotencyKeys from './migrations/0003-idempotency-keys.ts';
import * as mail from './migrations/0004-mail.ts';
import * as trash from './migrations/0005-trash.ts';
import * as events from './migrations/0006-events.ts';
import * as webhooks from './migrations/0007-webhooks.ts';
import * as groups from './migrations/0010-groups.ts';
import * as audit from './migrations/0013-audit.ts';
import * as watches from './migrations/0015-watches.ts';
import * as secondFactor from './migrations/0016-second-factor.ts';
import * as imports from './migrations/0018-imports.ts';
import * as smallCreates from './migrations/0020-small-creates.ts';
import * as roles from './migrations/0021-roles.ts';
import * as signUps from './migrations/0022-sign-ups.ts';
import * as ownData from './migrations/0023-own-data.ts';
import * as fileLibrary from './migrations/0024-file-library.ts';
import * as passkeys from './migrations/0025-passkeys.ts';
import * as reviewed from './migrations/0026-reviewed.ts';
import * as scheduledExports from './migrations/0029-scheduled-exports.ts';
import type { Tables } from './tables.ts';

interface Migration {
  name: string;
  statements(words: SchemaWords): string[];
  /** Tables that may have rows of pages that are not in `pages`, from this migration on. */
  unreferenced?: readonly (keyof Tables)[];
  /** After its statements. */
  finish?(engine: Engine, db: Database): Promise<void>;
}

const migrations: Migration[] = [
  schema,
  apiTokens,
  idempotencyKeys,
  mail,
  trash,
  events,
  webhooks,
  groups,
  audit,
  watches,
  secondFactor,
  imports,
  smallCreates,
  roles,
  signUps,
  ownData,
  fileLibrary,
  passkeys,
  reviewed,
  scheduledExports,
];

/** The last of those before the first release, which came to the same tables. */
const lastBeforeRelease = '0021-small-writes';

/** `beforeCreating`: called before the first migration of a new database; throwing, it prevents it. */
export async function migrate(engine: Engine, beforeCreating?: () => void): Promise<void> {
  await engine.transact(async (db) => {
    engine.liftTimeLimit(db);
    await engine.lockMigrations(db);
    const { text, rows } = engine.words;
    await sql.raw(`create table if not exists migrations (name ${text} primary key)${rows}`).execute(db);
    const done = await migrationsOf(db);
    if (isBeforeRelease(done)) {
      await sql`delete from migrations`.execute(db);
      await sql`insert into migrations (name) values (${schema.name})`.execute(db);
      done.splice(0, done.length, schema.name);
    }
    if (done.length === 0) beforeCreating?.();
    refuseLater(done);
    const missing = migrations.filter((migration) => !done.includes(migration.name));
    for (const { name, statements, unreferenced = [], finish } of missing) {
      for (const statement of statements(engine.words)) await sql.raw(statement).execute(db);
      for (const table of unreferenced) await engine.dropPageReference(db, table);
      await finish?.(engine, db);
      await sql`insert into migrations (name) values (${name})`.execute(db);
    }
    if (missing.length > 0) await engine.afterMigration(db);
    // Starting a process invalidates nothing that other processes have cached.
    else engine.invalidate(db, []);
  });
}

/** For processes that cannot migrate. */
export async function refuseUnlessMigrated({ reader }: Engine): Promise<void> {
  const found = await migrationsOf(reader);
  const done = isBeforeRelease(found) ? [schema.name] : found;
  refuseLater(done);
  if (migrations.every(({ name }) => done.includes(name))) return;
  throw new Problem(
    'unavailable',
    'the database is of an earlier version of Coppice: start this one where it can be written, which brings it up to date',
  );
}

function isBeforeRelease(done: string[]): boolean {
  return done.includes(lastBeforeRelease);
}

async function migrationsOf(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db);
  return rows.map(({ name }) => name);
}

function refuseLater(done: string[]): void {
  const unknown = done.find((name) => !migrations.some((migration) => migration.name === name));
  if (unknown === undefined) return;
  throw new Error(
    `The database was made by a later version of Coppice, or by one before the first release: it has seen the migration ${unknown}.`,
  );
}
