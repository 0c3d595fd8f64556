/**
 * Code that is measured: a folder with a checkout, or a revision of this repository, which is checked out into the cache. So
 * work in progress does not disturb a measurement, and any two revisions can be compared.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface Checkout {
  /** Name as given on the command line. */
  name: string;
  folder: string;
  /** Hash of the schema: equal schemas can share a filled database. */
  schema: string;
}

export const repository = resolve(import.meta.dirname, '../..');
/** Cache of filled databases and checked-out revisions; can be removed at any time. */
export const cacheFolder = join(tmpdir(), 'coppice-bench');

/** Files that determine the rows in which a page is stored. */
const schemaFiles = [
  'src/store/migrations/*.ts',
  'src/store/{tables,rows,derived,cells,pages}.ts',
  'src/{core,domain}/**/{derive,description,page-state,terms,fold,page}.ts',
];

export function openCheckout(name: string): Checkout {
  const isFolder = existsSync(join(name, 'src/main.ts'));
  const folder = isFolder ? resolve(name) : takeOut(name);
  const hash = createHash('sha256');
  for (const file of globSync(schemaFiles, { cwd: folder }).sort())
    hash.update(readFileSync(join(folder, file)));
  return {
    name: isFolder ? name : `${name} (${commitOf(name)})`,
    folder,
    schema: hash.digest('hex').slice(0, 10),
  };
}

function takeOut(revision: string): string {
  const commit = commitOf(revision);
  const folder = join(cacheFolder, 'checkouts', commit);
  if (existsSync(folder)) return folder;
  const making = `${folder}.${process.pid}`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true });
  const archive = execFileSync('git', ['-C', repository, 'archive', commit], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', making], { input: archive });
  linkModules(join(repository, 'node_modules'), join(making, 'node_modules'));
  renameSync(making, folder);
  return folder;
}

/** Links the same packages as `from`, except for our own ones, which come from the revision. */
function linkModules(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (name !== '@coppice') symlinkSync(join(from, name), join(to, name));
  }
  mkdirSync(join(to, '@coppice'));
  for (const name of readdirSync(join(from, '@coppice'))) {
    symlinkSync(join('../../packages', name), join(to, '@coppice', name));
  }
}

function commitOf(revision: string): string {
  return execFileSync('git', ['-C', repository, 'rev-parse', '--short=10', `${revision}^{commit}`], {
    encoding: 'utf8',
  }).trim();
}
