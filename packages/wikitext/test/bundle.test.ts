import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

// Localised names, MediaWiki's titles and the reader for edits are separate entry points and not included.
const maximumBytes = 62_000;

it('the package runs in a browser, alone, in at most 62 kB gzipped', async () => {
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
