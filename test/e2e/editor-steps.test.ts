/** Presses that common tasks take in the visual editor, counted and printed, in both languages of pages; and the editor in German. */
import { afterAll, describe, expect, test } from 'vitest';
import { browser, make, picture, plantGarden, wiki } from './garden.ts';
import { openTab } from './support.ts';
import { visualTab } from './visual.ts';

plantGarden();

/** Presses that Notion or VisualEditor need, which are the most that are allowed here. Typed words count as no press. */
const most = { 'table of three columns': 2, 'picture with a caption': 3, 'link with other words': 2 };
const counted: [string, keyof typeof most, number][] = [];

afterAll(() => {
  const lines = counted.map(([format, task, presses]) => `${format}: ${task}: ${presses} of ${most[task]}`);
  console.log(`Presses in the visual editor\n${lines.join('\n')}`);
});

describe.each(['wikitext', 'markdown'] as const)('%s', (format) => {
  test('tables, pictures and links take no more presses than in other editors', async () => {
    const tab = await visualTab();
    const { page } = tab;
    let presses = 0;
    const click = async (name: string) => {
      presses++;
      await page.getByRole('button', { name, exact: true }).click();
    };
    const key = async (name: string) => {
      presses++;
      await page.keyboard.press(name);
    };
    const count = (task: keyof typeof most) => {
      counted.push([format, task, presses]);
      expect(presses).toBeLessThanOrEqual(most[task]);
      presses = 0;
    };
    await make({ title: `Steps in ${format}`, body: 'Start.', format });
    await tab.go(`/edit/steps-in-${format}`);

    await tab.write(' Read the rules');
    await page.keyboard.press('Control+Shift+ArrowLeft');
    await key('Control+k');
    await page.keyboard.type('Safety rules');
    await key('Enter');
    count('link with other words');

    await page.keyboard.press('End');
    const chooser = page.waitForEvent('filechooser');
    await click('Picture');
    presses++;
    await (await chooser).setFiles([{ name: `${format}.png`, mimeType: 'image/png', buffer: picture }]);
    await page.locator('#visual-text img[src^="blob:"]').waitFor();
    await page.keyboard.type('The yard in May');
    count('picture with a caption');

    await page.keyboard.press('Control+End');
    await click('Table');
    // Tab goes from cell to cell, as a space between words.
    for (const words of ['Day', 'Where', 'Who', 'Mon', 'Yard', 'Bo']) {
      await page.keyboard.type(words);
      if (words !== 'Bo') await page.keyboard.press('Tab');
    }
    count('table of three columns');

    const body = await tab.text();
    expect(body).toContain('[[Safety rules|rules]]');
    expect(body).toContain('The yard in May');
    await tab.save();
    expect(await page.locator('.markup tr').nth(1).locator('td').allInnerTexts()).toEqual([
      'Mon',
      'Yard',
      'Bo',
    ]);
    expect(tab.errors).toEqual([]);
    await tab.close();
  });
});

test('in German the editor has every tool, finds templates, and says how to begin', async () => {
  const tab = await openTab(browser, wiki, { editorView: 'visual', locale: 'de-DE' });
  await tab.signIn('Ada');
  const { page } = tab;
  await tab.go('/new?title=Deutsch');
  const text = page.getByRole('textbox', { name: 'Text', exact: true });
  await text.locator('[data-hint^="Hier schreiben"]').waitFor();
  await text.click();
  await page.getByLabel('Stil des Absatzes').selectOption('Überschrift 1');
  await page.keyboard.type('Regeln');
  expect(await text.locator('h2').innerText()).toBe('Regeln');
  expect(await text.locator('[data-hint]').count()).toBe(0);
  const bold = page.getByRole('button', { name: 'Fett', exact: true });
  expect(await bold.evaluate((one) => getComputedStyle(one).fontWeight)).toBe('700');
  await page.keyboard.press('Enter');
  const choose = async () => {
    await page.getByRole('button', { name: 'Mehr', exact: true }).click();
    await page.locator('.more-menu').getByText('Vorlage', { exact: true }).click();
    await page.locator('.visual-card').getByLabel('Name').fill('Not');
    await page.getByRole('option', { name: /Notice/ }).click();
    await page.locator('.visual-card').getByLabel('Teil 1').waitFor();
  };
  await choose();
  // A template that is cancelled before it is filled in goes again.
  await page.keyboard.press('Escape');
  await expect.poll(() => text.locator('.visual-atom').count()).toBe(0);
  await choose();
  await page.locator('.visual-card').getByLabel('Teil 1').fill('nass');
  await page.getByRole('button', { name: 'Fertig', exact: true }).click();
  await text.locator('.visual-atom', { hasText: 'nass' }).waitFor();
  expect(tab.errors).toEqual([]);
  await tab.close();
});
