/** The export: each reader gets everything they may read and no more; file bytes are unchanged. */
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { effort } from '../support/effort.ts';
import { engines, startApp, type TestApp } from '../support/http.ts';
import { startServer } from '../support/serve.ts';

// biome-ignore lint/suspicious/noExplicitAny: lines of every kind.
type Line = Record<string, any>;

describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  let wiki: TestApp;
  const tokens: Record<string, string> = {};
  const bytes = randomBytes(500_000);
  const older = Buffer.from('older');

  beforeAll(async () => {
    wiki = await startApp({}, { engine });
    tokens.Ada = (await wiki.member('Ada', { isAdmin: true })).token;
    tokens.Olga = (await wiki.member('Olga')).token;
    tokens.Max = (await wiki.member('Max')).token;
    const olga = tokens.Olga;
    const file = (data: Buffer) => ({ file: { name: 'rose.bin', data: data.toString('base64') } });
    const garden = await wiki.page(olga, { title: 'Garden', body: 'One [[Rose]]' });
    await wiki.page(olga, { title: 'Rose', parent: '/garden', body: 'Red', files: file(older) });
    await wiki.page(olga, { title: 'Secret', parent: '/garden', permissions: 700, body: 'hidden' });
    await wiki.page(olga, { title: 'Below', parent: '/garden/secret', body: 'Open beneath a hidden page' });
    await wiki.page(olga, { title: 'For members', permissions: 770, body: 'For members' });
    await wiki.page(olga, { title: 'Opened', permissions: 700, body: 'hidden draft' });
    const edits: [string, object][] = [
      ['/garden', { body: 'Two' }],
      ['/garden/rose', { files: file(bytes) }],
      ['/opened', { body: 'Open', permissions: 774, history: 'from now' }],
    ];
    for (const [path, json] of edits) {
      const answer = await wiki.call('POST', `/v1/pages${path}`, { token: olga, json });
      expect(answer.status, answer.text).toBe(200);
    }
    // Enough pages for several batches.
    const operations = Array.from({ length: 60 }, (_, i) => ({
      ...{ method: 'POST', path: '/v1/pages' },
      body: { title: `Leaf ${i}`, parent: '/garden', body: `Leaf ${i}` },
    }));
    const made = await wiki.call('POST', '/v1/batch', { token: olga, json: { operations } });
    expect(made.status, made.text).toBe(200);
    const liked = await wiki.call('PUT', `/v1/likes${garden.path}`, { token: tokens.Max });
    expect(liked.status, liked.text).toBe(200);
  });
  afterAll(() => wiki.close());

  const lines = async (who?: string, query = ''): Promise<Line[]> => {
    const token = who === undefined ? undefined : tokens[who];
    const answer = await wiki.call('GET', `/v1/export?format=jsonl${query}`, token ? { token } : {});
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers['content-disposition']).toBe('attachment; filename=export.jsonl');
    return answer.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  const of = (kind: string, all: Line[]) => all.filter((line) => line.kind === kind);
  const pathsOf = (all: Line[]) => of('page', all).map(({ path }) => path);

  test('each reader gets the pages that they may read, parents first, and their changes', async () => {
    const world = ['/garden', '/garden/rose', '/garden/secret/below', '/opened'];
    const expected: [string | undefined, string[]][] = [
      [undefined, world],
      ['Max', [...world, '/for-members']],
      ['Olga', [...world, '/garden/secret', '/for-members']],
      ['Ada', [...world, '/garden/secret', '/for-members']],
    ];
    for (const [who, paths] of expected) {
      const all = await lines(who);
      const told = pathsOf(all);
      expect(told.filter((path) => !path.includes('leaf')).sort(), who).toEqual([...paths].sort());
      expect(told.filter((path) => path.includes('leaf'))).toHaveLength(60);
      expect(told.indexOf('/garden')).toBeLessThan(told.indexOf('/garden/rose'));
      const bodies = of('change', all).map(({ body }) => body);
      expect(bodies.includes('hidden'), who).toBe(who === 'Olga' || who === 'Ada');
      expect(bodies.includes('hidden draft'), who).toBe(who === 'Olga' || who === 'Ada');
      expect(bodies).toEqual(expect.arrayContaining(['One [[Rose]]', 'Two', 'Red', 'Open']));
      expect(all.at(-1)).toEqual({
        ...{ kind: 'end', pages: told.length, changes: bodies.length, files: of('file', all).length },
      });
      // The latest change of every page is included.
      const changes = new Set(of('change', all).map(({ id }) => id));
      expect(of('page', all).filter(({ change }) => !changes.has(change))).toEqual([]);
    }
  });

  test('changes follow the readable history, with times, authors and permissions', async () => {
    const all = await lines();
    const garden = of('page', all).find(({ path }) => path === '/garden') as Line;
    const { json: history } = await wiki.call('GET', '/v1/history/garden');
    const own = of('change', all).filter(({ page }) => page === garden.id);
    expect(own.map(({ id, at, msg, editor, body }) => ({ id, at, msg, editor, body })).reverse()).toEqual(
      history.map(({ id, timestamp, msg, editor, content }: Line) => ({
        ...{ id, at: timestamp, msg, editor, body: content.body },
      })),
    );
    expect([garden.permissions, garden.owner.name, garden.likes]).toEqual([774, 'Olga', [3]]);
  });

  test('current and earlier files are exported with their bytes', async () => {
    const all = await lines(undefined, '&ancestor=/garden/rose');
    const stored = of('file', all).map(({ name, size }) => {
      const pieces = of('bytes', all).filter(({ file }) => file === name);
      const data = Buffer.concat(pieces.map(({ base64 }) => Buffer.from(base64, 'base64')));
      expect(data).toHaveLength(size);
      return data;
    });
    expect(stored.sort((a, b) => a.length - b.length)).toEqual([older, bytes]);
  });

  test('an export of an ancestor contains the page and everything beneath', async () => {
    expect(pathsOf(await lines(undefined, '&ancestor=/garden/rose'))).toEqual(['/garden/rose']);
    expect(pathsOf(await lines('Olga', '&ancestor=/garden/secret'))).toEqual([
      '/garden/secret',
      '/garden/secret/below',
    ]);
    for (const path of ['/garden/secret', '/garden/absent']) {
      const answer = await wiki.call('GET', `/v1/export?format=jsonl&ancestor=${path}`);
      expect(answer.status).toBe(404);
    }
  });

  test('unknown formats are refused, and so is an export in a batch', async () => {
    for (const query of ['', '?format=docx'])
      expect((await wiki.call('GET', `/v1/export${query}`)).status).toBe(400);
    const operations = [{ method: 'GET', path: '/v1/export?format=jsonl' }];
    const { json } = await wiki.call('POST', '/v1/batch', {
      token: tokens.Max as string,
      json: { operations },
    });
    expect(JSON.stringify(json)).toContain('cannot be part of a batch');
    const head = await wiki.call('HEAD', '/v1/export?format=jsonl');
    expect([head.status, head.text]).toEqual([200, '']);
  });

  test('each caller can run two exports at a time', async () => {
    const url = '/v1/export?format=jsonl';
    const answers = await Promise.all([1, 2, 3, 4].map(() => wiki.call('GET', url)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429]);
    expect((await wiki.call('GET', url)).status).toBe(200);
  });
});

