/** Links, tables, pictures and templates in the visual editor, with the presses that each takes; on a phone and by keys as well. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { make, picture, plantGarden } from '../e2e/garden.ts';
import { savedBody, visualTab } from '../e2e/visual.ts';
import { effort } from '../support/effort.ts';

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
const tool = (name: string, own = tab) => own.page.getByRole('button', { name, exact: true });
const textBox = () => tab.page.getByRole('textbox', { name: 'Text', exact: true });

describe('links', () => {
  test('words become a link to a page with two presses, and the page may be missing', async () => {
    await tab.go('/new?title=Linked');
    await tab.write('Read the rules');
    // The space before the words is selected with them, and stays outside the link.
    for (let letter = 0; letter < 10; letter++) await press('Shift+ArrowLeft');
    await press('Control+k');
    await tab.page.keyboard.type('Safety rules');
    await press('Enter');
    expect(await tab.text()).toContain('Read [[Safety rules|the rules]]');
    await press('End');
    await press('ArrowLeft');
    await tab.page.locator('.link-line', { hasText: 'not written yet' }).waitFor();
    await tab.page.click('.link-line >> text=Unlink');
    expect(await tab.text()).toContain('Read the rules');
  });

  test('two brackets offer pages by title', async () => {
    await tab.go('/new?title=Brackets');
    await tab.write('See [[Prun');
    await tab.page
      .getByRole('option', { name: /Pruning/ })
      .first()
      .waitFor();
    await press('Enter');
    await tab.write(' first');
    expect(await tab.text()).toContain('See [[Pruning]] first');
  });

  test('an address that is pasted over words links them', async () => {
    await tab.go('/new?title=Pasted');
    await tab.write('site');
    await press('Control+a');
    await paste({ 'text/plain': 'https://example.org/x' });
    expect(await tab.text()).toContain('[https://example.org/x site]');
  });
});

/** Pastes as a browser does, without the system's clipboard. */
async function paste(data: Record<string, string>): Promise<void> {
  await textBox().evaluate((text, data) => {
    const clipboardData = new DataTransfer();
    for (const [type, value] of Object.entries(data)) clipboardData.setData(type, value);
    text.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, data);
}

describe('tables', () => {
  test.each(effort([390], [1440, 820, 390]))(
    'a table of three columns takes one press and its words, %i pixels wide',
    async (width) => {
      const own = await visualTab({ width, hasTouch: width === 390 });
      await own.go(`/new?title=Table ${width}`);
      await own.write('');
      if (width === 390) await tool('Table', own).tap();
      else await tool('Table', own).click();
      for (const words of [
        'Day',
        'Where',
        'Who',
        'Mon',
        'Yard',
        'Bo',
        'Tue',
        'Barn',
        'Al',
        'Wed',
        'Field',
        'Cy',
      ]) {
        await own.page.keyboard.type(words);
        if (words !== 'Cy') await own.page.keyboard.press('Tab');
      }
      await own.save();
      const rows = await own.page.locator('.markup tr').allInnerTexts();
      expect(rows.map((row) => row.split(/\s+/).filter(Boolean))).toEqual([
        ['Day', 'Where', 'Who'],
        ['Mon', 'Yard', 'Bo'],
        ['Tue', 'Barn', 'Al'],
        ['Wed', 'Field', 'Cy'],
      ]);
      expect(await own.page.locator('.markup th').count()).toBe(3);
      expect(own.errors).toEqual([]);
      await own.close();
    },
  );

  test('rows and columns are added and removed without changing other cells', async () => {
    const body = '{| class="wikitable"\n! Day  !! Where\n|-\n|Mon||Yard\n|-\n|  Tue || Barn\n|}\n';
    await make({ title: 'Grid', body });
    await tab.go('/edit/grid');
    await textBox().getByText('Yard').click();
    await tool('Delete row').click();
    expect(await tab.text()).toBe(body.replace('|-\n|Mon||Yard\n', ''));
    await tool('Undo').click();
    expect(await tab.text()).toBe(body);
    // Rows and columns move with the caret in them; the header row stays on top.
    await textBox().getByText('Yard').click();
    expect(await tool('Move row up').isDisabled()).toBe(true);
    await tool('Move row down').click();
    expect(await tab.text()).toBe(
      body.replace('|-\n|Mon||Yard\n|-\n|  Tue || Barn\n', '|-\n|  Tue || Barn\n|-\n|Mon||Yard\n'),
    );
    expect(await tool('Move row down').isDisabled()).toBe(true);
    await tool('Move row up').click();
    expect(await tab.text()).toBe(body);
    await tool('Move column back').click();
    await press('End');
    await tab.page.keyboard.type('!');
    expect(await textBox().locator('th, td').allTextContents()).toEqual([
      'Where',
      'Day',
      'Yard!',
      'Mon',
      'Barn',
      'Tue',
    ]);
    expect(await tab.text()).toMatch(/Where[\s\S]*Day[\s\S]*Yard![\s\S]*Mon[\s\S]*Barn[\s\S]*Tue/);
    while ((await tool('Undo').getAttribute('aria-disabled')) === 'false') await tool('Undo').click();
    expect(await tab.text()).toBe(body);
    await textBox().getByText('Mon').click();
    await tool('Column after').click();
    await textBox().getByText('Mon').click();
    await press('Tab');
    await tab.write('new');
    await tab.save();
    expect(await tab.page.locator('.markup tr').nth(1).innerText()).toMatch(/Mon\s+new\s+Yard/);
    expect(await savedBody('/grid')).toContain('  Tue ');
  });

  test('lists, header rows and code of other programs are pasted as what they are', async () => {
    await tab.go('/new?title=Sheet');
    await tab.write('');
    const sign = (bullet: string) => `<span style="mso-list:Ignore">${bullet}<span>&nbsp; </span></span>`;
    const pasted: Record<string, string> = {
      'from Google Sheets':
        '<table><tr><td style="font-weight:bold">Day</td><td style="font-weight:bold">Who</td></tr><tr><td>Mon</td><td>Bo</td></tr></table>',
      'from Excel':
        '<style>.xl65{color:#000;font-weight:700}</style><table><tr><td class=xl65>A</td></tr><tr><td>B</td></tr></table>',
      'from Word': [
        `<p style="mso-list:l0 level1 lfo1">${sign('·')}one</p>`,
        `<p style="mso-list:l0 level2 lfo1">${sign('o')}inner</p>\n`,
        `<p style="mso-list:l0 level1 lfo1">${sign('·')}two</p>`,
        `<p style="mso-list:l1 level1 lfo2">${sign('1.')}first</p>`,
      ].join(''),
      'from Google Docs': '<p>a</p><br><p>b</p>',
      'from a page':
        '<pre><code class="language-js">let a;</code></pre><details><summary>More</summary>inside</details>',
    };
    for (const html of Object.values(pasted)) {
      await paste({ 'text/plain': 'plain', 'text/html': html });
      await press('Control+End');
      await press('Enter');
    }
    const table = (...rows: string[]) => `{| class="wikitable"\n${rows.join('\n|-\n')}\n|}`;
    expect(await tab.text()).toBe(
      [
        table('! Day\n! Who', '| Mon\n| Bo'),
        table('! A', '| B'),
        '* one\n** inner\n* two\n# first',
        'a\n\nb',
        '<syntaxhighlight lang="js">\nlet a;\n</syntaxhighlight>',
        'More\n\ninside',
      ].join('\n\n'),
    );
  });
});

test.each([
  [
    'wikitext',
    '* two<br>more\n** inner\n',
    '| colspan="2" | wide\n|-\n| 1\n\n2\n|\n* x\n* y\n|}',
    '= Head<br>line =',
  ],
  ['markdown', '- two\n\n  more\n  - inner\n', '| wide |  |\n| 1<br>2 | • x<br>• y |', '# Head line'],
] as const)(
  'parts of a paste that %s cannot express become lines, so that the page can be saved',
  async (format, list, table, head) => {
    await make({ title: `Fitted ${format}`, body: '', format });
    await tab.go(`/edit/fitted-${format}`);
    await tab.write('');
    await paste({
      'text/plain': 'Head',
      'text/html': `<h1>Head<br>line</h1><ul><li><p>two</p><p>more</p><ul><li>inner</li></ul></li></ul>
      <table><tr><th>A</th><th>B</th></tr><tr><td colspan="2">wide</td></tr>
      <tr><td><p>1</p><p>2</p></td><td><ul><li>x</li><li>y</li></ul></td></tr></table>`,
    });
    await textBox().locator('table').waitFor();
    const body = await tab.text();
    expect(body).toContain(head);
    expect(body).toContain(list);
    expect(body).toContain(table);
    await textBox().getByText('wide').click();
    await press('End');
    await press('Enter');
    await tab.page.keyboard.type('below');
    expect(await tab.text()).toMatch(format === 'markdown' ? /wide<br>below/ : /wide\n\nbelow/);
    await tab.save();
    expect(await tab.page.locator('.markup li').first().innerText()).toMatch(/two\s+more/);
  },
);

describe('pictures', () => {
  test('a picture stands where the caret is, with its caption, and its text for those who cannot see it', async () => {
    await tab.go('/new?title=Yard');
    await tab.write('Before.');
    const chooser = tab.page.waitForEvent('filechooser');
    await tool('Picture').click();
    await (await chooser).setFiles([{ name: 'yard.png', mimeType: 'image/png', buffer: picture }]);
    await tab.page.locator('#visual-text img[src^="blob:"]').waitFor();
    await tab.write('The yard in May');
    await tool('Picture …').click();
    await tab.page.getByLabel('Alternative text').fill('A yard');
    await tab.page.getByLabel('Side', { exact: true }).selectOption('right');
    await tab.page.getByLabel('Size', { exact: true }).selectOption('Small');
    expect(await tab.page.getByLabel('Width in pixels').inputValue()).toBe('120');
    await tool('Done').click();
    const grip = tab.page.locator('.figure-grip');
    await grip.hover();
    await tab.page.mouse.down();
    const { x = 0, y = 0 } = (await grip.boundingBox()) ?? {};
    await tab.page.mouse.move(x - 20, y + 10, { steps: 4 });
    await tab.page.mouse.up();
    expect(await tab.text()).toMatch(/\|1[2-6]\dpx\|/);
    await tool('Undo').click();
    expect(await tab.text()).toContain('|120px|');
    await tab.save();
    expect(await tab.page.locator('.markup figcaption').innerText()).toBe('The yard in May');
    expect(await tab.page.getAttribute('.markup figure img', 'alt')).toBe('A yard');
    expect(await tab.page.getAttribute('.markup figure', 'class')).toContain('mw-halign-right');
  });
});

describe('galleries', () => {
  test('pictures are added, captioned, reordered and removed, and lines that stay keep their source', async () => {
    const body =
      'A\n\n<gallery mode="packed">\nFile:one.png | alt=First |One\ntwo.png\nthree.png|Three\n</gallery>\n';
    await make({ title: 'Gallery', body });
    await tab.go('/edit/gallery');
    await tab.page.getByRole('button', { name: 'Gallery', exact: true }).dblclick();
    const card = tab.page.locator('.visual-card');
    await card.getByLabel('Caption').nth(1).fill('Two of them');
    await card.getByRole('button', { name: 'Remove three.png' }).click();
    await card.getByRole('button', { name: 'Move two.png up' }).click();
    await card
      .getByLabel('Add pictures')
      .setInputFiles([{ name: 'four.png', mimeType: 'image/png', buffer: picture }]);
    await card.getByLabel('Caption').nth(2).fill('Four');
    await tool('Done').click();
    expect(await tab.text()).toBe(
      'A\n\n<gallery mode="packed">\ntwo.png|Two of them\nFile:one.png | alt=First |One\nfour.png|Four\n</gallery>\n',
    );
    await tab.save();
    expect(await tab.page.locator('.gallerybox').count()).toBe(3);
  });
});

test('a picture of another page is chosen by name, for the text and for galleries, if its page may be read', async () => {
  const yard = await visualTab();
  await yard.go('/new?title=Yard pictures');
  const chooser = yard.page.waitForEvent('filechooser');
  await tool('Picture', yard).click();
  await (await chooser).setFiles([{ name: 'Big oak.png', mimeType: 'image/png', buffer: picture }]);
  await yard.page.locator('#visual-text img[src^="blob:"]').waitFor();
  await yard.save();
  await yard.close();
  const own = await visualTab({ name: 'Bob', width: 820 });
  const choose = async () => {
    await own.page.getByLabel('Part of the name').fill('big o');
    await own.page.getByRole('button', { name: 'Big oak.png' }).click();
  };
  await own.go('/new?title=With oak');
  await own.write('/picture from');
  await own.page.locator('#caret-menu').getByText('Picture from the wiki', { exact: true }).waitFor();
  await own.page.keyboard.press('Enter');
  await own.page.getByLabel('Part of the name').fill('no such');
  await own.page.getByText('No such picture.').waitFor();
  await choose();
  await own.page.locator('#visual-text img[src*="/files/"]').waitFor();
  await own.page.keyboard.press('Control+End');
  await own.page.keyboard.press('Enter');
  await own.write('/gallery');
  await own.page.locator('#caret-menu').getByText('Gallery', { exact: true }).waitFor();
  await own.page.keyboard.press('Enter');
  await tool('Picture from the wiki', own).click();
  await choose();
  await tool('Done', own).click();
  expect(await own.text()).toBe(
    '[[File:/yard-pictures/Big oak.png|thumb]]\n\n<gallery>\n/yard-pictures/Big oak.png\n</gallery>',
  );
  await own.save();
  expect(await own.page.locator('.markup img').count()).toBe(2);
  expect(own.errors).toEqual([]);
  await own.close();
});

describe('on a phone', () => {
  test('a picture is seen where the caret is, or why it is refused, and the tools stand above the keyboard', async () => {
    const own = await visualTab({ width: 390, hasTouch: true });
    await own.go('/new?title=Phone');
    await own.write('Before.');
    const pick = async (name: string, buffer: Buffer) => {
      const chooser = own.page.waitForEvent('filechooser');
      await tool('Picture', own).tap();
      await (await chooser).setFiles([{ name, mimeType: 'image/png', buffer }]);
    };
    await pick('yard.png', picture);
    const shown = own.page.locator('#visual-text img[src^="blob:"]');
    await shown.waitFor();
    expect(await isInSight(shown)).toBe(true);
    await pick('large.png', Buffer.alloc(26_000_000));
    const refused = own.page.locator('#upload-list .mistake', { hasText: 'too large' });
    await refused.waitFor();
    expect(await isInSight(refused)).toBe(true);
    await own.page.locator('.details > details[open]').getByRole('button', { name: 'Done' }).tap();
    await own.write(' More');
    // The window that is left above a keyboard.
    await own.page.evaluate(() => {
      Object.defineProperty(visualViewport, 'height', { get: () => 480 });
      visualViewport?.dispatchEvent(new Event('resize'));
    });
    const box = await own.page.locator('.visual > .tools').boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeCloseTo(480, 0);
    await tool('Undo', own).tap();
    expect(await own.page.locator('#visual-text').innerText()).not.toContain('More');
    await tool('Redo', own).tap();
    await tool('Save', own).tap();
    await own.page.waitForURL((url) => url.pathname === '/phone');
    expect(await savedBody('/phone')).toContain('More');
    await own.close();
  });

  function isInSight(one: ReturnType<typeof textBox>): Promise<boolean> {
    return one.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
  }
});

describe('Markdown', () => {
  const body =
    '---\ntags: [a]\n---\n\n#  Odd heading\nHere  grow *roses*\n\n|Day  | Who |\n|---|:-:|\n|Mon| Bo|\n\n- [ ] water\n* [x]  prune\n\n> [!tip] Boots\n> Bring   them.\n\nSee [[Roses|the rose]] here.\n';

  test('is written as it looks, and only what was edited changes', async () => {
    await make({ title: 'Marks', body, format: 'markdown' });
    await tab.go('/edit/marks');
    await textBox().getByText('Bo', { exact: true }).click();
    await press('End');
    await tab.write('b');
    await textBox().getByRole('checkbox').first().check();
    await textBox().getByText('Bring').click();
    await press('End');
    await tab.write(' Dry.');
    await textBox().getByText('the rose').click();
    await press('End');
    for (let left = 0; left < 10; left++) await press('ArrowLeft');
    for (let left = 0; left < 4; left++) await press('Shift+ArrowRight');
    await press('Control+b');
    expect(await tab.text()).toBe(
      body
        .replace('| Bo|', '| Bob|')
        .replace('- [ ]', '- [x]')
        .replace('them.', 'them. Dry.')
        .replace('[[Roses|the rose]]', '[[Roses|the ]]**[[Roses|rose]]**'),
    );
    await tab.save();
    expect(await tab.page.locator('.markup b, .markup strong').innerText()).toBe('rose');
  });

  test('gets a table, a picture with its caption, a link with other words, tasks and boxes', async () => {
    await make({ title: 'Marked', body: '', format: 'markdown' });
    await tab.go('/edit/marked');
    await tab.write('[[Roses');
    await tab.page.getByRole('option', { name: /Roses/ }).first().waitFor();
    await press('Enter');
    await tab.write(' and the rules');
    for (let letter = 0; letter < 5; letter++) await press('Shift+ArrowLeft');
    await press('Control+k');
    await tab.page.keyboard.type('Safety rules');
    await press('Enter');
    await press('End');
    const chooser = tab.page.waitForEvent('filechooser');
    await tool('Picture').click();
    await (await chooser).setFiles([{ name: 'yard.png', mimeType: 'image/png', buffer: picture }]);
    await tab.page.locator('#visual-text img[src^="blob:"]').waitFor();
    await tab.write('The yard');
    await press('Enter');
    await tool('Table').click();
    for (const words of ['Day', 'Who', 'At', 'Mon', 'a|b', '3', 'Tue', 'Al', '4']) {
      await tab.page.keyboard.type(words);
      if (words !== '4') await press('Tab');
    }
    await press('Control+End');
    await tab.write('/tasks');
    await tab.page.locator('#caret-menu').getByText('Tasks', { exact: true }).waitFor();
    await press('Enter');
    await tab.write('water');
    expect(await tab.text()).toBe(
      '[[Roses]] and the [[Safety rules|rules]]\n\n![[yard.png]]\n\n*The yard*\n\n| Day | Who | At |\n| --- | --- | --- |\n| Mon | a\\|b | 3 |\n| Tue | Al | 4 |\n\n- [ ] water',
    );
    await tab.save();
    expect(await tab.page.locator('.markup td').allInnerTexts()).toEqual([
      'Mon',
      'a|b',
      '3',
      'Tue',
      'Al',
      '4',
    ]);
    expect(await tab.page.locator('.markup img').count()).toBe(1);
  });
});

describe('templates', () => {
  test('a template has a form with a field for each parameter, and its card shows the result', async () => {
    const body = 'Mind {{Notice|the step}} here:\n\n{{Notice| wet paint }}\n\nEnd.\n';
    await make({ title: 'With notice', body });
    await tab.go('/edit/with-notice');
    // Within a sentence it shows the result as well.
    await textBox().locator('p').getByText('Mind Mind: the step here:').waitFor();
    const card = tab.page.getByRole('button', { name: 'Template Notice' }).last();
    await card.click();
    await press('Enter');
    await tab.page.getByLabel('Part 1').fill('dry paint');
    await tool('Done').click();
    await tab.page.locator('.visual-atom', { hasText: 'dry paint' }).waitFor();
    expect(await tab.text()).toBe(body.replace('wet paint', 'dry paint'));
  });

  test('a form asks for what the template describes, and a missing template is begun with the parameters in use', async () => {
    const params = {
      hours: { label: 'Hours', default: 'always' },
      name: { label: 'Whom to call', description: 'First and last name', required: true, type: 'line' },
    };
    const described = `<noinclude><templatedata>${JSON.stringify({ params })}</templatedata></noinclude>`;
    await make({ title: 'Template:Contact', type: 'Template', body: `{{{name}}}, {{{hours}}}${described}` });
    const calls = ['Cleo', 'Dan'].map((name) => `{{Contact|name=${name}|hours=9 to 5}}`);
    await make({ title: 'Callers', body: calls.join('\n\n') });
    await tab.go('/new?title=Called');
    await tab.write('/template');
    await tab.page.locator('#caret-menu').getByText('Template', { exact: true }).waitFor();
    await press('Enter');
    await tab.page.getByLabel('Name', { exact: true }).fill('Cont');
    await tab.page
      .getByRole('option', { name: /Contact/ })
      .first()
      .click();
    const labels = tab.page.locator('.card-form .field > label');
    await labels.first().waitFor();
    expect(await labels.allInnerTexts()).toEqual(['Whom to call', 'Hours']);
    // Values of other calls are offered: those of several at once, others by their beginning.
    const offered = tab.page.locator('.card-form').getByRole('option');
    expect(await offered.count()).toBe(0);
    await tab.page.keyboard.type('cl');
    await offered.getByText('Cleo', { exact: true }).waitFor();
    await press('ArrowDown');
    await press('Enter');
    expect(await tab.page.getByLabel('Whom to call').inputValue()).toBe('Cleo');
    await press('Tab');
    await offered.getByText('9 to 5', { exact: true }).click();
    await tool('Done').click();
    expect(await tab.text()).toBe('{{Contact\n| name = Cleo\n| hours = 9 to 5\n}}');
    await tab.save();

    // The description is edited by a form on the template's own page.
    await tab.go('/edit/template-contact');
    await tool('Parameters').click();
    const name = tab.page.locator('.parameter-row', { hasText: 'name' }).last();
    expect(await name.getByLabel('Label').inputValue()).toBe('Whom to call');
    await name.getByLabel('Label').fill('Person');
    await tool('Done').click();
    await expect.poll(() => tab.text()).toContain('"label":"Person"');
    expect(await tab.text()).toContain('{{{name}}}, {{{hours}}}<noinclude><templatedata>{"params":{"hours"');
    await tab.save();

    await make({ title: 'Missing', body: 'See:\n\n{{Nothing|size=3|4}}\n' });
    await tab.go('/edit/missing');
    await tab.page.getByRole('button', { name: 'Template Nothing' }).click();
    await press('Enter');
    const href = await tab.page.getByRole('link', { name: 'Write it' }).getAttribute('href');
    await tool('Cancel').click();
    await tab.go(href ?? '');
    expect(await tab.page.inputValue('#title')).toBe('Template:Nothing');
    expect(await tab.text()).toBe('{{{size|}}}\n{{{1|}}}');
  });
});
