/**
 * The site's own files: the style sheet, the mark, and the scripts that islands are built from. All lie under one
 * address that names their content, so that browsers keep them for ever and a new release is seen at once; relative
 * imports between scripts stay within it.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { outsideContent } from './content-scope.ts';

interface Asset {
  mime: string;
  bytes: Buffer;
  /** Made when first asked for. */
  brotli(): Promise<Buffer>;
  gzip(): Promise<Buffer>;
}

export interface Assets {
  /** First segment under `/assets/`. */
  version: string;
  has(name: string): boolean;
  find(name: string): Asset | undefined;
  /** `/assets/<version>/<name>` */
  url(name: string): string;
}

const inBrotli = promisify(brotliCompress);
const inGzip = promisify(gzip);

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

/** `styleSheet` as `style.css`, `files`, and everything under `folders` that browsers may have; of one name the last counts. */
export function openAssets(styleSheet: string, files: string[], folders: string[]): Assets {
  const assets = new Map<string, Asset>([
    ['style.css', assetOf(kinds['.css'] ?? '', styleBytes(styleSheet))],
  ]);
  for (const file of files) assets.set(basename(file), assetOf(kinds[extname(file)] ?? '', readAsset(file)));
  for (const folder of folders) {
    for (const file of existsSync(folder) ? filesIn(folder) : []) {
      const mime = kinds[extname(file)];
      if (mime) assets.set(relative(folder, file).replaceAll('\\', '/'), assetOf(mime, readAsset(file)));
    }
  }
  const hash = createHash('sha256');
  for (const name of [...assets.keys()].sort()) {
    hash.update(`${name}\0`);
    hash.update(assets.get(name)?.bytes ?? '');
  }
  const version = hash.digest('base64url').slice(0, 12).replaceAll('_', '-');
  return {
    version,
    has: (name) => assets.has(name),
    find: (name) => assets.get(name),
    url: (name) => `/assets/${version}/${name}`,
  };
}

function readAsset(file: string): Buffer {
  const bytes = readFileSync(file);
  return extname(file) === '.css' ? styleBytes(bytes.toString()) : bytes;
}

function styleBytes(css: string): Buffer {
  return Buffer.from(outsideContent(css));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

function assetOf(mime: string, bytes: Buffer): Asset {
  let brotlied: Promise<Buffer> | undefined;
  let gzipped: Promise<Buffer> | undefined;
  return {
    mime,
    bytes,
    brotli: () => {
      brotlied ??= inBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
      return brotlied;
    },
    gzip: () => {
      gzipped ??= inGzip(bytes);
      return gzipped;
    },
  };
}
