/** Journeys with JavaScript, in a real browser: drafts, conflicts and older versions, without loss of text. */
import { describe, expect, test } from 'vitest';
import { browser, editor, make, page, picture, plantGarden, save, tab, text, type, wiki } from './garden.ts';
import { openTab, passphrase } from './support.ts';

plantGarden();

describe('drafts', () => {
  test('are stored every two seconds and offered again with their differences, including files', async () => {
    await tab.signIn('Ada');
    page.on('dialog', (dialog) => void dialog.accept());
    await tab.go('/edit/garden/pruning');
    await editor();
    await type('A line that nobody saved. ');
    await page.setInputFiles('#file', [{ name: 'shears.png', mimeType: 'image/png', buffer: picture }]);
    await page.waitForTimeout(2500);
    await page.reload();
    await page.click('summary:has-text("Show differences")');
    expect(await page.textContent('.draft-offer ins')).toContain('A line that nobody saved.');
    await page.click('button:has-text("Restore draft")');
    expect(await text()).toContain('A line that nobody saved.');
    expect(await page.textContent('.pending-files')).toContain('shears.png');
    await save();
    await tab.go('/edit/garden/pruning');
    await editor();
    await page.waitForTimeout(400);
    expect(await page.locator('.draft-offer').count()).toBe(0);
  });

  test('can be continued on another device, and disappear everywhere once the page is saved', async () => {
    await make({ title: 'Two devices', body: 'As it was.' });
    await tab.signIn('Ada');
    const phone = await openTab(browser, wiki);
    await phone.signIn('Ada');
    phone.page.on('dialog', (dialog) => void dialog.accept());
    await tab.go('/edit/two-devices');
    await editor();
    const isKept = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok());
    await type('Begun at the desk. ');
    expect((await isKept).url()).toContain('/v1/drafts/');
    await phone.go('/account');
    await phone.page.click('#drafts a:has-text("Two devices")');
    await phone.page.click('summary:has-text("Show differences")');
    expect(await phone.page.textContent('.draft-offer ins')).toContain('Begun at the desk.');
    await phone.page.click('button:has-text("Restore draft")');
    await phone.page.click('button:has-text("Save page")');
    await phone.page.waitForURL(`${wiki.url}/two-devices`);
    expect(await phone.page.textContent('.markup')).toContain('Begun at the desk. As it was.');
    const left = await phone.page.request.get(`${wiki.url}/v1/drafts`);
    expect(await left.json()).toEqual([]);
    await phone.close();
  });

  test('are kept by the browser while the wiki is out of reach, and by the wiki afterwards', async () => {
    await make({ title: 'In a tunnel', body: 'As it was.' });
    await tab.signIn('Ada');
    page.on('dialog', (dialog) => void dialog.accept());
    await page.clock.install();
    await tab.go('/edit/in-a-tunnel');
    await editor();
    await tab.context.setOffline(true);
    await type('Written in the dark. ');
    await page.clock.runFor(8000);
    await tab.context.setOffline(false);
    const isKept = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok());
    await page.clock.runFor(40_000);
    await isKept;
    const kept = await (await page.request.get(`${wiki.url}/v1/drafts`)).json();
    expect(kept).toMatchObject([{ title: 'In a tunnel', url: '/edit/in-a-tunnel' }]);
    await page.evaluate((id) => fetch(`/v1/drafts/${id}`, { method: 'DELETE' }), kept[0].id);
    // The tab keeps its fake clock.
    await tab.context.close();
  });

  test('contain text typed before the editor had loaded, which is kept in the editor', async () => {
    await tab.signIn('Ada');
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    let comes = () => {};
    const coming = new Promise<void>((resolve) => {
      comes = resolve;
    });
    await page.route(/\/assets\/.*editor.*\.js/, async (route) => {
      await coming;
      await route.continue();
    });
    await page.goto(`${wiki.url}/edit/garden/pruning`, { waitUntil: 'commit' });
    await page.locator('#body').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('Early');
    comes();
    await page.locator('.cm-content:focus').waitFor();
    await page.keyboard.type('bird. ');
    expect(await text()).toMatch(/^Earlybird\. /);
    for (let n = 0; n < 6; n++) await page.keyboard.press('Backspace');
    await tab.go('/garden');
    expect(asked).toEqual(['beforeunload']);
    await tab.go('/edit/garden/pruning');
    await page.click('.draft-offer button:has-text("Restore draft")');
    expect(await text()).toMatch(/^Early/);
  });

  test('for a new page in Markdown come back as Markdown, with the same address', async () => {
    await tab.signIn('Ada');
    page.on('dialog', (dialog) => void dialog.accept());
    await tab.go('/new');
    await editor();
    const hint = () => page.locator('#body-hint').innerText();
    expect(await hint()).toContain("'''bold'''");
    await page.click('summary:has-text("Language")');
    await page.selectOption('#format', 'markdown');
    expect(await hint()).toContain('**bold**');
    await page.fill('#title', 'Wall fruit');
    await type('**Bold** words.');
    await page.waitForTimeout(2500);
    await page.reload();
    await page.click('button:has-text("Restore draft")');
    expect(await hint()).toContain('**bold**');
    await page.locator('.cm-content .w-strong', { hasText: 'Bold' }).waitFor();
    await page.locator('summary', { hasText: '/wall-fruit' }).waitFor();
    await save();
    expect(await page.textContent('.markup strong')).toBe('Bold');
  });

  test('leaving with unsaved work asks first, and the latest input is kept', async () => {
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
    await page.click('.draft-offer button:has-text("Restore draft")');
    expect(await text()).toContain('Typed in the last moment.');
    await page.reload();
    await page.click('.draft-offer button:has-text("Discard draft")');
    await page.reload();
    await editor();
    await page.waitForTimeout(400);
    expect(await page.locator('.draft-offer').count()).toBe(0);
    expect(await text()).not.toContain('last moment');
  });

  test('are listed in the account, with links to them', async () => {
    await tab.signIn('Bob');
    page.on('dialog', (dialog) => void dialog.accept());
    await tab.go('/edit/garden');
    await editor();
    await type('Half a thought. ');
    await tab.go('/account');
    expect(await page.textContent('#drafts')).toContain('Garden');
    await page.click('#drafts a');
    await page.click('.draft-offer button:has-text("Restore draft")');
    expect(await text()).toContain('Half a thought.');
    await tab.go('/account');
    // The restored draft may be listed beside the present one until the wiki has heard that it was taken.
    await page.locator('#drafts li').first().waitFor();
    const rows = page.locator('#drafts li');
    for (let left = await rows.count(); left > 0; left--) {
      await rows.first().getByRole('button').click();
      await expect.poll(() => rows.count()).toBe(left - 1);
    }
    await page.locator('#drafts').waitFor({ state: 'hidden' });
  });

  test('a lost session asks for sign-in in place and keeps the text', async () => {
    await tab.signIn('Ada');
    await tab.go('/edit/garden/pruning');
    await editor();
    await type('Written while the session ended. ');
    await tab.context.clearCookies();
    await page.click('button:has-text("Save page")');
    await page.fill('#session-email', 'ada@example.org');
    await page.fill('#session-pass', passphrase);
    await page.click('button:has-text("Sign in and continue")');
    await editor();
    expect(await text()).toContain('Written while the session ended.');
    await save();
    expect(await page.textContent('.markup')).toContain('Written while the session ended.');
  });

  test('a file chosen just before the session was lost is kept as well', async () => {
    await tab.signIn('Ada');
    await tab.go('/new?title=Late file');
    await editor();
    await type('With a picture. ');
    await page.setInputFiles('#file', [{ name: 'late.png', mimeType: 'image/png', buffer: picture }]);
    await tab.context.clearCookies();
    await page.click('button:has-text("Save page")');
    await page.fill('#session-email', 'ada@example.org');
    expect(await page.locator('#left-files').count()).toBe(0);
    await page.fill('#session-pass', 'not this passphrase');
    await page.click('button:has-text("Sign in and continue")');
    await page.locator('.error-summary').waitFor();
    expect(await page.inputValue('#session-email')).toBe('ada@example.org');
    await page.fill('#session-pass', passphrase);
    await page.click('button:has-text("Sign in and continue")');
    await page.click('.draft-offer button:has-text("Restore draft")');
    expect(await page.textContent('.pending-files')).toContain('late.png');
    await save();
    expect(await page.textContent('.markup')).toContain('With a picture.');
    expect(await page.textContent('.files')).toContain('late.png');
  });

  test('leaving an unchanged editor asks nothing', async () => {
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

  test('an open editor with unsaved changes keeps the session alive', async () => {
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
    // The tab keeps its fake clock.
    await tab.context.close();
  });

  test('nothing is lost while the wiki does not respond', async () => {
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

/** The next save reaches the server, but its response is lost. */
async function loseAnswer(): Promise<void> {
  const posts = (url: URL) => /^\/(new|edit\/.*)$/.test(url.pathname);
  await page.route(posts, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch({ maxRedirects: 0 });
    await route.abort('connectionreset');
  });
  await page.click('button:has-text("Save page")');
  await page.locator('.error-summary', { hasText: 'Nothing is lost' }).waitFor();
  await page.unroute(posts);
}

async function bodiesOf(path: string): Promise<string[]> {
  const answer = await page.request.get(`${wiki.url}/v1/history${path}`);
  const changes = (await answer.json()) as { content: { body: string } }[];
  return changes.map(({ content }) => content.body);
}

describe('a save whose answer is lost', () => {
  test('does not conflict with further edits', async () => {
    await make({ title: 'Far away', body: 'Before.' });
    await tab.signIn('Ada');
    await tab.go('/edit/far-away');
    await editor();
    await type('One. ');
    await loseAnswer();
    await type('Two. ');
    await save();
    expect(tab.at()).toBe('/far-away');
    expect(await page.textContent('#notice')).toBe('Changes saved.');
    const [last, ...rest] = await bodiesOf('/far-away');
    expect(last).toContain('Two.');
    expect(last).toContain('One.');
    expect(rest).toEqual(['One. Before.', 'Before.']);
  });

  test('creates one page, which further edits change', async () => {
    await tab.signIn('Ada');
    await tab.go('/new?title=Far page');
    await editor();
    await type('One. ');
    await loseAnswer();
    await page.fill('#title', 'Far page, renamed');
    await page.locator('.cm-content').press('Control+End');
    await page.keyboard.type('Two.');
    await save();
    expect(tab.at()).toBe('/far-page');
    expect(await page.textContent('h1')).toBe('Far page, renamed');
    expect(await bodiesOf('/far-page')).toEqual(['One. Two.', 'One. ']);
  });

  test('is not repeated if nothing else is typed', async () => {
    await tab.signIn('Ada');
    await tab.go('/new?title=Only once');
    await editor();
    await type('One.');
    await loseAnswer();
    await save();
    expect(tab.at()).toBe('/only-once');
    expect(await bodiesOf('/only-once')).toEqual(['One.']);
    await tab.go('/account');
    expect(await page.locator('#drafts a').allTextContents()).not.toContain('Only once');
  });
});

describe('conflicts', () => {
  test('each conflict is resolved in the text, the preview shows no markers, and nothing is lost', async () => {
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
    await page.locator('.conflict', { hasText: '1 conflict is left to resolve' }).waitFor();
    // One set of buttons, with words in place of the conflict markers.
    expect(
      await page.locator('.conflict, .cm-content, .merge-panes').locator('button:visible').allTextContents(),
    ).toEqual(['Next conflict', 'Keep yours', 'Keep theirs', 'Keep both']);
    expect(await page.locator('.cm-content').innerText()).toMatch(
      /You wrote\s+Ada: The first line\.\s+Bob wrote\s+Bob: The first line\./,
    );
    expect(await page.textContent('.conflict')).toMatch(
      /saved by Bob .*, with changes to these fields as well: Text/,
    );
    // The other text is not in the colour of a deletion.
    const colours = await page.evaluate(() => {
      const theirs = document.querySelector('.cm-content .merge-theirs');
      const { backgroundColor } = getComputedStyle(theirs ?? document.body);
      const probe = document.body.appendChild(document.createElement('p'));
      probe.style.setProperty('background', 'var(--removed)');
      const removed = getComputedStyle(probe).backgroundColor;
      probe.remove();
      return { backgroundColor, removed };
    });
    expect(colours.backgroundColor).not.toBe(colours.removed);
    await page.waitForFunction(() => document.querySelector('#preview p') !== null);
    expect(await page.locator('#preview > *').allTextContents()).toEqual(
      ['Ada: The first line.', 'The second line.', 'The third line. Longer now.'].map((line) =>
        expect.stringContaining(line),
      ),
    );
    expect(await page.locator('#preview').innerText()).not.toMatch(/[<=>]{3}|Bob/);
    // The common base and each side's changes are shown beside the text.
    await page.click('summary:has-text("Conflicts")');
    expect(await page.textContent('.merge-panes .source')).toBe(
      'The first line.\n\nThe second line.\n\nThe third line.',
    );
    await page.keyboard.press('Escape');
    await page.click('button:has-text("Save page")');
    await page
      .locator('.error-summary', { hasText: '1 conflict in the text still contains both versions' })
      .waitFor();
    await page.click('button:has-text("Next conflict")');
    await page.keyboard.type('Still ');
    await page.click('button:has-text("Keep both")');
    await page.locator('.conflict', { hasText: 'No conflicts are left' }).waitFor();
    expect(await text()).toBe(
      'Still Ada: The first line.\nBob: The first line.\n\nThe second line.\n\nThe third line. Longer now.',
    );
    await save();
    expect(await page.textContent('.markup')).toContain('Bob: The first line.');
    await other.close();
  });

  test('edits in different places are merged without asking', async () => {
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
    expect(await page.textContent('#notice')).toContain('merged with what somebody else changed');
    expect(await page.textContent('.markup')).toMatch(/By Ada\. Above\..*Below\. By Bob\./s);
    await other.close();
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
