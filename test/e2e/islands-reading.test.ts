/** The journeys of people with JavaScript, in a real browser: cards, search, the tree, maps. */
import { describe, expect, test } from 'vitest';
import { browser, make, page, picture, tab, wiki } from './garden.ts';
import { openTab, startWiki } from './support.ts';

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

  test('a diagram is drawn, with its text at hand; one that is wrong stays text', async () => {
    const fence = (text: string) => `\`\`\`mermaid\n${text}\n\`\`\``;
    const body = `${fence('graph LR\n  Acorn --> Oak[An oak <b>tree</b>]')}\n\n${fence('graph ??? -->')}`;
    await make({ title: 'Growth', format: 'markdown', body });
    await tab.go('/growth');
    const drawn = page.locator('.diagram img');
    await drawn.waitFor();
    expect(await drawn.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
    await page.click('.diagram summary');
    expect(await page.textContent('.diagram details pre')).toContain('Acorn --> Oak');
    expect(await page.textContent('.markup > pre')).toContain('graph ???');
    expect(await page.locator('.diagram').count()).toBe(1);
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
