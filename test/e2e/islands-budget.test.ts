/** Page weight in bytes transferred, and layout shifts, measured in a real browser. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPage } from '#core/pages/create-page.ts';
import { effort } from '../support/effort.ts';
import { openTab, sharedBrowser, startBrowser, startWiki, type Tab, type Wiki } from './support.ts';

const kilobyte = 1024;
let wiki: Wiki;
let browser: Browser;

beforeAll(async () => {
  [wiki, browser] = await Promise.all([startWiki(), sharedBrowser()]);
  const ada = await wiki.addMember('Ada', { isAdmin: true });
  const { store, files } = wiki.app.service;
  const actor = { memberId: ada.id, name: 'Ada', isAdmin: true };
  const parts = Array.from(
    { length: 8 },
    (_, part) => `== Part ${part} ==\n${'Roses climb, and [[Pruning]] keeps them in shape. '.repeat(40)}\n`,
  );
  const pages = [
    { title: 'Home', path: '/home', body: 'See [[Garden]].' },
    { title: 'Garden', body: `[[Location:52.5, 13.4]] [[Season:summer]]\n${parts.join('\n')}` },
    { title: 'Pruning', parent: '/garden', body: 'In winter. [[Location:52.6, 13.5]]' },
  ];
  for (const page of pages) await createPage({ store, files, actor, now: Date.now() }, page);
});
afterAll(async () => {
  await wiki?.close();
});

const readerPages = [
  '/',
  '/garden',
  '/garden/pruning',
  '/search?text=roses',
  '/updates',
  '/wanted',
  '/tree',
  '/history/garden',
  '/login',
  '/nowhere',
];

test('reading a page loads at most 28 kB of script and 14 kB of styles, all from this site', async () => {
  for (const path of readerPages) {
    const { script, style, data } = await weigh(path, { withoutMap: true });
    console.log(`${path}: ${kB(script)} script, ${kB(style)} style, ${kB(data)} data`);
    expect.soft(script, `${path}: script`).toBeLessThanOrEqual(28 * kilobyte);
    expect.soft(style, `${path}: style`).toBeLessThanOrEqual(14 * kilobyte);
  }
});

test('the editor is at most 180 kB and loads only where pages are written', async () => {
  const reader = await weigh('/garden', { withoutMap: true });
  const { script, style } = await weigh('/edit/garden', { member: 'Ada' });
  console.log(`editor: ${kB(script)} script, ${kB(style)} style`);
  expect(script).toBeLessThanOrEqual(180 * kilobyte);
  expect(reader.names.some((name) => name.startsWith('editor'))).toBe(false);
});

test('the visual editor is at most 160 kB, without the source view', async () => {
  const { script, style } = await weigh('/edit/garden', {
    member: 'Ada',
    withoutMap: true,
    editorView: 'visual',
  });
  console.log(`visual editor: ${kB(script)} script, ${kB(style)} style`);
  expect(script).toBeGreaterThan(80 * kilobyte);
  expect(script).toBeLessThanOrEqual(160 * kilobyte);
});

test('the page of the editor names every script that its scripts need, so that all come at once', async () => {
  const tab = await openTab(browser, wiki, { editorView: 'visual' });
  await tab.signIn('Ada');
  await tab.go('/edit/garden');
  const unnamed = await tab.page.evaluate(async () => {
    const links = document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]');
    const scripts = document.querySelectorAll<HTMLScriptElement>('script[type=module]');
    const named = new Set([...[...links].map(({ href }) => href), ...[...scripts].map(({ src }) => src)]);
    const found: string[] = [];
    for (const url of named)
      for (const [, name = ''] of (await (await fetch(url)).text()).matchAll(
        /(?:from|import)"(\.\/[^"]+\.js)"/g,
      ))
        if (!named.has(new URL(name, url).href)) found.push(name);
    return { named: named.size, found };
  });
  expect(unnamed.found).toEqual([]);
  expect(unnamed.named).toBeGreaterThan(10);
  await tab.close();
});

test('the map is at most 60 kB with its base map; the detailed one is at most 200 kB and loads only on map pages', async () => {
  for (const path of ['/map', '/garden']) {
    const { names, sizes } = await weigh(path);
    const ofMap = names
      .filter((name) => /^(map|world-110m|chunk)/.test(name))
      .reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0);
    console.log(`${path}: ${kB(ofMap)} for the map`);
    expect(ofMap).toBeLessThanOrEqual(60 * kilobyte);
    const fine = sizes.get('world-50m.json') ?? 0;
    if (path === '/map') expect(fine).toBeGreaterThan(0);
    expect(fine).toBeLessThanOrEqual(path === '/map' ? 200 * kilobyte : 0);
  }
});

const [wide, middle, narrow] = [
  { width: 1440, height: 900 },
  { width: 768, height: 1000 },
  { width: 320, height: 640 },
];
const sizes = effort([narrow], [wide, middle, narrow]);

test('nothing shifts while a page loads', async () => {
  const member = await openTab(browser, wiki);
  await member.signIn('Ada');
  for (const size of sizes) {
    const visitor = await openTab(browser, wiki, { viewport: size });
    await member.page.setViewportSize(size);
    const written = ['/edit/garden', '/new', '/edit/garden?section=Part_1'];
    for (const [tab, paths] of [
      [visitor, [...readerPages, '/map']],
      [member, written],
    ] as const) {
      for (const path of paths) {
        const shift = await shiftOf(tab, path);
        expect.soft(shift.score, `${path} at ${size.width}: ${shift.what}`).toBeLessThan(0.001);
      }
    }
    await visitor.close();
  }
  await member.close();
}, 180_000);

test('a first visit uses our font, and hardly anything shifts if it loads late', async () => {
  // The headless-only browser finds other fonts on the machine.
  await using whole = await startBrowser({ isWhole: true });
  const tab = await openTab(whole, wiki, { viewport: { width: 1440, height: 900 } });
  await tab.page.route('**/*.woff2', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 600));
    await route.continue();
  });
  const { score, what } = await shiftOf(tab, '/garden');
  const devtools = await tab.context.newCDPSession(tab.page);
  await devtools.send('DOM.enable');
  await devtools.send('CSS.enable');
  const { root } = await devtools.send('DOM.getDocument');
  for (const selector of ['.markup p', 'h1']) {
    const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector });
    const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId });
    expect(fonts.map(({ familyName, isCustomFont }) => [familyName, isCustomFont])).toEqual([
      [expect.stringContaining('Source Serif'), true],
    ]);
  }
  console.log(`moved by a late font: ${score.toFixed(4)}`);
  // Half of the limit for a good score (web.dev/cls). The shift depends on the fonts of the machine.
  expect(score, what).toBeLessThan(0.05);
});

