import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

// Names in other languages, MediaWiki's titles and the reader for edits are entry points of their own and not in it.
const maximumBytes = 60_000;

it('the package runs in a browser, alone, in at most 60 kB gzipped', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    metafile: true,
    write: false,
  });
  const [file] = outputFiles;
  expect(gzipSync(file?.contents ?? new Uint8Array(), { level: 9 }).length).toBeLessThanOrEqual(maximumBytes);
  expect(Object.keys(metafile.inputs).every((input) => input.includes('wikitext/src/'))).toBe(true);
});
