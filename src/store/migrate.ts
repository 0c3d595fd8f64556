/**
 * Migrates a database to the current schema, in one transaction. If several processes start at once, one of them migrates and
 * the others find it done.
 */
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { Problem } from '#core/model/problem.ts';
import type { Database, Engine, SchemaWords } from './engine.ts';
import * as initial from './migrations/0001-initial.ts';
import * as erasures from './migrations/0002-erasures.ts';
import * as secondFactorClients from './migrations/0003-second-factor-clients.ts';
import * as leaseHolders from './migrations/0004-lease-holders.ts';
import * as foldedNames from './migrations/0005-folded-names.ts';
import * as filtersOfTrashedPages from './migrations/0006-filters-of-trashed-pages.ts';
import * as sentMails from './migrations/0007-sent-mails.ts';
import * as settings from './migrations/0008-settings.ts';
import * as order from './migrations/0009-order.ts';
import * as grants from './migrations/0010-grants.ts';
import * as languages from './migrations/0011-languages.ts';
import * as defaultTemplates from './migrations/0012-default-templates.ts';
import * as comments from './migrations/0013-comments.ts';
import * as secretLinks from './migrations/0014-secret-links.ts';
import * as webhookFormats from './migrations/0015-webhook-formats.ts';
import * as proposals from './migrations/0016-proposals.ts';
import * as translations from './migrations/0017-translations.ts';
import * as stems from './migrations/0018-stems.ts';
import * as favourites from './migrations/0019-favourites.ts';
import * as reviews from './migrations/0020-reviews.ts';
import * as editorDrafts from './migrations/0021-editor-drafts.ts';
import * as setsOfEvents from './migrations/0022-sets-of-events.ts';
import * as languagesOfMembers from './migrations/0023-languages-of-members.ts';
import * as namesInMerges from './migrations/0024-names-in-merges.ts';
import * as reports from './migrations/0025-reports.ts';
import * as openEditors from './migrations/0026-open-editors.ts';
import * as proposedFiles from './migrations/0027-proposed-files.ts';
import * as reviewsOfChanges from './migrations/0028-reviews-of-changes.ts';
import * as fileTexts from './migrations/0029-file-texts.ts';
import * as toldReviews from './migrations/0030-told-reviews.ts';
import * as strangers from './migrations/0031-strangers.ts';
import * as translatedParagraphs from './migrations/0032-translated-paragraphs.ts';
import * as emojiTerms from './migrations/0033-emoji-terms.ts';
import * as moreStems from './migrations/0034-more-stems.ts';

interface Migration {
  name: string;
  statements(words: SchemaWords): string[];
}

const migrations: Migration[] = [
  initial,
  erasures,
  secondFactorClients,
  leaseHolders,
  foldedNames,
  filtersOfTrashedPages,
  sentMails,
  settings,
  order,
  grants,
  languages,
  defaultTemplates,
  comments,
  secretLinks,
  webhookFormats,
  proposals,
  translations,
  stems,
  favourites,
  reviews,
  editorDrafts,
  setsOfEvents,
  languagesOfMembers,
  namesInMerges,
  reports,
  openEditors,
  proposedFiles,
  reviewsOfChanges,
  fileTexts,
  toldReviews,
  strangers,
  translatedParagraphs,
  emojiTerms,
  moreStems,
];

/** `beforeCreating` is called before the first migration of a new database; throwing prevents it. */
export async function migrate(engine: Engine, beforeCreating?: () => void): Promise<void> {
  await engine.transact(async (db) => {
    engine.liftTimeLimit(db);
    await engine.lockMigrations(db);
    const { text, rows } = engine.words;
    await sql.raw(`create table if not exists migrations (name ${text} primary key)${rows}`).execute(db);
    const done = await migrationsOf(db);
    if (isReplaced(done)) {
      await sql`delete from migrations`.execute(db);
      await sql`insert into migrations (name) values (${initial.name})`.execute(db);
      done.splice(0, done.length, initial.name);
    }
    if (done.length === 0) beforeCreating?.();
    refuseOthers(done);
    const missing = migrations.filter(({ name }) => !done.includes(name));
    for (const migration of missing) {
      for (const statement of migration.statements(engine.words)) await sql.raw(statement).execute(db);
      await sql`insert into migrations (name) values (${migration.name})`.execute(db);
    }
    if (missing.length > 0) await engine.commentTables?.(db);
    // Starting a process invalidates nothing in the caches of others.
    else engine.invalidate(db, []);
  });
}

/** Check for processes that cannot migrate. */
export async function refuseUnlessMigrated({ reader }: Engine): Promise<void> {
  const found = await migrationsOf(reader);
  const done = isReplaced(found) ? [initial.name] : found;
  refuseOthers(done);
  if (migrations.every(({ name }) => done.includes(name))) return;
  throw new Problem(
    'unavailable',
    'the database belongs to an earlier version of Coppice; start this version where it can write to the database, which updates it',
  );
}

async function migrationsOf(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Whether an earlier version made the tables of the initial migration step by step, to the last step. */
function isReplaced(done: string[]): boolean {
  return isDeepStrictEqual(done, initial.replaces);
}

/** Refuses databases that this version cannot bring up to date. */
function refuseOthers(done: string[]): void {
  const former = done.filter((name) => initial.replaces.includes(name));
  const unknown = done.find(
    (name) => !former.includes(name) && !migrations.some((migration) => migration.name === name),
  );
  if (unknown !== undefined)
    throw new Error(
      `The database was made by a later version of Coppice, or by a much earlier one: it contains the migration ${unknown}. Start that version, or export the wiki with it and import it here.`,
    );
  if (former.length > 0)
    throw new Error(
      `The database was made by an earlier version of Coppice that this version cannot update. Either start the last version with the migration ${initial.replaces.at(
        -1,
      )} once, or back up the wiki with the version that made it and restore the backup here.`,
    );
}
