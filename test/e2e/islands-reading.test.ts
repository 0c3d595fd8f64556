/** Journeys with JavaScript, in a real browser: cards, search, the tree, maps. */
import { describe, expect, test } from 'vitest';
import { browser, make, page, picture, plantGarden, tab, wiki } from './garden.ts';
import { openTab, startWiki } from './support.ts';

plantGarden();

describe('reading', () => {
  test('a link shows a card when a pointer rests on it or it has the focus; Escape closes it', async () => {
    await tab.go('/garden/roses');
    const link = page.locator('.markup a', { hasText: 'Pruning' });
    await link.hover();
    await page.locator('#link-card', { hasText: 'sharp shears' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.isVisible('#link-card')).toBe(false);
    await page.mouse.move(0, 0);
    // Selected words close it, as it would cover what is offered for them.
    await link.hover();
    await page.locator('#link-card', { hasText: 'sharp shears' }).waitFor();
    await link.evaluate((words) => getSelection()?.selectAllChildren(words));
    await page.locator('#link-card').waitFor({ state: 'hidden' });
    await page.evaluate(() => getSelection()?.removeAllRanges());
    await page.mouse.move(0, 0);
    await link.focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await page.locator('#link-card', { hasText: 'sharp shears' }).waitFor();
    expect(await link.getAttribute('aria-describedby')).toBe('link-card');
  });

  test('names are completed in comments by keys and by pointer', async () => {
    await tab.signIn('Ada');
    await tab.go('/comments/garden/roses');
    const field = page.locator('#new-comment');
    await field.pressSequentially('Ask @bo');
    await page.getByRole('option', { name: 'Bob' }).waitFor();
    await field.press('Enter');
    expect(await field.inputValue()).toBe('Ask @Bob ');
    await field.pressSequentially('or @A');
    await page.getByRole('option', { name: 'Ada' }).click();
    await field.press('Enter');
    expect(await field.inputValue()).toBe('Ask @Bob or @Ada \n');
    await field.pressSequentially('mail@bo');
    await page.waitForTimeout(200);
    expect(await page.locator('.suggestions:visible').count()).toBe(0);
  });

  test('columns of sortable tables are sorted by buttons, and a third press brings the order back', async () => {
    const row = (name: string, height: string, seen: string) => `|-\n| ${name} || ${height} || ${seen}\n`;
    const rows =
      row('Ash', '200', '1') + row('Oak', '1,020', '2') + row('Elm', 'data-sort-value="9"|tiny', '3');
    await make({
      title: 'Heights',
      body: `{| class="wikitable sortable"\n! Tree !! Height !! class="unsortable" | Seen\n${rows}|- class="sortbottom"\n| All || 3 ||\n|}`,
    });
    await tab.go('/heights');
    const names = () => page.locator('.markup tr > td:first-child').allTextContents();
    const heights = page.getByRole('button', { name: 'Sort by Height' });
    for (const order of ['Elm Ash Oak All', 'Oak Ash Elm All', 'Ash Oak Elm All']) {
      await heights.press('Enter');
      await expect.poll(async () => (await names()).map((name) => name.trim()).join(' ')).toBe(order);
    }
    expect(await page.locator('.markup th > button').count()).toBe(2);
    await page.getByRole('button', { name: 'Sort by Tree' }).click();
    expect(await page.locator('th[aria-sort]').allTextContents()).toEqual(['Tree ']);
    expect((await names())[0]?.trim()).toBe('Ash');
  });

  test('no card shows anything that the reader may not read, and none opens by touch', async () => {
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
    await touch.close();
  });

  test('on a phone the first screen shows the first sentence of a page with a place and a box', async () => {
    await make({
      title: 'Boxed',
      type: 'Town',
      location: { lat: 52, lon: 13 },
      body: '[[File:missing.png|thumb|A picture]]\n{| class="infobox"\n|+ Boxed\n|-\n| colspan="2" | <div style="height: 240px">A view</div>\n|-\n! people\n| 12\n|}\nThe first sentence.\n\n== More ==\nFurther down.\n\n[[Season:summer]]',
    });
    const phone = await openTab(browser, wiki, {
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 844 },
    });
    await phone.go('/boxed');
    const top = async (selector: string) =>
      (await phone.page.locator(selector).first().boundingBox())?.y ?? 0;
    expect(await top('.markup p:has-text("The first sentence.")')).toBeLessThan(500);
    expect(await top('.markup .infobox')).toBeGreaterThan(
      await top('.markup p:has-text("The first sentence.")'),
    );
    expect(await top('.markup h2')).toBeGreaterThan(await top('.markup .infobox'));
    // The facts are closed, and open with their map.
    expect(await phone.page.isVisible('.page-map')).toBe(false);
    await phone.page.locator('.about summary').tap();
    await phone.page.locator('.page-map').waitFor();
    expect(await phone.page.locator('.page-map .pin.is-here').count()).toBe(1);
    // Ways back and boxes can be touched, and no field makes Safari zoom in.
    await phone.go('/history/boxed');
    const heights = await phone.page
      .locator('.above a, main :is([type=radio], [type=checkbox])')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(24);
    const letters = await phone.page
      .locator('input, select, textarea')
      .evaluateAll((all) => all.map((one) => Number.parseFloat(getComputedStyle(one).fontSize)));
    expect(Math.min(...letters)).toBeGreaterThanOrEqual(16);
    await phone.close();
    await tab.go('/boxed');
    expect(await page.isVisible('.about summary')).toBe(false);
    expect(await page.isVisible('.page-map')).toBe(true);
  });

  test('the search page has one search box, which / reaches', async () => {
    await tab.go('/search?text=rose');
    expect(await page.locator('main input[name=text], header input').count()).toBe(1);
    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('search-text');
  });

  test('the API reference leads back to the wiki, and its links are large enough to touch', async () => {
    await tab.go('/v1/docs');
    const heights = await page
      .locator('nav a, header > p:first-child a, dd a, td a')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(24);
    await page.click('header a[href="/"]');
    expect(tab.at()).toBe('/');
  });

  test('the search box is reached by / and completes titles by keyboard', async () => {
    await tab.go('/garden');
    await page.keyboard.press('/');
    await page.keyboard.type('pru');
    await page.locator('[role=option]', { hasText: 'Search for “pru”' }).waitFor();
    expect(await page.getAttribute('#site-search', 'aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowDown');
    // Descenders (g, p) are not cut off in any font.
    for (const part of await page.locator('[role=option] > *').all())
      expect(await part.evaluate((part) => getComputedStyle(part).overflowY)).toBe('visible');
    const active = await page.getAttribute('#site-search', 'aria-activedescendant');
    expect(await page.textContent(`#${active}`)).toContain('/garden/pruning');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${wiki.url}/garden/pruning`);
  });

  test('the tree opens level by level and keeps its state', async () => {
    await tab.go('/tree');
    await page.locator('.branch', { hasText: 'Garden' }).locator('summary').first().click();
    await page.locator('.branch a[href="/garden/roses"]').waitFor();
    await tab.go('/updates');
    await tab.go('/tree');
    await page.locator('.branch a[href="/garden/roses"]').waitFor();
    await page.locator('.branch > a', { hasText: 'Garden' }).focus();
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.textContent)).not.toBe('Garden 2');
    await page.keyboard.press('ArrowLeft');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Garden 2');
    await page.keyboard.press('ArrowLeft');
    expect(await page.locator('.branch > details').first().getAttribute('open')).toBe(null);
  });

  test('light and dark change without reloading the page, and are remembered', async () => {
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

  test('times are shown in the language and time zone of the reader', async () => {
    const german = await openTab(browser, wiki, { locale: 'de-DE', timezoneId: 'Europe/Berlin' });
    await german.go('/garden');
    const time = german.page.locator('.byline time');
    expect(await german.page.getAttribute('html', 'lang')).toBe('de');
    await expect.poll(() => time.textContent()).toMatch(/^(?:jetzt|gerade eben|vor )/);
    expect(await time.getAttribute('title')).toMatch(/ um \d\d:\d\d$/);
    await german.close();
  });

  test('a diagram is drawn with its text available; an invalid one stays text', async () => {
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

  test('the contents mark the visible section', async () => {
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
  test('show the same as the list beside them, move with keys and describe the visible part', async () => {
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

  test('many places in one spot share a pin, which lists them', async () => {
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

  test('group nearby places at their position, with larger groups larger, and no pin covers another', async () => {
    const at = (step: number) => ({
      lat: (-20 - step * 0.3).toFixed(2),
      lon: (30 + step * 1.9).toFixed(2),
    });
    for (let step = 0; step < 14; step++) {
      const { lat, lon } = at(step < 8 ? step / 8 : step);
      await make({ title: `Row ${step}`, body: `[[Location:${lat}, ${lon}]] [[Type:Marker]]` });
    }
    await tab.go('/map?lat=-22&lon=43');
    await expect.poll(() => page.locator('.pin').count()).toBeGreaterThan(3);
    await page.waitForTimeout(600);
    const pins = await page.locator('.pin').evaluateAll((pins) =>
      pins.map((pin) => {
        const { e: x, f: y } = new DOMMatrix(getComputedStyle(pin).transform);
        const button = pin.querySelector('button');
        return { x, y, places: Number(button?.textContent ?? 1), size: button?.offsetWidth ?? 12 };
      }),
    );
    expect(pins.reduce((sum, { places }) => sum + places, 0)).toBe(14);
    for (const [index, one] of pins.entries())
      for (const other of pins.slice(index + 1))
        expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan((one.size + other.size) / 2);
    // Pins lie on a line, as their places do: a grid would draw steps.
    const [first, last] = [pins[0], pins.at(-1)];
    for (const { x, y } of pins) {
      const [dx, dy] = [(last?.x ?? 0) - (first?.x ?? 0), (last?.y ?? 0) - (first?.y ?? 0)];
      const off = Math.abs(dx * ((first?.y ?? 0) - y) - ((first?.x ?? 0) - x) * dy) / Math.hypot(dx, dy);
      expect(off).toBeLessThan(4);
    }
    const [fewer, more] = pins
      .toSorted((a, b) => a.places - b.places)
      .filter((_, i, all) => i % (all.length - 1) === 0);
    expect(more?.size).toBeGreaterThan(fewer?.size ?? 99);
  });

  test('name places by title and type, with visible shores and pins in light and dark', async () => {
    await make({ title: 'Lone rock', body: '[[Location:-50, -30]] [[Type:Skerry]]' });
    await tab.go('/map?lat=-50&lon=-30');
    const label = page.locator('.pin.is-named .pin-name', { hasText: 'Lone rock' });
    await label.waitFor();
    expect(await label.textContent()).toBe('Lone rock Skerry');
    const row = page.locator('.map-list li', { hasText: 'Lone rock' });
    expect(await row.textContent()).toMatch(/^Lone rock Skerry · /);
    await tab.go('/map');
    expect(await row.textContent()).toBe('Lone rock Skerry');
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      const ratios = await page.locator('.map canvas').evaluate((canvas) => {
        const style = getComputedStyle(canvas);
        const light = (name: string) => {
          // The browser resolves `light-dark()` for a colour of text.
          canvas.style.color = `var(${name})`;
          const [r = 0, g = 0, b = 0] = (style.color.match(/\d+/g) ?? []).map((channel) => {
            const part = Number(channel) / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const ratio = (a: string, b: string) => {
          const [dark = 0, bright = 0] = [light(a), light(b)].sort((x, y) => x - y);
          return (bright + 0.05) / (dark + 0.05);
        };
        return [
          ratio('--map-shore', '--map-land'),
          ratio('--map-shore', '--map-water'),
          ratio('--map-land', '--map-water'),
        ];
      });
      // WCAG 1.4.11 for the lines; the areas they separate need less contrast.
      expect(Math.min(...ratios.slice(0, 2)), theme).toBeGreaterThanOrEqual(3);
      expect(ratios[2], theme).toBeGreaterThan(1.2);
    }
  });

  test('use tiles where the wiki has them, and request only visible ones', async () => {
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

  test('places of unreadable pages are not shown', async () => {
    await make({ title: 'Secret place', body: '[[Location:33, 44]]', permissions: 700 });
    await tab.go('/map');
    await page.locator('.pin').first().waitFor({ state: 'attached' });
    expect(await page.content()).not.toContain('Secret place');
  });
});
