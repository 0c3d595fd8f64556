/** axe finds no fault with any page in any state, light or dark, wide or narrow. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { PageInput } from '#core/model/page-input.ts';
import { createPage } from '#core/pages/create-page.ts';
import { effort } from '../support/effort.ts';
import { openTab, passphrase, sharedBrowser, startWiki, type Tab, type Wiki } from './support.ts';

// Each test checks whole pages, and machines differ in speed.
vi.setConfig({ testTimeout: 300_000 });

/** Minified: half the size of the script that the package exports. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let wiki: Wiki;
let browser: Browser;
let auditor: Tab;
let actor: { memberId: number; name: string; isAdmin: boolean };

const picture = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#1d6b4f' } })
  .png()
  .toBuffer();

const allSizes = [
  { name: 'wide and light', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { name: 'narrow and dark', viewport: { width: 320, height: 640 }, colorScheme: 'dark' },
] as const;
/** A sample is enough: pages look much the same with scripts as without. */
const sizes = effort(allSizes.slice(1), [...allSizes]);
const scriptedSizes = effort([], [...allSizes]);

beforeAll(async () => {
  [wiki, browser] = await Promise.all([startWiki(), sharedBrowser()]);
  const ada = await wiki.addMember('Ada', { isAdmin: true });
  await wiki.addMember('Bob');
  actor = { memberId: ada.id, name: 'Ada', isAdmin: true };
  auditor = await openTab(browser, wiki);
});
afterAll(async () => {
  await auditor?.close();
  await wiki?.close();
});

test('axe finds no fault with an empty wiki', async () => {
  for (const { viewport, colorScheme } of sizes) {
    const tab = await openTab(browser, wiki, { viewport, colorScheme });
    for (const path of ['/', '/search?text=nothing', '/map', '/wanted', '/updates', '/tree', '/login'])
      await faultless(tab, path);
    await tab.signIn('Ada');
    for (const path of ['/', '/new']) await faultless(tab, path);
    await tab.close();
  }
});

