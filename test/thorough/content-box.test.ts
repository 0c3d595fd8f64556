/** Page content stays in its box: no class or style of an author reaches the site around it, and no content is lost. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPage } from '#core/pages/create-page.ts';
import { openTab, sharedBrowser, startWiki, type Tab, type Wiki } from '../e2e/support.ts';
import { effort } from '../support/effort.ts';

let wiki: Wiki;
let browser: Browser;

/** Classes that the page languages offer to authors; all other classes of the style sheets belong to the site. */
const ofTheLanguages =
  /^(markup|new|references|error|unsupported|page-embed|diagram|infobox|wikitable|callout(-[a-z]+)?|toc|geo|gallery|gallerybox|gallerytext|listing(-\w+)?|mw-halign-\w+|mw-references-columns|float(left|right)|hljs-[\w-]+|linenos|hll)$/;

/** Ways to escape from the box, each with a text of its own to be found by. */
const escapes = [
  ...[
    'position: relative; top: -9999px; left: -9999px; width: 20000px; height: 20000px',
    'position: relative; inset: -3000px; width: 9000px; height: 9000px',
    'position: sticky; top: 0; width: 9000px; height: 9000px',
    'position: fixed; inset: 0',
    'position: absolute; inset: -900px',
    'transform: translate(-2000px, -900px) scale(40)',
    'transform: scale(100)',
    'translate: -900px -900px; scale: 30',
    'margin: -3000px; width: 9000px; height: 9000px',
    'margin-top: -900px; padding: 2000px',
    'float: left; margin: -900px; width: 5000px; height: 5000px',
    'zoom: 40',
    'width: 5000px; height: 3000px; position: relative; left: -600px; z-index: 2147483647',
    'outline: 900px solid; box-shadow: 0 0 0 900px',
    'contain: none; isolation: auto; overflow: visible; overflow-clip-margin: 900px; transform: scale(60)',
  ].map((style, index) => `<div style="${style}">sign in here ${index}</div>`),
  ...[
    'site-header is-sticky',
    'sheet',
    'menu',
    'skip',
    'notice',
    'card-holder',
    'suggestions',
    'map-surface',
    'tree-handle',
    'unseen',
    'markup',
    'cm-tooltip',
  ].map((name) => `<div class="${name}" style="width: 5000px; height: 5000px; left: -900px">${name}</div>`),
  '<div class="thumbs"><div class="sheet">sheet in thumbs</div></div>',
  '<div id="notice" class="notice">note</div>',
];

const wideTable = `{| class="wikitable"
! Name !! Height
${Array.from({ length: 60 }, (_, row) => `|-\n| Oak ${row} || ${row} m`).join('\n')}
|}`;

beforeAll(async () => {
  [wiki, browser] = await Promise.all([startWiki(), sharedBrowser()]);
  const ada = await wiki.addMember('Ada', { isAdmin: true });
  const { store, files } = wiki.app.service;
  const actor = { memberId: ada.id, name: 'Ada', isAdmin: true };
  const pages = [
    { title: 'Plain', body: 'Words of [[Nobody]].\n\n== One ==\n\n== Two ==\n\n== Three ==\n' },
    { title: 'Escapes', body: `Nothing [[Plain]].\n${escapes.join('\n')}` },
    { title: 'Lone', body: escapes[0] ?? '' },
    {
      title: 'Broad',
      body: `[[Plain]] is first.\n\n<div><div style="width: 2400px">broad<span style="float: right">its end</span></div></div>\n`,
    },
    { title: 'Rows', body: wideTable },
    { title: 'Empty', body: '' },
    { title: 'Fields', body: '== type ==\n\n== own ==\n\n<span id="file">x</span> [[#own]]\n' },
  ];
  for (const page of pages) await createPage({ store, files, actor, now: Date.now() }, page);
}, 60_000);
afterAll(async () => {
  await wiki?.close();
});

test('no class or ID of the site’s style sheets changes the look of an element in a page', async () => {
  const tab = await openTab(browser, wiki);
  await tab.signIn('Ada');
  for (const path of effort(['/plain'], ['/plain', '/edit/plain'])) {
    await tab.go(path);
    await tab.page.waitForFunction(() => document.querySelector('.markup p') !== null);
    await tab.settled();
    const names = (await namesInStyles(tab.page)).filter((name) => !ofTheLanguages.test(name.slice(1)));
    expect(names.length).toBeGreaterThan(200);
    expect(names).toEqual(expect.arrayContaining(['.site-header', '.sheet', '.suggestions', '#preview']));
    expect.soft(await changedBy(tab.page, names), path).toEqual([]);
  }
  await tab.close();
}, 120_000);

test('the content of a page changes nothing around it', async () => {
  const tab = await openTab(browser, wiki);
  await tab.signIn('Ada');
  await tab.go('/plain');
  const before = await tab.page.evaluate(lookAround);
  const names = (await namesInStyles(tab.page)).map((name) => name.slice(1));
  await tab.page.evaluate((names) => {
    const box = document.querySelector('.markup');
    for (const name of names) {
      const one = document.createElement('div');
      one.className = name;
      box?.append(one);
    }
    const all = document.createElement('div');
    all.className = names.join(' ');
    box?.append(all);
  }, names);
  expect(await tab.page.evaluate(lookAround)).toEqual(before);
  await tab.close();
});

