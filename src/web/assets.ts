/**
 * The site's own files: style sheet, logo, and the scripts built from islands. Their URLs contain a hash of the content, so
 * that browsers keep them for ever and see a new release at once; relative imports between scripts stay within the hashed path.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, extname, relative } from 'node:path';
import { compress } from '#http/response-cache/encodings.ts';
import { filesIn } from './build-islands.ts';
import { outsideContent } from './content-scope.ts';

interface Asset {
  mime: string;
  bytes: Buffer;
  /** Compressed on first use. */
  compressed(encoding: 'br' | 'gzip'): Promise<Buffer>;
}

export interface Assets {
  /** First segment under `/assets/`. */
  version: string;
  has(name: string): boolean;
  find(name: string): Asset | undefined;
  /** `/assets/<version>/<name>` */
  url(name: string): string;
  /** Names of all scripts that a script needs to run, by way of others as well, in the order in which they are found. */
  neededBy(script: string): readonly string[];
}

const kinds: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/**
 * `styleSheet` becomes `style.css`; `files` and the public files in `folders` keep their names, and `scripts` are given by theirs. If names are equal, the last
 * one counts.
 */
export function openAssets(
  styleSheet: string,
  files: string[],
  folders: string[],
  scripts: ReadonlyMap<string, string>,
): Assets {
  const style = assetOf(kinds['.css'] ?? '', Buffer.from(outsideContent(styleSheet)));
  const assets = new Map([['style.css', style]]);
  for (const file of files) assets.set(basename(file), assetOf(kinds[extname(file)] ?? '', readAsset(file)));
  for (const folder of folders) {
    for (const file of filesIn(folder)) {
      const mime = kinds[extname(file)];
      if (mime) assets.set(relative(folder, file).replaceAll('\\', '/'), assetOf(mime, readAsset(file)));
    }
  }
  for (const [name, source] of scripts) assets.set(name, assetOf(kinds['.js'] ?? '', Buffer.from(source)));
  const hash = createHash('sha256');
  for (const name of [...assets.keys()].sort()) {
    hash.update(`${name}\0`);
    hash.update(assets.get(name)?.bytes ?? '');
  }
  const needed = new Map<string, readonly string[]>();
  const version = hash.digest('base64url').slice(0, 12).replaceAll('_', '-');
  return {
    version,
    has: (name) => assets.has(name),
    find: (name) => assets.get(name),
    url: (name) => `/assets/${version}/${name}`,
    neededBy: (script) => needed.getOrInsertComputed(script, () => importsOf(script, assets)),
  };
}

function importsOf(script: string, assets: ReadonlyMap<string, Asset>): string[] {
  const found = new Set([script]);
  for (const name of found) {
    const source = assets.get(name)?.bytes.toString() ?? '';
    // Scripts are built without spaces. A call of `import()` has a bracket instead.
    for (const [, file = ''] of source.matchAll(/(?:\bfrom|\bimport)"\.\/(chunk-\w+\.js)"/g)) found.add(file);
  }
  found.delete(script);
  return [...found];
}

function readAsset(file: string): Buffer {
  const bytes = readFileSync(file);
  return extname(file) === '.css' ? Buffer.from(outsideContent(bytes.toString())) : bytes;
}

function assetOf(mime: string, bytes: Buffer): Asset {
  const made = new Map<string, Promise<Buffer>>();
  return {
    mime,
    bytes,
    compressed: (encoding) => made.getOrInsertComputed(encoding, () => compress(bytes, encoding, 9)),
  };
}