describe.each(scriptedSizes)('$name', ({ viewport, colorScheme }) => {
  let tab: Tab;
  let page: Page;

  beforeAll(async () => {
    await plant();
    tab = await openTab(browser, wiki, { viewport, colorScheme });
    page = tab.page;
    page.on('dialog', (dialog) => void dialog.accept());
    await tab.signIn('Ada');
  });
  afterAll(() => tab?.close());

  test('axe finds no fault with any page', async () => {
    /** Other states of the same pages. */
    const others = [
      '/garden?version=1',
      '/search?type=Plant&tag=season:summer',
      '/map?lat=52&lon=13',
      '/tree/garden',
      '/diff/garden?view=inline',
      '/members?offset=100',
      '/edit/garden?section=First',
    ];
    for (const path of [
      ...effort([], others),
      '/',
      '/garden',
      '/garden/roses',
      '/search?text=roses',
      '/map',
      '/updates',
      '/wanted',
      '/tree',
      '/history/garden',
      '/diff/garden',
      '/nowhere',
      '/move/garden',
      '/account',
      '/account/pages',
      '/account/passkeys',
      '/members',
      '/login/again?next=/account',
      '/edit/nowhere',
      '/garden?version=999',
      '/edit/garden',
      '/new?title=Compost&parent=/garden',
    ]) {
      await faultless(tab, path);
    }
  });

  test('axe finds no fault with comments', async () => {
    await tab.go('/comments/garden');
    for (const words of [`Once at ${viewport.width}.`, `Twice at ${viewport.width}.`]) {
      await page.fill('.comment-form:not(.thread *) textarea', words);
      await page.click('.comment-form:not(.thread *) button[type=submit]');
      await page.locator('.thread', { hasText: words }).waitFor();
    }
    await faultless(tab, '/comments/garden');
    await faultless(tab, '/access/garden');
  });

  test('axe finds no fault with refusals and confirmations', async () => {
    await tab.go('/members');
    await page.click('text=Make an invitation link');
    await check(page, 'with an invitation link');
    await page.goto(await page.inputValue('#invite-link'));
    await check(page, 'an invitation');
    for (const [field, value] of Object.entries({ name: 'Eve', email: 'eve@example.org', pass: passphrase }))
      await page.fill(`#${field}`, value);
    await page.fill('#pass-again', 'another passphrase');
    await page.click('text=Create account');
    await check(page, 'an invitation with a mistake');
    await tab.go('/account#sign-in');
    for (const field of ['current', 'pass', 'pass-again']) await page.fill(`#${field}`, 'not the passphrase');
    await page.click('text=Change passphrase');
    await check(page, 'a wrong passphrase');
    for (const [slug, what] of [
      ['moved', 'what moves'],
      ['contested', 'what is in the way'],
    ] as const) {
      await make({
        title: `Contested ${slug} ${viewport.width}`,
        path: `/contested/${slug}${viewport.width}`,
      });
      await tab.go('/move/garden');
      await page.fill('#slug', slug);
      await page.click('text=Show which pages move');
      await page.locator('.banner').waitFor();
      await check(page, what);
    }
    await tab.go('/search?text=garden&order=none');
    await check(page, 'a search that is refused');
    const stranger = await openTab(browser, wiki, { viewport, colorScheme });
    for (const path of [
      '/',
      '/garden',
      '/gardn',
      '/login?next=/account',
      '/invite/none',
      '/setup/none',
      '/map',
    ])
      await faultless(stranger, path);
    await stranger.go('/login');
    await stranger.page.fill('#email', 'ada@example.org');
    await stranger.page.fill('#pass', 'not the passphrase');
    await stranger.page.click('main form .button');
    await check(stranger.page, 'wrong credentials');
    await stranger.close();
  });

  test('axe finds no fault with a card, suggestions and an opened tree', async () => {
    await tab.go('/garden');
    await page.locator('.markup a', { hasText: 'Roses' }).hover();
    await page.locator('#link-card .card').waitFor();
    await check(page, 'with a card');
    await page.keyboard.press('Escape');
    await page.fill('#site-search', 'ro');
    await page.locator('[role=option]').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await check(page, 'with suggestions');
    await tab.go('/tree');
    await page.locator('.branch summary').first().click();
    await page.locator('.branch .tree li').first().waitFor();
    await check(page, 'with an opened branch');
  });

  test('axe finds no fault with a map with a list of places that share a pin', async () => {
    await tab.go('/map?lat=10&lon=20');
    await page.locator('.pin.is-many button').first().click();
    await page.locator('[role=dialog]').waitFor();
    await check(page, 'with the list of a pin');
  });

  test('axe finds no fault with sheets and menus', async () => {
    if (viewport.width > 1000) return;
    await tab.go('/garden');
    for (const sheet of await page.locator('details[data-sheet] > summary').all()) {
      await sheet.click();
      await check(page, 'with a sheet');
      await page.keyboard.press('Escape');
    }
  });

  test('axe finds no fault with any state of the editor', async () => {
    await tab.go('/edit/garden');
    await page.locator('.cm-content').click();
    await page.keyboard.type('[[Ro');
    await page.locator('.cm-tooltip-autocomplete li').first().waitFor();
    await check(page, 'completing');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+f');
    await page.locator('.cm-search').waitFor();
    await check(page, 'searching');
    await page.keyboard.press('Escape');
    for (const panel of await page.locator('.details > details').all()) {
      await panel.locator('summary').first().click();
      if (await panel.locator('#place-map').count()) await page.locator('#place-map .map').waitFor();
      await page.waitForTimeout(100);
      await check(page, `with an open panel: ${await panel.locator('summary').first().textContent()}`);
      await closePanel(page, panel);
    }
    await page.setInputFiles('#file', [
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes.') },
    ]);
    await page.locator('.pending-files li').waitFor();
    await check(page, 'with a file');
    await closePanel(page, page.locator('.details > details[open]'));
    await page.click('summary:has-text("Description")');
    await page.fill('#description', 'x'.repeat(300));
    await page.waitForTimeout(300);
    await check(page, 'with a description that is too long');
    await closePanel(page, page.locator('.details > details[open]'));
    if (viewport.width < 900) {
      await page.click('#tab-preview');
      await page.waitForTimeout(300);
      await check(page, 'with the preview as a tab');
      await page.click('#tab-source');
    }
    await page.click('button:has-text("Save page")');
    await page.locator('.error-summary').waitFor();
    await check(page, 'with a mistake');
    await page.waitForTimeout(2200);
    await page.reload();
    await page.click('summary:has-text("Show differences")');
    await page.locator('.draft-offer table').waitFor();
    await check(page, 'with a draft');
    await page.click('button:has-text("Discard draft")');
  });

  test('axe finds no fault with a preview of indented answers and of pictures', async () => {
    await tab.go(`/new?title=Talk ${viewport.width}`);
    await page.locator('.cm-content').click();
    await page.keyboard.insertText(': An answer.\n:: Another.\n\n; Term : meaning\n\n[[File:rose.png]]\n');
    await page.setInputFiles('#file', [{ name: 'rose.png', mimeType: 'image/png', buffer: picture }]);
    if (viewport.width < 900) await page.click('#tab-preview');
    await page.locator('#preview dl dl').waitFor();
    await page.locator('#preview img').waitFor();
    await check(page, 'with indented answers');
    await page.click('button:has-text("Save page")');
    await page.waitForURL(/\/talk/);
    await check(page, 'the same as a page');
    await tab.go(new URL(page.url()).pathname.replace(/^/, '/edit'));
    if (viewport.width < 900) await page.click('#tab-preview');
    await page.locator('#preview a[href^="/files/"]').waitFor();
    await check(page, 'with the picture’s link');
  });

  test('axe finds no fault with a conflict', async () => {
    const title = `Contested, ${viewport.width}`;
    const path = `/contested-${viewport.width}`;
    await make({ title, body: 'As it was.' });
    const bob = await openTab(browser, wiki);
    await bob.signIn('Bob');
    await bob.go(`/edit${path}`);
    await tab.go(`/edit${path}`);
    await page.locator('.cm-content').click();
    await page.keyboard.type('Ada. ');
    await bob.page.locator('.cm-content').click();
    await bob.page.keyboard.type('Bob. ');
    await bob.page.click('button:has-text("Save page")');
    await bob.page.waitForURL(wiki.url + path);
    await page.click('button:has-text("Save page")');
    await page.locator('.merge-choice').waitFor();
    await page.waitForTimeout(300);
    await check(page, 'with both changes');
    await page.click('summary:has-text("Conflicts")');
    await check(page, 'with the versions open');
    await closePanel(page, page.locator('.merge-panes'));
    await page.click('button:has-text("Keep yours")');
    await check(page, 'with a choice made');
    await bob.close();
  });

  test('axe finds no fault with the form after a lost session', async () => {
    await tab.go('/edit/garden/roses');
    await page.locator('.cm-content').click();
    await page.keyboard.type('Kept. ');
    await tab.context.clearCookies();
    await page.click('button:has-text("Save page")');
    await page.locator('#session-email').waitFor();
    await check(page, 'asking to sign in again');
  });
});

