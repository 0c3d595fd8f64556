/** Scheduled exports: to a folder and a bucket, the last ones kept, by one process of several, failures reported. */

import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportBucket, openS3 } from '#files/s3.ts';
import { effort } from '../support/effort.ts';
import { engines, startApp, type TestApp } from '../support/http.ts';
import { emptyDatabases } from '../support/postgres.ts';
import { startStorage } from '../support/s3.ts';
import { smallDisk } from '../support/small-disk.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { withWiki } from '../support/two-processes.ts';

const hour = 60 * 60 * 1000;

describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  let now = Date.parse('2026-05-01T10:00:00Z');
  let folder = '';
  let wiki: TestApp;
  beforeAll(async () => {
    folder = join(await temporaryFolder(), 'to/be/made');
    wiki = await startApp(
      {
        COPPICE_EXPORT: 'jsonl, markdown',
        COPPICE_EXPORT_TO: folder,
        COPPICE_EXPORT_HOURS: '6',
        COPPICE_EXPORT_KEEP: '2',
        COPPICE_METRICS: 'open',
      },
      { engine, clock: () => now },
    );
    const { token } = await wiki.member('Ada');
    await wiki.page(token, { title: 'Oak', permissions: 700 });
  });
  afterAll(async () => {
    await wiki.close();
  });
  const names = () => readdirSync(folder).sort();
  const look = async () => wiki.app.startExports()?.look();
  const metrics = async () => (await wiki.app.server.inject('/metrics')).payload;

  test('each format is exported when due, by one process, and the last two are kept', async () => {
    const loops = [wiki.app.startExports(), wiki.app.startExports(), wiki.app.startExports()];
    await Promise.all(loops.map((loop) => loop?.look()));
    await Promise.all(loops.map((loop) => loop?.stop()));
    await look();
    const first = ['coppice-20260501T100000Z.jsonl.jsonl', 'coppice-20260501T100000Z.markdown.zip'];
    expect(names()).toEqual(first);
    const lines = readFileSync(join(folder, first[0] ?? ''), 'utf8')
      .trim()
      .split('\n');
    expect(lines.at(-1)).toContain('"kind":"end"');
    expect(lines.join()).toContain('"title":"Oak"');
    expect(statSync(join(folder, first[0] ?? '')).mode & 0o777).toBe(0o600);
    expect(wiki.logged.filter((line) => line.includes('"msg":"exported"'))).toHaveLength(2);

    writeFileSync(join(folder, 'coppice-notes.jsonl.jsonl'), 'of somebody else');
    writeFileSync(join(folder, 'coppice-20260501T000000Z.jsonl.jsonl.part'), 'of a process that was killed');
    now += 6 * hour - 1;
    await look();
    expect(names()).toHaveLength(4);
    for (const _ of [1, 2, 3]) {
      now += 6 * hour;
      await look();
    }
    expect(names()).toEqual(
      [
        'coppice-20260502T035959Z.jsonl.jsonl',
        'coppice-20260502T035959Z.markdown.zip',
        'coppice-20260502T095959Z.jsonl.jsonl',
        'coppice-20260502T095959Z.markdown.zip',
        'coppice-notes.jsonl.jsonl',
      ].sort(),
    );
    now += 90_000;
    expect(await metrics()).toContain('coppice_export_age_seconds{format="jsonl"} 90');
  });

  test('a failed export is reported and tried again a quarter of an hour later; one whose process died is taken over', async () => {
    now += 6 * hour;
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'a file');
    await look();
    expect(wiki.logged.at(-1)).toContain('scheduled export failed');
    expect(await metrics()).toContain('coppice_exports_failed{format="markdown"} 1');
    rmSync(folder);
    mkdirSync(folder);
    now += 14 * 60_000;
    await look();
    expect(names()).toEqual([]);
    now += 60_000;
    await look();
    expect(names()).toHaveLength(2);

    now += 6 * hour;
    const { exportSchedule } = wiki.app.service.store;
    const due = { done: now, failed: now, dead: 0 };
    expect(await exportSchedule.begin('jsonl', now, due)).toBe(true);
    expect(await exportSchedule.renew('jsonl', now - 1, now)).toBe(false);
    await look();
    expect(names()).toHaveLength(3);
    now += 121_000;
    await look();
    expect(names()).toHaveLength(4);
  });

  test('an export interrupted by a stop leaves nothing, and is due again', async () => {
    now += 6 * hour;
    const before = names();
    const loop = wiki.app.startExports();
    const looking = loop?.look();
    await loop?.stop();
    await looking;
    expect(names()).toEqual(before);
    await look();
    expect(names()).not.toEqual(before);
  });
});

test.each(emptyDatabases)(
  'on %s, of two processes that share a database one makes each export',
  async (_, fresh) => {
    const folder = await temporaryFolder();
    let now = Date.parse('2026-05-01T10:00:00Z');
    const env = { COPPICE_EXPORT: 'jsonl, markdown', COPPICE_EXPORT_TO: folder, COPPICE_EXPORT_HOURS: '1' };
    const work: Parameters<typeof withWiki>[1] = async (app, other) => {
      const loops = [app, other].map((one) => one.startExports());
      const { exportSchedule } = app.service.store;
      for (let round = 1; round <= 4; round++) {
        await Promise.all(loops.map((loop) => loop?.look()));
        expect(readdirSync(folder)).toHaveLength(2 * round);
        expect((await exportSchedule.list()).map(({ failures }) => failures)).toEqual([0, 0]);
        now += hour;
      }
      await Promise.all(loops.map((loop) => loop?.stop()));
    };
    await withWiki(fresh, work, { env, clock: () => now });
  },
);

