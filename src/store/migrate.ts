/**
 * Brings a database to the shape that this version works with. All that is missing is done in one transaction, which
 * of several processes that start at once only one does; the others find it done.
 */
import { type Kysely, sql } from 'kysely';
import { Problem } from '#domain/problem.ts';
import type { Engine } from './engine.ts';
import * as pages from './migrations/0001-pages.ts';
import * as identities from './migrations/0002-identities.ts';
import * as ownPages from './migrations/0003-own-pages.ts';
import * as relativeLinks from './migrations/0004-relative-links.ts';
import * as fewerWrites from './migrations/0005-fewer-writes.ts';
import * as historyBytes from './migrations/0006-history-bytes.ts';
import * as commits from './migrations/0007-commits.ts';
import * as hiddenPages from './migrations/0008-hidden-pages.ts';
import * as subjects from './migrations/0009-subjects.ts';
import * as rowsByKey from './migrations/0010-rows-by-key.ts';
import * as usualMerging from './migrations/0011-usual-merging.ts';
import * as commitsOfProcesses from './migrations/0012-commits-of-processes.ts';
import * as littleAtOnce from './migrations/0013-little-at-once.ts';
import * as commitsOfStrangers from './migrations/0014-commits-of-strangers.ts';
import * as smallIndexes from './migrations/0015-small-indexes.ts';
import * as byIndexAlone from './migrations/0016-by-index-alone.ts';
import * as sessions from './migrations/0017-sessions.ts';
import * as accounts from './migrations/0018-accounts.ts';
import * as versionsOfFiles from './migrations/0019-versions-of-files.ts';
import * as smallWrites from './migrations/0021-small-writes.ts';

const migrations = [
  pages,
  identities,
  ownPages,
  relativeLinks,
  fewerWrites,
  historyBytes,
  commits,
  hiddenPages,
  subjects,
  rowsByKey,
  usualMerging,
  commitsOfProcesses,
  littleAtOnce,
  commitsOfStrangers,
  smallIndexes,
  byIndexAlone,
  sessions,
  accounts,
  versionsOfFiles,
  smallWrites,
];

/** What names in older databases are called now; undefined: what it did is taken back by a later one. */
const formerNames: [former: string, now: string | undefined][] = [
  ['0006-even-writes', undefined],
  ['0007-history-bytes', historyBytes.name],
];

/** `beforeCreating`: called where nothing was done yet; throwing, it keeps it so. */
export async function migrate(engine: Engine, beforeCreating?: () => void): Promise<void> {
  await engine.transact(async (db) => {
    await engine.lockMigrations(db);
    const { text, tableEnd } = engine.words;
    await sql.raw(`create table if not exists migrations (name ${text} primary key)${tableEnd}`).execute(db);
    for (const [former, now] of formerNames) {
      await (now === undefined
        ? sql`delete from migrations where name = ${former}`
        : sql`update migrations set name = ${now} where name = ${former}`
      ).execute(db);
    }
    const done = (
      await sql<{ name: string }>`select name from migrations order by name`.execute(db)
    ).rows.map((row) => row.name);
    if (done.length === 0) beforeCreating?.();
    refuseLater(done);
    const missing = migrations.filter((migration) => !done.includes(migration.name));
    for (const { name, up } of missing) {
      await up(db as unknown as Kysely<never>, engine.words);
      await sql`insert into migrations (name) values (${name})`.execute(db);
    }
    if (missing.length > 0) await engine.afterMigration(db);
    // Whoever starts makes nothing old that others keep.
    else engine.touch(db, []);
  }, true);
}

/** For who cannot migrate. */
export async function refuseUnlessMigrated({ reader }: Engine): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(reader);
  const done = rows.map((row) => row.name);
  refuseLater(done);
  if (migrations.every(({ name }) => done.includes(name))) return;
  throw new Problem(
    'unavailable',
    'the database is of an earlier version of Coppice: start this one where it can be written, which brings it up to date',
  );
}

function refuseLater(done: string[]): void {
  const unknown = done.find((name) => !migrations.some((migration) => migration.name === name));
  if (unknown === undefined) return;
  throw new Error(
    `The database was made by a later version of Coppice: it has seen the migration ${unknown}.`,
  );
}
