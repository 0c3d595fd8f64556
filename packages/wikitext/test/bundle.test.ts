import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

// Localised names, MediaWiki's titles, the reader for edits and what saving needs are separate entry points and not included.
const maximumBytes = 61_200;

it('the package runs in a browser, by itself, in at most 61.2 kB gzipped', async () => {
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
