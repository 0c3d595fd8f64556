/** Two processes on one database. Requests use real connections, because only these reach the fast path. */
import { mkdtemp, rm } from 'node:fs/promises';
import { get, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import pino from 'pino';
import { readConfig } from '#config/config.ts';
import { addMember } from '#core/members/manage-members.ts';
import { type App, buildApp } from '#run/app.ts';
import { passphraseCost } from './passphrase-cost.ts';
import type { FreshDatabase } from './postgres.ts';

const pass = 'a passphrase of our own';

/** The wiki has one member, Ada, an administrator. `renew` restarts the other process. */
export async function withWiki(
  fresh: () => Promise<FreshDatabase>,
  work: (app: App, other: App, authorization: string, renew: () => Promise<App>) => Promise<void>,
  { env = {}, clock = Date.now }: { env?: Record<string, string>; clock?: () => number } = {},
): Promise<void> {
  await using database = await fresh();
  const folder = await mkdtemp(join(tmpdir(), 'coppice-'));
  const { config } = database;
  const settings = readConfig({
    COPPICE_DATA: folder,
    COPPICE_RATE_LIMIT: 'off',
    // The server can be reached by any name.
    HOST: '0.0.0.0',
    ...env,
    ...(config.kind === 'postgres' ? { DATABASE_URL: config.url } : {}),
  });
  const logger = pino({ level: 'silent' });
  // Separate processes as far as caches are concerned: only the stored data is shared.
  const start = async () => {
    const started = await buildApp(settings, { logger, clock, passphraseCost, proofCost: 1 });
    await started.server.listen({ host: '127.0.0.1', port: 0 });
    return started;
  };
  const app = await start();
  let other = await start();
  const renew = async () => {
    await other.close();
    other = await start();
    return other;
  };
  try {
    const { store, passphrases } = app.service;
    await addMember(
      store,
      passphrases,
      { email: 'ada@example.org', name: 'Ada', passphrase: pass, isAdmin: true },
      1,
    );
    const payload = { email: 'ada@example.org', pass };
    const token = (await app.server.inject({ method: 'POST', url: '/v1/members/auth', payload })).body;
    await work(app, other, `Bearer ${token}`, renew);
  } finally {
    await app.close();
    await other.close();
    await rm(folder, { recursive: true });
  }
}

/** Number of responses that the app has served from its cache. */
export async function cacheHitsOf(app: App): Promise<number> {
  const { body } = await ask(app, '/metrics');
  return Number(/^coppice_http_kept_answers_total (\d+)$/m.exec(body)?.[1]);
}

export async function ask(
  app: App,
  path: string,
  headers: Record<string, string> = {},
): Promise<{
  statusCode: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
  rawPayload: Buffer;
}> {
  const { port } = app.server.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path, headers, agent: false }, async (response) => {
      const rawPayload = await buffer(response);
      const { statusCode, headers } = response;
      resolve({ statusCode, headers, body: rawPayload.toString(), rawPayload });
    });
    request.on('error', reject);
  });
}