describe.each(sizes)('without script, $name', ({ viewport, colorScheme }) => {
  let tab: Tab;
  let page: Page;

  beforeAll(async () => {
    await plant();
    tab = await openTab(browser, wiki, { viewport, colorScheme, javaScriptEnabled: false });
    page = tab.page;
    await auditor.page.setViewportSize(viewport);
    await auditor.page.emulateMedia({ colorScheme });
  });
  afterAll(() => tab?.close());

  test('axe finds no fault with pages, signed in and not', async () => {
    const pages = ['/', '/garden', '/search?text=roses', '/map', '/tree', '/login', '/nowhere'];
    const more = [
      '/garden/roses',
      '/updates',
      '/wanted',
      '/history/garden',
      '/diff/garden',
      '/garden?version=1',
    ];
    for (const path of [...pages, ...effort([], more)]) {
      await tab.go(path);
      await checkPlain(page, path);
    }
    await tab.signIn('Ada');
    const own = ['/account', '/members', '/new', '/edit/garden', '/move/garden'];
    for (const path of [...effort([], pages), ...more, ...own]) {
      await tab.go(path);
      await checkPlain(page, path);
    }
  });

  test('axe finds no fault with forms that show errors', async () => {
    await tab.go('/new?title=Plain');
    await page.fill('#body', ': An answer.\n\n[[File:rose.png]] [[File:none.png]]');
    await page.setInputFiles('#file', [{ name: 'rose.png', mimeType: 'image/png', buffer: picture }]);
    await page.click('button[value=preview]');
    await checkPlain(page, 'a preview');
    await page.fill('#title', '/');
    if (!(await page.isVisible('#description'))) await page.click('summary:has-text("Description")');
    await page.fill('#description', 'x'.repeat(300));
    await page.click('button[value=save]');
    await page.locator('.error-summary').waitFor();
    await checkPlain(page, 'a mistake');
    await make({ title: `Plain ${viewport.width}`, body: 'As it was.' });
    await tab.go(`/edit/plain-${viewport.width}`);
    await page.fill('#body', 'Mine.');
    const other = await openTab(browser, wiki, { javaScriptEnabled: false });
    await other.signIn('Bob');
    await other.go(`/edit/plain-${viewport.width}`);
    await other.page.fill('#body', 'Theirs.');
    await other.page.click('button[value=save]');
    await other.close();
    await page.click('button[value=save]');
    await page.locator('.three-panes').waitFor();
    await checkPlain(page, 'a conflict');
    await page.getByLabel('Keep yours').check();
    await tab.context.clearCookies();
    await page.click('button[value=save]');
    await page.locator('#session-email').waitFor();
    await checkPlain(page, 'a lost session');
  });
});

