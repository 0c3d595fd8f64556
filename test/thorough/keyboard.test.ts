/** Everything works by keyboard alone, with a visible focus ring and announcements for screen readers. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PageInput } from '#core/model/page-input.ts';
import { createPage } from '#core/pages/create-page.ts';
import { openTab, passphrase, sharedBrowser, startWiki, type Tab, type Wiki } from '../e2e/support.ts';
import { effort } from '../support/effort.ts';

// Each test checks whole pages, and machines differ in speed.
vi.setConfig({ testTimeout: 300_000 });

let wiki: Wiki;
let browser: Browser;
let tab: Tab;
let page: Page;

beforeAll(async () => {
  [wiki, browser] = await Promise.all([startWiki(), sharedBrowser()]);
  const ada = await wiki.addMember('Ada', { isAdmin: true });
  const actor = { memberId: ada.id, name: 'Ada', isAdmin: true };
  const { store, files } = wiki.app.service;
  const pages: PageInput[] = [
    { title: 'Garden', body: '== One ==\nSee [[Roses]].\n\n== Two ==\nText.\n\n== Three ==\nText.' },
    { title: 'Roses', parent: '/garden', body: 'They climb. [[Location:10, 20]]' },
    { title: 'Pruning', parent: '/garden', body: 'In winter. [[Location:10, 20]]' },
    { title: 'Shears', parent: '/garden/pruning', body: 'Sharp. [[Location:13, 23]]' },
    { title: 'Orchard', body: 'Apples.' },
  ];
  for (const input of pages) await createPage({ store, files, actor, now: Date.now() }, input);
  tab = await openTab(browser, wiki, { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  page = tab.page;
});
afterAll(async () => {
  expect(tab.errors).toEqual([]);
  await tab.close();
  await wiki?.close();
});

test('the first tab stop skips to the text, and signing in works by keyboard', async () => {
  await tab.go('/garden');
  await keys('Tab');
  expect(await focused()).toBe('Skip to the text');
  await keys('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
  await tab.go('/login');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('email');
  await page.keyboard.type('ada@example.org');
  await keys('Tab');
  await page.keyboard.type(passphrase);
  await keys('Enter');
  await page.waitForURL(`${wiki.url}/`);
});

test('every tab stop of every page is visible and has a focus ring', async () => {
  const paths = [
    '/garden',
    '/search?text=garden',
    '/map',
    '/tree',
    '/diff/garden',
    '/edit/garden',
    '/account',
  ];
  /** Their stops are of the same kinds. */
  const others = ['/', '/updates', '/wanted', '/history/garden', '/move/garden', '/members', '/nowhere'];
  for (const path of [...paths, ...effort([], others)]) {
    await tab.go(path);
    await tab.settled();
    const faults: string[] = [];
    let stops = 0;
    for (; stops < 150; stops++) {
      await keys('Tab');
      // The focus ring of the editor's text appears a moment later.
      if (await page.evaluate(() => document.activeElement?.matches('.cm-content')))
        await page.locator('.cm-focused').waitFor();
      const stop = await page.evaluate(lookAtFocus);
      if (stop === 'end') break;
      if (stop !== '') faults.push(stop);
    }
    expect.soft(faults, path).toEqual([]);
    expect(stops, path).toBeGreaterThan(8);
    expect(stops, path).toBeLessThan(150);
  }
});

test('parts of the account are reached by address and by keys, and a form that is refused shows its own part', async () => {
  const parts = async () =>
    page.evaluate(() =>
      [...document.querySelectorAll('.account > .group')]
        .filter((one) => one.checkVisibility())
        .map(({ id }) => id),
    );
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await tab.go('/account');
    expect(await parts()).toEqual(['overview']);
    await page.focus('.sections [href="#sign-in"]');
    await keys('Enter');
    expect([await parts(), tab.at().split('#')[0]]).toEqual([['sign-in'], '/account']);
    // The next stop is in the part that opened.
    await keys('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('.group')?.id)).toBe('sign-in');
    await page.goBack();
    expect(await parts()).toEqual(['overview']);
  }
  await tab.go('/');
  await tab.go('/account#sessions');
  expect(await parts()).toEqual(['sign-in']);
  for (const field of ['current', 'pass', 'pass-again']) await page.fill(`#${field}`, 'not the passphrase');
  await page.click('text=Change passphrase');
  await page.locator('[role=alert]').waitFor();
  expect(await parts()).toEqual(['sign-in']);
});

