/** The visual editor with a real server: text, lists, links and tables, each saved as source of which nothing else is changed. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { make, plantGarden } from './garden.ts';
import { savedBody, visualTab } from './visual.ts';

plantGarden();

type VisualTab = Awaited<ReturnType<typeof visualTab>>;
let tab: VisualTab;
beforeEach(async () => {
  tab = await visualTab();
});
afterEach(async () => {
  expect(tab.errors).toEqual([]);
  await tab.close();
});

const press = (key: string) => tab.page.keyboard.press(key);
const tool = (name: string) => tab.page.getByRole('button', { name, exact: true });
const textBoxOf = (own: VisualTab) => own.page.getByRole('textbox', { name: 'Text', exact: true });
const textBox = () => tab.page.getByRole('textbox', { name: 'Text', exact: true });

describe('text', () => {
  test('a newcomer sees the page as it looks, and a typed word changes nothing else of the source', async () => {
    const odd =
      "==  Odd   heading==\nHere  grow '''roses'''\nand {{Notice|wet}}.\n\n\n* one\n*two\n<!-- kept -->\n";
    await make({ title: 'Odd', body: odd });
    await tab.go('/edit/odd');
    await textBox().waitFor();
    expect(await textBox().innerText()).not.toContain("'''");
    expect(await textBox().locator('b').first().innerText()).toBe('roses');
    await textBox().locator('li', { hasText: 'two' }).click();
    await press('End');
    await tab.write(' more');
    expect(await tab.text()).toBe(odd.replace('*two', '*two more'));
    await tab.save();
    expect(await savedBody('/odd')).toBe(odd.replace('*two', '*two more'));
  });

  test('a page that is opened and saved unchanged keeps every byte', async () => {
    const body = "{| class=wikitable\n! A !! B\n|-\n|1||2\n|}\n\n''x''   [[Roses|the rose]]\n";
    await make({ title: 'Kept', body });
    await tab.go('/edit/kept');
    expect(await tab.text()).toBe(body);
  });

  test('the toolbar shows the state at the caret, and Undo and Redo are buttons', async () => {
    await tab.go('/new?title=State');
    await tab.write('plain ');
    expect(await tool('Bold').getAttribute('aria-pressed')).toBe('false');
    await tool('Bold').click();
    expect(await tool('Bold').getAttribute('aria-pressed')).toBe('true');
    await tab.write('bold');
    await press('Control+b');
    await tab.write(' again');
    expect(await tab.text()).toContain("plain '''bold''' again");
    await press('Control+Home');
    expect(await tool('Bold').getAttribute('aria-pressed')).toBe('false');
    await tool('Undo').click();
    expect(await tab.text()).not.toContain('again');
    await tool('Redo').click();
    expect(await tab.text()).toContain("plain '''bold''' again");
  });

  test('signs that are typed become what they mean, and lists nest with Tab', async () => {
    await tab.go('/new?title=Signs');
    await tab.write('## Your first week');
    await press('Enter');
    await tab.write('Some **strong** words and `code`.');
    await press('Enter');
    await tab.write('1. one');
    await press('Enter');
    await tab.write('two');
    await press('Enter');
    await press('Tab');
    await tab.write('inner');
    await press('Enter');
    await press('Enter');
    await press('Enter');
    await tab.write('> A quotation');
    expect(await textBox().locator('h2').innerText()).toBe('Your first week');
    expect(await textBox().locator('ol > li ol > li').innerText()).toBe('inner');
    const body = await tab.text();
    expect(body).toContain('== Your first week ==');
    expect(body).toContain("'''strong'''");
    expect(body).toContain('# one\n# two\n## inner\n');
    expect(body).toContain('<blockquote>\nA quotation\n</blockquote>');
    await tab.save();
    expect(await tab.page.locator('.markup ol ol li').innerText()).toBe('inner');
  });

  test('a slash lists the things to insert, by name, for keys alone', async () => {
    await tab.go('/new?title=Slash');
    await tab.write('/head');
    await tab.page.locator('#caret-menu').getByText('Heading', { exact: true }).waitFor();
    await press('Enter');
    await tab.write('From the menu');
    expect(await tab.text()).toContain('== From the menu ==');
    await press('Enter');
    await tab.write('either/or');
    await press('Escape');
    expect(await tab.text()).toContain('either/or');
  });

  test('the source is one key away with the caret at the same place, and the choice is remembered', async () => {
    await make({ title: 'Two views', body: "First line.\n\nSecond '''bold''' line." });
    await tab.go('/edit/two-views');
    await textBox().getByText('line.').last().click();
    await press('End');
    await press('Control+Alt+s');
    await tab.page.locator('.cm-content').waitFor();
    await tab.page.keyboard.type('!');
    expect(await tab.page.locator('.cm-content').innerText()).toContain('line.!');
    await press('Control+z');
    await tab.go('/edit/two-views');
    await tab.page.locator('.cm-content').waitFor();
    await tool('Visual').click();
    await expect.poll(() => textBox().evaluate((one) => one === document.activeElement)).toBe(true);
    await tab.page.keyboard.type('?');
    expect(await tab.text()).toBe("?First line.\n\nSecond '''bold''' line.");
    tab.page.on('dialog', (dialog) => void dialog.accept().catch(() => {}));
    await tab.go('/edit/two-views');
    await textBox().waitFor();
  });

  test('in a long page that is drawn in parts, words stand where the caret was put', async () => {
    const part = `== Part ==\n${'Roses climb. '.repeat(60)}\n\n* one\n* two\n`;
    const body = `First.\n\n${part.repeat(60)}\nLast.\n`;
    await make({ title: 'Long', body });
    await tab.go('/edit/long');
    await textBox().getByText('First.').click();
    expect(await textBox().locator('> .is-still').count()).toBeGreaterThan(100);
    await press('Control+End');
    await tab.page.keyboard.type('At the end');
    await press('Control+Home');
    await tab.page.keyboard.type('At the start');
    await textBox().locator('li').first().click();
    await press('Home');
    await press('ArrowRight');
    await press('Enter');
    await tab.page.keyboard.type('tw');
    expect(await tab.text()).toBe(
      body
        .replace('First.', 'At the startFirst.')
        .replace('* one', '* o\n* twne')
        .replace('Last.', 'Last.At the end'),
    );
    expect(await textBox().locator('> p').last().getAttribute('class')).toBe('');
  });

  test('an input method composes words, in bold and from right to left as well', async () => {
    const body = "Some '''bold''' words.\n\nשלום עולם\n";
    await make({ title: 'Composed', body });
    await tab.go('/edit/composed');
    const protocol = await tab.context.newCDPSession(tab.page);
    const compose = async (steps: string[], words: string) => {
      for (const text of steps)
        await protocol.send('Input.imeSetComposition', {
          text,
          selectionStart: text.length,
          selectionEnd: text.length,
        });
      await protocol.send('Input.insertText', { text: words });
    };
    await textBox().locator('b').click();
    await press('End');
    await press('Home');
    for (let letter = 0; letter < 7; letter++) await press('ArrowRight');
    await compose(['n', 'に', 'にほ'], '日本');
    await textBox().getByText('שלום').click();
    await press('End');
    await compose(['ט'], ' טוב');
    expect(await tab.text()).toBe(body.replace('bold', 'bo日本ld').replace('עולם', 'עולם טוב'));
    await press('Control+z');
    await press('Control+z');
    expect(await tab.text()).toBe(body);
  });

  test('at twice the size and in forced colours, the tools are in sight and say what is on', async () => {
    const own = await visualTab({ width: 640 });
    await own.page.setViewportSize({ width: 640, height: 425 });
    await own.page.emulateMedia({ forcedColors: 'active' });
    await own.go('/new?title=Forced');
    await own.write('Seen');
    const isIn = (name: string) =>
      own.page.getByRole('button', { name, exact: true }).evaluate((one) => {
        const { top, bottom, left, right } = one.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth;
      });
    for (const name of ['Bold', 'Undo', 'Save page']) expect(await isIn(name), name).toBe(true);
    const bold = own.page.getByRole('button', { name: 'Bold', exact: true });
    const looks = () => bold.evaluate((one) => getComputedStyle(one).backgroundColor);
    const off = await looks();
    await bold.click();
    expect(await looks()).not.toBe(off);
    expect(await own.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(640);
    await own.close();
  });

  test('a draft is offered and can be continued', async () => {
    await make({ title: 'Drafted', body: 'Saved words.' });
    await tab.go('/edit/drafted');
    await tab.write(' And a **draft**');
    await tab.text();
    await tab.page.waitForTimeout(2500);
    tab.page.on('dialog', (dialog) => void dialog.accept().catch(() => {}));
    await tab.go('/edit/drafted');
    await tab.page.locator('.draft-offer').waitFor();
    await tab.page.click('.draft-offer >> text=Restore draft');
    await textBox().getByText('draft').waitFor();
    expect(await tab.text()).toBe("Saved words. And a '''draft'''");
  });

  test('somebody who saves meanwhile is named, and edits of one line merge by words', async () => {
    await make({ title: 'Shared line', body: 'One line of many words.\n* a list\n* of two' });
    await tab.go('/edit/shared-line');
    await textBox().getByText('of two').click();
    await tool('List').click();
    await textBox().getByText('One line').click();
    await tab.page.keyboard.press('End');
    await tab.page.keyboard.type(' Mine');
    await tab.text();
    const other = await visualTab({ name: 'Bob' });
    await other.go('/edit/shared-line');
    await textBoxOf(other).waitFor();
    await other.page.locator('.who-is-here', { hasText: 'Ada is editing this page as well.' }).waitFor();
    await textBoxOf(other).focus();
    await other.page.keyboard.press('Control+Home');
    await other.page.keyboard.type('So: ');
    await other.save();
    await tab.page.evaluate(() => window.dispatchEvent(new Event('focus')));
    const told = tab.page.locator('.meanwhile', {
      hasText: 'Bob saved this page just now. Your text has these',
    });
    await told.waitFor();
    const href = await told.getByRole('link', { name: 'What changed' }).getAttribute('href');
    expect(href).toMatch(/^\/diff\/shared-line\?from=\d+&to=\d+&view=shown$/);
    // The text is merged at once, and the caret stays behind the same words.
    const merged = 'So: One line of many words. Mine\n* a list\n\nof two';
    expect(await tab.text()).toBe(merged);
    await tab.page.keyboard.type('!');
    expect(await tab.text()).toBe(merged.replace('Mine', 'Mine!'));
    // Undo takes back what was written here, before and after, and nothing of the other's.
    // Slow typing takes more steps.
    const toTheEnd = async (name: string) => {
      while ((await tool(name).getAttribute('aria-disabled')) !== 'true') await tool(name).click();
    };
    await toTheEnd('Undo');
    expect(await tab.text()).toBe('So: One line of many words.\n* a list\n* of two');
    await toTheEnd('Redo');
    expect(await tab.text()).toBe(merged.replace('Mine', 'Mine!'));
    await tab.save();
    expect(await savedBody('/shared-line')).toBe(merged.replace('Mine', 'Mine!'));
    // An editor without changes of its own takes them over, and has nothing to save.
    await other.go('/edit/shared-line');
    await textBoxOf(other).getByText('Mine!').waitFor();
    await tab.go('/edit/shared-line');
    await tab.write('!!');
    await tab.save();
    await other.page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await textBoxOf(other).getByText('of two!!').waitFor();
    let asked = 0;
    other.page.on('dialog', (dialog) => {
      asked++;
      void dialog.accept();
    });
    await other.go('/shared-line');
    expect(asked).toBe(0);
    await other.close();
  });

  test('conflicts are resolved in the rendered text, by one choice for each place', async () => {
    const table = '{| class="wikitable"\n! Day\n! Who\n|-\n| Mon\n| Bo\n|}';
    const body = `One line of words.\n\n${table}\n\nThe end.\n`;
    await make({ title: 'Contested', body });
    const edit = async (own: VisualTab, words: string) => {
      await own.page.locator('#visual-text').getByText('Bo', { exact: true }).click();
      await own.page.keyboard.press('End');
      await own.page.keyboard.type(words);
      await own.page.locator('#visual-text').getByText('One line').click();
      await own.page.keyboard.press('Home');
      await own.page.keyboard.type(`${words.trim()}: `);
    };
    await tab.go('/edit/contested');
    await edit(tab, ' Mine');
    await tab.text();
    const other = await visualTab();
    await other.go('/edit/contested');
    await edit(other, ' Theirs');
    await other.text();
    await other.save();
    await other.close();
    await tab.page.click('button:has-text("Save page")');
    const places = tab.page.locator('.conflict-choice');
    await places.nth(1).waitFor();
    expect(await tab.page.locator('.conflict').innerText()).toMatch(/you in another window/);
    expect(await places.first().innerText()).toMatch(
      /You wrote\s+Mine: One line[\s\S]*Your other window wrote [\s\S]*Theirs: One line/,
    );
    // A cell is shown within its whole table, and no signs of the source are seen.
    expect(await places.nth(1).locator('.markup table').allInnerTexts()).toEqual([
      expect.stringMatching(/Day\s+Who\s+Mon\s+Bo Mine/),
      expect.stringMatching(/Day\s+Who\s+Mon\s+Bo Theirs/),
    ]);
    const differing = places.nth(1).locator('ins');
    expect(await differing.allInnerTexts()).toEqual(['Mine', 'Theirs']);
    const background = await differing.first().evaluate((one) => getComputedStyle(one).backgroundColor);
    expect(background).not.toBe('rgba(0, 0, 0, 0)');
    expect(await tab.page.locator('#main').innerText()).not.toMatch(/<<<|>>>|\{\|/);
    expect(await textBox().isVisible()).toBe(false);
    await places.first().getByLabel('Keep theirs').check();
    await tool('Go on with these').click();
    // The other place has no choice yet.
    expect(await places.count()).toBe(2);
    await places.nth(1).getByLabel('Keep yours').check();
    await tool('Go on with these').click();
    await textBox().getByText('Theirs: One line').waitFor();
    expect(await tab.page.locator('.conflict').innerText()).toContain('No conflicts are left');
    await tab.write(' Checked.');
    await tab.save();
    expect(await savedBody('/contested')).toBe(
      `Theirs: One line of words.\n\n${table.replace('Bo', 'Bo Mine')}\n\nThe end. Checked.\n`,
    );
  });
});
