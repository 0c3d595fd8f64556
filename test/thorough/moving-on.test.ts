/** Moving from page to page in a real browser: pages fetched ahead, the back/forward cache, and who may see what they keep. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browser, plantGarden, wiki } from '../e2e/garden.ts';
import { openTab, passphrase, startBrowser, type Tab } from '../e2e/support.ts';

plantGarden();

describe('moving on', () => {
  // The headless browser has no back/forward cache, and Playwright disables it by default.
  let keeping: Browser;
  beforeAll(async () => {
    keeping = await startBrowser({ isWhole: true, ignoreDefaultArgs: ['--disable-back-forward-cache'] });
  });
  afterAll(() => keeping?.close());

  async function reader(
    options: Parameters<typeof openTab>[2] = {},
    among = browser,
  ): Promise<Tab & { back(): Promise<void> }> {
    const own = await openTab(among, wiki, {
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'no-preference',
      ...options,
    });
    // A page from the back/forward cache does not load, and Playwright waits for a load.
    const back = async () => {
      const from = own.page.url();
      await own.page.evaluate(() => setTimeout(() => history.back()));
      await expect.poll(() => own.page.url()).not.toBe(from);
      await expect.poll(() => own.page.evaluate(() => document.readyState).catch(() => '')).toBe('complete');
    };
    return { ...own, back };
  }
  const isKept = (page: Tab['page']) => page.evaluate(() => 'isSameDocument' in globalThis);
  const mark = (page: Tab['page']) =>
    page.evaluate(() => Object.assign(globalThis, { isSameDocument: true }));
  const delivery = (page: Tab['page']) =>
    page.evaluate(
      () =>
        (performance.getEntriesByType('navigation')[0] as unknown as { deliveryType: string }).deliveryType,
    );

  /** Hovers over each element long enough for a prefetch, and returns the paths prefetched. */
  async function fetchedAhead(own: Tab, selectors: string[]): Promise<string[]> {
    const asked: string[] = [];
    own.page.context().on('request', (request) => {
      if (request.headers()['sec-purpose']?.startsWith('prefetch'))
        asked.push(new URL(request.url()).pathname);
    });
    for (const selector of selectors) {
      await own.page.locator(selector).first().hover();
      await own.page.waitForTimeout(350);
    }
    return asked;
  }

  test('pages are prefetched when a pointer rests on their links; forms, files and the API are not', async () => {
    const own = await reader();
    await own.signIn('Ada');
    await own.go('/garden');
    await own.page.evaluate(() => {
      for (const href of [
        '/logout',
        '/files/x.png',
        '/v1/pages',
        '/garden/roses?version=1',
        '/edit/garden/roses',
      ])
        document
          .querySelector('.breadcrumb')
          ?.append(Object.assign(document.createElement('a'), { href, textContent: href }), ' ');
    });
    const never = [
      '/logout',
      '/files/x.png',
      '/v1/pages',
      '/garden/roses?version=1',
      '/edit/garden/roses',
      '/new',
      '/account',
    ];
    const asked = await fetchedAhead(own, [
      ...never.map((href) => `a[href="${href}"]`),
      '.markup a[href="/garden/roses"]',
    ]);
    expect(asked).toEqual(['/garden/roses']);
    await own.page.click('.markup a[href="/garden/roses"]');
    await own.page.waitForURL(`${wiki.url}/garden/roses`);
    expect(await delivery(own.page)).toBe('navigational-prefetch');
    expect(await own.page.textContent('.site-nav')).toContain('Ada');
    expect(own.errors).toEqual([]);
    await own.context.close();
  });

  test('nothing is prefetched for readers who save data', async () => {
    const own = await reader({ extraHTTPHeaders: { 'save-data': 'on' } });
    await own.go('/garden');
    expect(await fetchedAhead(own, ['.markup a[href="/garden/roses"]'])).toEqual([]);
    await own.context.close();
  });

  test('a prefetched page is discarded after its reader has signed out or changed colours', async () => {
    const own = await reader();
    await own.signIn('Ada');
    await own.go('/garden');
    const link = '.markup a[href="/garden/roses"]';
    expect(await fetchedAhead(own, [link])).toEqual(['/garden/roses']);
    const remembered = own.page.waitForResponse((answer) => answer.url().endsWith('/theme'));
    await own.page.click('button[name=theme][value=dark]');
    await remembered;
    await own.page.click(link);
    await own.page.waitForURL(`${wiki.url}/garden/roses`);
    expect(await own.page.getAttribute('html', 'data-theme')).toBe('dark');

    await own.go('/garden');
    await fetchedAhead(own, [link]);
    const other = await own.context.newPage();
    await other.goto(`${wiki.url}/account`);
    await other.click('main >> text="Sign out"');
    await other.waitForURL(`${wiki.url}/`);
    await own.page.click(link);
    await own.page.waitForURL(`${wiki.url}/garden/roses`);
    expect(await own.page.textContent('.site-nav')).toContain('Sign in');
    await own.context.close();
  });

  test('Back shows a page in its last state, to strangers and to members', async () => {
    for (const member of [undefined, 'Ada']) {
      const own = await reader({}, keeping);
      if (member) await own.signIn(member);
      await own.go('/garden');
      await own.settled();
      await mark(own.page);
      await own.page.click('.markup a[href="/garden/roses"]');
      await own.page.waitForURL(`${wiki.url}/garden/roses`);
      await own.back();
      const why = await own.page.evaluate(() =>
        JSON.stringify(
          (performance.getEntriesByType('navigation')[0] as unknown as { notRestoredReasons: unknown })
            .notRestoredReasons,
        ),
      );
      expect(await isKept(own.page), `${member}: ${why}`).toBe(true);
      await own.context.close();
    }
  });

  test('Back never shows a member’s page to the next person, nor a stranger’s page to a member', async () => {
    const own = await reader({}, keeping);
    await own.signIn('Ada');
    await own.go('/garden/hidden-shed');
    expect(await own.page.textContent('main')).toContain('Nobody else may know.');
    await own.go('/account');
    await own.page.click('main >> text="Sign out"');
    await own.page.waitForURL(`${wiki.url}/`);
    for (let step = 0; step < 2; step++) {
      await own.back();
      expect(await own.page.textContent('body')).not.toMatch(
        /Nobody else may know|Your account|Signed in as/,
      );
    }
    await own.go('/garden');
    await own.page.click('.site-nav >> text=Sign in');
    await own.page.fill('#email', 'ada@example.org');
    await own.page.fill('#pass', passphrase);
    await own.page.keyboard.press('Enter');
    await own.page.waitForURL(`${wiki.url}/garden`);
    await own.page.evaluate(() => setTimeout(() => history.go(-2)));
    await expect.poll(() => own.page.textContent('.site-nav').catch(() => '')).toContain('Ada');
    await own.context.close();
  });

  test('pages fade into each other, or switch at once for readers who want no motion', async () => {
    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      const own = await reader({ reducedMotion });
      await own.page.addInitScript(() =>
        addEventListener('pagereveal', (event) => {
          const { viewTransition } = event as unknown as { viewTransition: unknown };
          Object.assign(globalThis, { isFaded: viewTransition !== null });
        }),
      );
      await own.go('/garden');
      await own.page.click('.markup a[href="/garden/roses"]');
      await own.page.waitForURL(`${wiki.url}/garden/roses`);
      expect(await own.page.evaluate(() => (globalThis as unknown as { isFaded: boolean }).isFaded)).toBe(
        reducedMotion === 'no-preference',
      );
      await own.context.close();
    }
  });
});