describe('patterns', () => {
  beforeEach(async () => {
    page.removeAllListeners('dialog');
    page.on('dialog', (dialog) => void dialog.accept());
  });

  test('the search box is a combobox with arrows, Enter and Escape, and announces the number of matches', async () => {
    await tab.go('/orchard');
    const box = page.locator('#site-search[role=combobox]');
    await box.waitFor();
    await keys('Control+k');
    expect(await box.evaluate((input) => input === document.activeElement)).toBe(true);
    await keys('Escape');
    await page.locator('h1').click();
    await keys('/');
    await page.keyboard.type('ro');
    await page.locator('[role=option]').first().waitFor();
    expect(await box.getAttribute('aria-expanded')).toBe('true');
    await page.locator('[role=status]', { hasText: /suggestions?$/ }).waitFor({ state: 'attached' });
    await keys('ArrowDown');
    const active = (await box.getAttribute('aria-activedescendant')) ?? '';
    expect(await page.locator(`#${active}`).getAttribute('aria-selected')).toBe('true');
    expect(await page.locator(`#${active}`).textContent()).toContain('Roses');
    await keys('Escape');
    expect(await box.getAttribute('aria-expanded')).toBe('false');
    expect(await box.inputValue()).toBe('ro');
    await keys('ArrowDown');
    await page.locator('[role=option]').first().waitFor();
    await keys('ArrowDown', 'Enter');
    await page.waitForURL(`${wiki.url}/garden/roses`);
  });

  test('the tree opens, closes and is navigated with arrows', async () => {
    await tab.go('/tree');
    await page.locator('.scripted').waitFor({ state: 'attached' });
    await page.locator('.tree-page a', { hasText: 'Garden' }).first().focus();
    await keys('ArrowRight');
    await page.locator('.tree-page a', { hasText: 'Pruning' }).waitFor();
    await keys('ArrowDown');
    expect(await focused()).toBe('Pruning 1');
    await keys('ArrowRight');
    await page.locator('.tree-page a', { hasText: 'Shears' }).waitFor();
    await keys('ArrowRight');
    expect(await focused()).toBe('Shears');
    await keys('ArrowLeft');
    expect(await focused()).toBe('Pruning 1');
    await keys('ArrowLeft', 'ArrowLeft');
    expect(await focused()).toBe('Garden 2');
    await keys('End');
    expect(await focused()).toBe('Orchard');
    await keys('Home', 'ArrowLeft');
    expect(await page.locator('.tree-page a', { hasText: 'Pruning' }).isVisible()).toBe(false);
    // The button beside the link shows and toggles whether the branch is open.
    await keys('Tab', 'Space');
    await page.locator('.tree-page a', { hasText: 'Pruning' }).waitFor();
  });

  test('the toolbar is one tab stop, and its shortcuts work in the text', async () => {
    await tab.go('/edit/orchard');
    await page.locator('.cm-content').focus();
    await keys('Control+a', 'Control+b');
    await expect.poll(() => page.textContent('.cm-content')).toBe("'''Apples.'''");
    await keys('Shift+Tab');
    const toolbar = page.locator('[role=toolbar]');
    expect(await toolbar.evaluate((bar) => bar.contains(document.activeElement))).toBe(true);
    expect(await toolbar.locator('[tabindex="0"]').count()).toBe(1);
    const first = await focused();
    await keys('ArrowRight');
    expect(await focused()).not.toBe(first);
    expect(await toolbar.locator('[tabindex="0"]').count()).toBe(1);
    await keys('End', 'Home');
    await keys('Tab');
    // Tab inserts no tab character, so the editor does not trap the focus.
    expect(await page.evaluate(() => document.activeElement?.className)).toContain('cm-content');
    await keys('Tab');
    expect(await page.evaluate(() => document.activeElement?.className)).not.toContain('cm-content');
  });

  test('a page is written, tagged, placed below another and saved', async () => {
    await tab.go('/new');
    await page.locator('.cm-content').waitFor();
    await page.locator('#title').focus();
    await page.keyboard.type('Espalier');
    await page.locator('.cm-content').focus();
    await page.keyboard.type('Trained along [[Ro');
    await page.locator('.cm-tooltip-autocomplete li', { hasText: 'Roses' }).waitFor();
    await page.waitForTimeout(100);
    await keys('Enter');
    await expect.poll(() => page.textContent('.cm-content')).toBe('Trained along [[Roses]]');
    await page.locator('summary', { hasText: 'Location in the tree' }).focus();
    await keys('Enter');
    await page.locator('#parent').focus();
    await page.keyboard.type('orch');
    await page.locator('[role=option]', { hasText: 'Orchard' }).waitFor();
    await keys('ArrowDown', 'Enter');
    expect(await page.inputValue('#parent')).toBe('/orchard');
    await page.locator('.cm-content').focus();
    await keys('Control+s');
    await page.waitForURL(`${wiki.url}/orchard/espalier`);
    await page.locator('#notice', { hasText: 'Page created.' }).waitFor();
    expect(await page.getAttribute('#notice', 'role')).toBe('status');
  });

  test('a map is moved, and a place on a shared pin is chosen from a list that keeps the focus', async () => {
    await tab.go('/map?lat=10&lon=20');
    const pin = page.locator('.pin.is-many button').first();
    await pin.waitFor();
    await pin.focus();
    await keys('Enter');
    const list = page.locator('[role=dialog]');
    await list.waitFor();
    await expect.poll(() => list.evaluate((one) => one.contains(document.activeElement))).toBe(true);
    await keys('Escape');
    await list.waitFor({ state: 'hidden' });
    expect(await pin.evaluate((one) => one === document.activeElement)).toBe(true);
  });

  test('an error receives the focus and is linked to its field', async () => {
    await tab.go('/edit/orchard');
    await page.locator('.cm-content').waitFor();
    await page.locator('summary', { hasText: 'Description' }).focus();
    await keys('Enter');
    await page.locator('#description').focus();
    await page.keyboard.insertText('x'.repeat(300));
    await page.locator('button[value=save]').focus();
    await keys('Enter');
    await page.locator('.error-summary[role=alert]').waitFor();
    expect(await page.evaluate(() => document.activeElement?.className)).toContain('error-summary');
    const described = await page.getAttribute('#description', 'aria-describedby');
    expect(described).toContain('description-mistake');
    expect(await page.getAttribute('#description', 'aria-invalid')).toBe('true');
  });

  test('overlays on a narrow screen close with Escape and return the focus', async () => {
    await page.setViewportSize({ width: 360, height: 700 });
    await tab.go('/garden');
    for (const name of ['More about this page', 'Pages', 'Contents']) {
      const summary = page
        .locator('details[data-sheet] > summary')
        .and(page.locator(`[aria-label="${name}"], :text-is("${name}")`));
      await summary.focus();
      await keys('Enter');
      await page.locator('details[data-sheet][open]').waitFor({ state: 'attached' });
      await keys('Tab');
      await keys('Escape');
      await page.locator('details[data-sheet][open]').waitFor({ state: 'detached' });
      expect(await summary.evaluate((one) => one === document.activeElement), name).toBe(true);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});

async function keys(...names: string[]): Promise<void> {
  for (const name of names) await page.keyboard.press(name);
}

function focused(): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    return (element?.getAttribute('aria-label') ?? element?.textContent ?? '').trim();
  });
}

/** Runs in the page. Returns `end` after the last stop, `''` if the focus is visible, else a description of the fault. */
function lookAtFocus(): string {
  const element = document.activeElement as (HTMLElement & { wasStop?: boolean }) | null;
  if (!element || element === document.body || element.wasStop) return 'end';
  element.wasStop = true;
  const hasRing = (one: Element | null): boolean => {
    if (!one) return false;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
    return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) || boxShadow !== 'none';
  };
  // The editor's pane shows the focus ring of its text.
  const ringed = element.matches('.cm-content') ? element.closest('#source-pane') : element;
  const name = `${element.localName} “${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}”`;
  if (!hasRing(ringed)) return `${name} has no ring`;
  for (const { left, top, width, height } of element.getClientRects()) {
    const seen = document.elementFromPoint(left + width / 2, top + Math.min(height, 40) / 2);
    if (seen && (element.contains(seen) || seen.contains(element))) return '';
  }
  return `${name} is not in sight`;
}
