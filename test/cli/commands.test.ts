/** The command line as a whole, and the maintenance commands. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { loadKeys } from '#auth/keys.ts';
import { createRenderer } from '#core/content/render.ts';
import { sweepFiles } from '#core/files/sweep-files.ts';
import type { WholePage } from '#core/model/page.ts';
import { createPage } from '#core/pages/create-page.ts';
import { editPage } from '#core/pages/edit-page.ts';
import { viewPage } from '#core/pages/view-page.ts';
import type { StoreConfig } from '#store/store.ts';
import { engines, runCommand, startWiki, type TestWiki } from '../support/cli.ts';
import { commandNames } from '../support/commands.ts';
import { effort } from '../support/effort.ts';
import { freshPostgres } from '../support/postgres.ts';
import { meddle } from '../support/rows.ts';

const run = promisify(execFile);

test('the list of commands is complete', async () => {
  const { code, out } = await runCommand(['help'], {});
  expect(code).toBe(0);
  for (const command of ['serve', 'openapi', ...commandNames]) expect(out).toContain(command);
});

test.each(commandNames)('%s prints its help and touches nothing', async (command) => {
  await using wiki = await startWiki();
  const { code, out, err } = await wiki.coppice([command, '--help']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(new RegExp(`^Usage: coppice ${command}\\b`));
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  expect(readdirSync(wiki.folder)).toEqual([]);
});

test.each(commandNames)('%s refuses unknown options and creates no folder', async (command) => {
  await using wiki = await startWiki();
  const { code, err } = await wiki.coppice([command, '--no-such-option']);
  expect(code).toBe(2);
  expect(err).toContain(`See: coppice ${command} --help`);
  expect(readdirSync(wiki.folder)).toEqual([]);
});

/** Arguments for each command that opens a database. */
const calls: Record<string, string> = {
  audit: '',
  backup: 'FOLDER/other.tar.gz',
  check: '',
  demo: '--keep',
  erase: '--member ada@example.org --reason Asked',
  export: '--format markdown --to FOLDER/out',
  group: 'list',
  import: 'FOLDER/notes',
  mail: 'list',
  member: 'list',
  protect: '/oak',
  proposal: 'list',
  'read-only': 'on',
  rebuild: '',
  restore: 'FOLDER/whole.tar.gz',
  serve: '',
  setting: 'list',
  submission: 'list',
  token: 'list ada@example.org',
  trash: 'list',
  watch: 'list ada@example.org',
  webhook: 'list',
};

test.each(engines)(
  'each command refuses a database of a later version in one sentence: %s',
  async (engine) => {
    // `key` and `restart` are excluded: they open no database.
    expect(Object.keys(calls).sort()).toEqual(
      [...commandNames, 'serve'].filter((name) => name !== 'key' && name !== 'restart').sort(),
    );
    await using wiki = await startWiki(engine, {}, freshPostgres);
    await wiki.administrator();
    mkdirSync(join(wiki.folder, 'notes'));
    writeFileSync(join(wiki.folder, 'notes/Oak.md'), 'Leaves.');
    expect((await wiki.coppice(['backup', join(wiki.folder, 'whole.tar.gz')])).code).toBe(0);
    await meddle(databaseOf(wiki), "insert into migrations values ('9999-future')");
    for (const [command, args] of Object.entries(calls)) {
      const said = await wiki.coppice([
        command,
        ...args.replaceAll('FOLDER', wiki.folder).split(' ').filter(Boolean),
      ]);
      expect({ command, ...said }).toEqual({
        ...{ command, code: 1, out: '' },
        err: expect.stringMatching(
          /^[^\n]*The database was made by a later version of Coppice[^\n]*9999-future\. [^\n]+\n$/,
        ),
      });
    }
    expect(readdirSync(wiki.folder).sort()).toEqual(['data', 'notes', 'whole.tar.gz']);
  },
);

test('an unknown command is answered with the list of commands', async () => {
  const { code, err } = await runCommand(['surve'], {});
  expect(code).toBe(2);
  expect(err).toContain('There is no command “surve”');
  expect(err).toContain('serve');
});

test('serve and openapi refuse arguments, and print their help', async () => {
  for (const command of ['serve', 'openapi']) {
    const surplus = await runCommand([command, '8080'], {});
    expect(surplus).toMatchObject({ code: 2, out: '' });
    expect(surplus.err).toContain(`“8080” is one argument too many. ${command} takes no arguments.`);
    const help = await runCommand([command, '--help'], {});
    expect(help).toMatchObject({ code: 0, err: '' });
    expect(help.out).toMatch(new RegExp(`^Usage: coppice ${command}\n`));
  }
});

