/** Lists and searches: search, near, requested, updates, checkpath; none reveals pages that the caller may not read. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, startApp, type TestApp } from '../support/http.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  let ada: { id: number; token: string };
  let bob: typeof ada;
  let root: typeof ada;
  let now = Date.UTC(2026, 0, 1);

  beforeAll(async () => {
    wiki = await startApp({}, { engine, clock: () => (now += 200) });
    root = await wiki.member('Root', { isAdmin: true });
    ada = await wiki.member('Ada');
    bob = await wiki.member('Bob');
  });
  afterAll(() => wiki.close());

  const get = (url: string, token?: string) => wiki.call('GET', url, token ? { token } : {});
  const titles = (pages: { title: string }[]) => pages.map(({ title }) => title);
  const found = async (query: Record<string, string> | string, token?: string) => {
    const answer = await get(`/v1/pages?${new URLSearchParams(query)}`, token);
    expect(answer.status, answer.text).toBe(200);
    return titles(answer.json);
  };

  test('a list shows each reader the ancestors that they may read, whoever asked before', async () => {
    for (const [permissions, visibleTo] of [
      [774, ['root', 'ada', 'bob', 'nobody']],
      [770, ['root', 'ada', 'bob']],
      [700, ['root', 'ada']],
      [0, ['root']],
    ] as const) {
      const path = `/above-${permissions}`;
      await wiki.page(ada.token, { title: 'Above', path });
      await wiki.page(ada.token, { title: 'Below', path: `${path}/below`, parent: path });
      await wiki.call('POST', `/v1/pages${path}`, { token: root.token, json: { permissions } });
      const readers = Object.entries({ root: root.token, ada: ada.token, bob: bob.token, nobody: undefined });
      for (const [name, token] of [...readers, ...readers.toReversed()]) {
        const [below] = (await get(`/v1/pages?path=${path}/below`, token)).json;
        const isSeen = (visibleTo as readonly string[]).includes(name);
        expect('slug' in below.lineage[0], `${name} at ${permissions}`).toBe(isSeen);
      }
    }
  });

  describe('search', () => {
    beforeAll(async () => {
      await wiki.page(ada.token, { title: 'Fruit', body: 'All about fruit' });
      for (const [title, body] of [
        ['Zoo', '[[Colour:grey]] [[Type:Place]]'],
        ['banana', '[[Colour:yellow]] [[Kind:yellow]] creamy pulp'],
        ['Éclair', '[[Type:Pastry]]'],
        ['Apple', '[[Colour:red]] [[Type:Fruit]] crisp pulp'],
        ['Cherry 100%', '[[Colour:red]] [[Type:Fruit]]'],
      ] as const) {
        await wiki.page(ada.token, { title, body, parent: '/fruit' });
      }
      await wiki.page(ada.token, {
        title: 'Rotten apple',
        body: '[[Colour:red]] pulp',
        parent: '/fruit',
        permissions: 700,
      });
      await wiki.page(ada.token, {
        title: 'Members apple',
        body: '[[Colour:red]]',
        parent: '/fruit',
        permissions: 770,
      });
    });

    test('long and short lists have the same form', async () => {
      await wiki.page(ada.token, { title: 'Crowd' });
      for (let i = 0; i < 45; i++) await wiki.page(ada.token, { title: `Face ${i}`, parent: '/crowd' });
      const short = await get('/v1/pages?ancestor=/crowd&limit=50');
      const long = await get('/v1/pages?ancestor=/crowd&limit=51');
      expect(short.json).toHaveLength(45);
      expect(long.text).toBe(short.text);
      expect(long.headers['content-type']).toBe(short.headers['content-type']);
      expect(long.headers['x-total-count']).toBe('45');
    });

    test('without criteria, or with criteria that nothing meets, the list is empty', async () => {
      expect(await found({})).toEqual([]);
      expect(await found({ order: 'alphabetical', limit: '5' })).toEqual([]);
      expect(await found({ type: 'Nothing' })).toEqual([]);
    });

    test('the order is alphabetical by title, without regard to case and accents', async () => {
      expect(await found({ ancestor: '/fruit' })).toEqual([
        'Apple',
        'banana',
        'Cherry 100%',
        'Éclair',
        'Zoo',
      ]);
    });

    test.each([
      ['reverse alphabetical', ['Zoo', 'Éclair', 'Cherry 100%', 'banana', 'Apple']],
      ['first created', ['Zoo', 'banana', 'Éclair', 'Apple', 'Cherry 100%']],
      ['last created', ['Cherry 100%', 'Apple', 'Éclair', 'banana', 'Zoo']],
      ['oldest update', ['Zoo', 'banana', 'Éclair', 'Apple', 'Cherry 100%']],
      ['most recent update', ['Cherry 100%', 'Apple', 'Éclair', 'banana', 'Zoo']],
    ])('order “%s” is known', async (order, expected) => {
      expect(await found({ ancestor: '/fruit', order })).toEqual(expected);
    });

    test('an unknown order or logic is refused and named', async () => {
      for (const [name, value] of [
        ['order', 'by mood'],
        ['logic', 'xor'],
      ]) {
        const answer = await get(`/v1/pages?type=X&${name}=${value}`);
        expect(answer.status).toBe(400);
        expect(answer.json.errors[0].pointer).toBe(`?${name}`);
      }
    });

    test('path is a literal prefix, title a fragment without regard to case', async () => {
      expect(await found({ path: '/fruit/' })).toHaveLength(5);
      expect(await found({ path: 'ruit/' })).toEqual([]);
      expect(await found({ path: '/fruit/%' })).toEqual([]);
      expect(await found({ path: '/fruit_' })).toEqual([]);
      expect(await found({ title: 'APPL' })).toEqual(['Apple']);
      expect(await found({ title: '%' })).toEqual(['Cherry 100%']);
      expect(await found({ title: '_' })).toEqual([]);
    });

    test('tags are found by name and value, or by value alone; several must all be met', async () => {
      expect(await found({ tag: 'colour:red' })).toEqual(['Apple', 'Cherry 100%']);
      expect(await found({ tag: 'COLOUR:red' })).toEqual(['Apple', 'Cherry 100%']);
      expect(await found({ tag: 'colour:RED' })).toEqual([]);
      expect(await found({ tag: 'yellow' })).toEqual(['banana']);
      expect(titles((await get('/v1/pages?tag=colour:yellow&tag=kind:yellow')).json)).toEqual(['banana']);
      expect(titles((await get('/v1/pages?tag=colour:red&tag=kind:yellow')).json)).toEqual([]);
    });

    test('a tag without a colon is a name in whatever case, or a value exactly', async () => {
      await wiki.page(ada.token, { title: 'Named', body: '[[Glow:red]]', path: '/glow/named' });
      await wiki.page(ada.token, { title: 'Valued', body: '[[Made of:glow]]', path: '/glow/valued' });
      await wiki.page(ada.token, { title: 'Both', body: '[[glow:glow]] [[glow:dim]]', path: '/glow/both' });
      await wiki.page(ada.token, { title: 'Own', body: '[[glow:own]]', path: '/glow/own', permissions: 700 });
      for (const [query, expected] of [
        ['tag=glow', ['Both', 'Named', 'Valued']],
        ['tag=GLOW', ['Both', 'Named']],
        ['tag=%20Glow%20', ['Both', 'Named']],
        ['tag=glow&tag=glow:dim', ['Both']],
        ['tag=glow&tag=made%20of', ['Valued']],
        ['tag=GLOW&path=/glow/v&logic=or', ['Both', 'Named', 'Valued']],
        ['tag=glow&path=/glow/n', ['Named']],
        ['tag=glow&ancestor=/fruit', []],
        ['tag=glow:', []],
        ['tag=:glow', []],
      ] as const) {
        const answer = await get(`/v1/pages?${query}`);
        expect([query, titles(answer.json)]).toEqual([query, expected]);
        expect([query, answer.headers['x-total-count']]).toEqual([query, String(expected.length)]);
      }
      const paged = await get('/v1/pages?tag=glow&limit=1&offset=1&order=reverse%20alphabetical');
      expect([titles(paged.json), paged.headers['x-total-count']]).toEqual([['Named'], '3']);
      const own = await get('/v1/pages?tag=glow&logic=or', ada.token);
      expect(titles(own.json)).toEqual(['Both', 'Named', 'Own', 'Valued']);
      expect((await wiki.call('GET', '/search?tag=glow')).text).toContain(
        'href="/search?tag=glow&amp;tag=glow%3Adim"',
      );
    });

    test('a tag is found in either Unicode form, and at most twenty can be given', async () => {
      await wiki.page(ada.token, { title: 'Roof', body: '[[stuff:t\u00f4le]]' });
      for (const tag of ['t\u00f4le', 'to\u0302le', 'stuff:to\u0302le'])
        expect(await found({ tag })).toEqual(['Roof']);
      const tags = (count: number) => get(`/v1/pages?${'&tag=a:b'.repeat(count).slice(1)}`);
      expect((await tags(20)).status).toBe(200);
      const refused = await tags(21);
      expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, '?tag']);
    });

    test('criteria intersect by default and unite with logic=or, while ancestor always limits', async () => {
      expect(await found({ type: 'Fruit', title: 'apple' })).toEqual(['Apple']);
      expect(await found({ type: 'Pastry', path: '/fruit/z', logic: 'or' })).toEqual(['Éclair', 'Zoo']);
      expect(await found({ type: 'Pastry', path: '/fruit', logic: 'or', ancestor: '/fruit/zoo' })).toEqual(
        [],
      );
    });

    test('an ancestor that does not exist gives an empty list', async () => {
      for (const ancestor of ['/nothing', 'not//a path', '%'])
        expect(await found({ ancestor, title: 'a' })).toEqual([]);
    });

    test('words are found in title and body', async () => {
      expect(await found({ text: 'pulp' })).toEqual(['Apple', 'banana']);
      expect(await found({ text: '"creamy pulp"' })).toEqual(['banana']);
      expect(await found({ text: '!!!' })).toEqual([]);
    });

    test('a minus leaves out a word; without any other word nothing is found', async () => {
      expect(await found({ text: 'pulp -creamy' })).toEqual(['Apple']);
      expect(await found({ text: 'pulp -"creamy pulp"' })).toEqual(['Apple']);
      expect(await found({ text: '-creamy' })).toEqual([]);
    });

    test('ten results are returned by default, and every page of the list links to the next', async () => {
      for (let i = 0; i < 12; i++)
        await wiki.page(ada.token, { title: `Many ${String(i).padStart(2, '0')}`, type: 'Many' });
      const seen: string[] = [];
      let url: string | undefined = '/v1/pages?type=Many';
      for (let pages = 0; url !== undefined; pages++) {
        const answer = await get(url);
        expect(answer.headers['x-total-count']).toBe('12');
        expect(answer.json).toHaveLength(pages === 0 ? 10 : 2);
        seen.push(...titles(answer.json));
        const link: string = String(answer.headers.link ?? '');
        url = /<([^>]*)>; rel="next"/.exec(link)?.[1];
      }
      expect(new Set(seen).size).toBe(12);
    });

    test('the link to the next page keeps the path and every criterion', async () => {
      const next = async (url: string) =>
        /<([^>]*)>; rel="next"/.exec(String((await get(url)).headers.link))?.[1];
      expect(await next('/v1/pages?title=Many&path=/?&type=Many&logic=or&limit=1')).toBe(
        '/v1/pages?title=Many&path=%2F%3F&type=Many&logic=or&limit=1&offset=1',
      );
      const { path } = await wiki.page(ada.token, {
        title: 'Salt & 1/2 + pepper',
        path: '/odd/a&b, 50% + c',
      });
      const url = `/v1/history${path.split('/').map(encodeURIComponent).join('/')}`;
      await wiki.call('POST', url.replace('history', 'pages'), {
        token: ada.token,
        json: { body: 'Again.' },
      });
      expect(await next(`${url}?limit=1`)).toBe(`${url}?limit=1&offset=1`);
      expect((await get(`${url}?limit=1&offset=1`)).status).toBe(200);
    });

    test.each([
      '0',
      '-1',
      'x',
      '1.5',
      '1e1',
      ' 5',
      '0x10',
      'NaN',
      '',
      '1;drop table pages',
      '10 union select 1',
    ])('limit=%j is refused and named', async (limit) => {
      const answer = await get(`/v1/pages?type=Many&limit=${encodeURIComponent(limit)}`);
      expect(answer.status).toBe(400);
      expect(answer.json.errors[0].pointer).toBe('?limit');
    });

    test.each(['-1', 'x', '1.5', '1e1', '0x10'])('offset=%j is refused and named', async (offset) => {
      const answer = await get(`/v1/pages?type=Many&offset=${offset}`);
      expect(answer.status).toBe(400);
      expect(answer.json.errors[0].pointer).toBe('?offset');
    });

    test('limits and offsets beyond every list are accepted', async () => {
      for (const huge of ['1001', '4294967296', '9007199254740993', '9'.repeat(40)]) {
        expect((await get(`/v1/pages?type=Many&limit=${huge}`)).json, huge).toHaveLength(12);
        expect((await get(`/v1/pages?type=Many&offset=${huge}`)).json, huge).toHaveLength(
          huge === '0' ? 12 : 0,
        );
      }
    });

    test('results that a caller may not see are counted nowhere and use no part of a limit', async () => {
      for (const [token, expected] of [
        [undefined, ['Apple', 'Cherry 100%']],
        [bob.token, ['Apple', 'Cherry 100%', 'Members apple']],
        [ada.token, ['Apple', 'Cherry 100%', 'Members apple', 'Rotten apple']],
        [root.token, ['Apple', 'Cherry 100%', 'Members apple', 'Rotten apple']],
      ] as const) {
        const answer = await get('/v1/pages?tag=colour:red&limit=4', token);
        expect(titles(answer.json)).toEqual(expected);
        expect(answer.headers['x-total-count']).toBe(String(expected.length));
      }
      const last = await get('/v1/pages?tag=colour:red&limit=2');
      expect(last.headers.link).toBeUndefined();
    });

    test('permissions are numbers in the results and in their lineage', async () => {
      const [page] = (await get('/v1/pages?title=Apple')).json;
      expect(page.permissions).toBe(774);
      expect(page.lineage[0].permissions).toBe(774);
    });

    test('an invalid token counts as none, and the response says so', async () => {
      const answer = await get('/v1/pages?tag=colour:red', 'bad');
      expect(titles(answer.json)).toEqual(['Apple', 'Cherry 100%']);
      expect(answer.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
      const basic = await wiki.call('GET', '/v1/pages?tag=colour:red', {
        headers: { authorization: 'Basic YTpi' },
      });
      expect(basic.json).toHaveLength(2);
    });
  });

  describe('near', () => {
    beforeAll(async () => {
      await wiki.page(ada.token, { title: 'Null Island', location: { lat: 0, lon: 0 } });
      await wiki.page(ada.token, { title: 'Equator', location: { lat: 0, lon: 0.05 } });
      await wiki.page(ada.token, { title: 'Meridian', body: '[[Location:0.02, 0]]' });
      await wiki.page(ada.token, { title: 'Hideout', location: { lat: 0, lon: 0.01 }, permissions: 700 });
      await wiki.page(ada.token, { title: 'Fiji west', location: { lat: -17, lon: 179.99 } });
      await wiki.page(ada.token, { title: 'Fiji east', location: { lat: -17, lon: -179.99 } });
      await wiki.page(ada.token, { title: 'Pole', location: { lat: 90, lon: 0 } });
    });

    test('latitude or longitude 0 is a place, and places are sorted by distance', async () => {
      const { json } = await get('/v1/near/0/0');
      expect(titles(json)).toEqual(['Null Island', 'Meridian', 'Equator']);
      expect(json[0]).toMatchObject({
        location: { lat: 0, lon: 0 },
        type: 'Place',
        permissions: { read: true, write: false, code: 774 },
        distance: 0,
      });
      expect(json[2].distance).toBeCloseTo(5565.97, 0);
    });

    test('the distance is in metres, 10,000 by default', async () => {
      expect(titles((await get('/v1/near/0/0/3000')).json)).toEqual(['Null Island', 'Meridian']);
      expect(titles((await get('/v1/near/0/0/0')).json)).toEqual(['Null Island']);
      expect(titles((await get('/v1/near/0/0.2')).json)).toEqual([]);
      expect((await get('/v1/near/0/0/20037508')).json.length).toBe(6);
    });

    test('boxes and distances cross the antimeridian and the poles', async () => {
      expect(titles((await get('/v1/near/-17/180')).json).sort()).toEqual(['Fiji east', 'Fiji west']);
      expect(titles((await get('/v1/near/-17/-180')).json).sort()).toEqual(['Fiji east', 'Fiji west']);
      expect(titles((await get('/v1/near/89.99/-120')).json)).toEqual(['Pole']);
    });

    test('only readable places are found and counted, and limits apply to these', async () => {
      const anyone = await get('/v1/near/0/0?limit=3');
      expect([titles(anyone.json).length, anyone.headers['x-total-count'], anyone.headers.link]).toEqual([
        3,
        '3',
        undefined,
      ]);
      const own = await get('/v1/near/0/0', ada.token);
      expect(titles(own.json)).toContain('Hideout');
      expect(own.json[0].permissions.write).toBe(true);
      expect(titles((await get('/v1/near/0/0?limit=1&offset=1')).json)).toEqual(['Meridian']);
    });

    test.each(['/v1/near', '/v1/near/', '/v1/near/1', '/v1/near/1/', '/v1/near//1', '/v1/near/1//5'])(
      '%s lacks a coordinate: 500, as the interface requires',
      async (url) => {
        const answer = await get(url);
        expect(answer.status).toBe(500);
        expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
        expect(wiki.logged.join('')).not.toContain('unhandled error');
      },
    );

    test.each([
      '/v1/near/x/0',
      '/v1/near/0/x',
      '/v1/near/91/0',
      '/v1/near/0/180.1',
      '/v1/near/NaN/0',
      '/v1/near/0/0/x',
      '/v1/near/0/0/-1',
      '/v1/near/0/0/1e9',
      '/v1/near/Infinity/0',
      '/v1/near/0x1/0',
    ])('%s is refused with 400', async (url) => {
      expect((await get(url)).status).toBe(400);
    });
  });

  describe('requested', () => {
    beforeAll(async () => {
      for (const title of ['One', 'Two', 'Three'])
        await wiki.page(ada.token, { title: `Asks ${title}`, body: '[[Dragons]] and [[dragons]]' });
      await wiki.page(ada.token, { title: 'Asks Four', body: '[[Unicorns]] [[Asks One]]' });
      await wiki.page(ada.token, {
        title: 'Asks Five',
        body: '[[Secret Lair]] [[Dragons]]',
        permissions: 700,
      });
    });

    test('links of most pages come first, and a page counts once', async () => {
      const { json } = await get('/v1/requested');
      const dragons = json.find(({ title }: { title: string }) => title === 'Dragons');
      expect(titles(json).indexOf('Dragons')).toBeLessThan(titles(json).indexOf('Unicorns'));
      expect(titles(dragons.links)).toEqual(['Asks One', 'Asks Three', 'Asks Two']);
      expect(titles(json)).not.toContain('Asks One');
    });

    test('private pages request no links that others could see', async () => {
      expect((await get('/v1/requested', bob.token)).text).not.toMatch(/Lair|Five/);
      expect((await get('/v1/requested', ada.token)).text).toMatch(/Lair.*Five|Five.*Lair/);
    });

    test('num limits the list, and is an integer from 1', async () => {
      expect((await get('/v1/requested/1')).json).toHaveLength(1);
      for (const num of ['0', '-1', 'x', '1.5', '%20']) {
        const answer = await get(`/v1/requested/${num}`);
        expect(answer.status, num).toBe(400);
        expect(answer.json.errors[0].pointer).toBe('{num}');
      }
      expect((await get('/v1/requested/99999999999999999999')).status).toBe(200);
    });

    test('the more links are requested, the fewer pages each lists, though all are counted', async () => {
      const pages = Array.from({ length: 103 }, (_, i) => ({
        title: `Wisher ${i}`,
        body: '[[Much wished]]',
      }));
      await Promise.all(pages.map((page) => wiki.page(ada.token, page)));
      const first = async (url: string) => {
        const [{ title, links }] = (await get(url)).json;
        return [title, links.length];
      };
      expect(await first('/v1/requested')).toEqual(['Much wished', 103]);
      expect(await first('/v1/requested/1000')).toEqual(['Much wished', 100]);
    });

    test('a requested link disappears the moment the page exists, for each reader who may read it', async () => {
      const isRequested = async (token?: string) =>
        titles((await get('/v1/requested', token)).json).includes('Unicorns');
      const set = (permissions: number) =>
        wiki.call('POST', '/v1/pages/unicorns', { token: ada.token, json: { permissions } });
      await wiki.page(ada.token, { title: 'Unicorns' });
      expect(await isRequested()).toBe(false);
      await set(770);
      expect([await isRequested(), await isRequested(bob.token)]).toEqual([true, false]);
      await set(700);
      expect([await isRequested(bob.token), await isRequested(ada.token)]).toEqual([true, false]);
      await set(774);
      expect(await isRequested()).toBe(false);
    });
  });

  describe('updates', () => {
    test('each page appears once, latest first, with Unix seconds and its last editor', async () => {
      await wiki.page(ada.token, { title: 'Fresh' });
      await wiki.page(ada.token, { title: 'Fresher' });
      await wiki.call('POST', '/v1/pages/fresh', { token: bob.token, json: { body: '2' } });
      await wiki.call('POST', '/v1/pages/fresh', { token: bob.token, json: { body: '3' } });
      const { json } = await get('/v1/updates');
      expect(json).toHaveLength(10);
      expect(titles(json).slice(0, 2)).toEqual(['Fresh', 'Fresher']);
      expect(json[0]).toMatchObject({ path: '/fresh', editor: { id: bob.id, name: 'Bob' } });
      expect(Number.isInteger(json[0].timestamp)).toBe(true);
      expect(Math.abs(json[0].timestamp * 1000 - now)).toBeLessThan(600_000);
    });

    test('private pages are not in the updates of others', async () => {
      await wiki.page(ada.token, { title: 'Whispered', permissions: 700 });
      const mine = await get('/v1/updates/1', ada.token);
      expect(titles(mine.json)).toEqual(['Whispered']);
      for (const token of [undefined, bob.token]) {
        const { json, text } = await get('/v1/updates/10', token);
        expect(text).not.toContain('Whispered');
        expect(json).toHaveLength(10);
      }
    });

    test('num limits the list, and is an integer from 1', async () => {
      expect((await get('/v1/updates/3')).json).toHaveLength(3);
      for (const num of ['0', '-1', 'x', '1.5'])
        expect((await get(`/v1/updates/${num}`)).status, num).toBe(400);
    });
  });

  describe('checkpath', () => {
    test('says whether a path can be used, always with 200', async () => {
      await wiki.page(ada.token, { title: 'In use', path: '/in use/<b>' });
      expect((await get('/v1/checkpath/not/in/use')).json).toEqual({ ok: true });
      expect((await get('/v1/checkpath/2nd-edition')).json).toEqual({ ok: true });
      for (const path of [
        'in%20use/%3Cb%3E',
        'v1',
        'v1/pages',
        'search',
        'a//b',
        'a%3Fb',
        'a%00b',
        `${'x'.repeat(2000)}`,
        '',
      ]) {
        const { status, json } = await get(`/v1/checkpath/${path}`);
        expect(status, path).toBe(200);
        expect(json.ok, path).toBe(false);
        expect(json.error, path).toMatch(/./);
        expect(json.error).not.toContain('<b>');
      }
    });

    test('malformed percent-encoding is an invalid path, not an error', async () => {
      const { status, json } = await get('/v1/checkpath/%ff');
      expect([status, json.ok]).toEqual([200, false]);
    });
  });
});
