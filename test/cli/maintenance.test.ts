/** Backup, restore and check as processes: killed at any moment, and where nothing can be written. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createPage } from '#core/pages/create-page.ts';
import { createPages, draftOf } from '#core/pages/create-pages.ts';
import { openStore } from '#run/open-store.ts';
import { engines, startWiki, type TestWiki } from '../support/cli.ts';
import { effort } from '../support/effort.ts';
import { baseEnvironment } from '../support/environment.ts';
import { spawnReadOnly } from '../support/small-disk.ts';

const ada = { memberId: 1, name: 'Ada Lovelace', isAdmin: true };
/** Processes start slowly when several start at once. */
const patienceMs = 240_000;
vi.setConfig({ testTimeout: patienceMs });

const root = join(import.meta.dirname, '../..');

test('an interrupted backup leaves nothing: a signal removes it at once, and the next backup removes what a kill left', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  await attach(wiki, randomBytes(15_000_000));
  const folder = join(wiki.folder, 'backups');
  mkdirSync(folder);
  const parts = () => readdirSync(folder).filter((name) => name.endsWith('.part'));
  for (const signal of effort(['SIGTERM', 'SIGKILL'], ['SIGTERM', 'SIGINT', 'SIGKILL']) as NodeJS.Signals[]) {
    const backup = start(['backup', join(folder, `${signal}.tar.gz`)], wiki);
    await until(() => parts().length > 0, backup);
    backup.kill(signal);
    expect(await once(backup, 'exit')).toEqual([null, signal]);
    expect(parts()).toHaveLength(signal === 'SIGKILL' ? 1 : 0);
  }
  // A part file of a running process, and one that no backup of ours made.
  const others = [`b.tar.gz.coppice-${process.ppid}.part`, 'b.tar.gz.7.part'];
  for (const name of [...others, 'a.tar.gz.coppice-4194305.part.rows']) writeFileSync(join(folder, name), '');
  const made = await wiki.coppice(['backup', join(folder, 'last.tar.gz')]);
  expect(made.code, made.err).toBe(0);
  expect(readdirSync(folder).sort()).toEqual([...others, 'last.tar.gz'].sort());
});

test.each(engines)(
  'a killed restore is repeated, and until then nothing else opens the wiki: %s',
  async (engine) => {
    await using source = await startWiki();
    await source.administrator();
    await attach(source, Buffer.from('acorns'));
    {
      await using opened = await source.open();
      const drafts = Array.from({ length: 300 }, (_, i) =>
        draftOf({ title: `Leaf ${i}`, body: '[[Oak]]' }, opened.store.dialect),
      );
      await createPages({ store: opened.store, files: opened.files, actor: ada, now: Date.now() }, drafts);
    }
    const file = join(source.folder, 'backup.tar.gz');
    expect((await source.coppice(['backup', file])).code).toBe(0);

    await using wiki = await startWiki(engine);
    const restore = start(['restore', file], wiki);
    const mark = join(wiki.env.COPPICE_DATA ?? '', 'restoring');
    // The key is written after the rows.
    await until(() => existsSync(join(wiki.env.COPPICE_DATA ?? '', 'key')), restore);
    restore.kill('SIGKILL');
    await once(restore, 'exit');
    expect(existsSync(mark)).toBe(true);

    for (const command of [['check'], ['serve'], ['backup', join(wiki.folder, 'half.tar.gz')]]) {
      const refused = await wiki.coppice(command);
      expect(refused).toMatchObject({
        code: 1,
        err: expect.stringContaining('Repeat it with the same backup'),
      });
    }
    // A different backup cannot complete the interrupted restore.
    await attach(source, Buffer.from('cones'));
    const other = join(source.folder, 'other.tar.gz');
    await source.coppice(['backup', other]);
    expect(await wiki.coppice(['restore', other])).toMatchObject({ code: 1 });

    const repeated = await wiki.coppice(['restore', file]);
    expect(repeated, repeated.err).toMatchObject({
      code: 0,
      out: expect.stringContaining('Pages: 301, changes: 301, members: 1, files: 1.'),
    });
    expect(existsSync(mark)).toBe(false);
    expect(await wiki.coppice(['check'])).toMatchObject({ code: 0 });
    // Once the restore is finished, the wiki must not be overwritten.
    expect(await wiki.coppice(['restore', file])).toMatchObject({ code: 1 });
  },
);

