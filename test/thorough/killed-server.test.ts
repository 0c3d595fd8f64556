/** A server that is killed without warning leaves nothing claimed: its successor, or a server beside it, goes on at once. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { StoreConfig } from '#store/store.ts';
import { engines, passphrase, startWiki, type TestWiki } from '../support/cli.ts';
import { freePort } from '../support/free-ports.ts';
import { ask } from '../support/rows.ts';
import { type Server, startServer } from '../support/serve.ts';
import { mailSettings, startMailbox } from '../support/smtp.ts';
import { zipOf } from '../support/zip.ts';

const json = { 'content-type': 'application/json' };

interface Client {
  get(path: string): Promise<unknown>;
  post(path: string, body: object, key?: string): Promise<number>;
  /** Begins to upload an import. It ends with `finish`. */
  upload(): { answer: Promise<Response>; finish(): void };
}

async function signIn(address: string): Promise<Client> {
  const credentials = { email: 'ada@example.org', pass: passphrase };
  const signedIn = await fetch(`${address}/v1/members/auth`, {
    ...{ method: 'POST', headers: json, body: JSON.stringify(credentials) },
  });
  const authorization = `Bearer ${await signedIn.text()}`;
  return clientWith(address, authorization);
}

function clientWith(address: string, authorization: string): Client {
  return {
    get: async (path) => (await fetch(`${address}${path}`, { headers: { authorization } })).json(),
    async post(path, body, key) {
      const headers = { ...json, authorization, ...(key === undefined ? {} : { 'idempotency-key': key }) };
      const answer = await fetch(`${address}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      await answer.arrayBuffer();
      return answer.status;
    },
    upload() {
      let finish = () => {};
      const body = new ReadableStream({
        start(controller) {
          const bytes = zipOf([{ name: 'Notes/Oak.md', content: '# Oak\n' }]);
          controller.enqueue(bytes.subarray(0, 20));
          finish = () => {
            controller.enqueue(bytes.subarray(20));
            controller.close();
          };
        },
      });
      const headers = { 'content-type': 'application/zip', authorization };
      const init = { method: 'POST', body, headers, duplex: 'half' } as RequestInit;
      const answer = fetch(`${address}/v1/imports`, init);
      answer.catch(() => {});
      return { answer, finish };
    },
  };
}

function databaseOf({ env }: TestWiki): StoreConfig {
  const url = env.DATABASE_URL;
  if (url !== undefined) return { kind: 'postgres', url };
  return { kind: 'sqlite', file: join(env.COPPICE_DATA ?? '', 'coppice.db') };
}

function untilFound(wiki: TestWiki, query: string): Promise<void> {
  return expect.poll(() => ask(databaseOf(wiki), query)).not.toEqual([]);
}

/** Takes seconds to be read, so that a server can be killed before it commits. */
const slow = { title: 'Slow', body: 'Some words with [[links]] in them.\n\n'.repeat(4000) };

/** Sends it with an idempotency key, and kills the server meanwhile. */
async function killWhileSaving(wiki: TestWiki, server: Server): Promise<void> {
  const client = await signIn(server.address);
  const cut = client.post('/v1/pages', slow, 'slow').catch(() => undefined);
  await untilFound(wiki, `select 1 from idempotency_keys where state = 'begun'`);
  await server.kill();
  expect(await cut).toBeUndefined();
}

test.each(engines)('leases of a killed server are free for its successor: %s', async (engine) => {
  await using wiki = await startWiki(engine);
  await wiki.administrator();
  {
    await using server = await startServer(wiki.env);
    (await signIn(server.address)).upload();
    await untilFound(wiki, `select 1 from imports where state = 'running'`);
    await killWhileSaving(wiki, server);
  }
  await using server = await startServer(wiki.env);
  const client = await signIn(server.address);
  expect(await client.get('/v1/imports/1')).toMatchObject({ state: 'failed' });
  const upload = client.upload();
  upload.finish();
  expect((await upload.answer).status).toBe(202);
  expect(await client.post('/v1/pages', slow, 'slow')).toBe(200);
});

test.each(engines)(
  'another server gets the leases of a killed one, and not those of a third: %s',
  async (engine) => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    await using beside = await startServer(wiki.env);
    const client = await signIn(beside.address);
    const upload = client.upload();
    await untilFound(wiki, `select 1 from imports where state = 'running'`);
    await killWhileSaving(wiki, await startServer(wiki.env));
    await expect.poll(() => client.post('/v1/pages', slow, 'slow'), { timeout: 30_000 }).toBe(200);

    await using third = await startServer(wiki.env);
    expect(await (await signIn(third.address)).get('/v1/imports/1')).toMatchObject({ state: 'running' });
    upload.finish();
    expect((await upload.answer).status).toBe(202);
    await expect.poll(() => client.get('/v1/imports/1')).toMatchObject({ state: 'done' });
  },
);

test.each(engines)('a mail that a killed server was sending is sent by its successor: %s', async (engine) => {
  await using wiki = await startWiki(engine);
  await wiki.administrator();
  const silent = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1');
  const sockets = new Set<Socket>();
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  await using mailbox = await startMailbox();
  const own = await freePort();
  const address = { PORT: String(own), COPPICE_URL: `http://127.0.0.1:${own}` };
  const settings = { ...wiki.env, ...mailSettings(mailbox), ...address };
  {
    await using server = await startServer({
      ...settings,
      COPPICE_MAIL: `smtp://127.0.0.1:${port}`,
    });
    const client = await signIn(server.address);
    await client.post('/v1/members/forgot', { email: 'ada@example.org' });
    await untilFound(wiki, 'select 1 from mails where attempts = 1');
    await server.kill();
  }
  await using _successor = await startServer(settings);
  await expect.poll(() => mailbox.received.length).toBeGreaterThan(0);
  for (const socket of sockets) socket.destroy();
  silent.close();
});
