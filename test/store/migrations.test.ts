/** Data of other versions of Coppice: databases and backups. */
import { describe, expect, test } from 'vitest';
import { createRenderer } from '#core/content/render.ts';
import { rebuild } from '#core/maintenance/rebuild.ts';
import type { Content } from '#core/model/page.ts';
import type { Attachment } from '#core/model/page-input.ts';
import { createPage } from '#core/pages/create-page.ts';
import { editPage } from '#core/pages/edit-page.ts';
import type { Files } from '#core/ports/file-store.ts';
import type { Store } from '#core/ports/store.ts';
import { openDisk } from '#files/disk.ts';
import { createProbe } from '#files/probe.ts';
import { openStore } from '#run/open-store.ts';
import { openPostgres } from '#store/postgres/engine.ts';
import { openSqlite } from '#store/sqlite/engine.ts';
import type { StoreConfig } from '#store/store.ts';
import { effort } from '../support/effort.ts';
import { noFiles } from '../support/no-files.ts';
import { databases } from '../support/postgres.ts';
import { ask, dumpOf, insertion, meddle, type Row } from '../support/rows.ts';
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
  'path_fold',
  'sibling_rank',
  'grants',
  'audience_id',
  'beneath_id',
  'language',
  'default_template',
  'review_by',
  'comment_id',
  'body_format',
  'rule',
  'original_id',
  'rendered_id',
  'rendered_paragraphs',
]);

const steps = [
  '0001-initial',
  '0002-erasures',
  '0003-second-factor-clients',
  '0004-lease-holders',
  '0005-folded-names',
  '0006-filters-of-trashed-pages',
  '0007-sent-mails',
  '0008-settings',
  '0009-order',
  '0010-grants',
  '0011-languages',
  '0012-default-templates',
  '0013-comments',
  '0014-secret-links',
  '0015-webhook-formats',
  '0016-proposals',
  '0017-translations',
  '0018-stems',
  '0019-favourites',
  '0020-reviews',
  '0021-editor-drafts',
  '0022-sets-of-events',
  '0023-languages-of-members',
  '0024-names-in-merges',
  '0025-reports',
  '0026-open-editors',
  '0027-proposed-files',
  '0028-reviews-of-changes',
  '0029-file-texts',
  '0030-told-reviews',
  '0031-strangers',
  '0032-translated-paragraphs',
  '0033-emoji-terms',
  '0034-more-stems',
];

/** Tables with a column and an index that a later step added. */
const leased = ['idempotency_keys', 'imports', 'scheduled_exports', 'mails', 'webhooks', 'watched_events'];

/** Removes what the later steps add. */
const undoing = [
  ...[
    'erasures',
    'second_factor_clients',
    'search_renewal',
    'trashed_tags',
    'trashed_searches',
    'sent_mails',
    'settings',
    'audience_readers',
    'audiences',
    'comment_mentions',
    'comment_texts',
    'comments',
    'secret_links',
    'favourites',
    'file_texts',
    'file_text_parts',
    'file_terms',
    'page_reads',
    'vain_searches',
    'outside_links',
    'link_rounds',
    'told_reviews',
    'submissions',
    'stranger_days',
    'editor_drafts',
    'open_editors',
    'proposal_files',
    'proposal_reviews',
    'proposal_changes',
    'proposals',
  ].map((table) => `drop table ${table}`),
  ...leased.map((table) => `drop index ${table}_held; alter table ${table} drop column holder`),
  ...['path_fold', 'sort_key_trigram', 'path_fold_trigram'].map(
    (index) => `drop index if exists pages_by_${index}`,
  ),
  'drop index pages_by_parent; alter table pages drop column sibling_rank',
  'create index pages_by_parent on pages (parent_id, sort_key, id, audience, owner_id)',
  'alter table trashed_pages drop column sibling_rank',
  'alter table pages drop column path_fold',
  'alter table trashed_pages drop column type',
  'drop index pages_granted',
  ...['grants', 'audience_id', 'beneath_id', 'default_template'].map(
    (column) => `alter table pages drop column ${column}`,
  ),
  'alter table trashed_pages drop column audience_id',
  'drop index pages_of_original',
  'drop index pages_translated',
  ...['pages', 'trashed_pages'].flatMap((table) =>
    ['original_id', 'rendered_id'].map((column) => `alter table ${table} drop column ${column}`),
  ),
  'alter table pages drop column rendered_paragraphs',
  'drop index pages_by_review',
  'alter table pages drop column review_by',
  'drop index pages_by_language',
  'alter table webhooks drop column body_format',
  'alter table pages drop column language',
  'alter table members drop column language',
  ...['comment_id', 'original_id'].map((column) => `alter table events drop column ${column}`),
  'drop index pages_ruled',
  ...['pages', 'trashed_pages'].map((table) => `alter table ${table} drop column rule`),
].join(';');

