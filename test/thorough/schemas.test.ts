/** Several wikis in one database of PostgreSQL, each in a schema of its own. */
import { expect, test } from 'vitest';
import { addMember } from '#core/members/manage-members.ts';
import { createPage } from '#core/pages/create-page.ts';
import type { Passphrases } from '#core/ports/credentials.ts';
import { openStore } from '#run/open-store.ts';
import { noFiles } from '../support/no-files.ts';
import { freshPostgres } from '../support/postgres.ts';
import { ask, meddle } from '../support/rows.ts';

test('wikis in schemas of one database know nothing of each other', async () => {
  await using database = await freshPostgres();
  await meddle(database.config, 'create extension pg_trgm; create schema alder; create schema birch');
  const inSchema = (name: string) =>
    openStore({ kind: 'postgres', url: `${database.url}?options=-c%20search_path%3D${name},public` });
  await using alder = await inSchema('alder');
  await using birch = await inSchema('birch');
  const ada = { email: 'ada@example.org', name: 'Ada', isAdmin: true, passphrase: null };
  for (const store of [alder, birch]) await addMember(store, {} as Passphrases, ada, 0);
  const actor = { memberId: 1, name: 'Ada', isAdmin: true };
  const before = await birch.revision();
  const draft = { title: 'Heron', body: 'Mill [[Reed]]' };
  await createPage({ store: alder, files: noFiles, actor, now: 1 }, draft);
  const heron = (await alder.readAsSystem().pages.findByPath('/heron'))?.id ?? 0;
  await birch.revision();
  expect(birch.isUnchanged(before, [heron])).toBe(true);
  expect(await birch.readAsSystem().pages.findByPath('/heron')).toBeUndefined();
  expect(await birch.readAsSystem().links.wanted(10, 10)).toEqual([]);
  await createPage({ store: birch, files: noFiles, actor, now: 1 }, draft);
  for (const store of [alder, birch]) expect(await store.maintenance.violations(9)).toEqual([]);
  const tables = "select count(*)::int as count from pg_tables where schemaname = 'public'";
  expect(await ask(database.config, tables)).toEqual([{ count: 0 }]);
});