test('content of a page cannot receive clicks outside its box, however it is styled', async () => {
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 800 },
  ]) {
    const tab = await openTab(browser, wiki, { viewport: size });
    for (const path of ['/escapes', '/lone']) {
      await tab.go(path);
      await tab.settled();
      expect.soft(await hitsOutside(tab), `${path} at ${size.width}`).toEqual([]);
    }
    await tab.close();
  }
}, 120_000);

test('content of a preview cannot receive clicks outside its box', async () => {
  const tab = await openTab(browser, wiki, { viewport: { width: 1440, height: 900 } });
  await tab.signIn('Ada');
  await tab.go('/edit/escapes');
  await tab.page.waitForSelector('#preview .sheet');
  expect(await hitsOutside(tab)).toEqual([]);
  await tab.close();

  const plain = await openTab(browser, wiki, { javaScriptEnabled: true });
  await plain.signIn('Ada');
  await plain.page.route('**/editor.js', (route) => route.abort());
  await plain.go('/edit/lone');
  await plain.page.evaluate(() =>
    document.querySelector<HTMLButtonElement>('button[value=preview]')?.click(),
  );
  await plain.page.waitForSelector('#preview div');
  expect(await hitsOutside(plain)).toEqual([]);
  await plain.close();
}, 60_000);

test('IDs in a preview do not capture labels or buttons of the form around it', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const tab = await openTab(browser, wiki, { javaScriptEnabled });
    await tab.signIn('Ada');
    await tab.go('/edit/fields');
    if (!javaScriptEnabled) await tab.page.click('button[name=intent][value=preview]');
    await tab.page.waitForSelector('#preview #own');
    const labelled = await tab.page.evaluate(() =>
      [...document.querySelectorAll('label')].map(({ htmlFor, control }) => [htmlFor, control?.id]),
    );
    expect(labelled).toEqual(
      expect.arrayContaining([
        ['type', 'type'],
        ['file', 'file'],
      ]),
    );
    await tab.close();
  }
});

test('content wider than the text scrolls within its box, by keyboard and without script too', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const tab = await openTab(browser, wiki, { viewport: { width: 820, height: 700 }, javaScriptEnabled });
    await tab.go('/broad');
    const box = tab.page.locator('.markup');
    await expect.poll(() => overflowOf(tab)).toBe('auto');
    if (javaScriptEnabled) expect(await box.getAttribute('tabindex')).toBe('0');
    const end = tab.page.getByText('its end');
    expect((await end.boundingBox())?.x).toBeGreaterThan(820);
    await box.focus();
    await tab.page.keyboard.press('Tab');
    await end.scrollIntoViewIfNeeded();
    expect((await end.boundingBox())?.x).toBeLessThan(820);
    // The page itself is no wider than the window.
    expect(await tab.page.evaluate(() => document.documentElement.scrollWidth)).toBe(820);
    await tab.close();
  }
});

test('a box whose content fits does not scroll, so that header rows stay at the top of the window', async () => {
  const tab = await openTab(browser, wiki, { viewport: { width: 1440, height: 640 } });
  await tab.go('/rows');
  await tab.page.waitForSelector('.markup table[data-fits]');
  expect(await overflowOf(tab)).toBe('visible');
  await tab.page.evaluate(() => scrollTo({ top: 900, behavior: 'instant' }));
  const head = tab.page.locator('.markup th').first();
  await expect.poll(async () => (await head.boundingBox())?.y).toBeLessThan(60);
  expect((await head.boundingBox())?.y).toBeGreaterThanOrEqual(0);
  await tab.close();
});

test('the focus ring of a link at the edge of the text is drawn completely', async () => {
  for (const width of [1440, 390]) {
    const tab = await openTab(browser, wiki, { viewport: { width, height: 700 } });
    await tab.go('/broad');
    const link = tab.page.locator('.markup a').first();
    await link.focus();
    const [at, box] = [await link.boundingBox(), await tab.page.locator('.markup').boundingBox()];
    // The ring is 2 px wide, with a 2 px gap.
    expect((at?.x ?? 0) - (box?.x ?? 0)).toBeGreaterThanOrEqual(4);
    expect((at?.y ?? 0) - (box?.y ?? 0)).toBeGreaterThanOrEqual(4);
    await tab.close();
  }
});

test('the text is aligned with the title above it', async () => {
  const tab = await openTab(browser, wiki, { viewport: { width: 1440, height: 700 } });
  for (const path of ['/plain', '/empty']) {
    await tab.go(path);
    const [title, text] = [tab.page.locator('h1'), tab.page.locator('.page > .empty, .markup > p').first()];
    expect((await text.boundingBox())?.x, path).toBe((await title.boundingBox())?.x);
  }
  await tab.close();
});

function overflowOf(tab: Tab): Promise<string> {
  return tab.page.locator('.markup').evaluate((box) => getComputedStyle(box).overflowX);
}

