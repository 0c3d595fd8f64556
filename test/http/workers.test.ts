/**
 * Several workers on one port: writes are visible to all at once, nothing is lost, limits hold for all together, and a dead
 * worker is replaced while the others go on.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, startWiki, type TestWiki } from '../support/cli.ts';
import { effort } from '../support/effort.ts';
import { beginRequest, type Server, startServer } from '../support/serve.ts';

const passphrase = 'correct horse battery staple';

/** Opens a connection for each request, so that workers take turns. */
async function ask(
  server: Server,
  url: string,
  { token, json, headers = {} }: { token?: string; json?: object; headers?: Record<string, string> } = {},
): Promise<Response> {
  return fetch(server.address + url, {
    headers: {
      connection: 'close',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }),
  });
}

describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  let wiki: TestWiki;
  let server: Server;
  let token: string;
  beforeAll(async () => {
    wiki = await startWiki(engine);
    await wiki.administrator();
    server = await startServer({ ...wiki.env, COPPICE_WORKERS: '2' });
    const signedIn = await ask(server, '/v1/members/auth', {
      json: { email: 'ada@example.org', pass: passphrase },
    });
    token = await signedIn.text();
  });
  afterAll(async () => {
    await server.kill();
    await wiki[Symbol.asyncDispose]();
  });

  test('every worker shows the writes of every other at once', async () => {
    for (let round = 0; round < 8; round++) {
      const title = `Page ${round}`;
      const made = await ask(server, '/v1/pages', { token, json: { title, body: `Text ${round}` } });
      expect(made.status).toBe(200);
      for (let reader = 0; reader < 4; reader++) {
        const read = await ask(server, `/v1/pages/page-${round}`);
        expect(await read.json()).toMatchObject({ page: { title } });
        const latest = (await (await ask(server, '/v1/updates')).json()) as { title: string }[];
        expect(latest[0]?.title).toBe(title);
      }
    }
  });

  test('one of many workers that create one page succeeds, and concurrent edits lose no word', async () => {
    const creations = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        ask(server, '/v1/pages', { token, json: { title: 'Shared', body: `By ${n}` } }),
      ),
    );
    expect(creations.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(400)]);

    const lines = Array.from({ length: 12 }, (_, n) => `Line ${n}.`);
    const body = lines.join('\n\nBetween.\n\n');
    const whole = await ask(server, '/v1/pages/shared', { token, json: { body } });
    const base = Number((whole.headers.get('etag') ?? '').replaceAll('"', ''));
    const edits = await Promise.all(
      lines.map((line, n) =>
        ask(server, '/v1/pages/shared', {
          token,
          json: { body: body.replace(line, `Changed ${n}.`), base },
        }),
      ),
    );
    expect(edits.map(({ status }) => status)).toEqual(lines.map(() => 200));
    const { markup } = (await (await ask(server, '/v1/pages/shared')).json()) as { markup: string };
    for (const n of lines.keys()) expect(markup).toContain(`Changed ${n}.`);
    expect(await wiki.coppice(['check'])).toMatchObject({ code: 0 });
  });

  test('workers end when the primary is killed', async () => {
    const workers = server.workers();
    expect(workers).toHaveLength(2);
    server.process.kill('SIGKILL');
    const alive = () => workers.filter((worker) => isAlive(worker));
    await expect.poll(alive).toEqual([]);
  });
});

describe('several workers', () => {
  let folder = '';
  let server: Server;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'coppice-workers-'));
    const environment = { COPPICE_RATE_LIMIT: 'on', LOG_LEVEL: 'info' };
    server = await startServer({ COPPICE_DATA: folder, COPPICE_WORKERS: '2', ...environment });
  });
  afterAll(async () => {
    await server?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  test('print the link for the first administrator once, and it works', async () => {
    const linksSaid = () => server.said().match(/\/setup\/[\w-]{40,}/g) ?? [];
    await expect.poll(linksSaid).toHaveLength(1);
    const token = linksSaid()[0]?.slice('/setup/'.length);
    const json = { token, email: 'ada@example.org', name: 'Ada', pass: passphrase };
    expect((await ask(server, '/v1/invitations/accept', { json })).status).toBe(200);
  });

  test('share their rate limits', async () => {
    const guess = { json: { email: 'bob@example.org', pass: 'a wrong passphrase' } };
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) statuses.push((await ask(server, '/v1/members/auth', guess)).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
  });

  test('have one set of metrics', async () => {
    for (let n = 0; n < 10; n++) await ask(server, '/healthz');
    const metrics = await (await ask(server, '/metrics')).text();
    expect(metrics).toMatch(/request_duration_seconds_count\{[^}]*route="\/healthz"[^}]*\} 10$/m);
  });

  test('replace one that dies, and the others respond meanwhile', async () => {
    const workers = server.workers();
    expect(workers).toHaveLength(2);
    for (const worker of workers) {
      process.kill(worker, 'SIGKILL');
      // Connections to the killed worker are cut; new ones go to another.
      while (server.workers().includes(worker) || (await numberServing(server)) < 2) {
        const answers = [];
        for (let n = 0; n < 3; n++) answers.push(await ask(server, '/readyz').catch(() => undefined));
        expect(answers.some((answer) => answer?.status === 200)).toBe(true);
        // The new worker needs the processor, too.
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    expect(server.said()).toContain('a worker ended and is started again');
  }, 600_000);

  test('answer running requests before they stop', async () => {
    const { answer, finish } = await beginRequest(server.address);
    const stopped = server.stop();
    await expect.poll(() => server.said().match(/"worker":\d,[^\n]*stopping/g)).toHaveLength(2);
    finish();
    expect((await answer).status).toBe(200);
    expect(await stopped).toBe(0);
  });

  test('report a failure to start once, with exit code 1', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.on('listening', resolve));
    const { port } = other.address() as AddressInfo;
    await using wiki = await startWiki();
    const refusal = await startServer({ ...wiki.env, COPPICE_WORKERS: '2', PORT: String(port) }).catch(
      (error: Error) => error.message,
    );
    expect(refusal).toMatch(/ended with 1:\nPORT: something else already listens[^\n]*\n$/);
    other.close();
  });
});

async function numberServing(server: Server): Promise<number> {
  const metrics = await ask(server, '/metrics').then(
    (answer) => answer.text(),
    () => '',
  );
  return Number(/^coppice_workers (\d+)$/m.exec(metrics)?.[1] ?? 0);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
