/** The demonstration world as a newcomer finds it: complete, varied, and without leftovers of its creation. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readWorld } from '#cli/demo/world.ts';
import { createRenderer } from '#core/content/render.ts';
import { viewPage } from '#core/pages/view-page.ts';
import { startWiki } from '../support/cli.ts';

test('the demonstration fills an empty wiki, once, and every page of it renders without errors', async () => {
  await using wiki = await startWiki();
  const { code, out, err } = await wiki.coppice(['demo']);
  expect(err).toBe('');
  expect(code).toBe(0);
  expect(out).toMatch(/passphrase \S{16}\n/);
  expect((await wiki.coppice(['demo'])).code).toBe(1);
  expect((await wiki.coppice(['demo', '--keep'])).out).toMatch(/passphrase \S{16}\n/);
  expect((await wiki.coppice(['check'])).code).toBe(0);

  await expectStop(wiki.folder, wiki.env.COPPICE_DATA ?? '');

  await using open = await wiki.open();
  const { store } = open;
  const world = readWorld();
  expect(world.length).toBeGreaterThan(130);
  expect(world.length).toBeLessThan(180);
  expect(Math.max(...world.map(({ path }) => path.split('/').length - 1))).toBe(5);
  expect((await store.readAsSystem().links.wanted(100, 10)).length).toBeGreaterThanOrEqual(12);
  expect(await store.maintenance.violations(10)).toEqual([]);
  const renderer = createRenderer('Alder Valley');
  const actor = { memberId: 1, name: 'Valley Steward', isAdmin: true };
  let places = 0;
  for (const { path } of world) {
    const view = await viewPage({ reader: store.readAs(actor), renderer, now: Date.now() }, path, {
      history: 'none',
    });
    if ('movedTo' in view) throw new Error(path);
    const text = JSON.stringify(view);
    if (/"location":\{/.test(text)) places++;
    const { markup, notices } = view;
    if (path === '/home') expect(markup).toContain('alder-valley-map.svg"><img');
    const read = markup.replace(/<code.*?<\/code>/gs, '');
    expect(read, path).not.toMatch(/\{\{|\[\[|\{\||\|\}/);
    expect(notices, path).toEqual([]);
  }
  expect(places).toBeGreaterThanOrEqual(38);

  const view = async (path: string) => {
    const found = await viewPage({ reader: store.readAs(actor), renderer, now: Date.now() }, path, {
      history: 'all',
    });
    if ('movedTo' in found) return found.movedTo;
    const { history, content } = found.page;
    return {
      body: content.body,
      changes: history.length,
      editors: new Set(history.map(({ editor }) => editor.id)).size,
    };
  };
  const book = await view('/alder-valley/middle-vale/wending/gauge-book');
  expect(book).toMatchObject({ changes: 53, editors: 6 });
  const count = await view('/living-things/otter-count');
  // Concurrent counts by two people are both kept.
  expect(count).toMatchObject({ body: expect.stringMatching(/Fell\]\] \|\| 4[\s\S]*Quay\]\] \|\| 11/) });
  expect(await view('/legends/counting-sheep')).toBe('/crafts/counting-sheep');
  const oxenford = await view('/alder-valley/middle-vale/oxenford');
  expect(oxenford).toMatchObject({ body: expect.stringContaining('stepping stones') });
}, 60_000);

/** `npm run demo` on this wiki: the process that npm signals is the server, so that a SIGTERM leaves nothing on the port. */
async function expectStop(folder: string, data: string): Promise<void> {
  const root = join(import.meta.dirname, '../..');
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  symlinkSync(join(root, 'bin'), join(folder, 'bin'));
  symlinkSync(data, join(folder, 'demo-data'));
  const env = { ...process.env, PORT: '0', LOG_LEVEL: 'error' };
  const demo = spawn('sh', ['-c', scripts.demo], { cwd: folder, env });
  let said = '';
  const address = await new Promise<string>((resolve, reject) => {
    demo.stdout.on('data', (chunk) => {
      said += chunk;
      const found = / is at (http:\/\/\S+)\n/.exec(said)?.[1];
      if (found) resolve(found);
    });
    demo.stderr.on('data', (chunk) => {
      said += chunk;
    });
    demo.once('exit', () => reject(new Error(said)));
  });
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  demo.kill('SIGTERM');
  await once(demo, 'exit');
  await expect(fetch(`${address}/healthz`)).rejects.toThrow();
}
