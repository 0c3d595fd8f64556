/** The editor's layout: the text keeps half of the window, whatever is open or has failed. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPage } from '#core/pages/create-page.ts';
import { effort } from '../support/effort.ts';
import { openTab, sharedBrowser, startWiki, type Tab, type Wiki } from './support.ts';

let wiki: Wiki;
let browser: Browser;
let tab: Tab;
let page: Page;
let made = 0;

beforeAll(async () => {
  [wiki, browser] = await Promise.all([startWiki(), sharedBrowser()]);
  await wiki.addMember('Ada', { isAdmin: true });
  await wiki.addMember('Bob');
}, 60_000);
afterAll(async () => {
  await wiki?.close();
});

const usual = [
  { width: 1440, height: 900 },
  { width: 1024, height: 600 },
  { width: 390, height: 700 },
];
const sizes = [
  ...usual,
  ...effort(
    [],
    [
      { width: 1366, height: 650 },
      { width: 820, height: 1100 },
    ],
  ),
];

describe.each(sizes)('at $width by $height', (size) => {
  beforeEach(async () => {
    tab = await openTab(browser, wiki, { viewport: size });
    page = tab.page;
    await tab.signIn('Ada');
  });
  afterEach(async () => {
    expect(tab.errors).toEqual([]);
    await tab.close();
  });

  test('every panel leaves half of the window to the text and does not move it', async () => {
    await openEditor();
    const before = await boxOf('.cm-editor');
    expect(await shareOfText()).toBeGreaterThanOrEqual(0.5);
    for (const summary of await page.locator('.details > details > summary').all()) {
      await summary.click();
      const open = page.locator('.details > details[open]');
      expect(await open.count()).toBeGreaterThan(0);
      const text = await boxOf('.cm-editor');
      expect(text.height).toBe(before.height);
      expect(text.width).toBe(before.width);
      if (size.width < 900) {
        // A sheet over the lower part of the window, which covers neither its beginning nor is covered itself.
        const sheet = await boxOf('.details > details[open] > :not(summary)');
        expect(sheet.y + sheet.height).toBeCloseTo(size.height, 0);
        expect(sheet.y).toBeGreaterThan(size.height * 0.2);
        await open.getByRole('button', { name: 'Done', exact: true }).click();
        expect(await open.count()).toBe(0);
        continue;
      }
      expect(await shareOfText()).toBeGreaterThanOrEqual(0.5);
      // One open panel: beside the text, at least as high, within the window.
      expect(await open.count()).toBe(1);
      const panel = await boxOf(size.width < 1280 ? '.details > details[open] > :not(summary)' : '.details');
      expect(panel.x).toBeGreaterThanOrEqual(text.x + text.width);
      expect(panel.x + panel.width).toBeLessThanOrEqual(size.width);
      expect(panel.height).toBeGreaterThanOrEqual(text.height);
    }
  });

  test('a conflict leaves the text half of the window', async () => {
    await openEditor();
    await conflict();
    expect(await shareOfText()).toBeGreaterThanOrEqual(0.5);
    const before = await boxOf('.cm-editor');
    await page.click('summary:has-text("Conflicts")');
    expect((await boxOf('.cm-editor')).height).toBe(before.height);
    if (size.width >= 900) expect(await shareOfText()).toBeGreaterThanOrEqual(0.5);
  });

  test('an invalid field opens its panel, and half of the window is left to the text', async () => {
    await openEditor();
    await page.click('summary:has-text("Description")');
    await page.fill('#description', 'x'.repeat(300));
    await page.click('button:has-text("Save page")');
    await page.locator('.error-summary').waitFor();
    await page.locator('#description-mistake').waitFor();
    expect((await boxOf('.cm-editor')).height).toBeGreaterThanOrEqual(size.height / 2);
  });
});

describe('panels beside the text', () => {
  beforeEach(async () => {
    tab = await openTab(browser, wiki, { viewport: { width: 1440, height: 900 } });
    page = tab.page;
    await tab.signIn('Ada');
    await openEditor();
  });
  afterEach(() => tab.close());

  test('close with Escape, which returns the focus', async () => {
    await page.locator('summary', { hasText: 'Location in the tree' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('parent');
    await page.keyboard.press('Escape');
    expect(await page.locator('.details > details[open]').count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Location in the tree');
  });

  test('do not cover the text where the preview is narrow or hidden', async () => {
    await page.locator('.divider').focus();
    await page.keyboard.press('End');
    for (const _ of ['narrow', 'hidden']) {
      await page.click('summary:has-text("Files")');
      const [text, panel] = [await boxOf('.cm-editor'), await boxOf('.details > details[open] > .fields')];
      expect(panel.x).toBeGreaterThanOrEqual(text.x + text.width);
      expect(text.width).toBeGreaterThan(400);
      await page.click('summary:has-text("Files")');
      await page.click('.tool-preview');
    }
  });

  test('stay closed when a file is put into the text, and open for one that is refused', async () => {
    const drop = (size: number) =>
      page.evaluate((size) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([new Uint8Array(size)], 'oak.gif', { type: 'image/gif' }));
        document
          .querySelector('.cm-content')
          ?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      }, size);
    await drop(10);
    await page.locator('.pending-files li').waitFor({ state: 'attached' });
    expect(await page.locator('.details > details[open]').count()).toBe(0);
    expect(await page.textContent('#save-means')).toContain('Adds 1 file.');
    await drop(26_000_000);
    await page.locator('#upload-list .mistake', { hasText: 'too large' }).waitFor();
    page.on('dialog', (dialog) => void dialog.accept());
  });
});

test('the focus never moves behind the save bar', async () => {
  const tall = await openTab(browser, wiki, { viewport: { width: 1366, height: 650 } });
  [tab, page] = [tall, tall.page];
  await tall.signIn('Ada');
  await openEditor('A line.\n\n'.repeat(60));
  await page.click('.cm-content', { position: { x: 20, y: 10 } });
  await page.keyboard.press('Control+End');
  await page.waitForFunction(() => {
    const cursor = document.querySelector('.cm-cursor-primary')?.getBoundingClientRect();
    const at = cursor && document.elementFromPoint(cursor.left + 2, cursor.bottom - 1);
    return at?.closest('.cm-editor');
  });
  await tall.close();
});

test('without script a conflict is solved by a choice, and its preview shows no markers either', async () => {
  const path = await make();
  const plain = await openTab(browser, wiki, { javaScriptEnabled: false });
  await plain.signIn('Ada');
  await plain.go(`/edit${path}`);
  await saveAsBob(path);
  await plain.page.fill('#body', 'Ada wrote.');
  await plain.page.click('button[value=save]');
  await plain.page.locator('.conflict-advice').waitFor();
  expect(await plain.page.inputValue('#body')).toContain('=======');
  await plain.page.click('button[value=preview]');
  await plain.page.locator('#preview p').waitFor();
  expect((await plain.page.innerText('#preview')).trim()).toBe('Ada wrote.');
  // The text keeps the conflict markers until a choice is made.
  expect(await plain.page.inputValue('#body')).toContain('=======');
  const place = plain.page.locator('.conflict-choice');
  expect(await place.locator('.markup').allInnerTexts()).toEqual(['Ada wrote.', 'Bob wrote.']);
  // A choice to solve it by hand, without doing so, saves nothing.
  await place.getByLabel('As I write it in the text below').check();
  await plain.page.click('button[value=save]');
  await plain.page.locator('.error-summary', { hasText: 'both versions' }).waitFor();
  await place.getByLabel('Keep both, one after the other').check();
  await plain.page.click('button[value=save]');
  await plain.page.waitForURL(wiki.url + path);
  expect((await plain.page.innerText('.markup')).trim()).toBe('Ada wrote. Bob wrote.');
  await plain.close();
});

async function make(body = 'As it was.'): Promise<string> {
  const { store, files } = wiki.app.service;
  const title = `Panels ${++made}`;
  const actor = { memberId: 1, name: 'Ada', isAdmin: true };
  await createPage({ store, files, actor, now: Date.now() }, { title, body });
  return `/panels-${made}`;
}

async function openEditor(body?: string): Promise<void> {
  await tab.go(`/edit${await make(body)}`);
  await page.locator('.has-editor').waitFor();
}

async function saveAsBob(path: string): Promise<void> {
  const bob = await openTab(browser, wiki, { javaScriptEnabled: false });
  await bob.signIn('Bob');
  await bob.go(`/edit${path}`);
  await bob.page.fill('#body', 'Bob wrote.');
  await bob.page.click('button[value=save]');
  await bob.page.waitForURL(wiki.url + path);
  await bob.close();
}

async function conflict(): Promise<void> {
  await saveAsBob(tab.at().replace('/edit', ''));
  await page.locator('.cm-content').press('Control+A');
  await page.keyboard.insertText('Ada wrote.');
  await page.click('button:has-text("Save page")');
  await page.locator('.merge-choice').waitFor();
}

/** Share of the window's height where the text is visible: not below the fold, nor behind the save bar. */
function shareOfText(): Promise<number> {
  return page.evaluate(() => {
    const { left } = document.querySelector('.cm-editor')?.getBoundingClientRect() ?? { left: 0 };
    const rows = Array.from({ length: innerHeight }, (_, y) => document.elementFromPoint(left + 40, y));
    return rows.filter((at) => at?.closest('.cm-editor')).length / innerHeight;
  });
}

async function boxOf(selector: string): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`${selector} is not in sight.`);
  return box;
}