test('strangers get half of the places at most, one address four, and one is reserved for administrators', async () => {
  const wiki = await startApp({ COPPICE_TRUST_PROXY: '1', COPPICE_URL: 'https://wiki.example.org' });
  const admin = await wiki.member('Ada', { isAdmin: true });
  const members = [];
  for (let i = 0; i < 6; i++) members.push((await wiki.member(`Member ${i}`)).token);
  await wiki.page(admin.token, { title: 'Garden' });
  const ask = (address: string, token?: string) =>
    wiki
      .call('GET', '/v1/export?format=jsonl', {
        ...(token ? { token } : {}),
        headers: { 'x-forwarded-for': address },
      })
      .then(({ status }) => status);
  const strangers = await Promise.all(Array.from({ length: 7 }, (_, i) => ask(`198.51.100.${i}`)));
  expect(strangers.toSorted()).toEqual([200, 200, 200, 200, 200, 503, 503]);
  const office = await Promise.all(members.map((token) => ask('203.0.113.1', token)));
  expect(office.toSorted()).toEqual([200, 200, 200, 200, 429, 429]);
  const all = await Promise.all([
    ...members.flatMap((token, i) => [ask(`203.0.113.${i}`, token), ask(`203.0.113.${i}`, token)]),
    ask('203.0.113.9', admin.token),
  ]);
  expect(all.slice(0, 12).filter((status) => status === 200)).toHaveLength(9);
  expect(all.at(-1)).toBe(200);
  await wiki.close();
});

test('clients that do not read lose their places', async () => {
  const wiki = await startApp();
  const { token } = await wiki.member('Ada', { isAdmin: true });
  // More than the buffers of a connection hold.
  const files = { file: { name: 'a.bin', data: randomBytes(15_000_000).toString('base64') } };
  await wiki.page(token, { title: 'Garden', files });
  await using server = await startServer({ COPPICE_DATA: wiki.folder, COPPICE_REQUEST_TIMEOUT: '3' });
  const { port } = new URL(server.address);
  const url = `${server.address}/v1/export?format=jsonl`;
  const sockets = [1, 2].map(() => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.pause().write(`GET /v1/export?format=jsonl HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    return socket.on('error', () => {});
  });
  const status = async () => {
    const answer = await fetch(url);
    await answer.body?.cancel();
    return answer.status;
  };
  await expect.poll(status, { timeout: 30_000 }).toBe(429);
  await expect.poll(status, { timeout: 30_000 }).toBe(200);
  for (const socket of sockets) socket.destroy();
  await wiki.close();
});
