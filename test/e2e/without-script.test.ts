/** The whole site without JavaScript: from first start to history, by plain links and forms. */

import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTab, sharedBrowser, startWiki, type Tab, type Wiki } from './support.ts';

let browser: Browser;
let wiki: Wiki;
let ada: Tab;
let bob: Tab;
let stranger: Tab;

const picture = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#1d6b4f' } })
  .png()
  .toBuffer();

beforeAll(async () => {
  [browser, wiki] = await Promise.all([sharedBrowser(), startWiki({ COPPICE_NAME: 'Testwood' })]);
  [ada, bob, stranger] = (await Promise.all(
    [0, 1, 2].map(() => openTab(browser, wiki, { javaScriptEnabled: false })),
  )) as [Tab, Tab, Tab];
});

afterAll(async () => {
  await Promise.all([ada, bob, stranger].map((tab) => tab?.close()));
  await wiki?.close();
});

describe('without script', () => {
  test('a new wiki gets its first page', async () => {
    const token = await wiki.app.ensureSetupInvitation();
    const { page } = ada;
    await ada.go(`/setup/${token}`);
    await page.fill('#name', 'Ada');
    await page.fill('#email', 'ada@example.org');
    await page.fill('#pass', 'a passphrase for tests');
    await page.fill('#pass-again', 'a passphrase for tests');
    await page.click('text=Create account');
    expect(ada.at()).toBe('/');
    await page.click('text=Write the home page');
    expect(await page.inputValue('#title')).toBe('Home');
    await page.fill('#body', "Welcome to the '''wood'''. Walk to the [[Old oak]].");
    await page.click('text=Save page');
    expect(ada.at()).toBe('/home');
    expect(await page.textContent('.markup b')).toBe('wood');
    await ada.go('/');
    expect(await page.textContent('h1')).toBe('Testwood');
  });

  test('an invitation makes the next member', async () => {
    await ada.go('/members');
    await ada.page.click('text=Make an invitation link');
    const link = await ada.page.inputValue('#invite-link');
    const { page } = bob;
    await page.goto(link);
    await page.fill('#name', 'Bob');
    await page.fill('#email', 'bob@example.org');
    await page.fill('#pass', 'a passphrase for tests');
    await page.fill('#pass-again', 'a passphrase for tests');
    await page.click('text=Create account');
    expect(await page.textContent('#notice')).toContain('Welcome');
  });

  test('a wanted link becomes a page, with a file', async () => {
    const { page } = bob;
    await bob.go('/');
    expect(await page.getAttribute('a.new', 'href')).toBe('/new?title=Old%20oak');
    await page.click('a.new');
    await page.fill(
      '#body',
      'An oak of 400 years. [[Location:51.9, -0.6]]\n\n[[File:oak.png|thumb|The oak]]\n\n== Age ==\nOld.\n\n== Girth ==\n9 m.\n\n== Acorns ==\nMany.\n',
    );
    await page.setInputFiles('#file', { name: 'oak.png', mimeType: 'image/png', buffer: picture });
    await page.click('text=Save page');
    expect(bob.at()).toBe('/old-oak');
    expect(await page.locator('.markup figure img').count()).toBe(1);
    expect(await page.getAttribute('.files img', 'src')).toMatch(/^\/files\/thumb-/);
    await bob.go('/');
    expect(await page.locator('a.new').count()).toBe(0);
    await bob.go('/map');
    expect(await page.textContent('.places')).toContain('Old oak');
  });

  test('a preview shows the text without saving it', async () => {
    const { page } = bob;
    await bob.go('/edit/old-oak');
    await page.fill('#body', `${await page.inputValue('#body')}\n''Not saved''`);
    await page.click('button[value=preview]');
    expect(await page.textContent('#preview i')).toBe('Not saved');
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const [preview, facts] = await Promise.all(
        ['#preview', '.details'].map((part) => page.locator(part).boundingBox()),
      );
      expect(facts?.y, `at ${width} px`).toBeGreaterThan((preview?.y ?? 0) + (preview?.height ?? 0));
    }
    await bob.go('/old-oak');
    expect(await page.textContent('.markup')).not.toContain('Not saved');
  });

  test('an address in use is reported beside its field', async () => {
    const { page } = bob;
    await bob.go('/new?title=Old oak');
    await page.fill('#body', 'Another oak.');
    await page.click('button[value=save]');
    expect(await page.textContent('#path-mistake')).toBe(
      'A page at /old-oak already exists. The next free address is /old-oak-2.',
    );
    expect(await page.getAttribute('#path', 'aria-invalid')).toBe('true');
    expect(await page.inputValue('#body')).toBe('Another oak.');
    await page.click('button:has-text("Save at /old-oak-2")');
    expect(bob.at()).toBe('/old-oak-2');
    expect(await page.textContent('.markup')).toContain('Another oak.');
  });

  test('two people who edit the same text merge their versions', async () => {
    await ada.go('/edit/old-oak');
    await bob.go('/edit/old-oak');
    const text = await ada.page.inputValue('#body');
    await ada.page.fill('#body', text.replace('400 years', '450 years'));
    await ada.page.click('button[value=save]');
    await bob.page.fill('#body', text.replace('400 years', '500 years'));
    await bob.page.click('button[value=save]');
    expect(await bob.page.textContent('h1')).toBe('Merge both versions');
    const merged = await bob.page.inputValue('#body');
    expect(merged).toMatch(/<<<<<<< yours\nAn oak of 500 years.*\n=======\nAn oak of 450 years/);
    await bob.page.fill('#body', text.replace('400 years', '450 to 500 years'));
    await bob.page.fill('#msg', 'Agreed on the age');
    await bob.page.click('button[value=save]');
    expect(await bob.page.textContent('.markup')).toContain('450 to 500 years');
  });

  test('a single section is edited', async () => {
    const { page } = ada;
    await ada.go('/old-oak');
    await page.click('a[data-edit-section][aria-label="Edit the section Girth"]', { force: true });
    expect(await page.inputValue('#body')).toBe('== Girth ==\n9 m.\n\n');
    await page.fill('#body', '== Girth ==\n9.2 m.\n\n');
    await page.click('button[value=save]');
    expect(ada.at()).toBe('/old-oak#Girth');
    expect(await page.textContent('.markup')).toMatch(/450 to 500.*9\.2 m.*Many/s);
  });

  test('a session that ends while writing loses nothing', async () => {
    const { page, context } = bob;
    await bob.go('/edit/old-oak');
    await page.fill('#body', 'Written for an hour.');
    await context.clearCookies();
    await page.click('button[value=save]');
    expect(await page.textContent('h1')).toBe('Sign in to continue');
    expect(await page.inputValue('#kept-body')).toBe('Written for an hour.');
    await page.fill('#session-email', 'bob@example.org');
    await page.fill('#session-pass', 'a passphrase for tests');
    await page.click('button[value=again]');
    expect(await page.inputValue('#body')).toBe('Written for an hour.');
    await page.click('button[value=save]');
    expect(await page.textContent('.markup')).toContain('Written for an hour.');
  });

  test('the history lists the versions, compares any two and restores one', async () => {
    const { page } = ada;
    await ada.go('/old-oak');
    await page.click('.actions >> text=History');
    const rows = page.locator('.changes tbody tr');
    expect(await rows.count()).toBe(5);
    await rows.nth(4).locator('input[name=from]').check();
    await rows.nth(0).locator('input[name=to]').check();
    await page.click('text=Compare selected versions');
    expect(await page.textContent('.diff')).toContain('Written for an hour.');
    await page.click('text=In one column');
    expect(await page.locator('.diff-inline .added').count()).toBeGreaterThan(0);
    await ada.go('/history/old-oak');
    await rows.nth(1).locator('text=Restore').click();
    expect(ada.at()).toBe('/old-oak');
    expect(await page.textContent('#notice')).toContain('restored');
    expect(await page.textContent('.markup')).toContain('450 to 500 years');
  });

  test('a move lists the moved pages, and old addresses redirect', async () => {
    const { page } = ada;
    await ada.go('/new?title=Acorn&parent=/old-oak');
    await page.fill('#body', 'Small.');
    await page.click('button[value=save]');
    expect(ada.at()).toBe('/old-oak/acorn');
    await ada.go('/move/old-oak');
    await page.fill('#parent', '/home');
    await page.click('text=Show which pages move');
    expect(await page.textContent('.moves')).toContain('/home/old-oak/acorn');
    await page.click('text=Move 2 pages');
    expect(ada.at()).toBe('/home/old-oak');
    await stranger.go('/old-oak/acorn');
    expect(stranger.at()).toBe('/home/old-oak/acorn');
  });

  test('search finds by text and type, and can be filtered', async () => {
    const { page } = stranger;
    await stranger.go('/');
    await page.fill('#site-search', 'oak');
    await page.press('#site-search', 'Enter');
    expect(stranger.at()).toBe('/search?text=oak');
    expect(await page.locator('.result mark').count()).toBeGreaterThan(0);
    await page.click('.facets >> text=Place');
    expect(await page.textContent('.result-count')).toBe('1 page');
  });

  test('the link to the access of a page leads to a form for it', async () => {
    await bob.go('/old-oak');
    await bob.page.click('.actions-more > summary');
    await bob.page.click('.actions-more >> text=Access');
    await bob.page.locator('#permissions-choice').waitFor();
  });

  test('a private page is seen by its owner and nobody else', async () => {
    const { page } = bob;
    await bob.go('/new?title=Diary');
    await page.fill('#body', 'Dear diary. [[Home]]');
    await page.click('summary:has-text("Who may read and edit")');
    await page.selectOption('#permissions-choice', '700');
    await page.click('button[value=save]');
    expect(await page.textContent('.byline')).toContain('Only the owner can read and edit');
    for (const path of ['/diary', '/tree', '/updates', '/search?text=diary', '/home', '/atom']) {
      await stranger.go(path);
      if (path !== '/diary' && path !== '/search?text=diary')
        expect(await stranger.page.content(), path).not.toMatch(/diary/i);
      expect(await stranger.page.content(), path).not.toContain('Dear');
    }
    await stranger.go('/diary');
    expect(await stranger.page.textContent('h1')).toBe('No page here yet');
  });

  test('dark is remembered, and signing out ends the session', async () => {
    const { page } = ada;
    await ada.go('/home');
    await page.click('.theme >> text=Dark');
    expect(ada.at()).toBe('/home');
    expect(await page.getAttribute('html', 'data-theme')).toBe('dark');
    await ada.go('/account');
    await page.click('main >> text="Sign out"');
    expect(await page.textContent('.site-nav')).toContain('Sign in');
  });

  test.each([320, 768, 1440])('no page is wider than a screen of %i px', async (width) => {
    await wiki.app.service.store.ping();
    const tab = await openTab(browser, wiki, { viewport: { width, height: 800 }, javaScriptEnabled: false });
    await tab.signIn('Bob');
    for (const path of [
      '/',
      '/home/old-oak',
      '/home/old-oak/acorn',
      '/diary',
      '/search?text=oak&type=Place',
      '/map',
      '/tree',
      '/updates',
      '/wanted',
      '/history/home/old-oak',
      '/diff/home/old-oak',
      '/edit/home/old-oak',
      '/new',
      '/move/home/old-oak',
      '/account',
      '/nothing/here',
    ]) {
      await tab.go(path);
      const overflow = await tab.page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflow, `${path} at ${width}`).toBe(0);
    }
    await tab.close();
  });

  test('nothing failed on the way, and no other server was contacted', () => {
    expect([ada, bob, stranger].flatMap(({ errors }) => errors)).toEqual([]);
    expect(wiki.bugs).toEqual([]);
  });
});