test('check and backup work on a read-only folder', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  await attach(wiki, Buffer.from('acorns'));
  const data = wiki.env.COPPICE_DATA ?? '';
  const closed = await readOnly(data, ['check'], wiki.env);
  expect(closed, closed.err).toMatchObject({ code: 0, out: expect.stringContaining('Pages: 1,') });
  const file = join(wiki.folder, 'backup.tar.gz');
  expect(await readOnly(data, ['backup', file], wiki.env)).toMatchObject({ code: 0 });
  expect(await wiki.coppice(['backup', '--verify', file])).toMatchObject({ code: 0 });

  // While the wiki runs, pages in its write-ahead log are visible as well.
  await using opened = await wiki.open();
  await createPage(
    { store: opened.store, files: opened.files, actor: ada, now: Date.now() },
    { title: 'Elm' },
  );
  expect(statSync(join(data, 'coppice.db-wal')).size).toBeGreaterThan(0);
  const running = await readOnly(data, ['check'], wiki.env);
  expect(running, running.err).toMatchObject({ code: 0, out: expect.stringContaining('Pages: 2,') });

  // A copy of the database files without the index of the write-ahead log.
  const copy = join(wiki.folder, 'copy');
  mkdirSync(copy, { mode: 0o700 });
  for (const name of ['coppice.db', 'coppice.db-wal']) copyFileSync(join(data, name), join(copy, name));
  expect(await readOnly(copy, ['check'], { COPPICE_DATA: copy })).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /^COPPICE_DATA: [^\n]+coppice\.db-wal can be read only in a writable folder[^\n]+copy[^\n]+\n$/,
    ),
  });

  // A database from before the last migration.
  rmSync(join(copy, 'coppice.db-wal'));
  copyFileSync(join(data, 'coppice.db'), join(copy, 'coppice.db'));
  const db = new DatabaseSync(join(copy, 'coppice.db'));
  db.exec('delete from migrations where name = (select max(name) from migrations)');
  db.close();
  await expect(
    openStore({ kind: 'sqlite', file: join(copy, 'coppice.db') }, { isReadOnly: true }),
  ).rejects.toThrow('to an earlier version of Coppice');
});

test('check and backup work with PostgreSQL and a read-only data folder', async () => {
  await using wiki = await startWiki('PostgreSQL');
  await wiki.administrator();
  await attach(wiki, Buffer.from('acorns'));
  const data = wiki.env.COPPICE_DATA ?? '';
  // A read-only data folder cannot recreate this folder.
  rmSync(join(data, 'files', 'tmp'), { recursive: true });
  const file = join(wiki.folder, 'backup.tar.gz');
  expect(await readOnly(data, ['check'], wiki.env)).toMatchObject({ code: 0 });
  expect(await readOnly(data, ['backup', file], wiki.env)).toMatchObject({ code: 0 });
  expect(await wiki.coppice(['backup', '--verify', file])).toMatchObject({ code: 0 });
});

async function attach(wiki: TestWiki, bytes: Buffer): Promise<void> {
  await using opened = await wiki.open();
  const { store, files } = opened;
  const blob = await files.store.put(bytes, bytes.length);
  const title = `Oak ${bytes.length}`;
  await createPage(
    { store, files, actor: ada, now: Date.now() },
    { title, files: [{ file: { filename: 'a.bin', blob } }] },
  );
}

function start(args: string[], wiki: TestWiki): ChildProcess {
  const env = { ...baseEnvironment, ...wiki.env };
  return spawn(process.execPath, ['src/main.ts', ...args], { cwd: root, env, stdio: 'ignore' });
}

/** Waits until `isTrue` holds. Fails if the process ends first. */
async function until(isTrue: () => boolean, child: ChildProcess): Promise<void> {
  while (!isTrue()) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}.`);
    await sleep(1);
  }
}

async function readOnly(folder: string, args: string[], env: Record<string, string>) {
  const child = spawnReadOnly(folder, process.execPath, ['src/main.ts', ...args], env);
  const said = Promise.all([
    text(child.stdout as NodeJS.ReadableStream),
    text(child.stderr as NodeJS.ReadableStream),
  ]);
  const [code] = await once(child, 'exit');
  const [out, err] = await said;
  return { code, out, err };
}
