/**
 * Builds the browser scripts from the modules in `islands/`: takes a fraction of a second when the site first starts, and is
 * cached under a hash of the sources. Build results are never committed.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { baseMap } from './base-map.ts';

const here = fileURLToPath(new URL('islands/', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));

/** One script for all pages, one for reading pages, and others loaded on demand. */
const entries = [
  'site.ts',
  'page.ts',
  'editor.ts',
  'map.ts',
  'account.ts',
  'access.ts',
  'import.ts',
  'move.ts',
  'order.ts',
  'passkey.ts',
  'proposal.ts',
  'sign-up.ts',
  'diagram-frame.ts',
  'styles/editor.css',
  'styles/map.css',
  'styles/site.css',
];
/** Server modules that scripts share, so they are part of the hash. */
const shared = [
  'src/core',
  'src/web/build-islands.ts',
  'src/web/chosen-access.ts',
  'src/web/format.ts',
  'src/web/time-words.ts',
  'src/web/html.ts',
  'src/html/html.ts',
  'src/words',
  'packages/wikitext/src',
  'package-lock.json',
];

/** Returns the folder with the build, built if it does not exist or `isFresh` is set. Safe for concurrent processes. */
export async function buildIslands({ isFresh = false } = {}): Promise<string> {
  const name = `islands-${sourceHash()}`;
  const caches = [
    join(root, 'node_modules/.cache/coppice'),
    join(tmpdir(), `coppice-islands-${userInfo().uid}`),
  ];
  const built = caches
    .filter(isOurs)
    .map((cache) => join(cache, name))
    .find((folder) => existsSync(folder));
  if (built && !isFresh) return built;
  const cache = caches.find((folder) => canWriteTo(folder) && isOurs(folder));
  if (cache === undefined)
    throw new Error(
      `The scripts of the site have no place to be built, because none of ${caches.join(', ')} can be written to.`,
    );
  const unfinished = join(cache, `${name}-${randomBytes(4).toString('hex')}`);
  await buildInto(unfinished);
  const folder = join(cache, name);
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

async function buildInto(folder: string): Promise<void> {
  const { build, stop } = await import('esbuild');
  mkdirSync(folder, { recursive: true });
  await build({
    absWorkingDir: here,
    entryPoints: entries.map((name) => ({
      in: join(here, name),
      out: name.replace(/^styles\/|\.\w+$/g, '').replace(/\.\w+$/, ''),
    })),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    legalComments: 'none',
    target: ['es2022', 'chrome111', 'firefox114', 'safari16.4'],
    chunkNames: 'chunk-[hash]',
    logLevel: 'silent',
  });
  // Otherwise the compiler's process would live as long as ours.
  await stop();
  const find = createRequire(import.meta.url).resolve;
  for (const detail of ['110m', '50m'] as const) {
    const atlas = JSON.parse(readFileSync(find(`world-atlas/countries-${detail}.json`), 'utf8'));
    writeFileSync(join(folder, `world-${detail}.json`), JSON.stringify(baseMap(atlas)));
  }
}

function sourceHash(): string {
  const hash = createHash('sha256');
  for (const file of [...filesIn(here), ...shared.flatMap((name) => filesIn(join(root, name)))]) {
    hash.update(`${file.slice(root.length)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Returns all files beneath a folder except tests, or the file itself. Empty if it does not exist. */
export function filesIn(path: string): string[] {
  if (!existsSync(path)) return [];
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** In a world-writable folder, another user could plant scripts. */
function isOurs(folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found !== undefined && (folder.startsWith(root) || found.uid === userInfo().uid);
}

function canWriteTo(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const probe = join(folder, `probe-${randomBytes(4).toString('hex')}`);
    writeFileSync(probe, '');
    rmSync(probe);
    return true;
  } catch {
    return false;
  }
}