let isPlanted = false;

/** Makes the pages, once. */
async function plant(): Promise<void> {
  if (isPlanted) return;
  isPlanted = true;
  await make({
    title: 'Garden',
    body: '== First ==\nSee [[Roses]], [[Roses|them]] and [[Compost]].\n\n== Second ==\n* one\n* two\n\n{|\n! A !! B\n|-\n| 1 || 2\n|}\n\n== Third ==\n<ref>A note.</ref>',
  });
  await make({
    title: 'Roses',
    parent: '/garden',
    body: 'They climb. [[Season:summer]] [[Type:Plant]] [[Location:10, 20]] See [[Garden]].',
  });
  for (const title of ['North gate', 'South gate'])
    await make({ title, parent: '/garden', body: '[[Location:10, 20]]' });
}

async function make(input: PageInput): Promise<void> {
  await createPage(
    { store: wiki.app.service.store, files: wiki.app.service.files, actor, now: Date.now() },
    input,
  );
}

async function faultless(tab: Tab, path: string): Promise<void> {
  await tab.go(path);
  // Scripts have run once a page has loaded; only maps fetch more.
  if ((await tab.page.locator('[data-map]').count()) > 0) await tab.settled();
  await check(tab.page, path);
}

/** axe is a script itself, so it checks a copy of the HTML in another tab. */
async function checkPlain(page: Page, what: string): Promise<void> {
  const markup = (await page.content()).replace(/<script type="module"[^>]*><\/script>/g, '');
  await auditor.context.unroute('**/audited');
  await auditor.context.route('**/audited', (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', body: markup }),
  );
  await auditor.go('/audited');
  await check(auditor.page, `${what} (${page.url()})`);
}

/** Closes an open panel of the editor: on narrow screens it is a sheet with a button, and covers what is beneath. */
async function closePanel(page: Page, panel: Locator): Promise<void> {
  const done = panel.getByRole('button', { name: 'Done', exact: true });
  await ((await done.isVisible()) ? done : panel.locator('summary').first()).click();
  expect(await page.locator('.details > details[open]').count()).toBe(0);
}

/** Checks every axe rule, including best practices; failures name the elements. */
async function check(page: Page, what: string): Promise<void> {
  // Chromium's own protocol loads the script in half the time of Playwright's `evaluate`.
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Runtime.evaluate', { expression: axeSource });
  await protocol.detach();
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary?.replace(/\s+/g, ' ')})`).join('; ')}`,
    );
  });
  expect.soft(violations.join('\n'), `${page.url()}, ${what}`).toBe('');
}
