/**
 * The site for readers: every page responds, old addresses and other spellings redirect, feeds and robots find what they need.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sitemapStarts } from '#web/pages/feeds.ts';
import { carryOver } from '../support/operations.ts';
import {
  attribute,
  type Element,
  elementsOf,
  elementWhere,
  startSite,
  type TestSite,
  textOf,
} from '../support/web.ts';

let site: TestSite;
let ada: Awaited<ReturnType<TestSite['signedIn']>>;

beforeAll(async () => {
  site = await startSite({ COPPICE_NAME: 'Testwood' });
  ada = await site.signedIn('Ada', { isAdmin: true });
});
afterAll(() => site.close());

describe('an empty wiki', () => {
  test('welcomes visitors, and tells members what to do first', async () => {
    const stranger = await site.visitor().get('/');
    expect(stranger.status).toBe(200);
    expect(stranger.text).toContain('Welcome to Testwood');
    expect(stranger.text).not.toContain('Write the home page');
    for (const words of ['npm start', 'journalctl -u coppice', 'docker logs', 'coppice -- member add'])
      expect(stranger.text).toContain(words);
    expect((await ada.get('/')).text).toContain('href="/new?title=Home&amp;path=%2Fhome"');
  });

  test.each([
    '/search',
    '/map',
    '/updates',
    '/wanted',
    '/tree',
    '/login',
    '/search?text=nothing',
    '/map?lat=1&lon=2',
  ])('%s says that there is nothing yet', async (url) => {
    const shown = await site.visitor().get(url);
    expect(shown.status).toBe(200);
    expect(shown.headers['content-type']).toBe('text/html; charset=utf-8');
  });
});

describe('a wiki with pages', () => {
  beforeAll(async () => {
    await site.page(ada.token, {
      title: 'Home',
      path: '/home',
      body: "Welcome to the ''wood''. See [[Garden]].",
    });
    await site.page(ada.token, {
      title: 'Garden',
      body: 'Everything that grows. [[Roses]] [[Not there]] [[Season:summer]] [[Type:Collection]]',
    });
    await site.page(ada.token, {
      title: 'Roses',
      parent: '/garden',
      description: 'Every rose in the garden.',
      body: '[[Location:52.5, 13.4]] About [[Garden]].\n== Care ==\nWater.\n== Pruning ==\nIn winter.\n== Names ==\nMany.',
    });
    await site.page(ada.token, {
      title: 'Herbs',
      parent: '/garden',
      body: '[[Location:52.51, 13.4]] Thyme.',
    });
    await site.page(ada.token, {
      title: 'Diary',
      parent: '/garden',
      permissions: 700,
      body: 'Dear diary. [[Roses]]',
    });
  });

  test('shows a page with its ancestors, content and surroundings', async () => {
    const { text, status } = await site.visitor().get('/garden/roses');
    expect(status).toBe(200);
    const elements = elementsOf(text);
    expect(elements.filter(({ tagName }) => tagName === 'h1').map(textOf)).toEqual(['Roses']);
    expect(
      textOf(elementWhere(text, (element) => attribute(element, 'aria-label') === 'Breadcrumb')),
    ).toContain('Garden');
    expect(text).toContain('<p class="lede" lang="en" dir="auto">Every rose in the garden.</p>');
    expect(text).toContain('href="/search?type=Place"');
    expect(text).toMatch(/Nearby places.*Herbs/s);
    expect(text).toMatch(/What links here.*Garden/s);
    expect(text).toMatch(/class="contents".*#Care.*#Pruning.*#Names/s);
    expect(text).not.toContain('Diary');
    expect(text).not.toContain('/edit/garden/roses?section');
  });

  test('offers members what they may do, section by section', async () => {
    const { text } = await ada.get('/garden/roses');
    for (const href of [
      '/edit/garden/roses',
      '/history/garden/roses',
      '/move/garden/roses',
      '/edit/garden/roses?section=Pruning',
    ]) {
      expect(text).toContain(`href="${href}"`);
    }
    expect(text).toContain('Diary');
  });

  test('tells search engines and social media about public pages', async () => {
    const { text } = await site.visitor().get('/garden/roses', { host: 'wiki.test' });
    const meta = (name: string) =>
      elementsOf(text).find(
        (one) =>
          one.tagName === 'meta' && [attribute(one, 'name'), attribute(one, 'property')].includes(name),
      )?.attrs;
    const content = (value: string) => expect.arrayContaining([{ name: 'content', value }]);
    expect(text).toContain('<title>Roses · Testwood</title>');
    expect(meta('description')).toEqual(content('Every rose in the garden.'));
    expect(meta('og:title')).toEqual(content('Roses'));
    expect(meta('og:url')).toEqual(content('http://wiki.test/garden/roses'));
    expect(meta('twitter:card')).toEqual(content('summary'));
    expect(
      attribute(
        elementWhere(text, (one) => attribute(one, 'rel') === 'canonical'),
        'href',
      ),
    ).toBe('http://wiki.test/garden/roses');
    expect(meta('robots')).toBeUndefined();
    const isData = (one: Element) => attribute(one, 'type') === 'application/ld+json';
    const data = elementWhere(text, isData);
    expect(JSON.parse(textOf(data))).toMatchObject({
      '@type': 'Place',
      name: 'Roses',
      geo: { latitude: 52.5, longitude: 13.4 },
    });
    const article = elementWhere((await site.visitor().get('/garden')).text, isData);
    expect(JSON.parse(textOf(article))).toMatchObject({ '@type': 'Article', headline: 'Garden' });
  });

  test('shows the home page at the root, with its own address as the canonical one', async () => {
    const { text } = await site.visitor().get('/');
    expect(text).toContain('<i>wood</i>');
    expect(text).toContain('<link rel="canonical" href="http://wiki.test/home">');
  });

  test('the root is the title page: the name of the wiki, the text, latest changes and wanted pages', async () => {
    const visitor = site.visitor();
    const front = await visitor.get('/');
    const headings = (text: string, name: string) =>
      elementsOf(text)
        .filter(({ tagName }) => tagName === name)
        .map(textOf);
    expect(headings(front.text, 'h1')).toEqual(['Testwood']);
    expect(headings(front.text, 'h2')).toEqual(['Latest changes', 'Wanted pages']);
    expect(front.text).toContain('<title>Testwood</title>');
    expect(front.text).not.toContain('breadcrumb');
    expect(front.text).toMatch(/href="\/new\?title=Not%20there"/);
    expect(front.text).not.toContain('Diary');
    // The front page shows changes at once, though it has not changed itself.
    await site.page(ada.token, { title: 'Late arrival', body: 'See [[Much wanted]].' });
    const next = await visitor.get('/');
    expect(next.text).toMatch(/Latest changes<\/h2><ul[^>]*><li>.{0,80}Late arrival/s);
    expect(next.text).toContain('Much wanted');

    const own = await visitor.get('/home');
    expect(headings(own.text, 'h1')).toEqual(['Home']);
    expect(own.text).toContain('breadcrumb');
    expect(own.text).not.toContain('Latest changes</h2>');
  });

  test('a front page with its own title keeps it, and its listings are not repeated', async () => {
    const club = await startSite({ COPPICE_NAME: 'Club' });
    try {
      const bea = await club.signedIn('Bea');
      const body = 'Read on. [[Gone]]\n\n{{Recent}}\n\n{{Wanted}}';
      await club.page(bea.token, { title: 'Our garden', path: '/home', body });
      const { text } = await club.visitor().get('/');
      expect(text).toMatch(/<h1[^>]*>Our garden<\/h1>/);
      expect(text).not.toMatch(/Latest changes<\/h2>|Wanted pages<\/h2>/);
      // Times as worded everywhere on the site, with the exact time for machines.
      expect(text).toMatch(/listing-recent.*<time datetime="[^"]+Z" title="[^"]+ UTC">just now<\/time>/s);
      expect(text).not.toMatch(/<time[^>]*>\d{4}-/);
      const odd = '<time datetime="9999-99-99T99:99:99Z">9999-99-99</time>';
      await club.page(bea.token, { title: 'Odd', path: '/odd', body: odd, format: 'markdown' });
      expect((await club.visitor().get('/odd')).status).toBe(200);
    } finally {
      await club.close();
    }
  });

  test('the tree beside a page leaves out templates and modules, but not beside one; “All pages” has all', async () => {
    await site.page(ada.token, { title: 'Shelf', path: '/shelf', body: 'All of them.' });
    for (const name of ['Mind', 'Note'])
      await site.page(ada.token, { title: name, parent: '/shelf', body: '{{{1}}}', type: 'Template' });
    await site.page(ada.token, { title: 'Sticker', path: '/sticker', body: '{{{1}}}', type: 'Template' });
    await site.page(ada.token, { title: 'Sums', path: '/sums', body: 'return {}', type: 'Module' });
    const beside = async (path: string) => {
      const side = elementsOf((await site.visitor().get(path)).text).find(
        (one) => attribute(one, 'data-tree') !== undefined,
      );
      return side ? textOf(side) : '';
    };
    expect(await beside('/garden')).toContain('Shelf');
    expect(await beside('/garden')).not.toMatch(/Sticker|Sums/);
    expect(await beside('/sticker')).toContain('Sticker');
    expect(await beside('/shelf/mind')).toContain('Note');
    const level = async (query: string) => (await site.visitor().get(`/tree/shelf?part=${query}`)).text;
    expect(await level('side')).toBe(
      '<ul class="tree"><li class="leaf"><a class="tree-more" href="/tree/shelf">2 templates</a></li></ul>',
    );
    expect(await level('list')).toMatch(/Mind.*Note/s);
    await site.page(ada.token, { title: 'Count', parent: '/shelf', body: 'return {}', type: 'Module' });
    expect(await level('side')).toContain('2 templates, 1 module</a>');
    expect((await site.visitor().get('/tree')).text).toContain('Sticker');
  });

  test('redirects other spellings of an address to the canonical one', async () => {
    const visitor = site.visitor();
    expect(await visitor.get('/garden/')).toMatchObject({ status: 308, location: '/garden' });
    expect(await visitor.get(`/${encodeURIComponent('Cafe\u0301')}`)).toMatchObject({
      status: 308,
      location: '/Caf%C3%A9',
    });
    expect((await visitor.get('//garden')).status).not.toBe(200);
  });

  test('redirects addresses of a MediaWiki to the paths that an import defined', async () => {
    const visitor = site.visitor();
    expect(await visitor.get('/index.php?title=Talk:Old%20oak')).toMatchObject({
      status: 308,
      location: '/wiki/Talk%3AOld_oak',
    });
    for (const other of ['', '?title=', '?title=a&title=b', '?title=..%2F..%2Flogin', '?title=%00'])
      expect((await visitor.get(`/index.php${other}`)).status, other).toBe(404);
  });

  test('says that a page is missing, offers to write it and suggests similar ones', async () => {
    const { status, text } = await site.visitor().get('/garden/rozes');
    expect(status).toBe(404);
    expect(text).toContain('No page here yet');
    expect(text).toContain('href="/garden/roses"');
    const asked = await ada.get('/deep/below/new-thing');
    expect(asked.text).toContain('href="/new?title=New%20thing&amp;path=%2Fdeep%2Fbelow%2Fnew-thing"');
  });

  test('suggests pages for misspelt names, other case or number, missing accents, or another place', async () => {
    const names = [
      { title: 'Crème brûlée', parent: '/garden' },
      { title: 'Gooseberries', parent: '/garden' },
      { title: 'The old mill by the stream', path: '/mill' },
    ];
    for (const page of names) await site.page(ada.token, { ...page, body: 'Short.' });
    const firstNear = async (path: string) =>
      /<ul class="near-matches"><li><a href="([^"]*)"/.exec((await site.visitor().get(path)).text)?.[1];
    for (const [asked, meant] of [
      ['/garden/rosse', '/garden/roses'],
      ['/garden/orses', '/garden/roses'],
      ['/garden/rose', '/garden/roses'],
      ['/Garden/Roses', '/garden/roses'],
      ['/GARDEN', '/garden'],
      ['/graden', '/garden'],
      ['/roses', '/garden/roses'],
      ['/gardn/roses', '/garden/roses'],
      ['/a/b/c/roses', '/garden/roses'],
      ['/garden/creme-brulee-', '/garden/creme-brulee'],
      ['/Cr%C3%A8me_br%C3%BBl%C3%A9e', '/garden/creme-brulee'],
      ['/garden/creme-burlee', '/garden/creme-brulee'],
      ['/gooseberry', '/garden/gooseberries'],
      ['/old-mill', '/mill'],
      ['/mil', '/mill'],
    ]) {
      expect(await firstNear(asked ?? ''), asked).toBe(meant);
    }
    const below = await site.visitor().get('/garden/qqqq/xxxx');
    expect(below.text).toContain('It would be below <a href="/garden"');
    expect(below.text).not.toContain('near-matches');
    // One common word does not make a near match.
    const other = await site.visitor().get('/stream-processing-frameworks');
    expect(other.text).not.toContain('near-matches');
  });

  test('a private page gets the same response as a missing one', async () => {
    const visitor = site.visitor();
    const hidden = await visitor.get('/garden/diary');
    const none = await visitor.get('/garden/dairy');
    const alike = (text: string) =>
      text.replaceAll(/[Dd](iary|airy)/g, '…').replace(/<ul class="near-matches">.*?<\/ul>/s, '');
    expect(hidden.status).toBe(404);
    expect(alike(hidden.text)).toBe(alike(none.text));
    for (const url of [
      '/history/garden/diary',
      '/diff/garden/diary',
      '/tree/garden/diary',
      '/preview/garden/diary',
      '/atom/history/garden/diary',
      '/atom/updates/garden/diary',
      '/updates?below=/garden/diary',
    ]) {
      expect((await visitor.get(url)).status, url).toBe(404);
    }
  });

  test('searches text and every criterion, with facets, and marks what was found', async () => {
    const visitor = site.visitor();
    const { text } = await visitor.get('/search?text=winter');
    expect(text).toContain('<mark>winter</mark>');
    expect(text).toContain('1 page');
    expect((await visitor.get('/search?tag=season:summer')).text).toContain('href="/garden"');
    expect((await visitor.get('/search?type=Place&ancestor=/garden')).text).toContain('2 pages');
    expect((await visitor.get('/search?title=rose&type=Collection&logic=or')).text).toContain('2 pages');
    const odd = await visitor.get('/search?order=sideways&type=Place');
    expect(odd.status).toBe(200);
    expect(odd.text).toContain('Unknown order');
    const titles = JSON.parse((await visitor.get('/search/titles?text=ros')).text);
    expect(titles.pages).toMatchObject([{ title: 'Roses', path: '/garden/roses', url: '/garden/roses' }]);
    expect(JSON.parse((await visitor.get('/search/titles?text=diary')).text).pages).toEqual([]);
  });

  test('a type and a tag have a page that lists theirs, with the form closed', async () => {
    const visitor = site.visitor();
    const type = (await visitor.get('/search?type=Place')).text;
    expect(type).toMatch(
      /<h1><span class="kind" dir="auto">Type<\/span> <span dir="auto">Place<\/span><\/h1>/,
    );
    expect(type).toContain('<title>Type: Place ·');
    expect(type).toContain('<details class="criteria"><summary>');
    const tag = (await visitor.get('/search?tag=season:summer')).text;
    expect(tag).toMatch(
      /<h1><span class="kind" dir="auto">season<\/span> <span dir="auto">summer<\/span><\/h1>/,
    );
    for (const url of [
      '/search?type=Place&ancestor=/garden',
      '/search?tag=season:summer&text=rose',
      '/search?tag=a&tag=b',
    ])
      expect((await visitor.get(url)).text, url).not.toContain('class="kind"');
  });

  test('actions of a page stand behind Edit, History and one menu', async () => {
    const { text } = await ada.get('/garden/roses');
    const [, actions = ''] =
      /<div class="actions"[^>]*>([\s\S]*?)<details class="actions-more"/.exec(text) ?? [];
    expect([...actions.matchAll(/<a [^>]*>([^<]*)/g)].map(([, words]) => words)).toEqual(['Edit', 'History']);
    expect(text.match(/href="\/move\/garden\/roses"/g)).toHaveLength(1);
  });

  test('lists wanted pages with their linking pages, places, changes and the tree', async () => {
    const visitor = site.visitor();
    expect((await visitor.get('/wanted')).text).toMatch(/Not there.*wanted by 1 page.*Garden/s);
    expect((await visitor.get('/map')).text).toMatch(/data-lat="52.51".*Herbs.*Roses/s);
    expect((await visitor.get('/map?lat=52.5&lon=13.4')).text).toMatch(/Roses.*0 m.*Herbs.*1\.1 km/s);
    expect(
      JSON.parse((await visitor.get('/map/places?south=52.505&west=13&north=53&east=14')).text).places,
    ).toMatchObject([{ title: 'Herbs' }]);
    expect((await visitor.get('/updates')).text).toMatch(/Herbs.*Roses.*Garden/s);
    expect((await visitor.get('/updates?below=/garden')).text).not.toContain('href="/home"');
    expect((await visitor.get('/tree')).text).toContain('data-tree-src="/tree/garden?part=list"');
    expect((await visitor.get('/tree/garden?part=list')).text).toMatch(/^<ul class="tree">.*Herbs.*Roses/s);
    expect((await ada.get('/tree/garden?part=list')).text).toContain('Diary');
    expect((await visitor.get('/preview/garden/roses')).text).toContain('Every rose in the garden.');
  });

  test('old addresses redirect to the current one', async () => {
    const page = await site.page(ada.token, { title: 'Shed', body: 'Tools.' });
    expect(page.path).toBe('/shed');
    await site.call('POST', '/v1/pages/shed', {
      token: ada.token,
      json: { parent: '/garden', path: '/garden/shed' },
    });
    const visitor = site.visitor();
    expect(await visitor.get('/shed?version=1')).toMatchObject({
      status: 308,
      location: '/garden/shed?version=1',
    });
    expect(await visitor.get('/history/shed')).toMatchObject({
      status: 308,
      location: '/history/garden/shed',
    });
    expect(await ada.get('/edit/shed')).toMatchObject({ status: 308, location: '/edit/garden/shed' });
  });

  test('sizes in a history are of bytes, as those of files are', async () => {
    await site.page(ada.token, { title: 'Bytes', body: '日本' });
    await site.call('POST', '/v1/pages/bytes', { token: ada.token, json: { body: '日本語' } });
    const { text } = await site.visitor().get('/history/bytes');
    expect(text).toMatch(/\+3<\/span><br><span class="quiet">9 bytes</);
    expect(text).toMatch(/\+6<\/span><br><span class="quiet">6 bytes</);
  });

  test('shows history, versions and differences', async () => {
    await site.call('POST', '/v1/pages/garden/herbs', {
      token: ada.token,
      json: { body: '[[Location:52.51, 13.4]] Thyme and sage.', msg: 'Sage, too' },
    });
    const visitor = site.visitor();
    const history = await visitor.get('/history/garden/herbs');
    expect(history.text).toMatch(/Sage, too.*No message/s);
    const [now, first] = [...history.text.matchAll(/version=(\d+)/g)].map(([, id]) => id);
    const old = await visitor.get(`/garden/herbs?version=${first}`);
    expect(old.text).toContain('This is an older version');
    expect(old.text).toContain('name="robots" content="noindex"');
    expect(old.text).not.toContain('sage');
    const diff = await visitor.get(`/diff/garden/herbs?from=${first}&to=${now}`);
    expect(diff.text).toMatch(/<ins>[^<]*sage[^<]*<\/ins>/);
    expect((await visitor.get(`/diff/garden/herbs?from=${first}&to=${now}&view=inline`)).text).toContain(
      'diff-inline',
    );
    const shown = (await visitor.get(`/diff/garden/herbs?from=${first}&to=${now}&view=shown`)).text;
    expect(shown).toMatch(
      /<div class="markup shown-diff"><p> Thyme<ins class="shown-added"> and sage<\/ins>/,
    );
    expect(shown).toContain(`href="/diff/garden/herbs?from=${first}&amp;to=${now}&amp;view=inline"`);
    for (const view of ['', '&view=shown'])
      expect((await visitor.get(`/diff/garden/herbs?to=99999${view}`)).status).toBe(404);
    const wrong = await visitor.get(`/garden/roses?version=${first}`);
    expect([wrong.status, wrong.text.includes('The page has no such version')]).toEqual([404, true]);
    expect(wrong.text).toContain('<a href="/garden/roses">Back to the page</a>');
  });

  test('a change that only attached files lists them, in the history and in comparisons', async () => {
    await site.call('POST', '/v1/pages', {
      token: ada.token,
      json: { title: 'Herbarium', body: 'Pressed.' },
    });
    const uploads = ['a.txt', 'b.txt', 'c.txt', 'd&.txt'].map((name) => ({
      file: { name, data: Buffer.from(name).toString('base64') },
    }));
    await site.call('POST', '/v1/pages/herbarium', { token: ada.token, json: { files: uploads } });
    const diff = await ada.get('/diff/herbarium');
    expect(diff.text).toMatch(
      /Files attached: <a href="\/files\/[^"]+" dir="auto">a\.txt<\/a>.*>d&amp;\.txt</,
    );
    expect(diff.text).not.toContain('There are no differences');
    const history = await ada.get('/history/herbarium');
    expect(history.text).toMatch(/Files attached: <a [^>]*>a\.txt<\/a>.*c\.txt<\/a> and 1 more/);

    const { page } = await site.call('GET', '/v1/pages/herbarium').then(({ json }) => json);
    const old = page.files[0].urls.full;
    const newer = { file: { name: 'a.txt', data: Buffer.from('anew').toString('base64') } };
    await site.call('POST', '/v1/pages/herbarium', { token: ada.token, json: { files: newer } });
    for (const url of ['/diff/herbarium', '/history/herbarium']) {
      expect((await ada.get(url)).text).toMatch(
        new RegExp(
          `Files replaced: <a href="/files/[^"]+" dir="auto">a\\.txt</a> \\(<a href="${old}">the previous one`,
        ),
      );
    }
    expect((await ada.get(old)).text).toBe('a.txt');
    const version = page.history.at(-1).id;
    expect((await ada.get(`/herbarium?version=${version}`)).text).toContain(`href="${old}"`);
    expect((await ada.get('/herbarium')).text).not.toContain(`href="${old}"`);
  });

  test('offers feeds, a site map and rules to machines, without private pages', async () => {
    const visitor = ada;
    const atom = await visitor.get('/atom');
    expect(atom.headers['content-type']).toBe('application/atom+xml; charset=utf-8');
    expect(atom.text).toContain('<title>Roses</title>');
    expect((await visitor.get('/atom/updates/garden')).text).not.toContain('<title>Home</title>');
    expect((await visitor.get('/atom/history/garden/herbs')).text).toContain('Sage, too');
    const map = await visitor.get('/sitemap.xml');
    expect(map.text).toContain('<loc>http://wiki.test/garden/roses</loc>');
    for (const { text } of [atom, map]) expect(text.toLowerCase()).not.toContain('diary');
    const robots = await visitor.get('/robots.txt');
    expect(robots.text).toContain('Sitemap: http://wiki.test/sitemap.xml');
    expect(robots.text).not.toMatch(/^Disallow: \/new$/m);
    const list = await visitor.get('/llms.txt');
    expect(list.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(list.text).toMatch(/^# Testwood\n\n> A wiki\./);
    expect(list.text).toContain('- [Roses](http://wiki.test/garden/roses?format=md)');
    const full = await visitor.get('/llms-full.txt');
    expect(full.text).toContain('<!-- http://wiki.test/garden -->\n\n# Garden\n\nEverything that grows.');
    const beneath = await visitor.get('/llms.txt?ancestor=/garden');
    expect(beneath.text).toContain('(http://wiki.test/garden?format=md)');
    expect(beneath.text).not.toContain('wiki.test/home');
    expect((await visitor.get('/llms.txt?ancestor=/garden/diary')).status).toBe(404);
    for (const { text } of [list, full]) expect(text.toLowerCase()).not.toContain('diary');
    expect((await visitor.get('/search/description.xml')).text).toContain(
      'http://wiki.test/search?text={searchTerms}',
    );
  });

  test('a private page reveals nothing to machines, even with its readers’ session', async () => {
    const { text } = await ada.get('/garden/diary');
    expect(text).toContain('Dear diary');
    expect(text).toContain('name="robots" content="noindex"');
    expect(text).not.toMatch(/og:title|rel="canonical"|ld\+json|name="description"/);
  });

  test('pages that everybody sees alike may be cached briefly, those of a member may not', async () => {
    const page = await site.page(ada.token, { title: 'Kept', body: 'Text.' });
    for (const url of ['/kept', '/updates', '/tree', '/wanted']) {
      const anyone = await site.visitor().get(url);
      expect(anyone.headers['cache-control'], url).toBe('public, max-age=1, stale-while-revalidate=0');
      expect(anyone.headers.etag, url).toMatch(/^"[^"]+"$/);
      const vary = url === '/kept' ? 'accept, accept-language, cookie' : 'accept-language, cookie';
      expect(String(anyone.headers.vary).toLowerCase(), url).toBe(`${vary}, accept-encoding`);
      expect(anyone.headers['surrogate-key'], url).toMatch(/^wiki\b/);
    }
    expect((await site.visitor().get('/kept')).headers['surrogate-key']).toContain(`page-${page.id}`);
    const own = await ada.get('/kept');
    expect(own.headers['cache-control']).toBe('private, no-store');
    expect(own.headers).not.toHaveProperty('surrogate-key');
    const packed = await ada.get('/kept', { 'accept-encoding': 'br;q=0, gzip' });
    expect(packed.headers['content-encoding']).toBe('gzip');
  });

  test('serves its own assets as immutable, under an address that contains their hash', async () => {
    const { text } = await site.visitor().get('/');
    const href = /href="(\/assets\/[^"]+\/style\.css)"/.exec(text)?.[1] ?? '';
    const sheet = await site.visitor().get(href);
    expect(sheet.status).toBe(200);
    expect(sheet.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const packed = await site.visitor().get(href, { 'accept-encoding': 'br' });
    expect(packed.headers['content-encoding']).toBe('br');
    const refused = await site.visitor().get(href, { 'accept-encoding': 'br;q=0, gzip' });
    expect(refused.headers['content-encoding']).toBe('gzip');
    expect(Number(packed.headers['content-length'])).toBeLessThan(14_000);
    expect(
      (await site.visitor().get(href.replace(/assets\/[^/]+/, 'assets/old'))).headers['cache-control'],
    ).toBe('no-cache');
    expect((await site.visitor().get('/assets/x/../../package.json')).status).toBe(404);
    expect((await site.visitor().get('/assets/x/%2e%2e%2fpackage.json')).status).toBe(404);
  });

  test('remembers the colours that were chosen', async () => {
    const visitor = site.visitor();
    expect(await visitor.post('/theme', { theme: 'dark', next: '/garden' })).toMatchObject({
      status: 303,
      location: '/garden',
    });
    expect((await visitor.get('/garden')).text).toContain('data-theme="dark"');
  });

  test('a missing file is a page for people and a problem for programs', async () => {
    const visitor = site.visitor();
    const browser = await visitor.get('/files/none', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect(browser.status).toBe(404);
    expect(browser.headers['content-type']).toContain('text/html');
    expect(browser.text).toContain('Not found');
    expect(browser.headers['content-security-policy']).toContain("default-src 'none'");
    const picture = await visitor.get('/files/none', { accept: 'image/avif,image/webp,*/*' });
    expect(picture.headers['content-type']).toContain('application/problem+json');
    expect((await visitor.get('/v1/pages/none', { accept: 'text/html' })).headers['content-type']).toContain(
      'application/problem+json',
    );
  });

  test('missing and refused addresses are pages in plain words', async () => {
    const visitor = site.visitor();
    for (const url of [
      '/sitemaps/7.xml',
      '/sitemaps/x',
      '/assets/x/y',
      '/edit',
      '/atom/nothing/here',
      '/login/nothing',
    ]) {
      const shown = await visitor.get(url);
      expect(shown.status, url).toBe(404);
      expect(shown.headers['content-type'], url).toBe('text/html; charset=utf-8');
    }
  });
});