test('a bucket accepts an export that is larger than a part, byte for byte', async () => {
  await using storage = await startStorage();
  const settings = { ...storage.settings, prefix: 'exports' };
  const pieces = Array.from({ length: 12 }, (_, number) => Buffer.alloc(1_000_000, number));
  const name = hash('sha256', Buffer.concat(pieces));
  const place = `${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`;
  const bytes = (async function* () {
    yield* pieces;
  })();
  await exportBucket(settings, 20_000, 5 * 1024 * 1024).put(place, bytes, new AbortController().signal);
  expect(storage.requests.filter((one) => /^PUT .*partNumber=/.test(one))).toHaveLength(3);
  const stored = await (await openS3(settings, await temporaryFolder())).open(name);
  expect(stored && hash('sha256', await buffer(stored))).toBe(name);
});

test('a bucket gets signed exports and keeps the last ones; while it does not respond they fail', async () => {
  await using storage = await startStorage();
  let now = Date.parse('2026-05-01T10:00:00Z');
  const { FILES: _, ...s3 } = storage.env;
  const wiki = await startApp(
    { ...s3, COPPICE_EXPORT: 'jsonl', COPPICE_EXPORT_TO: 's3:files/exports', COPPICE_EXPORT_KEEP: '1' },
    { clock: () => now },
  );
  const bucket = exportBucket({ ...storage.settings, prefix: 'exports' });
  for (const expected of ['coppice-20260501T100000Z.jsonl.jsonl', 'coppice-20260502T100000Z.jsonl.jsonl']) {
    await wiki.app.startExports()?.look();
    expect(await bucket.list()).toEqual([expected]);
    now += 24 * hour;
  }
  storage.fate = ({ method }) => (method === 'PUT' ? 'drop' : 'pass');
  await wiki.app.startExports()?.look();
  expect(wiki.logged.at(-1)).toContain('scheduled export failed');
  expect(await bucket.list()).toHaveLength(1);
  await wiki.close();
});

/** Makes exports on a disk that fills up: one before, one that does not fit, one after. Prints what happened. */
const onFullDisk = `
  import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
  import { join } from 'node:path';
  import pino from 'pino';
  import { startExportLoop, openExportTarget } from '#run/export-loop.ts';
  const folder = process.env.FOLDER;
  const to = join(folder, 'exports');
  const filler = join(folder, 'filler');
  const fill = () => {
    const file = openSync(filler, 'a');
    try {
      for (;;) writeSync(file, Buffer.alloc(4096));
    } catch (error) {
      if (error.code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
  };
  const logged = [];
  const log = pino({ level: 'info' }, { write: (line) => void logged.push(JSON.parse(line)) });
  const exporter = {
    async *run() {
      for (let i = 0; i < 64; i++) yield Buffer.alloc(1024, 'whole');
      return { pages: 1, missing: [], damaged: [] };
    },
  };
  const exportSchedule = { begin: async () => true, renew: async () => true, end: async () => {} };
  let now = Date.parse('2026-05-01T10:00:00Z');
  const target = await openExportTarget(to);
  const settings = { formats: ['jsonl'], everyMs: 1, keep: 1, to };
  const loop = startExportLoop(settings, target, { store: { exportSchedule }, exporter, clock: () => now }, log);
  const states = [];
  const look = async () => {
    await loop.look();
    now += 3_600_000;
    const files = readdirSync(to).map((name) => [name, readFileSync(join(to, name)).length]);
    states.push({ files, said: logged.splice(0).map(({ msg, kept }) => ({ msg, kept })) });
  };
  await look();
  fill();
  await look();
  // A server that starts now opens the folder, whose disk may have room later.
  await openExportTarget(join(folder, 'other'));
  rmSync(filler);
  await look();
  await loop.stop();
  console.log(JSON.stringify(states));
`;

test('a full disk leaves the last export whole and is logged, and the next export replaces it', async () => {
  using disk = smallDisk('1m');
  const args = ['--input-type=module', '-e', onFullDisk];
  const child = disk.spawn(process.execPath, args, { FOLDER: disk.folder });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  await once(child, 'close');
  expect(said).toMatch(/^\[/);
  const [before, full, after] = JSON.parse(said);
  const first = 'coppice-20260501T100000Z.jsonl.jsonl';
  expect(before).toEqual({ files: [[first, 65_536]], said: [{ msg: 'exported' }] });
  expect(full).toEqual({
    files: [[first, 65_536]],
    said: [{ msg: 'scheduled export failed: its disk is full', kept: first }],
  });
  expect(after).toEqual({
    files: [['coppice-20260501T120000Z.jsonl.jsonl', 65_536]],
    said: [{ msg: 'exported' }],
  });
});
