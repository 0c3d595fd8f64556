/** Measurable properties of the design: with the demonstration world, in a real browser. */
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readWorld } from '#cli/demo/world.ts';
import { createPage } from '#core/pages/create-page.ts';
import { saveEdit } from '#core/pages/edit-page.ts';
import { pseudoLanguage } from '#words/languages.ts';
import { openTab, sharedBrowser, startWiki, type Wiki } from '../e2e/support.ts';

let wiki: Wiki;
let browser: Browser;

beforeAll(async () => {
  [wiki, browser] = await Promise.all([startWiki(), sharedBrowser()]);
  const ada = await wiki.addMember('Ada', { isAdmin: true });
  const { store, files } = wiki.app.service;
  const actor = { memberId: ada.id, name: 'Ada', isAdmin: true };
  for (const { steps, pictures, ...page } of readWorld()) {
    const body = steps.findLast((step) => 'body' in step)?.body ?? '';
    await createPage({ store, files, actor, now: Date.now() }, { ...page, body });
  }
  const title = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'.repeat(3);
  const body = `${title} [[${title}]] <code>${title}</code> [[Type: ${title}]] https://example.org/${title}`;
  await createPage({ store, files, actor, now: Date.now() }, { title, path: longPath, body });
  await createPage({ store, files, actor, now: Date.now() }, { title: 'Wide', path: '/wide', body: '' });
  await saveEdit({ store, files, actor, now: Date.now() }, '/wide', { body: wide, msg: 'Write wide things' });
}, 60_000);
afterAll(async () => {
  await wiki?.close();
});

const longPath = Array.from({ length: 30 }, (_, level) => `/level-${level}`).join('');
const wide = `A sum <math>${'x + '.repeat(80)}y</math> in a line.
{| class="wikitable"
|-
${'| a number of words\n'.repeat(30)}|}
<pre>${'word '.repeat(99)}</pre>
<div dir="rtl"><syntaxhighlight lang="js">bar();</syntaxhighlight><pre>foo();
شجرة</pre></div>`;
const coppice = '/alder-valley/middle-vale/great-coppice';

test('no page is wider than a small phone', async () => {
  const tab = await openTab(browser, wiki, { viewport: { width: 320, height: 640 } });
  await tab.signIn('Ada');
  const special = readWorld().filter(({ path }) =>
    /gauge|arithmetic|true-and|how-to|walking|weaving|songs|[^ -~]/.test(path),
  );
  expect(special.length).toBeGreaterThan(7);
  const paths = [
    '/',
    '/alder-valley',
    coppice,
    ...special.map(({ path }) => encodeURI(path)),
    '/search?text=mill',
    '/map',
    '/updates',
    '/wanted',
    '/tree',
    '/nowhere/at/all',
    '/new',
    '/account',
    '/wide',
    longPath,
    `/edit${longPath}`,
    `/history${longPath}`,
    '/members',
    ...['/history', '/diff', '/move', '/edit'].map((action) => action + coppice),
  ];
  for (const path of paths) {
    await tab.go(path);
    await tab.settled();
    const width = await tab.page.evaluate(() => document.documentElement.scrollWidth);
    expect.soft(width, path).toBeLessThanOrEqual(320);
  }
  await tab.close();
}, 120_000);

test('no page of the site is wider in a language with longer words', async () => {
  const tab = await openTab(browser, wiki, { viewport: { width: 320, height: 640 } });
  await tab.signIn('Ada');
  await tab.page.context().addCookies([{ name: 'language', value: pseudoLanguage.tag, url: wiki.url }]);
  const paths = [
    ...['/', coppice, '/nowhere/at/all', '/search?text=mill', '/search?text=zzqqxx', '/map', '/updates'],
    ...['/wanted', '/tree', '/files', '/trash', '/new', '/export', '/import', '/proposals', '/comments'],
    ...['/account', '/account/tokens', '/account/second-factor', '/account/favourites', '/account/pages'],
    ...['/account/passkeys', '/account/watches', '/account/notifications', '/translations'],
    ...[
      '/members',
      '/members/groups',
      '/members/webhooks',
      '/members/audit',
      '/members/mail',
      '/members/waiting',
      '/members/blocked',
      '/members/submissions',
      '/settings',
      '/settings/reports',
    ],
    ...[
      'edit',
      'history',
      'diff',
      'move',
      'delete',
      'access',
      'protect',
      'copy',
      'order',
      'translations',
      'approval',
      'comments',
      'erase',
      'secret-links',
      'tree',
      'verify',
      'watch',
    ].map((action) => `/${action}${coppice}`),
  ];
  for (const path of paths) {
    await tab.go(path);
    const { width, language } = await tab.page.evaluate(() => ({
      width: document.documentElement.scrollWidth,
      language: document.documentElement.lang,
    }));
    expect(language, path).toBe(pseudoLanguage.tag);
    expect.soft(width, path).toBeLessThanOrEqual(320);
  }
  await tab.page.context().clearCookies({ name: /^(?!language)/ });
  for (const path of ['/login', '/login/forgot', '/login/sign-up', '/by-link/none', `/edit${coppice}`]) {
    await tab.go(path);
    const width = await tab.page.evaluate(() => document.documentElement.scrollWidth);
    expect.soft(width, path).toBeLessThanOrEqual(320);
  }
  await tab.close();
}, 240_000);

