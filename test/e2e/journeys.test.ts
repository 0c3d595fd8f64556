/** Journeys with JavaScript, from the first start of a wiki to two people who move pages and keep some private. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPage } from '#core/pages/create-page.ts';
import { option } from './garden.ts';
import { openTab, passphrase, sharedBrowser, startWiki, type Tab, type Wiki } from './support.ts';

let browser: Browser;
let wiki: Wiki;
let ada: Tab;
let bob: Tab;
let stranger: Tab;

beforeAll(async () => {
  [browser, wiki] = await Promise.all([sharedBrowser(), startWiki({ COPPICE_NAME: 'Testwood' })]);
  const viewport = { width: 1280, height: 800 };
  [ada, bob, stranger] = (await Promise.all([0, 1, 2].map(() => openTab(browser, wiki, { viewport })))) as [
    Tab,
    Tab,
    Tab,
  ];
});
afterAll(async () => {
  await Promise.all([ada, bob, stranger].map((tab) => tab?.close()));
  await wiki?.close();
});

test('the link of a first start leads to the first page', async () => {
  const { page } = ada;
  await ada.go('/');
  expect(await page.textContent('main')).toMatch(/npm start.*journalctl -u coppice.*docker logs/s);
  await ada.go(`/setup/${await wiki.app.ensureSetupInvitation()}`);
  expect(await page.textContent('h1')).toBe('Set up Testwood');
  await join(ada, 'Ada');
  await page.click('text=Write the home page');
  await write(ada, "Welcome to the '''wood'''. See the [[Old oak]].");
  await save(ada, '/home');
  expect(await page.textContent('#notice')).toBe('Page created.');
  await page.click('.site-name');
  await page.waitForURL(`${wiki.url}/`);
  expect(await page.textContent('h1')).toBe('Testwood');
  expect(await page.textContent('.markup b')).toBe('wood');
});

test('an invitation brings a member, who signs out and in again', async () => {
  await ada.page.click('.site-footer a:text("Members")');
  await ada.page.click('text=Make an invitation link');
  const link = await ada.page.inputValue('#invite-link');
  await ada.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await ada.page.click('.copy-row >> text=Copy');
  await ada.page.locator('.copy-row button', { hasText: 'Copied' }).waitFor();
  const { page } = bob;
  await page.goto(link);
  expect(await page.textContent('main')).toContain('You are invited.');
  await join(bob, 'Bob');
  expect(await page.textContent('#notice')).toContain('Welcome');
  await page.goto(link);
  expect(await page.textContent('h1')).toBe('This link no longer works');
  await bob.go('/account');
  await page.click('main >> text="Sign out"');
  await page.waitForURL(`${wiki.url}/`);
  await page.click('.site-nav >> text=Sign in');
  await page.fill('#email', 'bob@example.org');
  await page.fill('#pass', passphrase);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${wiki.url}/`);
  expect(await page.textContent('.site-nav')).toContain('Bob');
  await ada.go('/members');
  expect(await ada.page.textContent('.member-table')).toContain('bob@example.org');
});

test('a wanted link becomes a page in one’s own list', async () => {
  const { page } = bob;
  await bob.go('/');
  await page.click('a.new');
  await write(bob, 'An oak. [[Season:summer]]');
  await save(bob, '/old-oak');
  await page.click('.site-nav >> text=Bob');
  await page.waitForURL(`${wiki.url}/account`);
  expect(await page.textContent('#pages')).toContain('Old oak');
});

test('a move shows what moves, what is in the way and who can read it, before and after', async () => {
  const { page } = ada;
  for (const [title, parent] of [
    ['Acorn', '/old-oak'],
    ['Trees', ''],
    ['Old oak', '/trees'],
  ]) {
    await ada.go(`/new?title=${title}&parent=${parent}`);
    await write(ada, 'Small.');
    await save(ada, `${parent}/${title?.toLowerCase().replace(' ', '-')}`);
  }
  await ada.go('/old-oak');
  await page.click('.actions-more > summary');
  await page.click('.actions-more >> text=Move');
  await page.locator('#parent[role=combobox]').waitFor();
  await page.fill('#parent', 'tree');
  await page.locator('[role=option]', { hasText: '/trees' }).first().click();
  expect(await page.inputValue('#parent')).toBe('/trees');
  await page.click('text=Show which pages move');
  await page.locator('.banner.bad', { hasText: '/trees/old-oak' }).waitFor();
  expect(await page.locator('button[value=move]').count()).toBe(0);
  await page.fill('#slug', 'oldest-oak');
  await page.click('text=Show which pages move');
  const banner = page.locator('.banner', { hasText: '2 pages move' });
  await banner.waitFor();
  expect(await banner.textContent()).toMatch(
    /\/old-oak → \/trees\/oldest-oak.*\/old-oak\/acorn → \/trees\/oldest-oak\/acorn.*Who may read the pages does not change/s,
  );
  await page.click('text=Move 2 pages');
  await page.waitForURL(`${wiki.url}/trees/oldest-oak`);
  expect(await page.textContent('#notice')).toContain('Its old address redirects to the new one');
  await stranger.go('/old-oak/acorn');
  expect(stranger.at()).toBe('/trees/oldest-oak/acorn');
  await bob.go('/home');
  expect(await bob.page.getAttribute('.markup a:text("Old oak")', 'href')).toMatch(
    /^\/trees\/old(est)?-oak$/,
  );
});

test('rare tags are completed as well as common ones', async () => {
  const { page } = bob;
  for (let n = 0; n < 60; n++) {
    const { store, files } = wiki.app.service;
    const body = `[[Kind:common ${n}]]${n < 2 ? ` [[Kind:common ${n + 1}]]` : ''}`;
    await createPage(
      { store, files, actor: { memberId: 1, name: 'Ada', isAdmin: true }, now: n },
      { title: `Leaf ${n}`, body },
    );
  }
  await bob.go('/new?title=Rare');
  await write(bob, '[[Habitat:Zonal bog]]');
  await save(bob, '/rare');
  await bob.go('/new');
  await page.locator('.cm-content').click();
  await page.keyboard.type('[[Habi');
  // Waits for the list for the whole input: each key replaces the list, so an earlier click could miss.
  await page.locator('.cm-tooltip-autocomplete li.is-new', { hasText: 'Habi' }).waitFor();
  await option('Habitat:', page).click();
  await page.keyboard.insertText('zo');
  await option('Zonal bog', page).click();
  expect(await page.textContent('.cm-content')).toContain('[[Habitat:Zonal bog]]');
  page.once('dialog', (dialog) => void dialog.accept());
  await bob.go('/');
});

test('a private page is in no list, card, suggestion, near match, map, feed or site map of others', async () => {
  const { page } = bob;
  await bob.go('/new?title=Diary');
  await write(bob, 'Dear diary. [[Mood:blue]] [[Type:Confession]] [[Location:51.9, -0.6]] [[Home]]');
  await page.click('summary:has-text("Who may read and edit")');
  await page.selectOption('#permissions-choice', '700');
  expect(await page.textContent('#save-means')).toContain('only the owner can read and edit');
  await save(bob, '/diary');
  await ada.go('/account');
  await ada.page.click('main >> text="Sign out"');
  await ada.page.waitForURL(`${wiki.url}/`);
  const addresses = [
    '/',
    '/tree',
    '/tree?part=list',
    '/updates',
    '/wanted',
    '/map',
    '/map/places',
    '/home',
    '/dairy',
    '/atom',
    '/sitemap.xml',
    '/search/titles?text=di',
    '/search/words?text=m',
    '/v1/vocabulary',
    '/search/words?text=type:C',
    '/search?type=Confession',
    '/search?tag=mood:blue',
    '/v1/updates',
  ];
  await stranger.go('/');
  for (const path of addresses) {
    const text = await stranger.page.evaluate(async (url) => (await fetch(url)).text(), wiki.url + path);
    expect(text, path).not.toMatch(/diary/i);
    // The search page repeats the query.
    if (!path.startsWith('/search?')) expect(text, path).not.toMatch(/Dear|mood|Confession/);
  }
  await stranger.go('/home');
  const { page: other } = stranger;
  await other.fill('#site-search', 'diar');
  await other.locator('[role=option]').first().waitFor();
  expect(await other.locator('[role=option]').allTextContents()).toEqual(['Search for “diar”']);
  expect(await other.evaluate(async () => (await fetch('/preview/diary')).status)).toBe(404);
  await stranger.go('/diary');
  expect(await other.textContent('h1')).toBe('No page here yet');
  await bob.go('/search?text=diary');
  expect(await page.textContent('.results')).toContain('Diary');
});

test('a stranger comments on selected words and proposes, and a moderator lets it in and comments on the new text', async () => {
  await ada.signIn('Ada');
  await ada.go('/settings');
  await ada.page.selectOption('#strangers', 'proposals');
  await ada.page.click('form:has(#strangers) button[type=submit]');
  await ada.page.waitForSelector('#notice');
  const { page } = stranger;
  await stranger.go('/home');
  await select(stranger, '.page > .markup b');
  await page.click('.comment-offer');
  await page.waitForURL(/\/login\/comment\/home\?quote=wood/);
  expect(await page.textContent('.quote')).toBe('wood');
  await page.fill('#submitted-body', 'Is it old?');
  await page.fill('#name', 'Grace');
  await page.click('#without-account button[type=submit]');
  await page.waitForURL(`${wiki.url}/home`);
  expect(await page.textContent('#notice')).toContain('A moderator will look at it');
  await page.click('.actions >> text=Propose');
  await page.fill('#submitted-body', "Welcome to the '''old wood''' of Testwood.");
  await page.fill('#title', 'Say that it is old');
  await page.fill('#name', 'Grace');
  await page.click('#without-account button[type=submit]');
  await page.waitForURL(`${wiki.url}/home`);
  await ada.go('/members/submissions');
  for (const left of [1, 0]) {
    await ada.page.click('button[name=approve] >> nth=0');
    await ada.page.waitForSelector('#notice');
    expect(await ada.page.locator('.submission').count()).toBe(left);
    if (left > 0) await ada.go('/members/submissions');
  }
  await ada.go('/comments/home');
  expect(await ada.page.textContent('.comment-author')).toContain('Grace, not a member');
  await ada.go('/proposals');
  await ada.page.click('text=Say that it is old');
  await select(ada, '.proposal-change td.text.added');
  await ada.page.click('.comment-offer');
  expect(await ada.page.inputValue('[name=quote]')).toBe("Welcome to the '''old wood''' of Testwood.");
  await ada.page.keyboard.type('How old?');
  await ada.page.click('.proposal-change form button');
  await ada.page.waitForSelector('.proposal-change blockquote');
  expect(await ada.page.textContent('.proposal-change .rows-list')).toContain('How old?');
});

test('nothing failed on the way, and no other server was contacted', () => {
  expect([ada, bob, stranger].flatMap(({ errors }) => errors)).toEqual([]);
  expect(wiki.bugs).toEqual([]);
});

async function join({ page }: Tab, name: string): Promise<void> {
  await page.fill('#name', name);
  await page.fill('#email', `${name.toLowerCase()}@example.org`);
  await page.fill('#pass', passphrase);
  await page.fill('#pass-again', passphrase);
  await page.click('text=Create account');
  await page.waitForURL(`${wiki.url}/`);
}

async function write({ page }: Tab, text: string): Promise<void> {
  await page.locator('.cm-content').click();
  await page.keyboard.insertText(text);
}

async function save({ page }: Tab, path: string): Promise<void> {
  await page.click('button:has-text("Save page")');
  await page.waitForURL(wiki.url + path);
}

async function select({ page }: Tab, selector: string): Promise<void> {
  await page.evaluate(
    (selector) => getSelection()?.selectAllChildren(document.querySelector(selector) as Element),
    selector,
  );
}