/** Migrations that created the first tables in earlier versions, in order. */
const formerSteps = [
  ...['0001-schema', '0002-api-tokens', '0003-idempotency-keys', '0004-mail', '0005-trash', '0006-events'],
  ...['0007-webhooks', '0010-groups', '0013-audit', '0015-watches', '0016-second-factor', '0018-imports'],
  ...['0020-small-creates', '0021-roles', '0022-sign-ups', '0023-own-data', '0024-file-library'],
  ...['0025-passkeys', '0026-reviewed', '0029-scheduled-exports'],
];

/** A file store on disk, and uploads of texts. */
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
    createPage({ store, files: noFiles, actor: ann, now: 5 }, { title, body, ...(parent ? { parent } : {}) });
  await create('Elm', "Elm's leaf [[Oak]] [[/nowhere]] [[kind:tree]] [[kind:old]] [[Location: 1, 2]]");
  await create('Ash', '[[../gone]] [[Elm]] {{Box}} [[Type:Tree]]', '/elm');
  await create('Rowan', 'Asks for [[Oak]] and [[Yew]], too.');
  await editPage({ store, files: noFiles, renderer, actor: ann, now: 6 }, '/rowan', { permissions: '700' });
  await editPage({ store, files: noFiles, renderer, actor: ann, now: 7 }, '/elm/ash', { slug: 'ash-tree' });
  // One file with the page, two later.
  const attach = async (now: number, ...uploads: Promise<Attachment>[]) =>
    editPage({ store, files, renderer, actor: ann, now }, '/holly', { files: await Promise.all(uploads) });
  await createPage(
    { store, files, actor: ann, now: 10 },
    { title: 'Holly', files: [await files.upload('leaf.txt', 'a')] },
  );
  await attach(11, files.upload('berry.txt', 'b'), files.upload('a.txt', 'c'));
  await editPage({ store, files: noFiles, renderer, actor: ann, now: 12 }, '/holly', { body: 'Red' });
  await store.transact((store) => store.pages.addLike(1, 1, 8));
}

/** Makes an empty database as the version had it whose last migration this was. */
async function makeAsOf(config: StoreConfig, last: string): Promise<void> {
  await using engine =
    config.kind === 'sqlite' ? await openSqlite(config.file, {}) : await openPostgres([config.url], {});
  const { words } = engine;
  const made = [`create table migrations (name ${words.text} primary key)${words.rows}`];
  for (const name of steps.slice(0, steps.indexOf(last) + 1)) {
    const { statements } = await import(`../../src/store/migrations/${name}.ts`);
    made.push(...statements(words), `insert into migrations (name) values ('${name}')`);
  }
  await meddle(config, made.join(';\n'));
}

/** Names such as `pages.title`. */
async function columnsOf(config: StoreConfig): Promise<ReadonlySet<string>> {
  const found = await ask(
    config,
    config.kind === 'sqlite'
      ? "select m.name || '.' || c.name as name from sqlite_schema m join pragma_table_info(m.name) c where m.type = 'table'"
      : "select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'",
  );
  return new Set(found.map(({ name }) => String(name)));
}

