/**
 * A page of a handbook, made as somebody does who knows no markup: with buttons, menus and forms that are in sight, in both
 * languages. Nothing that the person types is markup, and no bracket is ever seen.
 */
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { make, picture, plantGarden, wiki } from '../e2e/garden.ts';
import { savedBody, visualTab } from '../e2e/visual.ts';
import { effort } from '../support/effort.ts';

plantGarden();

let tab: Awaited<ReturnType<typeof visualTab>>;
beforeEach(async () => {
  tab = await visualTab({ width: 1440 });
});
afterEach(async () => {
  expect(tab.errors).toEqual([]);
  await tab.close();
});

const press = (key: string) => tab.page.keyboard.press(key);
const type = (words: string) => tab.page.keyboard.type(words);
const tool = (name: string) => tab.page.getByRole('button', { name, exact: true });
const text = () => tab.page.getByRole('textbox', { name: 'Text', exact: true });
const field = (label: string) => tab.page.locator('.visual-card').getByLabel(label, { exact: true });

async function more(name: string): Promise<void> {
  await tool('More').click();
  await tab.page.locator('.more-menu').getByText(name, { exact: true }).click();
}

async function style(name: string): Promise<void> {
  await tab.page.getByLabel('Style of the paragraph').selectOption({ label: name });
}

async function select(letters: number): Promise<void> {
  for (let letter = 0; letter < letters; letter++) await press('Shift+ArrowLeft');
}

