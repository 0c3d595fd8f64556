/**
 * Varnish with `deploy/varnish.vcl` before a real server. With purges it keeps pages for a day and answers nearly all reads, and shows edits, moves and
 * hidden pages soon afterwards; without, it shows nothing that is older than a second. Figures go to the terminal, for bench/notes/edge.md.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { loadKeys } from '#auth/keys.ts';
import { createTokens } from '#auth/token.ts';
import { checkRegister, type Read, type Write } from '../properties/histories.ts';
import { startWiki, type TestWiki } from '../support/cli.ts';
import { freePorts } from '../support/free-ports.ts';
import { startServer } from '../support/serve.ts';
import { day, tokenFor } from '../support/sessions.ts';

const program = ['varnishd', '/usr/sbin/varnishd'].find((name) => !spawnSync(name, ['-V']).error);
const missing = program === undefined ? 'Varnish is not installed (Debian’s package “varnish”)' : undefined;
const pages = 20;

interface Edge extends AsyncDisposable {
  /** Response of the cache, and whether it had it. */
  read(path: string): Promise<{ status: number; text: string; isHit: boolean }>;
  /** Sends a write to the server itself. */
  write(method: string, path: string, json: object): Promise<void>;
}

async function startEdge(wiki: TestWiki, isPurged: boolean): Promise<Edge> {
  const [cachePort = 0, port = 0] = await freePorts(2);
  const url = `http://127.0.0.1:${cachePort}`;
  await wiki.administrator();
  const keys = await loadKeys({ env: undefined, file: `${wiki.env.COPPICE_DATA}/key` });
  const opened = await wiki.open();
  const token = await tokenFor({ store: opened.store, tokens: createTokens(keys, Date.now, day) }, 1);
  await opened[Symbol.asyncDispose]();
  const written = readFileSync(join(import.meta.dirname, '../../deploy/varnish.vcl'), 'utf8');
  const settings = join(wiki.folder, 'varnish.vcl');
  writeFileSync(settings, written.replace('"8080"', `"${port}"`));
  const names = ['-F', '-j', 'none', '-f', settings, '-a', `127.0.0.1:${cachePort}`];
  const folder = ['-n', join(wiki.folder, 'varnish'), '-s', 'malloc,64m'];
  const cache = spawn(program ?? '', [...names, ...folder], { stdio: 'ignore' });
  const server = await startServer({
    ...{ ...wiki.env, PORT: String(port), COPPICE_URL: url, COPPICE_TRUST_PROXY: '1' },
    ...(isPurged ? { COPPICE_PURGE: `varnish:${url}` } : {}),
  });
  const edge: Edge = {
    async read(path) {
      const answer = await fetch(url + path, { redirect: 'manual' });
      // Varnish names the request, and the one by which it got what it had.
      const isHit = (answer.headers.get('x-varnish') ?? '').includes(' ');
      return { status: answer.status, text: await answer.text(), isHit };
    },
    async write(method, path, json) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answer = await fetch(server.address + path, { method, headers, body: JSON.stringify(json) });
      expect(answer.status, await answer.text()).toBe(200);
    },
    async [Symbol.asyncDispose]() {
      const ended = once(cache, 'exit');
      cache.kill();
      await server.stop();
      await ended;
    },
  };
  const isUp = () =>
    edge.read('/v1/updates').then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(isUp).toBe(200);
  for (let n = 0; n < pages; n++)
    await edge.write('POST', '/v1/pages', { title: `R${n}`, path: `/r${n}`, body: 'nothing' });
  return edge;
}

/** Milliseconds from now until the cache shows it. */
async function untilShown(isShown: () => Promise<boolean>): Promise<number> {
  const startedAt = performance.now();
  await expect.poll(isShown, { interval: 10 }).toBe(true);
  return Math.round(performance.now() - startedAt);
}

test('a purged cache answers 99 of 100 reads, and shows edits, moves and hidden pages', async (context) => {
  context.skip(missing !== undefined, missing);
  await using wiki = await startWiki();
  await using edge = await startEdge(wiki, true);
  const paths = Array.from({ length: pages }, (_, n) => [`/v1/pages/r${n}`, `/r${n}`]).flat();
  for (const path of paths) expect((await edge.read(path)).status).toBe(200);
  // Keys of the pages that were just made are purged again after two seconds.
  await sleep(3000);
  for (const path of paths) await edge.read(path);
  let reads = 0;
  let hits = 0;
  let isOver = false;
  const readers = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const { isHit } = await edge.read(paths[Math.floor(Math.random() * paths.length)] ?? '');
      reads++;
      if (isHit) hits++;
    }
  });
  const edits: number[] = [];
  for (let n = 0; n < 4; n++) {
    const page = `/v1/pages/r${n}`;
    await edge.write('POST', page, { body: `edit ${n}` });
    edits.push(await untilShown(async () => (await edge.read(page)).text.includes(`edit ${n}`)));
    // One edit to 800 reads: wikis have more of them.
    const enough = 800 * (n + 1);
    await expect.poll(() => reads).toBeGreaterThan(enough);
  }
  isOver = true;
  await Promise.all(readers);
  await edge.write('POST', '/v1/pages/r11', { path: '/moved' });
  const moved = await untilShown(async () => (await edge.read('/v1/pages/r11')).status === 308);
  await edge.write('POST', '/v1/pages/r12', { permissions: 700 });
  const hidden = await untilShown(async () => (await edge.read('/v1/pages/r12')).status === 404);
  console.info(
    `${reads} reads beside ${edits.length} edits, ${((100 * hits) / reads).toFixed(2)} % from the cache; shown after ${edits.sort((a, b) => a - b).join(', ')} ms, a move after ${moved}, a hidden page after ${hidden}`,
  );
  expect(hits / reads).toBeGreaterThan(0.99);
});

test('a cache that is not purged shows nothing that is older than a second', async (context) => {
  context.skip(missing !== undefined, missing);
  await using wiki = await startWiki();
  await using edge = await startEdge(wiki, false);
  const writes: Write[] = [];
  const reads: Read<string>[] = [];
  let hits = 0;
  let isOver = false;
  const readers = Array.from({ length: 3 }, async () => {
    while (!isOver) {
      const startedAt = performance.now();
      const { text, isHit } = await edge.read('/v1/pages/r0?history=none');
      const seen = (JSON.parse(text) as { markup: string }).markup.replace(/<[^>]*>/g, '').trim();
      reads.push({ seen, startedAt, endedAt: performance.now() });
      if (isHit) hits++;
      await sleep(5);
    }
  });
  for (let n = 0; n < 12; n++) {
    const startedAt = performance.now();
    await edge.write('POST', '/v1/pages/r0', { body: `edit ${n}` });
    writes.push({ value: `edit ${n}`, startedAt, endedAt: performance.now(), outcome: 'done' });
    await sleep(400 * (n % 4));
  }
  isOver = true;
  await Promise.all(readers);
  // The second begins when the response reaches the cache, after the time that a request takes at most.
  const longest = Math.max(...reads.map(({ startedAt, endedAt }) => endedAt - startedAt));
  const late = reads.map((read) => ({ ...read, lateByMs: 1000 + longest }));
  expect(checkRegister('nothing', writes, late)).toEqual([]);
  expect(hits).toBeGreaterThan(reads.length / 2);
});
