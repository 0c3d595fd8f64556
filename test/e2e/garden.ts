/** A wiki of a few pages, a tab for each test that must stay free of errors, and helpers for the editor. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { PageInput } from '#core/model/page-input.ts';
import { createPage } from '#core/pages/create-page.ts';
import { openTab, sharedBrowser, startWiki, type Tab, type Wiki } from './support.ts';

export let wiki: Wiki;
export let browser: Browser;
export let tab: Tab;
export let page: Page;
let actor: { memberId: number; name: string; isAdmin: boolean };

export const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC',
  'base64',
);

/** Call this in each test file: hooks of a module belong to the file that loads it first. */
export function plantGarden(): void {
  beforeAll(async () => {
    [wiki, browser] = await Promise.all([startWiki(), sharedBrowser()]);
    const ada = await wiki.addMember('Ada', { isAdmin: true });
    await wiki.addMember('Bob');
    actor = { memberId: ada.id, name: 'Ada', isAdmin: true };
    await make({
      title: 'Garden',
      body: 'Here grow [[Roses]] beside the [[Hidden shed]]; [[Compost]] is wanted.',
    });
    await make({
      title: 'Roses',
      parent: '/garden',
      body: 'They need [[Pruning]]. [[Season:summer]] [[Type:Plant]] [[Location:52.5163, 13.3777]]',
    });
    await make({ title: 'Pruning', parent: '/garden', body: 'In winter, with sharp shears.' });
    await make({ title: 'Hidden shed', parent: '/garden', body: 'Nobody else may know.', permissions: 700 });
    await make({ title: 'Notice', path: '/templates/notice', body: "'''Mind:''' {{{1}}}", type: 'Template' });
  });
  afterAll(async () => {
    await wiki?.close();
  });
  beforeEach(async () => {
    tab = await openTab(browser, wiki, { viewport: { width: 1280, height: 800 } });
    page = tab.page;
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') {
      const told = await page.locator('.preview-state, .mistake, [role=alert]').allTextContents();
      console.error(`At ${tab.at()} the page says: ${told.filter(Boolean).join(' | ')}`);
    }
    expect(tab.errors).toEqual([]);
    expect(wiki.bugs).toEqual([]);
    await tab.close();
  });
}

export async function make(input: PageInput): Promise<void> {
  const { store, files } = wiki.app.service;
  await createPage({ store, files, actor, now: Date.now() }, input);
}

export async function editor(): Promise<void> {
  await page.locator('.cm-content').waitFor();
}

/** Types at the start of the text, or at the cursor. */
export async function type(words: string): Promise<void> {
  const content = page.locator('.cm-content');
  if ((await page.evaluate(() => document.activeElement?.className ?? '')).includes('cm-content'))
    await page.keyboard.type(words);
  else {
    await content.click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type(words);
  }
}

/** An option of the list of completions. While the list is renewed, it takes no clicks. */
export function option(label: string, own = page) {
  return own
    .locator('.cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled) li', { hasText: label })
    .first();
}

export async function text(): Promise<string> {
  return page.evaluate(() => {
    const form = document.querySelector<HTMLFormElement>('#page-form');
    return form ? String(new FormData(form).get('body')).replace(/\r\n/g, '\n') : '';
  });
}

export async function save(): Promise<void> {
  await page.click('button:has-text("Save page")');
  await page.waitForURL((url) => !/^\/(new$|edit\/)/.test(url.pathname));
}
