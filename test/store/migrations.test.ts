/** Data of other versions of Coppice: databases and backups. */
import { describe, expect, test } from 'vitest';
import { createRenderer } from '#domain/content/render.ts';
import type { Files } from '#domain/files/attach-files.ts';
import { rebuild } from '#domain/maintenance/rebuild.ts';
import { createPage } from '#domain/pages/create-page.ts';
import { editPage } from '#domain/pages/edit-page.ts';
import type { Content } from '#domain/pages/page.ts';
import type { Attachment } from '#domain/pages/page-input.ts';
import { everything } from '#domain/permission.ts';
import type { Store } from '#domain/ports/store.ts';
import { openDisk } from '#files/disk.ts';
import { createProbe } from '#files/probe.ts';
import { openStore, type StoreConfig } from '#store/store.ts';
import { noFiles } from '../support/no-files.ts';
import { databases } from '../support/postgres.ts';
import { dumpOf, meddle, type Row } from '../support/rows.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { addMember } from '../support/write-pages.ts';

const addedLater = new Set([
  'is_bot',
  'follows_path',
  'history_bytes',
  'name_skeleton',
  'folded_name_skeleton',
  'email_skeleton',
  'failed_sign_ins',
  'failed_since',
  'history_from',
  'until_change_id',
  'group_ids',
  'group_id',
  'default_permissions',
  'default_group_id',
  'role',
  'blocked_at',
  'blocked_until',
  'blocked_by',
  'block_reason',
  'protection',
  'awaits_review',
]);

/** Takes back what the migrations after the first one made. */
const undoLater = (config: StoreConfig) => [
  'drop index events_awaiting_review',
  'alter table events drop column awaits_review',
  'drop table answered_challenges',
  'drop table passkeys',
  ...['files_by_sort_key', 'files_by_size_bytes', 'files_by_uploaded_at', 'files_ever', 'links_to_files'].map(
    (index) => `drop index ${index}`,
  ),
  'alter table files drop column sort_key',
  `alter table members add column is_admin ${config.kind === 'sqlite' ? 'integer' : 'boolean'} not null default false`,
  "update members set is_admin = (role = 'administrator')",
  'alter table members drop column role',
  `alter table invitations add column is_admin ${config.kind === 'sqlite' ? 'integer' : 'boolean'} not null default false`,
  'alter table invitations drop column role',
  'drop table sign_ups',
  'drop table spent_challenges',
  'drop index likes_by_member',
  'drop index members_blocked',
  ...['blocked_at', 'blocked_until', 'blocked_by', 'block_reason'].map(
    (column) => `alter table members drop column ${column}`,
  ),
  'drop index pages_protected',
  'alter table pages drop column protection',
  'drop index pages_by_path_key',
  'create index pages_by_path_key on pages (path_key)',
  'drop index pages_by_trail',
  'create index pages_by_trail on pages (trail, id, audience, owner_id)',
  'drop table recovery_codes',
  'drop table second_factors',
  'drop table group_members',
  'drop table groups',
  'alter table members drop column group_ids',
  'drop index pages_by_group',
  'drop index pages_by_default_group',
  'drop index pages_with_defaults',
  'drop index pages_by_group_audience',
  'drop index pages_by_group_owner',
  'alter table pages drop column group_id',
  'alter table pages drop column default_group_id',
  'alter table pages drop column default_permissions',
  'drop table webhook_deliveries',
  'drop table webhooks',
  'drop table watched_events',
  'drop table notifications',
  'drop table watchers',
  'drop table watches',
  'drop table imports',
  'drop table scheduled_exports',
  'drop table address_changes',
  'drop table mails',
  'drop table trashed_pages',
  'drop table trash',
  'drop index files_by_hash',
  'drop index files_by_thumbnail_hash',
  'drop table events',
  'drop table audit',
  'drop table idempotency_keys',
  'drop table api_tokens',
  'alter table members drop column is_bot',
];

/** Real bytes of a few texts. */
async function someFiles(): Promise<Files & { upload(filename: string, text: string): Promise<Attachment> }> {
  const store = await openDisk(await temporaryFolder());
  const upload = async (filename: string, text: string) => ({
    file: { filename, blob: await store.put(Buffer.from(text), 100) },
  });
  return { store, probe: createProbe(), upload };
}

