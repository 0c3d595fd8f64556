/** Journeys with JavaScript, in a real browser: writing in the editor, from a wanted link to a saved page. */
import { describe, expect, test } from 'vitest';
import {
  browser,
  editor,
  option,
  page,
  picture,
  plantGarden,
  save,
  tab,
  text,
  type,
  wiki,
} from './garden.ts';
import { openTab } from './support.ts';

plantGarden();

describe('writing', () => {
  test('a wanted link leads to the editor, which creates the page', async () => {
    await tab.signIn('Ada');
    await tab.go('/garden');
    await page.click('a.new');
    await editor();
    expect(await page.inputValue('#title')).toBe('Compost');
    await type('Heaps of [[Ro');
    await option('Roses').waitFor();
    // Descenders (g, p) are not cut off in any font.
    for (const part of ['.cm-completionLabel', '.cm-completionDetail']) {
      const name = page.locator(`.cm-tooltip-autocomplete ${part}`).first();
      // The list is drawn anew while options come in, and an element that was replaced has no style.
      await expect.poll(() => name.evaluate((name) => getComputedStyle(name).overflowY)).toBe('visible');
    }
    await option('Roses').click();
    await page.locator('#preview a[href="/garden/roses"]').first().waitFor();
    await page.fill('#msg', 'First lines');
    await save();
    expect(tab.at()).toBe('/compost');
    expect(await page.textContent('#notice')).toBe('Page created.');
    await tab.go('/garden');
    expect(await page.getAttribute('.markup a:text("Compost")', 'href')).toBe('/compost');
  });

  test('the preview follows the input', async () => {
    await tab.signIn('Ada');
    await tab.go('/edit/garden/pruning');
    await editor();
    await page.waitForFunction(() => document.querySelector('#preview')?.textContent?.includes('winter'));
    for (const word of ['quickly', 'promptly', 'swiftly']) {
      await type(`${word} `);
      await page.waitForFunction(
        (word) => document.querySelector('#preview')?.textContent?.includes(word),
        word,
      );
    }
    // A preview that failed is asked for again, without another key.
    const preview = page.locator('#preview');
    await tab.context.setOffline(true);
    await type('offline ');
    await page.locator('.preview-state:has-text("offline")').waitFor();
    await tab.context.setOffline(false);
    await preview.getByText('offline').waitFor();
    let refused = 0;
    await page.route('**/v1/preview', (route) =>
      refused++ ? route.continue() : route.fulfill({ status: 503, json: { detail: 'Full.' } }),
    );
    await type('again ');
    await page.locator('.preview-state:has-text("Full.")').waitFor();
    await preview.getByText('again').waitFor();
    await page.unroute('**/v1/preview');
  });

  test('templates, tags and pages are completed; missing pages come last', async () => {
    await tab.signIn('Ada');
    await tab.go('/new');
    await editor();
    await type('{{No');
    await option('Notice').click();
    // The template's parameter becomes a field once the server has sent it. Tab leaves the field.
    await expect.poll(text).toContain('{{Notice|');
    await type('wet paint');
    await page.keyboard.press('Tab');
    await type(' {{Roses');
    await option('/garden/roses').click();
    await type(' [[Season:');
    await option('summer').click();
    await type(' [[Prun');
    await option('Pruning').waitFor();
    expect(await page.locator('.cm-tooltip-autocomplete li').last().textContent()).toContain('create new');
    await option('Pruning').click();
    expect(await text()).toBe('{{Notice|wet paint}} {{Roses}} [[Season:summer]] [[Pruning]]');
  });

  test('a long text entered as one keystroke is inserted whole and undone as one step', async () => {
    await tab.signIn('Ada');
    await tab.go('/new?title=Dictated');
    await editor();
    await type('First. ');
    const long = Array.from({ length: 12_000 }, (_, i) => `Line ${i} of what was dictated`).join('\n');
    await page.keyboard.insertText(long);
    expect((await text()) === `First. ${long}`).toBe(true);
    await page.keyboard.press('Control+z');
    expect(await text()).toBe('First. ');
    await page.keyboard.insertText('short');
    expect(await text()).toBe('First. short');
  });

  test('unreadable pages are never suggested', async () => {
    await tab.signIn('Bob');
    await tab.go('/new');
    await editor();
    await type('[[Hidden');
    await page.locator('.cm-tooltip-autocomplete li').first().waitFor();
    expect(await page.locator('.cm-tooltip-autocomplete li').allTextContents()).toEqual([
      expect.stringContaining('create new'),
    ]);
  });

  test('a link to the permissions in the form of a page opens only that part', async () => {
    await tab.signIn('Ada');
    await tab.go('/edit/garden/pruning#permissions');
    await editor();
    expect(await page.isVisible('#permissions-choice')).toBe(true);
    expect(await page.isVisible('#description')).toBe(false);
  });

  test('the address is shown and checked while title and parent are typed', async () => {
    await tab.signIn('Ada');
    await tab.go('/new');
    await editor();
    await page.fill('#title', 'Old tools');
    await page.waitForFunction(
      () => document.querySelector('#path-check')?.textContent === 'Its address will be /old-tools.',
    );
    expect(await page.textContent('summary:has-text("Location in the tree")')).toContain('/old-tools');
    await page.click('summary:has-text("Location in the tree")');
    await page.fill('#parent', 'gard');
    await page.locator('[role=option]', { hasText: '/garden' }).first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await page.inputValue('#parent')).toBe('/garden');
    await page.waitForFunction(
      () => document.querySelector('#path-check')?.textContent === 'Its address will be /garden/old-tools.',
    );
    await page.fill('#path', '/garden/roses');
    await page.waitForFunction(() =>
      document.querySelector('#path-check')?.textContent?.includes('already exists'),
    );
    await page.click('#path-check button');
    await page.waitForFunction(
      () => document.querySelector('#path-check')?.textContent === '/garden/roses-2 is free.',
    );
    // The responsible member is completed by name.
    await page.click('summary:has-text("Description, type, place")');
    await page.fill('#responsible', 'ad');
    await page.locator('[role=option]', { hasText: 'Ada' }).first().click();
    expect(await page.inputValue('#responsible')).toBe('Ada');
  });

  test('a file is shown with its picture, inserted into the text, uploaded with the page and shown there', async () => {
    await tab.signIn('Ada');
    await tab.go('/new?title=Heap');
    await editor();
    await page.setInputFiles('#file', [{ name: 'heap.png', mimeType: 'image/png', buffer: picture }]);
    await page.click('button:has-text("Insert into text")');
    expect(await text()).toContain('[[File:heap.png|thumb]]');
    await page.locator('#preview img[src^="blob:"]').first().waitFor();
    await type('\n<gallery>\nheap.png|A heap\n</gallery>\n');
    await page.locator('#preview .gallerybox img[src^="blob:"]').first().waitFor();
    expect(await page.textContent('#save-means')).toContain('Adds 1 file.');
    await save();
    expect(tab.at()).toBe('/heap');
    expect(await page.getAttribute('.markup img', 'src')).toMatch(/^\/files\//);
    expect(await page.textContent('.files')).toContain('heap.png');
  });

  test('a picture chosen by the toolbar is inserted at the cursor, also on a phone, and can be removed', async () => {
    const phone = await openTab(browser, wiki, {
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 844 },
    });
    await phone.signIn('Ada');
    await phone.go('/new?title=Phone');
    await phone.page.locator('.cm-content').click();
    await phone.page.keyboard.type('Before');
    const [chooser] = await Promise.all([
      phone.page.waitForEvent('filechooser'),
      phone.page.getByRole('button', { name: 'Picture', exact: true }).tap(),
    ]);
    await chooser.setFiles([{ name: 'heap.png', mimeType: 'image/png', buffer: picture }]);
    const shown = () => phone.page.locator('.cm-content').innerText();
    await expect.poll(shown).toContain('[[File:heap.png|thumb]]');
    expect(await phone.page.textContent('.pending-files')).toContain('heap.png');
    await phone.page.getByRole('button', { name: 'Undo' }).tap();
    await expect.poll(shown).not.toContain('heap.png');
    await phone.page.getByRole('button', { name: 'Redo' }).tap();
    await expect.poll(shown).toMatch(/Before\n+\[\[File:heap\.png\|thumb\]\]/);
    await phone.page.click('button:has-text("Save page")');
    await phone.page.waitForURL(`${wiki.url}/phone`);
    expect(await phone.page.getAttribute('.markup img', 'src')).toMatch(/^\/files\//);
    await phone.close();
  });

  test('a new page begins with its title, which has a visible label', async () => {
    await tab.signIn('Ada');
    await tab.go('/new');
    await editor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('title');
    const label = await page.locator('label[for=title]').boundingBox();
    expect(label?.height).toBeGreaterThan(8);
    await tab.go('/new?title=Given');
    await editor();
    expect(await page.evaluate(() => document.activeElement?.id)).not.toBe('title');
  });

  test('a file is listed and inserted under the name that it will have', async () => {
    await tab.signIn('Ada');
    await tab.go('/new?title=Named');
    await editor();
    await page.setInputFiles('#file', [{ name: 'heap [1].png', mimeType: 'image/png', buffer: picture }]);
    await page.click('button:has-text("Insert into text")');
    await page.locator('#preview img[src^="blob:"]').first().waitFor();
    await save();
    expect(await page.getAttribute('.markup img', 'src')).toMatch(/^\/files\//);
  });

  test('a file dropped on the text is inserted there, and a file dropped beside it is only listed', async () => {
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
    expect(await page.locator('.pending-files li').allTextContents()).toEqual([
      expect.stringContaining('on-text.gif'),
      expect.stringContaining('beside.gif'),
    ]);
    page.on('dialog', (dialog) => void dialog.accept());
  });

  test('progress is shown while files are sent', async () => {
    await tab.signIn('Ada');
    await tab.go('/new?title=Large');
    await editor();
    await page.setInputFiles('#file', [
      { name: 'large.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(2_000_000, 7) },
    ]);
    const told = page.evaluate(
      () =>
        new Promise<number[]>((resolve) => {
          const values: number[] = [];
          const bar = document.querySelector<HTMLProgressElement>('.pending-files progress');
          // An observer sees every step, however busy the machine is.
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
    expect(values.some((value) => value > 0 && value < 2_000_000)).toBe(true);
    await page.waitForURL(`${wiki.url}/large`);
    await network.detach();
  });

  test('a click on the map sets the location of the page', async () => {
    await tab.signIn('Ada');
    await tab.go('/new?title=Somewhere');
    await editor();
    await page.click('summary:has-text("place")');
    const surface = page.locator('#place-map .map-surface');
    await surface.scrollIntoViewIfNeeded();
    await surface.click({ position: { x: 120, y: 60 } });
    expect(Number(await page.inputValue('#lat'))).toBeGreaterThan(0);
    expect(await page.isChecked('input[name=place][value=given]')).toBe(true);
    await save();
    expect(await page.locator('.page-map .pin.is-here').count()).toBe(1);
    await tab.go('/map');
    await page.locator('.map-list', { hasText: 'Somewhere' }).waitFor();
    await page.locator('.pin a', { hasText: 'Somewhere' }).waitFor({ state: 'attached' });
  });

  test('an error is shown beside its cause, and no input is lost', async () => {
    await tab.signIn('Ada');
    await tab.go('/new?title=Roses&parent=/garden');
    await editor();
    await type('Again.');
    await page.setInputFiles('#file', [{ name: 'kept.png', mimeType: 'image/png', buffer: picture }]);
    await page.click('button:has-text("Save page")');
    await page.locator('.error-summary').waitFor();
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('error-summary');
    expect(await text()).toBe('Again.');
    expect(await page.textContent('.pending-files')).toContain('kept.png');
    await tab.settled();
    const told = () => page.locator('.field:has(#path) .mistake').allTextContents();
    expect(await told()).toEqual([expect.stringContaining('already exists')]);
    await page.fill('#title', 'More roses');
    await page.waitForFunction(
      () => document.querySelector('#path-check')?.textContent === 'Its address will be /garden/more-roses.',
    );
    expect(await told()).toEqual([]);
    await save();
    expect(tab.at()).toBe('/garden/more-roses');
    expect(await page.textContent('.files')).toContain('kept.png');
  });
});