describe('long lists', () => {
  let site: TestSite;
  let ada: Awaited<ReturnType<TestSite['signedIn']>>;
  beforeAll(async () => {
    site = await startSite();
    ada = await site.signedIn('Ada');
  });
  afterAll(() => site.close());

  test('any two changes can be compared, however far apart in a long history', async () => {
    const page = await site.page(ada.token, { title: 'Long story', body: 'Line 0' });
    for (let n = 1; n <= 60; n++) {
      const edit = { json: { body: `Line ${n}`, msg: `Change ${n}` }, token: ada.token };
      expect((await site.call('POST', '/v1/pages/long-story', edit)).status).toBe(200);
    }
    const newest = (await ada.get('/history/long-story')).text;
    const picked = (text: string, name: string) =>
      new RegExp(`name="${name}" value="(\\d+)"[^>]* checked`).exec(text)?.[1];
    const to = picked(newest, 'to') ?? '';
    expect(newest).toContain('1–50 of 61');
    const first = page.history[0].id;
    const older = (await ada.get(`/history/long-story?from=${first}&to=${to}&offset=50`)).text;
    expect(older).toContain('51–61 of 61');
    expect(older).toMatch(new RegExp(`picked-elsewhere.*id="change-${to}".*</tbody>\\s*<tbody>`, 's'));
    expect([picked(older, 'from'), picked(older, 'to')]).toEqual([String(first), to]);
    // A change of another page cannot be selected.
    expect((await ada.get(`/history/long-story?from=1&offset=50`)).text).not.toContain('picked-elsewhere');
    const diff = (await ada.get(`/diff/long-story?from=${first}&to=${to}`)).text;
    expect(diff).toMatch(/<del>0<\/del>.*<ins>60<\/ins>/s);
    expect(diff).toContain(`href="/diff/long-story?to=${first}">← Previous change`);
  });

  test('all backlinks of a page are listed, part by part', async () => {
    await site.page(ada.token, { title: 'Famous', body: 'Known to all.' });
    for (let n = 0; n < 61; n++) await site.page(ada.token, { title: `Fan ${n}`, body: '[[Famous]]' });
    const first = (await ada.get('/famous')).text;
    expect(first).toContain('What links here <span class="count">61</span>');
    expect(first).toContain('href="/famous?links=60#links"');
    const last = (await ada.get('/famous?links=60')).text;
    expect(last).toContain('61 of 61');
    expect(last).toMatch(/<section id="links"><details open>.*href="\/fan-9"/s);
    expect(last).toContain('<meta name="robots" content="noindex">');
    expect(last).toMatch(/rel="canonical" href="[^"]*\/famous"/);
  });

  test('a site map is split where a part is full, and nowhere else', async () => {
    const { store } = site.app.service;
    const ids = (await store.readAsSystem().lists.publicPages(0, 1000)).map(({ id }) => id);
    expect(await sitemapStarts(carryOver(store, 1, { actor: null }), ids.length)).toEqual([0]);
    expect(await sitemapStarts(carryOver(store, 1, { actor: null }), ids.length - 1)).toEqual([
      0,
      ids.at(-2),
    ]);
    expect(await sitemapStarts(carryOver(store, 1, { actor: null }), 10)).toEqual([
      0,
      ...ids.filter((_, i) => i % 10 === 9 && i < ids.length - 1),
    ]);
  });
});
