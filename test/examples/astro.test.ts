/**
 * The example site as a stranger sets it up: installed from the registry with the packed client, built, started and crawled
 * with a real wiki, whose webhook re-renders exactly what an edit made stale.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../support/free-ports.ts';
import { startApp } from '../support/http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { addApiToken } from '../support/tokens.ts';
import { attribute, elementsOf } from '../support/web.ts';

const root = join(import.meta.dirname, '../..');
const env = {
  ...process.env,
  PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
  ASTRO_TELEMETRY_DISABLED: '1',
};
const run = (cwd: string, command: string, ...options: string[]) =>
  execFileSync(command, options, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });

test('the site in Astro is installed, built and crawled, and renders again what a webhook names', async () => {
  const folder = await temporaryFolder();
  cpSync(join(root, 'examples/astro'), folder, {
    recursive: true,
    filter: (path) => !/\/(node_modules|dist|\.astro)$/.test(path),
  });
  for (const name of ['client', 'client/api'])
    run(join(root, 'packages', name), 'npm', 'pack', '--silent', '--pack-destination', folder);
  const packed = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const client = packed.find((name) => name.includes('client')) ?? '';
  expect(statSync(join(folder, client)).size).toBeLessThan(10_000);
  run(folder, 'npm', 'install', '--silent', '--no-audit', '--no-fund', ...packed.map((name) => `./${name}`));
  // The site's type check also covers the types of the packed client.
  cpSync(join(root, 'packages/client/test/typing.ts'), join(folder, 'src/typing.ts'));
  run(folder, 'npm', 'run', '--silent', 'build', '--', '--silent');
  run(folder, process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', folder);

  const wiki = await startApp({ COPPICE_OUTGOING_ALLOW: '127.0.0.1' });
  wiki.app.startWebhooks(50);
  const { token, id } = await wiki.member('Ada', { isAdmin: true });
  const address = await wiki.app.server.listen({ host: '127.0.0.1', port: 0 });
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  for (const page of [
    { title: 'Garden', body: '[[Roses]], [[Tulips]] and [[Compost, old & new]]' },
    { title: 'Roses', parent: '/garden', body: 'Red. [[Location: 51.7, -1.2]]' },
    { title: 'Compost, old & new', body: 'Heaps.' },
    { title: 'Frame', type: 'Template', body: 'Framed' },
    { title: 'Wall', body: '{{Frame}} by [[Roses]]' },
    { title: 'Émile’s path', body: '{{Children|/garden}} [[Garden]]' },
    { title: 'Locked', permissions: 700, body: 'No one sees it.' },
  ])
    await wiki.page(token, page);
  const hook = await wiki.call('POST', '/v1/webhooks', { token, json: { url: `${origin}/hooks/wiki` } });

  const { store } = wiki.app.service;
  const expiresAt = Date.now() + 3_600_000;
  const limits = { name: 'Preview', scopes: ['preview'], expiresAt };
  const author = { memberId: id, name: 'Ada', isAdmin: true };
  const preview = await addApiToken(store, author, limits, Date.now());
  const site = spawn(process.execPath, ['dist/server/entry.mjs'], {
    cwd: folder,
    env: {
      ...env,
      WIKI: address,
      WEBHOOK_SECRET: hook.json.secret,
      PREVIEW_TOKEN: preview.secret,
      PREVIEW_KEY: 'a key',
      HOST: '127.0.0.1',
      PORT: String(port),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(site, 'exit');
  try {
    await expect
      .poll(() => fetch(origin).then(({ status }) => status, String), { timeout: 30_000 })
      .toBe(200);

    const first = await crawl(origin);
    expect([...first.keys()].sort()).toEqual(
      [
        ...['/', '/compost-old-new', '/emile-s-path', '/frame', '/garden', '/garden/roses', '/map'],
        ...['/search', '/search?q=heaps', '/wall'],
      ].sort(),
    );
    expect(first.get('/garden')?.text).toContain('<span class="missing">Tulips</span>');
    expect(first.get('/map')?.text).toContain('51.7');
    expect(first.get('/search?q=heaps')?.text).toContain('<mark>Heaps</mark>');

    /** Paths rendered again after a write, once the page at `path` shows `sign`. */
    const renderedAfter = async (write: Promise<unknown>, path: string, sign: string) => {
      await write;
      const read = async () => (await fetch(origin + path)).text();
      await expect.poll(read, { timeout: 20_000 }).toContain(sign);
      const again = [...(await crawl(origin))].filter(([, { isKept }]) => !isKept);
      return [path, ...again.map(([path]) => path)].sort();
    };
    // Every event affects lists and pages that contain them; the tree only if what it shows of a page changes.
    const lists = ['/', '/emile-s-path', '/map', '/search', '/search?q=heaps', '/wall'];
    const edit = (path: string, json: object) => wiki.call('POST', `/v1/pages${path}`, { token, json });
    expect(await renderedAfter(edit('/frame', { body: 'Gilded' }), '/frame', 'Gilded')).toEqual(
      [...lists, '/frame'].sort(),
    );
    expect((await crawl(origin)).get('/wall')?.text).toContain('Gilded');
    const create = wiki.page(token, { title: 'Tulips', body: 'Yellow.' });
    expect(await renderedAfter(create, '/garden', '<a href="/tulips">Tulips</a>')).toEqual(
      [...lists, '/garden', '/tulips'].sort(),
    );

    const forged = await fetch(`${origin}/hooks/wiki`, {
      method: 'POST',
      body: JSON.stringify({ kind: 'edited', page: {}, affects: { pages: [], lists: ['tree'] } }),
      headers: {
        'content-type': 'application/json',
        'webhook-id': '1',
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': 'v1,AAAA',
      },
    });
    expect(forged.status).toBe(401);
    expect([...(await crawl(origin)).values()].every(({ isKept }) => isKept)).toBe(true);

    const proposed = await wiki.call('POST', '/v1/proposals', {
      ...{
        token,
        json: { title: 'x', changes: [{ action: 'edit', path: '/wall', body: 'Blue [[Roses]]' }] },
      },
    });
    const wall = async (query: string) => {
      const answer = await fetch(`${origin}/wall${query}`);
      return { text: await answer.text(), keeping: answer.headers.get('cache-control') };
    };
    const inPreview = await wall(`?proposal=${proposed.json.id}&key=a+key`);
    expect(inPreview.text).toContain('Blue <a href="/garden/roses?');
    expect(inPreview.keeping).toBe('private, no-store');
    for (const query of ['', `?proposal=${proposed.json.id}`, `?proposal=${proposed.json.id}&key=guessed`])
      expect((await wall(query)).text, query).not.toContain('Blue');
  } finally {
    site.kill();
    await ended;
    await wiki.close();
  }
}, 600_000);

/** Every page reachable by links: its HTML and whether it came from the site's cache. Dead links fail. */
async function crawl(origin: string): Promise<Map<string, { isKept: boolean; text: string }>> {
  const pages = new Map<string, { isKept: boolean; text: string }>();
  const asked = new Set<string>();
  const waiting = ['/', '/search?q=heaps'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (asked.has(path)) continue;
    asked.add(path);
    const answer = await fetch(origin + path);
    expect(answer.status, path).toBe(200);
    const text = await answer.text();
    if (!answer.headers.get('content-type')?.startsWith('text/html')) continue;
    pages.set(path, { isKept: answer.headers.get('x-astro-cache') === 'HIT', text });
    for (const element of elementsOf(text)) {
      const to = attribute(element, 'href') ?? attribute(element, 'src');
      if (to === undefined) continue;
      const { origin: there, pathname, search } = new URL(to, origin + path);
      if (there === origin) waiting.push(pathname + search);
    }
  }
  return pages;
}
