/**
 * A server killed at any moment loses no acknowledged write and keeps no half-done one. Several writers write to a real process
 * on SQLite over HTTP; it is killed without warning, checked, and started again.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadKeys } from '#auth/keys.ts';
import { createTokens } from '#auth/token.ts';
import type { OpenWiki } from '#cli/command/context.ts';
import { startWiki, type TestWiki } from '../support/cli.ts';
import { effort } from '../support/effort.ts';
import { type Server, startServer } from '../support/serve.ts';
import { day, tokenFor } from '../support/sessions.ts';
import { pageWith } from '../support/write-pages.ts';

/** Writes that were acknowledged, and those in progress when the server died. */
interface Ledger {
  /** Path → body of pages whose creation returned 200. */
  created: Map<string, string>;
  attempted: Map<string, string>;
  /** Messages of edits of one page by all writers. */
  edited: Set<string>;
  attemptedEdits: Set<string>;
  /** Number in the path of the page that is moved back and forth with its subtree. */
  moved: number;
}

test.each([
  { rounds: effort(1, 50), workers: 1 },
  { rounds: effort(1, 12), workers: 2 },
])(
  'killed $rounds times during writes, with workers: $workers, it restarts with every acknowledged change and no partial one',
  async ({ rounds, workers }) => {
    await using wiki = await startWiki();
    await wiki.administrator();
    const ledger: Ledger = {
      created: new Map(),
      attempted: new Map(),
      moved: 0,
      edited: new Set<string>(),
      attemptedEdits: new Set<string>(),
    };
    for (let round = 0; round < rounds; round++) {
      const server = await start(wiki, workers);
      if (round === 0) await prepare(server, await newToken(wiki));
      const token = await newToken(wiki);
      const before = ledger.created.size;
      const writers = [0, 1, 2].map((writer) => write(server.address, token, ledger, `${round}-${writer}`));
      writers.push(move(server.address, token, ledger));
      writers.push(deleteAndRestore(server.address, token));
      // Waits for an acknowledged creation in every round, and for one write of each other kind, so that there is something to
      // lose.
      while (ledger.created.size === before || ledger.edited.size === 0 || ledger.moved === 0)
        await new Promise((resolve) => setTimeout(resolve, 2));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 120));
      const [worker] = server.workers();
      if (worker !== undefined) {
        // Kills one worker first, while the others go on.
        process.kill(worker, 'SIGKILL');
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
      }
      await server.kill();
      await Promise.all(writers);
      await using opened = await wiki.open();
      await verify(opened, ledger);
      if (round % 10 === 9 || round === rounds - 1)
        expect(await wiki.coppice(['check'])).toMatchObject({ code: 0 });
    }
  },
  600_000,
);

function start(wiki: TestWiki, workers: number): Promise<Server> {
  return startServer({ ...wiki.env, COPPICE_WORKERS: String(workers) });
}

async function newToken(wiki: TestWiki): Promise<string> {
  const keys = await loadKeys({ env: undefined, file: join(wiki.env.COPPICE_DATA ?? '', 'key') });
  await using opened = await wiki.open();
  // Awaited here, before the store is closed.
  return await tokenFor({ store: opened.store, tokens: createTokens(keys, Date.now, day) }, 1);
}

/** Number of pages in the subtree that is deleted and restored. */
const binned = 30;

/** Creates the pages that all rounds work on. */
async function prepare({ address }: Server, token: string): Promise<void> {
  for (const page of [
    { title: 'Ledger' },
    { title: 'Box 0' },
    { title: 'Inside', parent: '/box-0' },
    { title: 'Deeper', parent: '/box-0/inside' },
    ...['Bin', ...Array.from({ length: binned - 1 }, (_, i) => `Bin ${i}`)].map((title, i) => ({
      title,
      body: '[[Ledger]] [[Nowhere]] [[kind:bin]]',
      ...(i === 0 ? {} : { parent: '/bin' }),
    })),
  ]) {
    expect(await post(`${address}/v1/pages`, token, page)).toBe(200);
  }
}