async function paste(data: Record<string, string>): Promise<void> {
  await text().evaluate((target, data) => {
    const clipboardData = new DataTransfer();
    for (const [type, value] of Object.entries(data)) clipboardData.setData(type, value);
    target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, data);
}

/** Leaves tables, boxes and lists by a click below the text, as with any editor. */
async function below(): Promise<void> {
  await press('Control+End');
  const last = await text()
    .locator('> *')
    .last()
    .evaluate((one) => one.tagName);
  if (last !== 'P') throw new Error(`There is no way past the ${last} at the end.`);
}

const template =
  '\'\'\'{{{name}}}\'\'\': {{{phone}}}, {{{hours}}}<noinclude><templatedata>{"params":{"name":{"label":"Name","required":true},"phone":{"label":"Phone"},"hours":{"label":"Hours"}}}</templatedata></noinclude>';

beforeAll(() => make({ title: 'Template:Contact', type: 'Template', body: template }));

/** Both languages have the same tools. */
const languages = effort(['Wikitext'], ['Wikitext', 'Markdown']);

test.each(languages)('the handbook page is made in %s without seeing a bracket', async (language) => {
  const { page } = tab;
  await tab.go('/new');
  await page.getByText('Language, comments and data').click();
  await page.getByLabel('Written in').selectOption({ label: language });
  await page.getByText('Language, comments and data').click();
  await page.getByLabel('Title', { exact: true }).fill(`Welcome, ${language} crew`);

  // 1. A paragraph with bold, italic and a link to a page that is not written yet.
  await text().click();
  await type('Wear ');
  await tool('Bold').click();
  await type('boots');
  await tool('Bold').click();
  await type(' and ');
  await tool('Italic').click();
  await type('gloves');
  await tool('Italic').click();
  await type('. Read the rules');
  await select(9);
  await tool('Link').click();
  await field('Page or address').fill('Safety rules');
  await tool('Done').click();
  await press('End');
  await press('Enter');

  // 2. A heading, a numbered list, bullets beneath its second item.
  await style('Heading 1');
  await type('Your first week');
  await press('Enter');
  await tool('Numbered list').click();
  await type('Meet the crew');
  await press('Enter');
  await type('See the yard');
  await press('Enter');
  await press('Tab');
  await tool('List').click();
  await type('the shed');
  await press('Enter');
  await type('the pond');
  await press('Enter');
  await press('Enter');
  await type('Go home');
  await press('Enter');
  await press('Enter');
  expect(await text().locator('ol > li > p').allInnerTexts()).toEqual([
    'Meet the crew',
    'See the yard',
    'Go home',
  ]);
  expect(await text().locator('ol > li ul > li').allInnerTexts()).toEqual(['the shed', 'the pond']);

  // 3. A table.
  await tool('Table').click();
  const rows = [
    ['Day', 'Where', 'Who'],
    ['Mon', 'Shed', 'Ada'],
    ['Tue', 'Pond', 'Bob'],
    ['Wed', 'Yard', 'Cy'],
    ['Thu', 'Gate', 'Di'],
  ];
  for (const [index, cell] of rows.flat().entries()) {
    if (index > 0) await press('Tab');
    await type(cell);
  }
  await text().getByText('Where', { exact: true }).click();
  await tool('Column after').click();
  await press('Tab');
  await type('When');
  await text().getByText('Tue', { exact: true }).click();
  await tool('Delete row').click();
  await text().getByText('Day', { exact: true }).click();
  await tool('Align column right').click();
  await text().getByText('Di', { exact: true }).click();
  await press('Tab');
  await paste({
    'text/plain': ['Fri', 'Sat', 'Sun', 'Mon', 'Tue'].map((day) => `${day}\tShed\t9\tEd`).join('\n'),
  });
  await below();
  expect(await text().locator('tr').count()).toBe(9);
  expect(await text().locator('tr').nth(2).locator('td').allTextContents()).toEqual([
    'Wed',
    'Yard',
    '',
    'Cy',
  ]);
  expect(await text().locator('tr').nth(4).locator('td').allTextContents()).toEqual([
    'Fri',
    'Shed',
    '9',
    'Ed',
  ]);

  // 4. A picture with a caption.
  await type('The yard is behind the shed.');
  await press('Home');
  const chooser = page.waitForEvent('filechooser');
  await tool('Picture').click();
  await (await chooser).setFiles([{ name: `${language}.png`, mimeType: 'image/png', buffer: picture }]);
  await text().locator('img[src^="blob:"]').waitFor();
  await type('The yard in May');
  if (language === 'Wikitext') {
    await select(8 + 3);
    await press('ArrowRight');
    await tool('Picture …').click();
    await field('Alternative text').fill('A yard with trees');
    await field('Side').selectOption('right');
    await field('Size').selectOption({ label: 'Small' });
    await tool('Done').click();
  }
  await below();

  // 5. A box, a quotation with a note, the same note once more.
  await press('Enter');
  await more('Note box');
  await type('Bring boots');
  await press('Enter');
  await press('Enter');
  await tool('Quote').click();
  await type('Trees are slow');
  await more('Note');
  await field('Words of the note').fill('The old gardener');
  await tool('Done').click();
  await press('Enter');
  await press('Enter');
  await type('And they are');
  await more('Note');
  await field('Which note').selectOption({ label: 'The old gardener' });
  await tool('Done').click();
  await press('Enter');

  // 6. A template, filled in by its form; then the phone changes.
  await more('Template');
  await field('Name').fill('Contact');
  await page
    .getByRole('option', { name: /Contact/ })
    .first()
    .click();
  const fill = async (values: Record<string, string>) => {
    for (const [label, value] of Object.entries(values)) await field(label).fill(value);
    await tool('Done').click();
  };
  await fill({ Name: 'Bo', Phone: '123', Hours: '9 to 5' });
  await page.getByRole('button', { name: 'Template Contact' }).dblclick();
  await fill({ Phone: '456' });
  await text().locator('.visual-atom', { hasText: '456' }).waitFor();
  await below();

  // 7. Tasks, the first ticked.
  await more('Tasks');
  await type('Water');
  await press('Enter');
  await type('Prune');
  await press('Enter');
  await type('Rest');
  await text().getByRole('checkbox').first().check();
  await text().getByText('Rest', { exact: true }).click();
  await press('End');
  await press('Enter');
  await press('Enter');

  // 8. Parts of a page of the web and of a word processor.
  await paste({
    'text/html':
      '<h2>Roses</h2><p>See <a href="https://example.org/roses">all roses</a>.</p><ul><li>red</li></ul>',
    'text/plain': 'Roses',
  });
  await below();
  await paste({
    'text/html':
      '<html xmlns:w="urn:schemas-microsoft-com:office:word"><body><p class=MsoNormal><b>Hoses</b> are long<o:p></o:p></p></body></html>',
    'text/plain': 'Hoses are long',
  });

  // 9. A tag.
  await below();
  await more('Tag');
  await field('Name of the tag').fill('Season');
  await field('Value').fill('spring');
  await tool('Done').click();

  // 10. Undo, redo, and save while somebody else writes.
  for (let step = 0; step < 5; step++) await tool('Undo').click();
  for (let step = 0; step < 5; step++) await tool('Redo').click();
  expect(await text().innerText()).not.toMatch(/[[\]{}|]|==|''|\*\*/);
  await tab.save();
  const markup = page.locator('.markup');
  expect(await markup.locator('tr').count()).toBe(9);
  expect(await markup.locator('tr > :first-child').last().getAttribute('style')).toContain('right');
  expect(await markup.locator('.callout').innerText()).toContain('Bring boots');
  expect(await markup.locator('sup a').allInnerTexts()).toEqual(expect.arrayContaining(['[1]', '[1]']));
  expect(await markup.innerText()).toContain('456');
  const body = (await savedBody(new URL(page.url()).pathname)).replaceAll('\r\n', '\n');
  expect(body).toContain('[[Safety rules|the rules]]');
  expect(body).toContain('[[Season:spring]]');
  expect(body).toContain(language === 'Markdown' ? '- [x] Water\n- [ ] Prune' : '* ☑ Water\n* ☐ Prune');
  expect(wiki.bugs).toEqual([]);
});
