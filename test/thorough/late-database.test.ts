/** A PostgreSQL that comes up late, has no connection left, or does not suit: the server waits, or says what to do. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startWiki } from '../support/cli.ts';
import { freePort } from '../support/free-ports.ts';
import { startApp } from '../support/http.ts';
import { freshPostgres } from '../support/postgres.ts';
import { lateProxy, transactionPooler } from '../support/postgres-proxy.ts';
import { meddle } from '../support/rows.ts';
import { startServer } from '../support/serve.ts';

/** An empty database of a user who may have so many connections. */
async function limitedDatabase(connections: number) {
  const database = await freshPostgres();
  const user = `few_${randomUUID().slice(0, 8)}`;
  const { pathname } = new URL(database.url);
  await meddle(
    database.config,
    `create role ${user} login password 'few' connection limit ${connections};
    alter database ${pathname.slice(1)} owner to ${user}; grant create on schema public to ${user}`,
  );
  const url = new URL(database.url);
  url.username = user;
  url.password = 'few';
  return {
    config: database.config,
    url: url.href,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      const { href } = new URL('/postgres', database.url);
      await meddle({ kind: 'postgres', url: href }, `drop role ${user}`);
    },
  };
}

/** Takes every connection that is left, until `free` is called. */
async function takeTheRest(url: string): Promise<{ free(): Promise<void> }> {
  const clients: pg.Client[] = [];
  for (;;) {
    const client = new pg.Client(url);
    client.on('error', () => {});
    try {
      await client.connect();
    } catch (error) {
      expect((error as pg.DatabaseError).code).toBe('53300');
      return {
        async free() {
          for (const client of clients) await client.end();
        },
      };
    }
    clients.push(client);
  }
}

test.each(['1', '2'])(
  'a server waits for a database that starts later, and says so: %s processes',
  async (workers) => {
    await using wiki = await startWiki('PostgreSQL', {}, freshPostgres);
    await using late = await lateProxy(wiki.env.DATABASE_URL ?? '');
    const env = { DATABASE_URL: late.url, COPPICE_WORKERS: workers, LOG_LEVEL: 'warn' };
    await using server = await startServer({ ...wiki.env, ...env });
    expect(server.said()).toMatch(/waiting for the database/);
    expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
  },
);

test('a server whose database does not start exits with a sentence, after the configured time', async () => {
  await using wiki = await startWiki();
  const url = `postgres://user:hunter2@localhost:${await freePort()}/none`;
  const starting = startServer({
    ...{ ...wiki.env, DATABASE_URL: url, DATABASE_WAIT: '5', LOG_LEVEL: 'warn' },
  });
  const said = await starting.then(
    () => 'It serves.',
    (error: Error) => error.message,
  );
  expect(said).toMatch(/^The server ended with 1:\n[\s\S]*waiting for the database/);
  expect(said).toMatch(/^DATABASE_URL: the database cannot be used \([^)\n]+\)\.$/m);
  expect(said).not.toContain('hunter2');
});

test('a wrong passphrase is refused at once', async () => {
  await using database = await limitedDatabase(5);
  await using wiki = await startWiki();
  const url = new URL(database.url);
  url.password = 'wrong';
  const env = { ...wiki.env, DATABASE_URL: url.href, DATABASE_WAIT: '3600' };
  await expect(startServer(env)).rejects.toThrow(/password authentication failed/);
});

test('requests wait while the database allows no more connections, and use the existing ones', async () => {
  await using database = await limitedDatabase(6);
  const wiki = await startApp({ DATABASE_URL: database.url, DATABASE_CONNECTIONS: '4' });
  try {
    const { token } = await wiki.member('Ada');
    await wiki.page(token, { title: 'Oak' });
    const rest = await takeTheRest(database.url);
    const crowd = () =>
      Promise.all(
        Array.from({ length: 24 }, (_, i) =>
          i % 2 === 0
            ? wiki.call('GET', `/v1/pages?title=${i}`, { token })
            : wiki.call('POST', '/v1/pages', { token, json: { title: `Elm ${randomUUID()}` } }),
        ),
      );
    const statuses = async () => (await crowd()).map(({ status }) => status);
    // A warm pool.
    expect(new Set(await statuses())).toEqual(new Set([200]));
    expect((await wiki.call('GET', '/readyz')).status).toBe(200);
    // A pool without a connection, and none to be had.
    await meddle(
      database.config,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
        and application_name in ('coppice', 'coppice-probe', 'coppice-leases')`,
    );
    const others = await takeTheRest(database.url);
    const waiting = statuses();
    await others.free();
    expect(new Set(await waiting)).toEqual(new Set([200]));
    await rest.free();
    expect(new Set(await statuses())).toEqual(new Set([200]));
  } finally {
    await wiki.close();
  }
});

test('a database with few connections gets a smaller pool, unless the setting names a number', async () => {
  await using database = await limitedDatabase(16);
  await using wiki = await startWiki();
  await using server = await startServer({ ...wiki.env, DATABASE_URL: database.url, COPPICE_WORKERS: '2' });
  const answers = await Promise.all(
    Array.from({ length: 100 }, () =>
      fetch(`${server.address}/v1/pages?limit=1`).then(({ status }) => status),
    ),
  );
  expect(new Set(answers)).toEqual(new Set([200]));
});

test.each([
  [5, '1', 'at most 5 connections, and the server needs 12 [\\s\\S]*Set DATABASE_CONNECTIONS to 3 or less'],
  [
    16,
    '2',
    'at most 16 connections, and the 2 workers need 24 [\\s\\S]*Set DATABASE_CONNECTIONS to 6 or less',
  ],
  [2, '1', 'at most 2 connections, and the server needs 12 [\\s\\S]*Raise max_connections'],
])('a limit of %s connections is refused for %s processes, with advice', async (limit, workers, sentence) => {
  await using database = await limitedDatabase(limit);
  await using wiki = await startWiki();
  const env = {
    ...{ ...wiki.env, DATABASE_URL: database.url, DATABASE_CONNECTIONS: '10' },
    ...{ COPPICE_WORKERS: workers, DATABASE_WAIT: '0' },
  };
  await expect(startServer(env)).rejects.toThrow(new RegExp(`ended with 1:\n[\\s\\S]*${sentence}`));
});

test('a pooler in transaction mode is refused, with advice', async () => {
  await using wiki = await startWiki('PostgreSQL', {}, freshPostgres);
  await using pooler = await transactionPooler(wiki.env.DATABASE_URL ?? '');
  await expect(startServer({ ...wiki.env, DATABASE_URL: pooler.url })).rejects.toThrow(
    /ended with 1:\nDATABASE_URL: this is the address of a pooler in transaction mode[^\n]*pool_mode = session/,
  );
});
