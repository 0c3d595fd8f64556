/**
 * Two application processes on a real PostgreSQL with two streaming replicas, killed one after the other under load: reads go
 * on, no acknowledged write is lost, writers read their own writes through either process, and everything recovers
 * automatically from restart and failover.
 */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadKeys } from '#auth/keys.ts';
import { createTokens } from '#auth/token.ts';
import { passphrase, startWiki, type TestWiki } from '../support/cli.ts';
import { type PostgresServer, type Replication, startReplication } from '../support/replication.ts';
import { type Server, startServer } from '../support/serve.ts';
import { day, tokenFor } from '../support/sessions.ts';

const maxLagMs = 1000;
/** Delay between the requests of one caller: events here take longer, and other tests need the CPU. */
const pause = () => setTimeout(25);

describe('replicas', () => {
  let postgres: Replication;
  let wiki: TestWiki;
  let servers: Server[];
  let token: string;
  /** Path → time at which its creation was acknowledged. */
  const acknowledged = new Map<string, number>();
  /** Unexpected responses. */
  const wrong: string[] = [];
  let refusedWrites = 0;
  let reads = 0;
  /** False while a server is being killed: a replica may lack the latest writes. */
  let isCalm = true;
  let isRunning = true;
  let load: Promise<unknown>;

  beforeAll(async () => {
    postgres = await startReplication();
    wiki = await startWiki();
    wiki.env.DATABASE_URL = postgres.primary.url;
    wiki.env.DATABASE_REPLICA_URLS = postgres.replicas.map(({ url }) => url).join(',');
    await wiki.administrator();
    // Same three servers for each process, configured in two ways.
    const everyHost = [postgres.primary, ...postgres.replicas].map(({ url }) => new URL(url).host).join(',');
    const byHosts = {
      DATABASE_URL: postgres.primary.url.replace(/@[^/]+/, `@${everyHost}`),
      DATABASE_REPLICA_URLS: '',
    };
    servers = await Promise.all([startServer(wiki.env), startServer({ ...wiki.env, ...byHosts })]);
    const keys = await loadKeys({ env: undefined, file: `${wiki.env.COPPICE_DATA}/key` });
    await using opened = await wiki.open();
    token = await tokenFor({ store: opened.store, tokens: createTokens(keys, Date.now, day) }, 1);
    load = Promise.all([write('a', 0), write('b', 1), readAsAnybody(0), readAsAnybody(1)]);
  });
  afterAll(async () => {
    isRunning = false;
    await load;
    for (const server of servers) await server.kill();
    await wiki[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  const addressOf = (n: number) => servers[n % servers.length]?.address ?? '';

  /** Creates pages through one process and reads each through the other until stopped. */
  async function write(name: string, by: number): Promise<void> {
    for (let n = 0; isRunning; n++) {
      const path = `/${name}-${n}`;
      const wasCalm = isCalm;
      const made = await fetch(`${addressOf(by + n)}/v1/pages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ title: path.slice(1), path, body: `Body of ${path}` }),
      });
      const text = await made.text();
      if (made.status === 503) {
        refusedWrites++;
        if (!/^\d+$/.test(made.headers.get('retry-after') ?? '')) wrong.push('503 without Retry-After');
        if (wasCalm && isCalm) wrong.push(`refused though nothing was killed: ${text}`);
        await pause();
        continue;
      }
      if (made.status !== 200) wrong.push(`creating ${path}: ${made.status} ${text}`);
      else acknowledged.set(path, Date.now());
      const own = await fetch(`${addressOf(by + n + 1)}/v1/pages${path}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await own.text();
      reads++;
      const mayBeLate = !(wasCalm && isCalm) && own.status === 404;
      if (made.status === 200 && own.status !== 200 && !mayBeLate) wrong.push(`own ${path}: ${own.status}`);
      await pause();
    }
  }

  /** Reads pages acknowledged more than `maxLagMs` ago. */
  async function readAsAnybody(by: number): Promise<void> {
    for (let n = by; isRunning; n++) {
      const known = [...acknowledged].filter(([, at]) => Date.now() - at > maxLagMs);
      const [path] = known[(n * 7) % (known.length || 1)] ?? [];
      const url = path === undefined ? '/v1/updates' : `/v1/pages${path}`;
      const answer = await fetch(addressOf(n) + url);
      await answer.text();
      reads++;
      if (answer.status !== 200) wrong.push(`reading ${url}: ${answer.status}`);
      await pause();
    }
  }

  async function readiness(): Promise<unknown[]> {
    return Promise.all(servers.map(async ({ address }) => (await fetch(`${address}/readyz`)).json()));
  }

  const within = { timeout: 30_000, interval: 100 };
  const all = (state: object) => servers.map(() => state);
  const ok = { status: 'ok', reads: 'ok', writes: 'ok' };

  /** Waits until more pages are written and read. */
  async function goOn(writes = 20): Promise<void> {
    const [written, read] = [acknowledged.size, reads];
    await expect.poll(() => acknowledged.size, within).toBeGreaterThanOrEqual(written + writes);
    await expect.poll(() => reads, within).toBeGreaterThanOrEqual(read + 3 * writes);
  }

  async function killed(server: PostgresServer, meanwhile: () => Promise<void>): Promise<void> {
    isCalm = false;
    await server.kill();
    await meanwhile();
  }

  test('both are used, and a writer sees its own writes in either process', async () => {
    await expect.poll(readiness, within).toEqual(all({ ...ok, replicas: { inUse: 2, all: 2 } }));
    await goOn(40);
    for (const replica of postgres.replicas) {
      const readsOfPages = async () => {
        const [seen] = await replica.query<{ reads: number }>(
          "select (seq_scan + idx_scan)::int as reads from pg_stat_user_tables where relname = 'pages'",
        );
        return seen?.reads;
      };
      await expect.poll(readsOfPages, within).toBeGreaterThan(50);
    }
    expect(wrong).toEqual([]);
  });

  test('a killed replica is left out, and used again by itself', async () => {
    for (const replica of postgres.replicas) {
      await killed(replica, async () => {
        await expect.poll(readiness, within).toEqual(all({ ...ok, replicas: { inUse: 1, all: 2 } }));
        await goOn();
        await replica.start();
        await expect.poll(readiness, within).toEqual(all({ ...ok, replicas: { inUse: 2, all: 2 } }));
      });
      isCalm = true;
      await goOn();
    }
    expect(wrong).toEqual([]);
  });

  test('a replica that falls behind is left out until it has caught up', async () => {
    const [replica] = postgres.replicas;
    await replica.query('select pg_wal_replay_pause()');
    await expect.poll(readiness, within).toEqual(all({ ...ok, replicas: { inUse: 1, all: 2 } }));
    await goOn();
    await replica.query('select pg_wal_replay_resume()');
    await expect.poll(readiness, within).toEqual(all({ ...ok, replicas: { inUse: 2, all: 2 } }));
    expect(wrong).toEqual([]);
  });

  test('a hanging replica is left out, and used again by itself', async () => {
    const [replica] = postgres.replicas;
    isCalm = false;
    replica.pause();
    try {
      await expect.poll(readiness, within).toEqual(all({ ...ok, replicas: { inUse: 1, all: 2 } }));
      await goOn();
    } finally {
      replica.resume();
    }
    await expect.poll(readiness, within).toEqual(all({ ...ok, replicas: { inUse: 2, all: 2 } }));
    isCalm = true;
    await goOn();
    expect(wrong).toEqual([]);
  });

  test('a hanging primary delays nobody, and everything works when it continues', async () => {
    await using alone = await startServer({ ...wiki.env, DATABASE_REPLICA_URLS: '' });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    let title = 0;
    // More requests than database connections.
    const askAlone = async () => {
      const answers = await Promise.all(
        Array.from({ length: 30 }, () =>
          title++ % 3 === 0
            ? fetch(`${alone.address}/v1/pages`, {
                method: 'POST',
                headers,
                body: `{"title":"Alone ${title}"}`,
              })
            : fetch(`${alone.address}/v1/pages/a-${title % 5}`, { headers }),
        ),
      );
      return [...new Set(answers.map(({ status, headers }) => `${status} ${headers.has('retry-after')}`))];
    };
    /** Sends concurrent requests, some of which wait for queries of others. */
    const readAlone = async () => {
      const answers = await Promise.all(
        ['updates', 'pages/a-1', 'pages/a-2', 'history/a-1'].map((path) =>
          fetch(`${alone.address}/v1/${path}`),
        ),
      );
      return new Set(await Promise.all(answers.map(async (answer) => (await answer.json()).detail)));
    };
    expect(await askAlone()).toEqual(['200 false']);
    isCalm = false;
    postgres.primary.pause();
    try {
      // This server receives no change notifications now; reads must not wait for a lost connection.
      const silent = 'The database is unavailable at the moment. Please try again in a moment.';
      const [asked, read] = await Promise.all([askAlone(), readAlone()]);
      expect({ asked, read: [...read] }).toEqual({ asked: ['503 true'], read: [silent] });
      expect([...(await readAlone())]).toEqual([silent]);
      await expect.poll(readiness, within).toMatchObject(all({ status: 'read-only' }));
      const before = reads;
      await expect.poll(() => reads, within).toBeGreaterThan(before + 50);
    } finally {
      postgres.primary.resume();
    }
    await expect.poll(readiness, within).toEqual(all({ ...ok, replicas: { inUse: 2, all: 2 } }));
    await expect.poll(askAlone, within).toEqual(['200 false']);
    isCalm = true;
    await goOn();
    expect(wrong).toEqual([]);
  });

  test('without a primary, reads work and writes are refused until it is back', async () => {
    refusedWrites = 0;
    // This process knows no other server: it can neither read nor write now, and says so.
    await using alone = await startServer({ ...wiki.env, DATABASE_REPLICA_URLS: '' });
    const askAlone = async () => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answers = await Promise.all([
        fetch(`${alone.address}/v1/updates`),
        fetch(`${alone.address}/updates`),
        fetch(`${alone.address}/v1/pages`, { method: 'POST', headers, body: '{"title":"Alone"}' }),
      ]);
      return answers.map(({ status, headers }) => [status, headers.get('retry-after') !== null]);
    };
    await killed(postgres.primary, async () => {
      await expect.poll(readiness, within).toMatchObject(all({ status: 'read-only' }));
      const before = reads;
      await expect.poll(() => reads, within).toBeGreaterThan(before + 50);
      expect(refusedWrites).toBeGreaterThan(0);
      expect(await askAlone()).toEqual(Array(3).fill([503, true]));
      await postgres.primary.start();
      await expect.poll(readiness, within).toEqual(all({ ...ok, replicas: { inUse: 2, all: 2 } }));
    });
    isCalm = true;
    await goOn();
    expect(await askAlone()).toEqual(Array(3).fill([200, false]));
    expect(wrong).toEqual([]);
  });

  test('a promoted replica accepts the writes, and the old primary’s return changes nothing', async () => {
    const [heir, other] = postgres.replicas;
    await killed(postgres.primary, async () => {
      const received = 'select pg_last_wal_receive_lsn() as at';
      const [[mine], [theirs]] = await Promise.all([
        heir.query<{ at: string }>(received),
        other.query<{ at: string }>(received),
      ]);
      // Acknowledged writes are on at least one replica: the one that has received more.
      const [isBehind] = await heir.query<{ yes: boolean }>(
        `select '${mine?.at}'::pg_lsn < '${theirs?.at}'::pg_lsn as yes`,
      );
      await (isBehind?.yes ? other : heir).promote();
      await expect.poll(readiness, within).toEqual(all({ ...ok, replicas: { inUse: 1, all: 2 } }));
    });
    isCalm = true;
    await goOn();
    // The old primary restarts unaware of the failover and still accepts writes on the abandoned timeline.
    await postgres.primary.start();
    await goOn(40);
    const [left] = await postgres.primary.query<{ paths: number }>(
      `select count(*)::int as paths from pages where path = '${[...acknowledged.keys()].at(-1)}'`,
    );
    expect(left?.paths).toBe(0);
    expect(wrong).toEqual([]);
  });

  test('nothing that was acknowledged is lost', async () => {
    isRunning = false;
    await load;
    const headers = { authorization: `Bearer ${token}` };
    for (const server of servers) {
      const found = new Set<string>();
      // The wiki has other pages, too, so the list is read to its end.
      for (let offset = 0, size = 100; size > 0; offset += 100) {
        const answer = await fetch(
          `${server.address}/v1/pages?path=/&limit=100&offset=${offset}&history=none`,
          { headers },
        );
        const list = (await answer.json()) as { path: string }[];
        for (const { path } of list) found.add(path);
        size = list.length;
      }
      expect([...acknowledged.keys()].filter((path) => !found.has(path))).toEqual([]);
    }
    expect(wrong).toEqual([]);
    expect(servers.map((server) => server.said()).join('')).not.toContain('unhandled error');
    for (const server of servers) expect(await server.stop()).toBe(0);
    expect(await wiki.coppice(['check'])).toMatchObject({ code: 0 });
  });
});

describe('a standby without its primary', () => {
  test('is served read-only, which every page says, and accepts writes once it is promoted', async () => {
    await using postgres = await startReplication();
    await using wiki = await startWiki();
    wiki.env.DATABASE_URL = postgres.primary.url;
    await wiki.administrator();
    const [standby] = postgres.replicas;
    const caughtUp = () => standby.query('select 1 from members');
    await expect.poll(() => caughtUp().catch(() => [])).toHaveLength(1);
    await postgres.primary.kill();
    await using server = await startServer({ ...wiki.env, DATABASE_URL: standby.url });
    const page = async () => (await fetch(server.address, { headers: { accept: 'text/html' } })).text();
    expect(await page()).toContain('The data of this wiki is read-only');
    const ready = async () => (await fetch(`${server.address}/readyz`)).json();
    expect(await ready()).toMatchObject({ reads: 'ok' });
    const signIn = () =>
      fetch(`${server.address}/v1/members/auth`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'ada@example.org', pass: passphrase }),
      });
    const signedIn = await signIn();
    expect(signedIn.status).toBe(200);
    const token = await signedIn.text();
    const create = async () =>
      (
        await fetch(`${server.address}/v1/pages`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ title: 'Oak' }),
        })
      ).status;
    expect(await create()).toBe(503);
    await standby.promote();
    await expect.poll(create).toBe(200);
    await expect.poll(page).not.toContain('The data of this wiki is read-only');
    expect(await ready()).toMatchObject({ status: 'ok', writes: 'ok' });
  });
});
