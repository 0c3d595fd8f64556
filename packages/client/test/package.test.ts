/** The client as others install it: its types match the API, and its files and its size in browsers are as expected. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { typesOf } from '../generate.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('api/index.d.ts matches openapi.json: `npm run generate -w @coppice/client`', () => {
  expect(read('packages/client/api/index.d.ts') === typesOf(JSON.parse(read('openapi.json')))).toBe(true);
});

test('browsers load less than 4 kB, and no module of Node', async () => {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'packages/client/src/index.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
  });
  const [file] = outputFiles;
  expect(gzipSync(file?.contents ?? '').length).toBeLessThan(4000);
});