async function write(store: Store): Promise<void> {
  const files = await someFiles();
  const ann = { memberId: await addMember(store, 'Ann', true), name: 'Ann', isAdmin: true };
  const renderer = createRenderer('Test');
  const create = (title: string, body: string, parent?: string) =>
    createPage(store, noFiles, ann, { title, body, ...(parent ? { parent } : {}) }, 5);
  await create('Elm', "Elm's leaf [[Oak]] [[/nowhere]] [[kind:tree]] [[kind:old]] [[Location: 1, 2]]");
  await create('Ash', '[[../gone]] [[Elm]] {{Box}} [[Type:Tree]]', '/elm');
  await create('Rowan', 'Asks for [[Oak]] and [[Yew]], too.');
  await editPage(store, noFiles, renderer, ann, '/rowan', { permissions: '700' }, 6);
  await editPage(store, noFiles, renderer, ann, '/elm/ash', { slug: 'ash-tree' }, 7);
  // One with the page, two later.
  const attach = async (now: number, ...uploads: Promise<Attachment>[]) =>
    editPage(store, files, renderer, ann, '/holly', { files: await Promise.all(uploads) }, now);
  await createPage(store, files, ann, { title: 'Holly', files: [await files.upload('leaf.txt', 'a')] }, 10);
  await attach(11, files.upload('berry.txt', 'b'), files.upload('a.txt', 'c'));
  await editPage(store, noFiles, renderer, ann, '/holly', { body: 'Red' }, 12);
  await store.transact((store) => store.pages.addLike(1, 1, 8));
}

function firstVersionOf({ table, row }: Row): Row {
  const isAdmin = table === 'members' ? { is_admin: row.role === 'administrator' } : {};
  const kept = Object.entries(row).filter(([column]) => !addedLater.has(column));
  // No change named files.
  const said = kept.map(([column, value]) => [column, table === 'changes' ? withoutFiles(value) : value]);
  return { table, row: { ...Object.fromEntries(said), ...isAdmin } };
}

function withoutFiles(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const { files: _, ...content } = JSON.parse(value) as Content;
  return JSON.stringify(content);
}

describe.each(databases)('%s', (_name, fresh) => {
  const named = (config: StoreConfig, ...names: string[]) =>
    meddle(
      config,
      ['delete from migrations', ...names.map((name) => `insert into migrations values ('${name}')`)].join(
        ';',
      ),
    );

  test('a database of the last version before the first release is taken as it is', async () => {
    await using database = await fresh();
    let rows: Row[];
    {
      await using store = await openStore(database.config);
      await write(store);
      rows = await dumpOf(store);
    }
    await meddle(database.config, undoLater(database.config).join(';'));
    await named(database.config, '0001-pages', '0002-identities', '0021-small-writes');
    await expect(openStore(database.config, { isReadOnly: true })).rejects.toThrow('an earlier version');
    const others = (rows: Row[]) => rows.filter(({ table }) => table !== 'events' && table !== 'audit');
    {
      await using store = await openStore(database.config);
      expect(others(await dumpOf(store))).toEqual(others(rows));
      // Every change is told, and every page from its beginning.
      const events = await store.events.list(0, 100, everything);
      expect(events.map(({ kind, page, editor }) => [kind, page.path, editor?.name])).toEqual([
        ['created', '/elm', 'Ann'],
        ['created', '/elm/ash-tree', 'Ann'],
        ['created', '/rowan', 'Ann'],
        ['edited', '/rowan', 'Ann'],
        ['edited', '/elm/ash-tree', 'Ann'],
        ['created', '/holly', 'Ann'],
        ['edited', '/holly', 'Ann'],
        ['edited', '/holly', 'Ann'],
      ]);
      rows = await dumpOf(store);
    }
    for (const isReadOnly of [true, false]) {
      await using store = await openStore(database.config, { isReadOnly });
      expect(await dumpOf(store)).toEqual(rows);
      expect(await store.maintenance.violations(9)).toEqual([]);
    }
  });

  test('one of another version is refused, and left as it is', async () => {
    await using database = await fresh();
    {
      await using _ = await openStore(database.config);
    }
    for (const name of ['0001-pages', '0099-of-the-future']) {
      await named(database.config, name);
      for (const isReadOnly of [false, true])
        await expect(openStore(database.config, { isReadOnly })).rejects.toThrow(
          `a later version of Coppice, or by one before the first release: it has seen the migration ${name}.`,
        );
    }
    await meddle(database.config, undoLater(database.config).join(';'));
    await named(database.config, '0001-schema');
    await using store = await openStore(database.config);
    expect(await store.maintenance.violations(9)).toEqual([]);
  });

  test('rows of a backup by an earlier version are given all that came later', async () => {
    await using origin = await fresh();
    await using source = await openStore(origin.config);
    await write(source);
    const rows = await dumpOf(source);
    await using database = await fresh();
    await using store = await openStore(database.config);
    const given = rows.map(firstVersionOf);
    await store.maintenance.restore(
      (async function* () {
        yield* given.map(({ table, row }) =>
          // Columns that the rows read here had before all later ones.
          table === 'pages'
            ? { table, row: { ...row, history_bytes: 0, follows_path: true } }
            : { table, row },
        );
      })(),
    );
    await rebuild(store);
    expect(await dumpOf(store)).toEqual(rows);
    expect(await store.maintenance.violations(9)).toEqual([]);
  });
});