function firstVersionOf({ table, row }: Row): Row {
  const isAdmin = table === 'members' ? { is_admin: row.role === 'administrator' } : {};
  const kept = Object.entries(row).filter(([column]) => !addedLater.has(column));
  // Changes did not record files.
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
  const namesOf = async (config: StoreConfig) =>
    (await ask(config, 'select name from migrations order by name')).map(({ name }) => name);

  test('a database that an earlier version made step by step is accepted as it is', async () => {
    await using database = await fresh();
    let rows: Row[];
    {
      await using store = await openStore(database.config);
      await write(store);
      rows = await dumpOf(store);
    }
    await named(database.config, ...formerSteps);
    await meddle(database.config, undoing);
    await expect(openStore(database.config, { isReadOnly: true })).rejects.toThrow('earlier version');
    expect(await namesOf(database.config)).toEqual(formerSteps);
    for (const isReadOnly of [false, true]) {
      await using store = await openStore(database.config, { isReadOnly });
      expect(await dumpOf(store)).toEqual(rows);
      expect(await store.maintenance.violations(9)).toEqual([]);
      expect(await namesOf(database.config)).toEqual(steps);
    }
  });

  test('a wiki of every earlier version is brought up to date in one step, with all that it has', async () => {
    await using origin = await fresh();
    await using source = await openStore(origin.config);
    await write(source);
    const rows = await dumpOf(source);
    const earlier = steps.slice(0, -1);
    for (const last of effort(['0001-initial', '0017-translations'], earlier)) {
      await using database = await fresh();
      await makeAsOf(database.config, last);
      const columns = await columnsOf(database.config);
      const had = rows.flatMap(({ table, row }) => {
        const kept = Object.entries(row).filter(([column]) => columns.has(`${table}.${column}`));
        return kept.length > 0 ? [insertion({ table, row: Object.fromEntries(kept) })] : [];
      });
      // A migration wrote a row.
      if (columns.has('settings.name')) had.unshift('delete from settings');
      await meddle(database.config, had.join(';'));
      await using store = await openStore(database.config);
      expect(await namesOf(database.config), last).toEqual(steps);
      // The rows were written beside the search indexes.
      await rebuild(store);
      expect(await dumpOf(store), last).toEqual(rows);
      expect(await store.maintenance.violations(9), last).toEqual([]);
    }
  });

  test.each([
    [
      'without the last step',
      formerSteps.slice(0, -1),
      'the last version with the migration 0029-scheduled-exports',
    ],
    [
      'without a step between',
      formerSteps.toSpliced(7, 1),
      'the last version with the migration 0029-scheduled-exports',
    ],
    [
      'with one step more',
      [...formerSteps, '0032-more'],
      'it contains the migration 0032-more. Start that version',
    ],
    [
      'of steps after the first',
      ['0001-initial', '0099-later'],
      'it contains the migration 0099-later. Start that version',
    ],
    [
      'from long ago',
      ['0001-pages', '0021-small-writes'],
      'it contains the migration 0001-pages. Start that version',
    ],
  ])('a database %s is refused, and left unchanged', async (_what, names, sentence) => {
    await using database = await fresh();
    let rows: Row[];
    {
      await using store = await openStore(database.config);
      await write(store);
      rows = await dumpOf(store);
    }
    await named(database.config, ...names);
    for (const isReadOnly of [false, true])
      await expect(openStore(database.config, { isReadOnly })).rejects.toThrow(sentence);
    expect(await namesOf(database.config)).toEqual(names);
    await named(database.config, ...steps);
    await using store = await openStore(database.config);
    expect(await dumpOf(store)).toEqual(rows);
  });

  test('rows of a backup by an earlier version get all later columns', async () => {
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
          // Backups that can be read here contain these columns, but no later ones.
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
