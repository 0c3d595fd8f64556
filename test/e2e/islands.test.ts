/** The journeys of people with JavaScript, in a real browser: writing, drafts, conflicts, cards, completion, maps. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPage } from '#domain/create-page.ts';
import type { PageInput } from '#domain/page-input.ts';
import { openTab, passphrase, startBrowser, startWiki, type Tab, type Wiki } from './support.ts';

let wiki: Wiki;
let browser: Browser;
let tab: Tab;
let page: Page;
let actor: { memberId: number; name: string; isAdmin: boolean };

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC',
  'base64',
);

beforeAll(async () => {
  [wiki, browser] = await Promise.all([startWiki(), startBrowser()]);
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
  await browser?.close();
  await wiki?.close();
});
beforeEach(async () => {
  tab = await openTab(browser, wiki, { viewport: { width: 1280, height: 800 } });
  page = tab.page;
});
afterEach(async () => {
  expect(tab.errors).toEqual([]);
  expect(wiki.bugs).toEqual([]);
  await tab.context.close();
});

describe('writing', () => {
  test('a wanted link leads to the editor, and what is written there is a page', async () => {
    await tab.signIn('Ada');
    await tab.go('/garden');
    await page.click('a.new');
    await editor();
    expect(await page.inputValue('#title')).toBe('Compost');
    await type('Heaps of [[Ro');
    await option('Roses').click();
    await page.waitForFunction(() => document.querySelector('#preview a[href="/garden/roses"]'));
    await page.fill('#msg', 'First lines');
    await save();
    expect(tab.at()).toBe('/compost');
    expect(await page.textContent('#notice')).toBe('The page is created.');
    await tab.go('/garden');
    expect(await page.getAttribute('.markup a:text("Compost")', 'href')).toBe('/compost');
  });

  test('the preview follows the last key within 300 ms and drops stale answers', async () => {
    await tab.signIn('Ada');
    await tab.go('/edit/garden/pruning');
    await editor();
    await page.waitForFunction(() => document.querySelector('#preview')?.textContent?.includes('winter'));
    // The best of three: what else this machine does is not the preview's.
    const times: number[] = [];
    for (const word of ['quickly', 'promptly', 'swiftly']) {
      await type(`${word} `);
      const began = Date.now();
      await page.waitForFunction(
        (word) => document.querySelector('#preview')?.textContent?.includes(word),
        word,
        { polling: 10 },
      );
      times.push(Date.now() - began);
    }
    expect(Math.min(...times)).toBeLessThan(450);
  });

  test('templates, tags and pages are completed; what is not written yet comes last', async () => {
    await tab.signIn('Ada');
    await tab.go('/new');
    await editor();
    await type('{{No');
    await option('Notice').click();
    await type(' [[Season:');
    await option('summer').click();
    await type(' [[Prun');
    await option('Pruning').waitFor();
    expect(await page.locator('.cm-tooltip-autocomplete li').last().textContent()).toContain('create new');
    await option('Pruning').click();
    expect(await text()).toBe('{{Notice}} [[Season:summer]] [[Pruning]]');
  });

  test('nobody is offered a page that they may not read', async () => {
    await tab.signIn('Bob');
    await tab.go('/new');
    await editor();
    await type('[[Hidden');
    await page.locator('.cm-tooltip-autocomplete li').first().waitFor();
    expect(await page.locator('.cm-tooltip-autocomplete li').allTextContents()).toEqual([
      expect.stringContaining('create new'),
    ]);
  });

  test('the address is shown and checked while title and parent are typed', async () => {
    await tab.signIn('Ada');
    await tab.go('/new');
    await editor();
    await page.fill('#title', 'Old tools');
    await page.waitForFunction(
      () => document.querySelector('#path-check')?.textContent === 'It will be at /old-tools.',
    );
    await page.click('summary:has-text("Where it lies")');
    await page.fill('#parent', 'gard');
    await page.locator('[role=option]', { hasText: '/garden' }).first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await page.inputValue('#parent')).toBe('/garden');
    await page.waitForFunction(
      () => document.querySelector('#path-check')?.textContent === 'It will be at /garden/old-tools.',
    );
    await page.fill('#path', '/garden/roses');
    await page.waitForFunction(() =>
      document.querySelector('#path-check')?.textContent?.includes('already exists'),
    );
  });

  test('a file is held with its picture, put into the text, sent with the page and shown on it', async () => {
    await tab.signIn('Ada');
    await tab.go('/new?title=Heap');
    await editor();
    await page.setInputFiles('#file', [{ name: 'heap.png', mimeType: 'image/png', buffer: picture }]);
    await page.click('button:has-text("Insert into text")');
    expect(await text()).toContain('[[File:heap.png|thumb]]');
    await page.waitForFunction(() => document.querySelector('#preview img[src^="blob:"]'));
    expect(await page.textContent('#save-means')).toContain('Adds 1 file.');
    await save();
    expect(tab.at()).toBe('/heap');
    expect(await page.getAttribute('.markup img', 'src')).toMatch(/^\/files\//);
    expect(await page.textContent('.files')).toContain('heap.png');
  });

  test('a file dropped on the text is put there, and one dropped beside it is held', async () => {
    await tab.signIn('Ada');
    await tab.go('/new?title=Dropped');
    await editor();
    const drop = (selector: string, name: string) =>
      page.evaluate(
        ({ selector, name }) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File(['GIF89a'], name, { type: 'image/gif' }));
          const target = document.querySelector(selector);
          const { left, top } = target?.getBoundingClientRect() ?? { left: 0, top: 0 };
          for (const type of ['dragenter', 'dragover', 'drop']) {
            target?.dispatchEvent(
              new DragEvent(type, {
                dataTransfer,
                bubbles: true,
                cancelable: true,
                clientX: left + 20,
                clientY: top + 20,
              }),
            );
          }
        },
        { selector, name },
      );
    await drop('.cm-content', 'on-text.gif');
    await drop('h1', 'beside.gif');
    expect(await text()).toContain('[[File:on-text.gif|thumb]]');
    expect(await text()).not.toContain('beside');
    expect(await page.locator('.held-files li').allTextContents()).toEqual([
      expect.stringContaining('on-text.gif'),
      expect.stringContaining('beside.gif'),
    ]);
    page.on('dialog', (dialog) => void dialog.accept());
  });

  test('progress is told while files are sent', async () => {
    await tab.signIn('Ada');
    await tab.go('/new?title=Large');
    await editor();
    await page.setInputFiles('#file', [
      { name: 'large.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(6_000_000, 7) },
    ]);
    const told = page.evaluate(
      () =>
        new Promise<number[]>((resolve) => {
          const values: number[] = [];
          const bar = document.querySelector<HTMLProgressElement>('.held-files progress');
          // Told of every step, however busy the machine is between two looks.
          const steps = new MutationObserver(() => {
            if (bar) values.push(bar.value);
            if (!bar?.isConnected || bar.value >= bar.max) {
              steps.disconnect();
              resolve(values);
            }
          });
          steps.observe(document.body, { subtree: true, childList: true, attributeFilter: ['value'] });
        }),
    );
    const network = await tab.context.newCDPSession(page);
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: 2_000_000,
    });
    await page.click('button:has-text("Save page")');
    const values = await told;
    expect(values.some((value) => value > 0 && value < 6_000_000)).toBe(true);
    await page.waitForURL(`${wiki.url}/large`);
  });

  test('a click on the map gives the page its place', async () => {
    await tab.signIn('Ada');
    await tab.go('/new?title=Somewhere');
    await editor();
    await page.click('summary:has-text("place")');
    const surface = page.locator('#place-map .map-surface');
    await surface.scrollIntoViewIfNeeded();
    await surface.click({ position: { x: 300, y: 60 } });
    expect(Number(await page.inputValue('#lat'))).toBeGreaterThan(0);
    expect(await page.isChecked('input[name=place][value=given]')).toBe(true);
    await save();
    expect(await page.locator('.page-map .pin.is-here').count()).toBe(1);
    await tab.go('/map');
    await page.locator('.map-list', { hasText: 'Somewhere' }).waitFor();
    await page.locator('.pin a', { hasText: 'Somewhere' }).waitFor({ state: 'attached' });
  });

  test('a mistake is told beside its cause and costs nothing that was typed', async () => {
    await tab.signIn('Ada');
    await tab.go('/new?title=Roses&parent=/garden');
    await editor();
    await type('Again.');
    await page.setInputFiles('#file', [{ name: 'kept.png', mimeType: 'image/png', buffer: picture }]);
    await page.click('button:has-text("Save page")');
    await page.locator('.error-summary').waitFor();
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('error-summary');
    expect(await text()).toBe('Again.');
    expect(await page.textContent('.held-files')).toContain('kept.png');
    await page.fill('#title', 'More roses');
    await save();
    expect(tab.at()).toBe('/garden/more-roses');
    expect(await page.textContent('.files')).toContain('kept.png');
  });
});

describe('drafts', () => {
  test('are kept every two seconds and offered back with what differs, files included', async () => {
    await tab.signIn('Ada');
    page.on('dialog', (dialog) => void dialog.accept());
    await tab.go('/edit/garden/pruning');
    await editor();
    await type('A line that nobody saved. ');
    await page.setInputFiles('#file', [{ name: 'shears.png', mimeType: 'image/png', buffer: picture }]);
    await page.waitForTimeout(2500);
    await page.reload();
    await page.click('summary:has-text("Show what differs")');
    expect(await page.textContent('.draft-offer ins')).toContain('A line that nobody saved.');
    await page.click('button:has-text("Go on with it")');
    expect(await text()).toContain('A line that nobody saved.');
    expect(await page.textContent('.held-files')).toContain('shears.png');
    await save();
    await tab.go('/edit/garden/pruning');
    await editor();
    await page.waitForTimeout(400);
    expect(await page.locator('.draft-offer').count()).toBe(0);
  });

  test('leaving with unsaved work asks, and what was typed a moment before is kept', async () => {
    await tab.signIn('Ada');
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await tab.go('/edit/garden');
    await editor();
    await type('Typed in the last moment. ');
    await tab.go('/garden');
    expect(asked).toEqual(['beforeunload']);
    await tab.go('/edit/garden');
    await page.click('.draft-offer button:has-text("Go on with it")');
    expect(await text()).toContain('Typed in the last moment.');
    await page.reload();
    await page.click('.draft-offer button:has-text("Throw it away")');
    await page.reload();
    await editor();
    await page.waitForTimeout(400);
    expect(await page.locator('.draft-offer').count()).toBe(0);
    expect(await text()).not.toContain('last moment');
  });

  test('are listed in the account, with the way back to them', async () => {
    await tab.signIn('Bob');
    page.on('dialog', (dialog) => void dialog.accept());
    await tab.go('/edit/garden');
    await editor();
    await type('Half a thought. ');
    await tab.go('/account');
    expect(await page.textContent('#drafts')).toContain('Garden');
    await page.click('#drafts a');
    await page.click('.draft-offer button:has-text("Go on with it")');
    expect(await text()).toContain('Half a thought.');
    await tab.go('/account');
    await page.click('#drafts button');
    await page.locator('#drafts').waitFor({ state: 'hidden' });
  });

  test('a lost session asks to sign in on the spot and goes on with the text', async () => {
    await tab.signIn('Ada');
    await tab.go('/edit/garden/pruning');
    await editor();
    await type('Written while the session ended. ');
    await tab.context.clearCookies();
    await page.click('button:has-text("Save page")');
    await page.fill('#session-email', 'ada@example.org');
    await page.fill('#session-pass', passphrase);
    await page.click('button:has-text("Sign in and go on")');
    await editor();
    expect(await text()).toContain('Written while the session ended.');
    await save();
    expect(await page.textContent('.markup')).toContain('Written while the session ended.');
  });

  test('leaving an editor in which nothing was changed asks nothing', async () => {
    await tab.signIn('Ada');
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    for (const path of ['/edit/garden/pruning', '/new']) {
      await tab.go(path);
      await editor();
      await page.locator('.cm-content').click();
      await page.keyboard.type('x');
      await page.keyboard.press('Backspace');
      await tab.go('/garden');
    }
    expect(asked).toEqual([]);
  });

  test('thinking over what is unsaved keeps the session', async () => {
    await tab.signIn('Ada');
    await page.clock.install();
    await tab.go('/edit/garden/pruning');
    await editor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.clock.runFor('05:00');
    expect(asked).not.toContain('/search/titles');
    await type('A thought. ');
    await page.clock.runFor('05:00');
    await expect.poll(() => asked).toContain('/search/titles');
  });

  test('without an answer from the wiki nothing is lost', async () => {
    await tab.signIn('Ada');
    await tab.go('/edit/garden/pruning');
    await editor();
    await type('Offline. ');
    await tab.context.setOffline(true);
    await page.click('button:has-text("Save page")');
    await page.locator('.error-summary', { hasText: 'Nothing is lost' }).waitFor();
    await tab.context.setOffline(false);
    await save();
    expect(await page.textContent('.markup')).toContain('Offline.');
  });
});

describe('conflicts', () => {
  test('both changes stand beside what was before; each place is chosen, and nothing is lost', async () => {
    await make({ title: 'Two writers', body: 'The first line.\n\nThe second line.\n\nThe third line.' });
    const other = await openTab(browser, wiki);
    await tab.signIn('Ada');
    await other.signIn('Bob');
    await tab.go('/edit/two-writers');
    await other.go('/edit/two-writers');
    await editor();
    await other.page.locator('.cm-content').click();
    await other.page.keyboard.press('Control+Home');
    await other.page.keyboard.type('Bob: ');
    await other.page.click('button:has-text("Save page")');
    await other.page.waitForURL(`${wiki.url}/two-writers`);
    await type('Ada: ');
    await page.locator('.cm-content').press('Control+End');
    await page.keyboard.type(' Longer now.');
    await page.click('button:has-text("Save page")');
    await page.locator('.merge-place').waitFor();
    expect(await page.locator('.merge-pane pre').allTextContents()).toEqual([
      'Bob: The first line.',
      'The first line.',
      'Ada: The first line.',
    ]);
    expect(await page.textContent('.merge-rest')).toBe('1 place is left to choose.');
    await page.click('button:has-text("Save page")');
    await page
      .locator('.error-summary', { hasText: '1 place of the text still holds what both wrote' })
      .waitFor();
    await page.click('button:has-text("Take both")');
    expect(await text()).toBe(
      'Ada: The first line.\nBob: The first line.\n\nThe second line.\n\nThe third line. Longer now.',
    );
    await save();
    expect(await page.textContent('.markup')).toContain('Bob: The first line.');
    await other.context.close();
  });

  test('edits that do not touch are put together without a question', async () => {
    await make({ title: 'Side by side', body: 'Above.\n\nBetween.\n\nBelow.' });
    const other = await openTab(browser, wiki);
    await tab.signIn('Ada');
    await other.signIn('Bob');
    await tab.go('/edit/side-by-side');
    await editor();
    await other.go('/edit/side-by-side');
    await other.page.locator('.cm-content').press('Control+End');
    await other.page.keyboard.type(' By Bob.');
    await other.page.click('button:has-text("Save page")');
    await other.page.waitForURL(`${wiki.url}/side-by-side`);
    await type('By Ada. ');
    await save();
    expect(await page.textContent('#notice')).toContain('together with what somebody else changed');
    expect(await page.textContent('.markup')).toMatch(/By Ada\. Above\..*Below\. By Bob\./s);
    await other.context.close();
  });
});

test('an older version is found in the history and restored', async () => {
  await make({ title: 'Restored', body: 'As it was.' });
  await tab.signIn('Ada');
  await tab.go('/edit/restored');
  await editor();
  await page.locator('.cm-content').press('Control+A');
  await page.keyboard.type('Spoilt.');
  await page.fill('#msg', 'A mistake');
  await save();
  await page.click('a:text("History") >> visible=true');
  expect(await page.textContent('.changes')).toContain('A mistake');
  await page.click('button:has-text("Compare")');
  expect(await page.textContent('.diff')).toContain('Spoilt.');
  await page.goBack();
  await page.locator('tr', { hasNotText: 'A mistake' }).locator('button:has-text("Restore")').last().click();
  await page.waitForURL(`${wiki.url}/restored`);
  expect(await page.textContent('.markup')).toContain('As it was.');
});

describe('reading', () => {
  test('a link shows a card when a pointer rests on it or it has the focus; Escape closes it', async () => {
    await tab.go('/garden/roses');
    const link = page.locator('.markup a', { hasText: 'Pruning' });
    await link.hover();
    await page.waitForTimeout(120);
    expect(await page.isVisible('#link-card')).toBe(false);
    await page.locator('#link-card', { hasText: 'sharp shears' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.isVisible('#link-card')).toBe(false);
    await page.mouse.move(0, 0);
    await link.focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await page.locator('#link-card', { hasText: 'sharp shears' }).waitFor();
    expect(await link.getAttribute('aria-describedby')).toBe('link-card');
  });

  test('no card tells of what the reader may not read, and none opens by touch', async () => {
    await tab.go('/garden');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.locator('.markup a', { hasText: 'Hidden shed' }).hover();
    await page.waitForTimeout(600);
    expect(await page.isVisible('#link-card')).toBe(false);
    expect(asked.filter((url) => url.includes('shed'))).toEqual([]);
    const touch = await openTab(browser, wiki, {
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 800 },
    });
    await touch.go('/garden/roses');
    await touch.page.evaluate(() => document.addEventListener('click', (event) => event.preventDefault()));
    await touch.page.locator('.markup a', { hasText: 'Pruning' }).tap();
    await touch.page.waitForTimeout(600);
    expect(await touch.page.isVisible('#link-card')).toBe(false);
    await touch.context.close();
  });

  test('the search box is reached by / and completes titles by keyboard', async () => {
    await tab.go('/garden');
    await page.keyboard.press('/');
    await page.keyboard.type('pru');
    await page.locator('[role=option]', { hasText: 'Search for “pru”' }).waitFor();
    expect(await page.getAttribute('#site-search', 'aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowDown');
    const active = await page.getAttribute('#site-search', 'aria-activedescendant');
    expect(await page.textContent(`#${active}`)).toContain('/garden/pruning');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${wiki.url}/garden/pruning`);
  });

  test('the tree opens level by level and remembers it', async () => {
    await tab.go('/tree');
    await page.locator('.branch', { hasText: 'Garden' }).locator('summary').first().click();
    await page.locator('.branch a[href="/garden/roses"]').waitFor();
    await tab.go('/updates');
    await tab.go('/tree');
    await page.locator('.branch a[href="/garden/roses"]').waitFor();
    await page.locator('.branch > a', { hasText: 'Garden' }).focus();
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.textContent)).not.toBe('Garden');
    await page.keyboard.press('ArrowLeft');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Garden');
    await page.keyboard.press('ArrowLeft');
    expect(await page.locator('.branch > details').first().getAttribute('open')).toBe(null);
  });

  test('light and dark change without loading the page again, and are remembered', async () => {
    await tab.go('/garden');
    await page.evaluate(() => Object.assign(globalThis, { isSameDocument: true }));
    const remembered = page.waitForResponse((answer) => answer.url().endsWith('/theme'));
    await page.click('button[name=theme][value=dark]');
    await remembered;
    expect(
      await page.evaluate(() => [document.documentElement.dataset.theme, 'isSameDocument' in globalThis]),
    ).toEqual(['dark', true]);
    await tab.go('/garden');
    expect(await page.getAttribute('html', 'data-theme')).toBe('dark');
  });

  test('times are told in the language and zone of the reader', async () => {
    const german = await openTab(browser, wiki, { locale: 'de-DE', timezoneId: 'Europe/Berlin' });
    await german.go('/garden');
    const time = german.page.locator('.byline time');
    expect(await time.getAttribute('lang')).toBe('de-DE');
    expect(await time.getAttribute('title')).toMatch(/ um \d\d:\d\d$/);
    await german.context.close();
  });

  test('the section in sight is marked in the contents', async () => {
    const part = (name: string) => `== ${name} ==\n${'A line of it.\n\n'.repeat(40)}`;
    await make({ title: 'Long', body: `${part('One')}${part('Two')}${part('Three')}` });
    await tab.go('/long');
    await page.evaluate(() => document.getElementById('Two')?.scrollIntoView({ behavior: 'instant' }));
    await page
      .locator('.contents-list a[aria-current]', { hasText: 'Two' })
      .first()
      .waitFor({ state: 'attached' });
  });
});

describe('maps', () => {
  test('say the same as the list beside them, move by keys and show what is there', async () => {
    await make({ title: 'Far away', body: '[[Location:-40, 175]]' });
    await tab.go('/map');
    await page.locator('.pin a', { hasText: 'Far away' }).waitFor({ state: 'attached' });
    expect(await page.textContent('.map-list')).toContain('Far away');
    const surface = page.locator('.map-surface');
    await surface.focus();
    await page.keyboard.press('+');
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('Shift+ArrowLeft');
      await page.waitForTimeout(40);
    }
    await page.locator('.map-list [role=status]', { hasText: 'in this part of the map' }).waitFor();
    const listed = await page.locator('.map-list li').count();
    const pins = await page.locator('.pin').count();
    expect(pins).toBeLessThanOrEqual(listed + 3);
  });

  test('many places in one spot share a pin that lists them', async () => {
    for (const name of ['North gate', 'South gate', 'East gate'])
      await make({ title: name, body: '[[Location:10, 20]]' });
    await tab.go('/map?lat=10&lon=20');
    const pin = page.locator('.pin.is-many button', { hasText: '3' });
    await pin.waitFor();
    expect(await pin.getAttribute('aria-label')).toContain('North gate');
    await pin.click();
    await page.locator('[role=dialog] a', { hasText: 'East gate' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('[role=dialog]').count()).toBe(0);
  });

  test('are drawn from tiles where the wiki has them, and only those in sight are asked for', async () => {
    const tiled = await startWiki({ COPPICE_TILES: '/tiles/{z}/{x}/{y}.png' });
    const asked: string[] = [];
    await page.route('**/tiles/**', (route) => {
      asked.push(new URL(route.request().url()).pathname);
      return route.fulfill({ contentType: 'image/png', body: picture });
    });
    await page.goto(`${tiled.url}/map?lat=1&lon=2`);
    tab.errors.length = 0;
    await page.locator('.map-tiles img').first().waitFor();
    await page.waitForTimeout(500);
    expect(asked.every((path) => /^\/tiles\/\d+\/\d+\/\d+\.png$/.test(path))).toBe(true);
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.length).toBeLessThan(150);
    expect(tab.errors.filter((error) => !error.includes(tiled.url))).toEqual([]);
    tab.errors.length = 0;
    await tiled.close();
  });

  test('nobody sees the place of a page that they may not read', async () => {
    await make({ title: 'Secret place', body: '[[Location:33, 44]]', permissions: 700 });
    await tab.go('/map');
    await page.locator('.pin').first().waitFor({ state: 'attached' });
    expect(await page.content()).not.toContain('Secret place');
  });
});

async function make(input: PageInput): Promise<void> {
  const { store, files } = wiki.app.service;
  await createPage(store, files, actor, input, Date.now());
}

async function editor(): Promise<void> {
  await page.locator('.cm-content').waitFor();
}

/** At the beginning of the text. */
async function type(words: string): Promise<void> {
  const content = page.locator('.cm-content');
  if ((await page.evaluate(() => document.activeElement?.className ?? '')).includes('cm-content'))
    await page.keyboard.type(words);
  else {
    await content.click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type(words);
  }
}

function option(label: string) {
  return page.locator('.cm-tooltip-autocomplete li', { hasText: label }).first();
}

async function text(): Promise<string> {
  return page.evaluate(() => {
    const form = document.querySelector<HTMLFormElement>('#page-form');
    return form ? String(new FormData(form).get('body')).replace(/\r\n/g, '\n') : '';
  });
}

async function save(): Promise<void> {
  await page.click('button:has-text("Save page")');
  await page.waitForURL((url) => !/^\/(new$|edit\/)/.test(url.pathname));
}