interface Weight {
  script: number;
  style: number;
  data: number;
  names: string[];
  sizes: Map<string, number>;
}

/** Compressed bytes of all resources that a first visit to a page loads. */
async function weigh(
  path: string,
  options: { member?: string; withoutMap?: boolean; editorView?: 'source' | 'visual' } = {},
): Promise<Weight> {
  // A new context, as cached resources would weigh nothing.
  const { editorView = 'source' } = options;
  const tab = await openTab(browser, wiki, { serviceWorkers: 'block', editorView });
  if (options.member) await tab.signIn(options.member);
  // Signing in filled the cache, but first visits are measured.
  const network = await tab.context.newCDPSession(tab.page);
  await network.send('Network.setCacheDisabled', { cacheDisabled: true });
  const weight: Weight = { script: 0, style: 0, data: 0, names: [], sizes: new Map() };
  const pending: Promise<void>[] = [];
  tab.page.on('requestfinished', (request) => {
    const url = new URL(request.url());
    if (!url.pathname.startsWith('/assets/')) return;
    const name = url.pathname.split('/').slice(3).join('/');
    if (options.withoutMap && /^(map|world)/.test(name)) return;
    pending.push(
      request.sizes().then(({ responseBodySize }) => {
        weight.names.push(name);
        weight.sizes.set(name, responseBodySize);
        if (name.endsWith('.js')) weight.script += responseBodySize;
        else if (name.endsWith('.css')) weight.style += responseBodySize;
        else weight.data += responseBodySize;
      }),
    );
  });
  await tab.go(path);
  await tab.settled();
  await Promise.all(pending);
  expect(tab.errors).toEqual([]);
  await tab.context.close();
  expect(weight.style).toBeGreaterThan(0);
  return weight;
}

async function shiftOf(tab: Tab, path: string): Promise<{ score: number; what: string }> {
  await tab.go(path);
  await tab.settled();
  return tab.page.evaluate(
    () =>
      new Promise<{ score: number; what: string }>((resolve) => {
        let score = 0;
        const what: string[] = [];
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & {
            value: number;
            hadRecentInput: boolean;
            sources: { node: Node | null }[];
          })[]) {
            if (entry.hadRecentInput) continue;
            score += entry.value;
            what.push(
              ...entry.sources.map(({ node }) =>
                node instanceof Element ? `${node.tagName}.${node.className}` : String(node?.textContent),
              ),
            );
          }
        });
        observer.observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve({ score, what: what.join(', ') }), 50);
      }),
  );
}

function kB(bytes: number): string {
  return `${(bytes / kilobyte).toFixed(1)} kB`;
}