test('closing standard output early is not a failure', async () => {
  const main = join(import.meta.dirname, '../..', 'src', 'main.ts');
  const { stdout, stderr } = await run('sh', ['-c', `"${process.execPath}" "${main}" openapi | head -c 1`]);
  expect(stdout).toBe('{');
  expect(stderr).toBe('');
});

test('invalid settings stop every command with one sentence each', async () => {
  await using wiki = await startWiki();
  const { code, err } = await runCommand(['check'], { ...wiki.env, PORT: 'x', LOG_LEVEL: 'loud' });
  expect(code).toBe(1);
  expect(err).toMatch(/^PORT: expected .*\nLOG_LEVEL: expected .*\n$/);
});

describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  test('check finds no problems in a healthy wiki, whatever was done to it', async () => {
    await using wiki = await startWiki(engine);
    await fill(wiki);
    const checked = await wiki.coppice(['check']);
    expect(checked).toEqual({
      code: 0,
      out: 'No problems. Pages: 2, changes: 2, members: 1, files: 1.\n',
      err: '',
    });
    expect((await wiki.coppice(['rebuild'])).out).toMatch(/^Pages rebuilt: 2, unused files removed: 0\.\n$/);
    expect((await wiki.coppice(['check'])).code).toBe(0);
  });

  test('check finds wrong derived data, and rebuild repairs it', async () => {
    await using wiki = await startWiki(engine);
    await fill(wiki);
    {
      await using opened = await wiki.open();
      const { store } = opened;
      const page = await store.readAsSystem().pages.findByPath('/oak');
      if (!page) throw new Error('The page is gone.');
      const { id, owner, ...columns } = page;
      await store.transact((store) =>
        store.links.saveDerived(
          page,
          { links: [], tags: [], terms: '', stems: { title: '', body: '' } },
          { titles: [], paths: [] },
        ),
      );
      const wrong = { ...columns, ownerId: owner.id, description: 'Not what it says', followsPath: false };
      await store.maintenance.rewriteDerivedColumns(id, wrong);
    }
    const checked = await wiki.coppice(['check']);
    expect(checked.code).toBe(1);
    expect(checked.out).toContain(
      'Page 1 at /oak has description, links, tags, search text that do not follow from its content.',
    );
    expect(checked.err).toContain('coppice rebuild');
    await wiki.coppice(['rebuild']);
    expect(await wiki.coppice(['check'])).toMatchObject({ code: 0 });
  });
});

test('check finds missing and altered files', async () => {
  await using wiki = await startWiki();
  const { hash } = await fill(wiki);
  const path = join(wiki.env.COPPICE_DATA ?? '', 'files', hash.slice(0, 2), hash.slice(2, 4), hash);
  writeFileSync(path, 'altered');
  const altered = await wiki.coppice(['check']);
  expect(altered.code).toBe(1);
  expect(altered.out).toContain(`${hash} differ from those`);
  await using opened = await wiki.open();
  await opened.files.store.remove(hash);
  expect((await wiki.coppice(['check'])).out).toContain(`${hash} are missing`);
});

test('rebuild removes old bytes of no page, but keeps recently uploaded bytes', async () => {
  await using wiki = await startWiki();
  const { hash: used } = await fill(wiki);
  await using opened = await wiki.open();
  const { store, files } = opened;
  const path = (hash: string) =>
    join(wiki.env.COPPICE_DATA ?? '', 'files', hash.slice(0, 2), hash.slice(2, 4), hash);
  const put = async (text: string) => (await files.store.put(Buffer.from(text), 100)).hash;
  const [old, again, young] = [await put('old'), await put('again'), await put('young')];
  for (const hash of [used, old, again]) utimesSync(path(hash), 0, 0);
  const busy = {
    ...files.store,
    async *list() {
      for await (const found of files.store.list()) {
        // An upload arrives after the list was made.
        if (found.hash === again) await put('again');
        yield found;
      }
    },
  };
  expect(await sweepFiles(store, busy, Date.now())).toBe(1);
  const left: string[] = [];
  for await (const { hash } of files.store.list()) left.push(hash);
  expect(left.sort()).toEqual([used, again, young].sort());
});

describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  test('rebuild, backup and restore keep a replaced file; a change that lost its file is named', async () => {
    await using wiki = await startWiki(engine);
    const { hash: old } = await fill(wiki);
    const file = join(wiki.folder, 'backup.tar.gz');
    const hashes: string[] = [];
    {
      await using opened = await wiki.open();
      const { store, files } = opened;
      const actor = { memberId: 1, name: 'Ada Lovelace', isAdmin: true };
      const blob = await files.store.put(Buffer.from('an oak'), 100);
      const input = { files: [{ file: { filename: 'acorns.txt', blob } }] };
      await editPage(
        { store, files, renderer: createRenderer(''), actor, now: Date.now() },
        '/oak/acorn',
        input,
      );
      hashes.push(old, blob.hash);
    }
    for (const hash of hashes) {
      const path = join(wiki.env.COPPICE_DATA ?? '', 'files', hash.slice(0, 2), hash.slice(2, 4), hash);
      utimesSync(path, 0, 0);
    }
    expect((await wiki.coppice(['rebuild'])).out).toContain('unused files removed: 0.');
    expect(await wiki.coppice(['check'])).toMatchObject({ code: 0 });
    expect((await wiki.coppice(['backup', file])).out).toContain('Files: 2,');

    await using other = await startWiki(engine);
    expect(await other.coppice(['restore', file])).toMatchObject({ code: 0 });
    expect(await other.coppice(['check'])).toMatchObject({ code: 0 });
    await using restored = await other.open();
    const { store } = restored;
    const page = (await store.readAsSystem().pages.loadByPath('/oak/acorn', 'all')) as WholePage;
    expect(page.files.map(({ hash }) => hash)).toEqual([hashes[1]]);
    const view = (version: number) =>
      viewPage({ reader: store.readAs(null), renderer: createRenderer(''), now: 0 }, '/oak/acorn', {
        version,
        history: 'none',
      });
    const before = await view(page.history[0]?.id ?? 0);
    expect('page' in before && before.page.files.map(({ hash }) => hash)).toEqual([old]);

    // Damage done outside the wiki's own operations.
    const [current] = page.content.files ?? [];
    await store.transact((store) => store.files.keep(page.id, page.history[0]?.content.files ?? [], []));
    expect((await other.coppice(['check'])).out).toContain(
      '/oak/acorn has files that do not follow from its content.',
    );
    await other.coppice(['rebuild']);
    expect(await other.coppice(['check'])).toMatchObject({ code: 0 });
    await meddle(databaseOf(other), `delete from files where name = '${current}'`);
    const broken = await other.coppice(['check']);
    expect(broken.out).toContain(`Change ${page.changeId} of page ${page.id} names a file ${current}`);
  });
});

test('a new key comes first and old tokens stay readable; a key from the environment is not touched', async () => {
  await using wiki = await startWiki();
  const file = join(wiki.env.COPPICE_DATA ?? '', 'key');
  await wiki.administrator();
  expect((await wiki.coppice(['key', 'rotate'])).code).toBe(0);
  const [first] = await loadKeys({ env: undefined, file });
  expect((await wiki.coppice(['key', 'rotate'])).code).toBe(0);
  expect((await loadKeys({ env: undefined, file }))[1]).toEqual(first);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const key = Buffer.alloc(32, 7).toString('base64');
  const given = await runCommand(['key', 'rotate'], { ...wiki.env, COPPICE_KEY: key });
  expect(given.code).toBe(1);
  expect(given.err).toContain('COPPICE_KEY');
});

/** An administrator, a page with a link to nowhere and a page with a file. */
async function fill(wiki: TestWiki): Promise<{ hash: string }> {
  const { id } = await wiki.administrator();
  await using opened = await wiki.open();
  const { store, files } = opened;
  const actor = { memberId: id, name: 'Ada Lovelace', isAdmin: true };
  const blob = await files.store.put(Buffer.from('acorns'), 100);
  const upload = { file: { filename: 'acorns.txt', blob } };
  await createPage(
    { store, files, actor, now: Date.now() },
    { title: 'Oak', body: '[[Elm]] [[Height: 20 m]]' },
  );
  await createPage(
    { store, files, actor, now: Date.now() },
    { title: 'Acorn', parent: '/oak', files: [upload] },
  );
  return { hash: blob.hash };
}

function databaseOf({ env: { DATABASE_URL: url, COPPICE_DATA = '' } }: TestWiki): StoreConfig {
  return url ? { kind: 'postgres', url } : { kind: 'sqlite', file: join(COPPICE_DATA, 'coppice.db') };
}