/** Creates pages with files and edits the page shared by all writers, until the server is gone. */
async function write(address: string, token: string, ledger: Ledger, name: string): Promise<void> {
  for (let n = 0; ; n++) {
    const path = `/page-${name}-${n}`;
    const body = `Body of ${path}. [[Ledger]] [[Nowhere ${n % 7}]] [[n:${n}]]`;
    ledger.attempted.set(path, body);
    const files = { file: { name: 'note.txt', data: Buffer.from(`Note of ${path}`).toString('base64') } };
    const created = await post(`${address}/v1/pages`, token, { title: path.slice(1), path, body, files });
    if (created === undefined) return;
    expect(created).toBe(200);
    ledger.created.set(path, body);

    const msg = `${name}-${n}`;
    ledger.attemptedEdits.add(msg);
    const edited = await post(`${address}/v1/pages/ledger`, token, { body: `Last: ${msg} [[n:${n}]]`, msg });
    if (edited === undefined) return;
    expect(edited).toBe(200);
    ledger.edited.add(msg);
  }
}

/** Moves a page with its subtree from number to number. */
async function move(address: string, token: string, ledger: Ledger): Promise<void> {
  const found = await fetch(`${address}/v1/pages?title=Box&history=none`).then(
    (answer) => answer.json() as Promise<{ path: string }[]>,
    () => undefined,
  );
  for (let path = found?.[0]?.path; path !== undefined; ) {
    const number = Number(path.slice('/box-'.length)) + 1;
    const moved = await post(`${address}/v1/pages${path}`, token, { path: `/box-${number}` });
    if (moved === undefined) return;
    expect(moved).toBe(200);
    ledger.moved = number;
    path = `/box-${number}`;
  }
}

/** Deletes a subtree and restores it, over and over until the server dies. */
async function deleteAndRestore(address: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  for (;;) {
    try {
      const listed = await fetch(`${address}/v1/trash`, { headers });
      const [deletion] = (await listed.json()) as { id: number }[];
      const status = deletion
        ? await post(`${address}/v1/trash/${deletion.id}/restore`, token, {})
        : (await fetch(`${address}/v1/pages/bin?subtree=true`, { method: 'DELETE', headers })).status;
      if (status === undefined) return;
      expect(status).toBe(200);
    } catch (error) {
      if (error instanceof TypeError || error instanceof SyntaxError) return;
      throw error;
    }
  }
}

/** Returns the status, or undefined if the server died before it responded. */
async function post(url: string, token: string, json: object): Promise<number | undefined> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    });
    await answer.text();
    return answer.status;
  } catch {
    // The test kills the server, so failed requests are expected.
    return undefined;
  }
}

async function verify({ store, files }: OpenWiki, ledger: Ledger): Promise<void> {
  const pages = await store.maintenance.pagesAfter(0, 100_000);
  const bodies = new Map(pages.map(({ path, content }) => [path, content.body]));
  for (const [path, body] of ledger.created) expect(bodies.get(path), path).toBe(body);

  const written = pages.filter(({ path }) => path.startsWith('/page-'));
  for (const { path, content } of written) expect(content.body, path).toBe(ledger.attempted.get(path));
  // Only the latest changes could be incomplete after a crash.
  for (const page of await store.readAsSystem().pages.load(
    written.slice(-20).map(({ id }) => id),
    'all',
  )) {
    expect(page.history).toHaveLength(1);
    expect(page.tags.n).toHaveLength(1);
    expect(page.files).toHaveLength(1);
    const bytes = await files.store.open(page.files[0]?.hash ?? '');
    const chunks: Uint8Array[] = [];
    for await (const chunk of bytes ?? []) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe(`Note of ${page.path}`);
  }

  const { deletions } = await store.readAsSystem().trash.list({ limit: 10, offset: 0 });
  const inPlace = pages.filter(({ path }) => path === '/bin' || path.startsWith('/bin/')).length;
  expect([inPlace, ...deletions.map(({ pages }) => pages)]).toEqual(inPlace === 0 ? [0, binned] : [binned]);

  const shared = pages.find(({ path }) => path === '/ledger');
  const { changes } = await store
    .readAsSystem()
    .changes.list(pageWith(shared?.id ?? 0), { limit: 100_000, offset: 0 });
  const messages = new Set(changes.map(({ content }) => content.msg).filter((msg) => msg !== ''));
  for (const msg of ledger.edited) expect(messages, msg).toContain(msg);
  for (const msg of messages) expect(ledger.attemptedEdits, msg).toContain(msg);

  const box = pages.find(({ title }) => title === 'Box 0');
  const number = Number(box?.path.slice('/box-'.length));
  expect(number).toBeGreaterThanOrEqual(ledger.moved);
  ledger.moved = number;
  expect(pages.find(({ title }) => title === 'Inside')?.path).toBe(`/box-${number}/inside`);
  expect(pages.find(({ title }) => title === 'Deeper')?.path).toBe(`/box-${number}/inside/deeper`);
}