/** Classes and IDs in all rules of the site's style sheets, with their `.` or `#`. */
function namesInStyles(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const found = new Set<string>();
    // Style sheets of every kind of page, as authors may use classes that this page does not load.
    const assets = document.body.dataset.assets ?? '';
    const own = ['style.css', 'site.css', 'editor.css', 'map.css'];
    const sheets = await Promise.all(
      own.map(async (name) => {
        const link = document.createElement('link');
        link.rel = 'stylesheet';
        link.href = assets + name;
        const isThere = [...document.styleSheets].find((sheet) => sheet.href?.endsWith(`/${name}`));
        if (isThere) return isThere;
        await new Promise((resolve) => {
          link.onload = resolve;
          document.head.append(link);
        });
        return link.sheet;
      }),
    );
    const read = (rules: CSSRuleList) => {
      for (const rule of rules) {
        if ('selectorText' in rule)
          for (const [name] of String(rule.selectorText).matchAll(/[.#][\w-]+/g)) found.add(name);
        if ('cssRules' in rule && !('keyText' in rule)) read(rule.cssRules as CSSRuleList);
      }
    };
    for (const sheet of sheets) if (sheet) read(sheet.cssRules);
    return [...found].sort();
  });
}

/** CSS properties of elements in `.markup` that these classes and IDs change. */
function changedBy(page: Page, names: string[]): Promise<string[]> {
  return page.evaluate((names) => {
    const box = document.querySelector('.markup');
    if (!box) throw new Error('No content.');
    const inside =
      '<a href="/x">link</a><ul><li>item</li></ul><h2>h</h2><p>p</p><p>q</p><img alt=""><span>s</span><dl><dt>t</dt><dd>d</dd></dl><table><tr><th>h</th><td>d</td></tr></table>';
    /** Nested elements that all have the classes, and one for each ID, because IDs must be unique. */
    const grow = (classes: string, ids: string[]) => {
      const root = document.createElement('div');
      const add = (to: Element, kind: string, id?: string) => {
        const one = document.createElement(kind);
        one.className = classes;
        if (id) one.id = id;
        to.append(one);
        return one;
      };
      for (const kind of ['div', 'span', 'ul']) {
        add(root, kind).innerHTML = 'words';
        add(add(root, kind), kind).innerHTML = inside;
      }
      for (const id of ids) add(root, 'div', id);
      return root;
    };
    const look = (classes: string, ids: string[]) => {
      const root = grow(classes, ids);
      box.append(root);
      const looks = [...root.querySelectorAll('*')].flatMap((one, at) =>
        [undefined, '::before', '::after'].flatMap((pseudo) => {
          const style = getComputedStyle(one, pseudo);
          return [...style].map(
            (name) => `${one.tagName} ${at}${pseudo ?? ''} ${name}: ${style.getPropertyValue(name)}`,
          );
        }),
      );
      root.remove();
      return looks;
    };
    const classes = names.filter((name) => name.startsWith('.')).map((name) => name.slice(1));
    const ids = names.filter((name) => name.startsWith('#')).map((name) => name.slice(1));
    const bare = look(
      '',
      ids.map(() => ''),
    );
    return look(classes.join(' '), ids).filter((line, at) => line !== bare[at]);
  }, names);
}

/** Computed styles of elements outside the content, except those below it. */
function lookAround(): string[] {
  return [...document.querySelectorAll('html, body, header, header *, nav, nav *, main, .page-head *')].map(
    (one) => {
      const style = getComputedStyle(one);
      const looks = [...style]
        // Heights depend on the length of the content.
        .filter((name) => !/height|block-size|origin/.test(name))
        .map((name) => `${name}:${style.getPropertyValue(name)}`);
      return `${one.tagName} ${looks.join(';')}`;
    },
  );
}

/** Points of the window, at several scroll positions, where content lies outside its box. */
async function hitsOutside({ page }: Tab): Promise<string[]> {
  return page.evaluate(
    async (step) => {
      const found = new Set<string>();
      const height = document.documentElement.scrollHeight;
      let tried = 0;
      for (const share of [0, 0.02, 0.5, 1]) {
        scrollTo({ top: share * height, behavior: 'instant' });
        await new Promise((resolve) => requestAnimationFrame(resolve));
        const box = document.querySelector('.markup')?.getBoundingClientRect();
        if (!box) throw new Error('No content.');
        for (let x = 2; x < innerWidth; x += step) {
          for (let y = 2; y < innerHeight; y += step) {
            // A pixel that an edge crosses belongs to the box.
            const isWithin = (at: number, from: number, to: number) => at >= Math.floor(from) && at <= to;
            if (isWithin(x, box.left, box.right) && isWithin(y, box.top, box.bottom)) continue;
            tried++;
            for (const one of document.elementsFromPoint(x, y))
              if (one.closest('.markup')) found.add(`${one.tagName} ${one.textContent?.slice(0, 30)}`);
          }
        }
      }
      if (tried < 150) throw new Error('The content leaves no room around it to try.');
      return [...found];
    },
    effort(24, 12),
  );
}
