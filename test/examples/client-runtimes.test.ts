/** The bundled client behaves in a browser, in Deno and in an edge runtime as in Node, with a real wiki. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { passphrase, startBrowser, startWiki, type Wiki } from '../e2e/support.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
let wiki: Wiki;
let folder: string;
let bundle: string;

beforeAll(async () => {
  wiki = await startWiki();
  await wiki.addMember('Ada');
  folder = await temporaryFolder();
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'runtime-exercise.ts')],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    write: false,
  });
  bundle = outputFiles[0]?.text ?? '';
  const packages = ['deno@2.9.6', 'edge-runtime@4.0.1'];
  const quiet = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...quiet, ...packages], { cwd: folder });
}, 300_000);
afterAll(() => wiki?.close());

const call = (name: string) =>
  `exercise(${JSON.stringify(wiki.url)}, 'ada@example.org', ${JSON.stringify(passphrase)}, '${name}')`;
const expected = {
  refused: 'unauthenticated',
  theirs: 'two',
  isMerged: true,
  files: 1,
  hasProgress: true,
  kinds: ['created', 'edited'],
  told: ['created'],
};

test('the client works in a browser, on a page from an insecure origin', async () => {
  await using browser = await startBrowser();
  const page = await browser.newPage();
  await page.addScriptTag({ content: bundle });
  expect(await page.evaluate(() => 'randomUUID' in crypto)).toBe(false);
  expect(await page.evaluate(call('browser'))).toEqual({ ...expected, titles: ['browser'] });
});

test('the client works in Deno with access to the wiki only', async () => {
  const script = join(folder, 'deno.js');
  await writeFile(script, `${bundle}\nconsole.log(JSON.stringify(await ${call('deno')}));`);
  const deno = join(folder, 'node_modules/@deno/linux-x64-glibc/deno');
  const { stdout } = await run(deno, ['run', `--allow-net=${new URL(wiki.url).host}`, script], {
    cwd: folder,
  });
  expect(JSON.parse(stdout)).toEqual({ ...expected, titles: ['deno'] });
});

test('the client works in an edge runtime', async () => {
  const script = join(folder, 'edge.mjs');
  const program = `${bundle}\nglobalThis.done = ${call('edge')}.then(JSON.stringify);`;
  await writeFile(
    script,
    `import { EdgeRuntime } from 'edge-runtime';
const runtime = new EdgeRuntime();
runtime.evaluate(${JSON.stringify(program)});
console.log(await runtime.evaluate('done'));
process.exit();`,
  );
  const { stdout } = await run(process.execPath, [script], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual({ ...expected, titles: ['edge'] });
});
