/** Pasting into the editor, and templates whose parameters are fields: in a real browser, by the keyboard. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPage } from '#core/pages/create-page.ts';
import { openTab, sharedBrowser, startWiki, type Tab, type Wiki } from './support.ts';

let wiki: Wiki;
let browser: Browser;
let tab: Tab;
let page: Page;

beforeAll(async () => {
  [wiki, browser] = await Promise.all([startWiki(), sharedBrowser()]);
  const { id } = await wiki.addMember('Ada', { isAdmin: true });
  const { store, files } = wiki.app.service;
  const actor = { memberId: id, name: 'Ada', isAdmin: true };
  const pages = [
    { title: 'Oak', body: 'A tree.' },
    { title: 'Lines', body: 'before after' },
    { title: 'Marked', body: '', format: 'markdown' as const },
    { title: 'Fact', type: 'Template', body: '{{{1}}}: {{{kind|wood}}}, {{{height}}}' },
    { title: 'Bare', type: 'Template', body: 'nothing to fill in' },
  ];
  for (const one of pages) await createPage({ store, files, actor, now: Date.now() }, one);
}, 60_000);
afterAll(async () => {
  await wiki?.close();
});
beforeEach(async () => {
  tab = await openTab(browser, wiki);
  page = tab.page;
  await tab.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await tab.signIn('Ada');
});
afterEach(async () => {
  expect(tab.errors).toEqual([]);
  await tab.close();
});

const html =
  '<h1>Oak</h1><p>An <b>old</b> tree, <a href="https://example.org/oak">described</a>.</p><ul><li>one</li><li>two</li></ul><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>';
const plain = 'Oak\nAn old tree, described.\none\ntwo\na b\n1 2';
const wikitext = `== Oak ==

An '''old''' tree, [https://example.org/oak described].

* one
* two

{| class="wikitable"
! a !! b
|-
| 1 || 2
|}`;

describe('HTML', () => {
  test('is pasted in the language of the page, and one undo leaves its plain text', async () => {
    const scripts: string[] = [];
    page.on('request', (request) => request.url().includes('/chunk-') && scripts.push(request.url()));
    await open('/new?title=Pasted');
    await copy({ 'text/html': html, 'text/plain': plain });
    const before = scripts.length;
    await page.keyboard.press('Control+v');
    await expect.poll(text).toBe(wikitext);
    // The converter is loaded only for people who paste.
    expect(scripts.length).toBeGreaterThan(before);
    await page.keyboard.press('Control+z');
    expect(await text()).toBe(plain);
  });

  test('is pasted as Markdown into a Markdown page', async () => {
    await open('/edit/marked');
    await copy({ 'text/html': html, 'text/plain': plain });
    await page.keyboard.press('Control+v');
    await expect
      .poll(text)
      .toBe(
        '## Oak\n\nAn **old** tree, [described](https://example.org/oak).\n\n- one\n- two\n\n| a | b |\n| - | - |\n| 1 | 2 |',
      );
  });

  test('with several blocks is separated from the words around it, a single paragraph is not', async () => {
    await open('/edit/lines');
    await page.keyboard.press('Control+Home');
    for (let at = 0; at < 'before'.length; at++) await page.keyboard.press('ArrowRight');
    await copy({ 'text/html': '<ul><li>one</li></ul>', 'text/plain': 'one' });
    await page.keyboard.press('Control+v');
    await expect.poll(text).toBe('before\n\n* one\n\n after');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await copy({ 'text/html': '<p> <i>one</i></p>', 'text/plain': 'one' });
    await page.keyboard.press('Control+v');
    await expect.poll(text).toBe("before''one'' after");
    await page.evaluate(() => {
      addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), true);
    });
  });

  test('is pasted as plain text with Ctrl+Shift+V', async () => {
    await open('/new?title=Plain');
    await copy({ 'text/html': html, 'text/plain': plain });
    await page.keyboard.press('Control+Shift+v');
    await expect.poll(text).toBe(plain);
    await page.waitForLoadState('networkidle');
    expect(await text()).toBe(plain);
  });

  test('is pasted as plain text if the converter cannot be loaded', async () => {
    await open('/new?title=Offline');
    await copy({ 'text/html': html, 'text/plain': plain });
    // Requests that are routed are not answered from the cache of the browser.
    const failed = page.waitForEvent('requestfailed');
    await page.route('**/chunk-*', (route) => route.abort());
    await page.keyboard.press('Control+v');
    await failed;
    expect(await text()).toBe(plain);
    await page.unroute('**/chunk-*');
    tab.errors.length = 0;
  });

  test('needs no connection once the page has loaded the converter', async () => {
    await open('/new?title=Offline');
    await copy({ 'text/html': html, 'text/plain': plain });
    await page.keyboard.press('Control+v');
    await expect.poll(text).toBe(wikitext);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await tab.context.setOffline(true);
    await page.keyboard.press('Control+v');
    await expect.poll(text).toBe(wikitext);
    await tab.context.setOffline(false);
    tab.errors.length = 0;
  });

  test('keeps its formatting, and input meanwhile, while the converter loads', async () => {
    await open('/new?title=Slow');
    await copy({ 'text/html': '<p>An <b>old</b> tree.</p>', 'text/plain': 'An old tree.' });
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/chunk-*', async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.type('Here: ');
    await page.keyboard.press('Control+v');
    await expect.poll(text).toBe('Here: An old tree.');
    await page.keyboard.type(' It stands.');
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('> ');
    letGo();
    await expect.poll(text).toBe("> Here: An '''old''' tree. It stands.");
    // The cursor stays where it was put.
    await page.keyboard.type('!');
    expect(await text()).toMatch(/^> !Here/);
    await page.unroute('**/chunk-*');
  });

  test('turns a picture in its data into a file, which is saved with the page', async () => {
    await open('/new?title=Picture');
    const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
    // Clipboard data as Word provides it; the clipboard API would remove it.
    await page.evaluate((gif) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/html', `<p>A dot: <img src="data:image/gif;base64,${gif}" alt="dot"></p>`);
      clipboardData.setData('text/plain', 'A dot: ');
      document
        .querySelector('.cm-content')
        ?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, gif);
    await expect.poll(text).toBe('A dot: [[File:picture-1.gif|alt=dot]]');
    await page.locator('#preview img[src^="blob:"]').first().waitFor();
    await page.click('button:has-text("Save page")');
    await page.waitForURL(`${wiki.url}/picture`);
    expect(await page.getAttribute('.markup img', 'src')).toMatch(/^\/files\//);
  });
});