test('in a history the messages have most of a narrow window, with one change or several', async () => {
  const tab = await openTab(browser, wiki, { viewport: { width: 390, height: 640 } });
  for (const [path, columns] of [
    [longPath, 3],
    ['/wide', 5],
  ] as const) {
    await tab.go(`/history${path}`);
    const row = tab.page.locator('.changes tbody tr').first();
    expect(await row.locator('td').count(), path).toBe(columns);
    const cell = await row.locator('td:has(.change-msg)').boundingBox();
    expect(cell?.width, path).toBeGreaterThan(180);
  }
  await tab.close();
});

test('the header row of a long table stays at the top of the window', async () => {
  const tab = await openTab(browser, wiki, { viewport: { width: 1440, height: 640 } });
  await tab.go(coppice);
  const table = tab.page.locator('.markup .wikitable[data-fits]');
  const [head, row] = [table.locator('th').first(), table.locator('tr').nth(9)];
  await row.evaluate((row) => scrollTo({ top: scrollY + row.getBoundingClientRect().top - 100 }));
  await expect.poll(() => topOf(row)).toBeLessThan(110);
  // Below the site's header if that has reappeared.
  const top = await topOf(head);
  expect(top).toBeGreaterThanOrEqual(0);
  expect(top).toBeLessThan(60);
  await tab.close();
});

test('a table wider than the page scrolls in its own box, in both directions, under its header row', async () => {
  const tab = await openTab(browser, wiki, { viewport: { width: 320, height: 640 } });
  await tab.go(coppice);
  const table = tab.page.locator('.markup .wikitable[data-wide]');
  await table.evaluate((table) => table.scrollTo({ top: 300, left: 40, behavior: 'instant' }));
  expect(await table.evaluate(({ scrollTop, scrollLeft }) => [scrollTop, scrollLeft])).toEqual([300, 40]);
  expect(await topOf(table.locator('th').first())).toBeCloseTo(await topOf(table), 0);
  expect(await topOf(table.locator('tr').nth(1))).toBeLessThan(await topOf(table));
  await tab.close();
});

test('content wider than the page can be reached and scrolled by keyboard', async () => {
  const tab = await openTab(browser, wiki, { viewport: { width: 320, height: 640 } });
  await tab.go('/wide');
  for (const box of ['table', 'pre']) {
    const wide = tab.page.locator(`.markup ${box}`).first();
    await expect.poll(() => wide.getAttribute('tabindex')).toBe('0');
  }
  expect(await tab.page.locator('.markup pre').last().getAttribute('tabindex')).toBeNull();
  await tab.close();
});

test('on paper long lines of code wrap, and menus and buttons are hidden', async () => {
  const tab = await openTab(browser, wiki, { viewport: { width: 760, height: 640 } });
  await tab.page.emulateMedia({ media: 'print' });
  await tab.go('/wide');
  const pre = tab.page.locator('.markup pre').first();
  expect(await pre.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  const shown = await tab.page
    .locator('.site-header, nav, .site-footer, button, [role=button], input')
    .evaluateAll((all) => all.filter((one) => one.checkVisibility()).map(({ outerHTML }) => outerHTML));
  expect(shown).toEqual([]);
  await tab.go(coppice);
  const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  expect(await tab.page.evaluate(overflow)).toBe(0);
  await tab.close();
});

test('each line of code has the direction of its letters, whatever the direction of the page', async () => {
  const tab = await openTab(browser, wiki, { viewport: { width: 1280, height: 640 } });
  await tab.go('/wide');
  const [code, words, box] = await tab.page
    .locator('.markup [dir=rtl] pre:not(:has(code))')
    .evaluate((pre) => {
      const text = pre.firstChild as Text;
      const end = text.data.indexOf('\n');
      const boxOf = (from: number, to: number) => {
        const range = document.createRange();
        range.setStart(text, from);
        range.setEnd(text, to);
        return range.getBoundingClientRect();
      };
      // The semicolon stands after the name, not before it.
      return [
        boxOf(0, 3).left < boxOf(end - 1, end).left,
        boxOf(end + 1, end + 5).right,
        pre.getBoundingClientRect().right,
      ];
    });
  expect(code).toBe(true);
  expect(Number(box) - Number(words)).toBeLessThan(30);
  const [name, semicolon] = await tab.page.locator('.markup [dir=rtl] pre code').evaluate((code) => {
    const texts: Text[] = [];
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    const places = texts.flatMap((text) =>
      [...text.data].map((sign, at) => {
        const range = document.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return [sign, range.getBoundingClientRect().left] as const;
      }),
    );
    return ['b', ';'].map((sign) => places.find(([one]) => one === sign)?.[1] ?? 0);
  });
  expect(name).toBeLessThan(semicolon ?? 0);
  await tab.close();
});

test('on a small phone each side of a comparison has the whole width', async () => {
  const tab = await openTab(browser, wiki, { viewport: { width: 320, height: 640 } });
  await tab.go(`/diff${coppice}`);
  const added = await tab.page.locator('.diff-sides .added').first().boundingBox();
  expect(added?.width).toBeGreaterThan(200);
  await tab.close();
});

async function topOf(locator: Locator): Promise<number> {
  return (await locator.boundingBox())?.y ?? Number.NaN;
}