describe('an address', () => {
  test('pasted over words links them, and links to pages of this wiki by path', async () => {
    await open('/new?title=Linked');
    await page.keyboard.insertText('the tree');
    await page.keyboard.press('Control+a');
    await copy({ 'text/plain': 'https://example.org/a_(b)?c=d' });
    await page.keyboard.press('Control+v');
    expect(await text()).toBe('[https://example.org/a_(b)?c=d the tree]');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+a');
    await copy({ 'text/plain': `${wiki.url}/oak#Old_trees` });
    await page.keyboard.press('Control+v');
    expect(await text()).toBe('[[/oak#Old_trees|the tree]]');
  });

  test('pasted in Markdown becomes a Markdown link', async () => {
    await open('/edit/marked');
    await page.keyboard.insertText('the tree');
    await page.keyboard.press('Control+a');
    await copy({ 'text/plain': 'https://example.org/a_(b)' });
    await page.keyboard.press('Control+v');
    expect(await text()).toBe('[the tree](https://example.org/a_%28b%29)');
  });

  test('replaces a selected address, or a selection of more than words', async () => {
    await open('/new?title=Replaced');
    for (const selected of ['https://example.org/old', '[[Oak]]', 'two\nlines']) {
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(selected);
      await page.keyboard.press('Control+a');
      await copy({ 'text/plain': 'https://example.org/new' });
      await page.keyboard.press('Control+v');
      expect(await text()).toBe('https://example.org/new');
    }
  });
});

describe('a template that is completed', () => {
  test('gets its parameters as fields, required ones first, that Tab moves through', async () => {
    await open('/new?title=Called');
    await page.keyboard.type('{{Fac');
    await pick('Fact');
    await expect.poll(text).toBe('{{Fact||height=|kind=wood}}');
    await page.keyboard.type('An oak');
    await page.keyboard.press('Tab');
    await page.keyboard.type('20 m');
    await page.keyboard.press('Tab');
    // The default is selected: typing replaces it.
    await page.keyboard.type('oak wood');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('30 m');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type(' grows.');
    expect(await text()).toBe('{{Fact|An oak|height=30 m|kind=oak wood}} grows.');
    // Tab now leaves the text, as it does everywhere.
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.classList.contains('cm-content'))).toBe(false);
  });

  test('without parameters gets only its name, with the cursor behind it', async () => {
    await open('/new?title=Bare call');
    await page.keyboard.type('{{Bar');
    const asked = page.waitForResponse((answer) => answer.url().includes('/search/parameters'));
    await pick('Bare');
    await asked;
    await page.keyboard.type(' x');
    expect(await text()).toBe('{{Bare}} x');
  });
});

async function open(path: string): Promise<void> {
  await tab.go(path);
  await page.locator('.has-editor').waitFor();
  await page.locator('.cm-content').click();
  page.on('dialog', (dialog) => void dialog.accept());
}

async function copy(kinds: Record<string, string>): Promise<void> {
  await page.evaluate(async (kinds) => {
    const parts = Object.entries(kinds).map(([type, text]) => [type, new Blob([text], { type })]);
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(parts))]);
  }, kinds);
}

async function pick(label: string): Promise<void> {
  await page.locator('.cm-tooltip-autocomplete li', { hasText: label }).first().waitFor();
  await page.waitForTimeout(100);
  await page.keyboard.press('Enter');
}

function text(): Promise<string> {
  return page.evaluate(() => {
    const form = document.querySelector<HTMLFormElement>('#page-form');
    return form ? String(new FormData(form).get('body')).replace(/\r\n/g, '\n') : '';
  });
}
