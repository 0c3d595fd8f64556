/** Operations on pages except edits: success, refusals and bad input of each, over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, startApp, type TestApp } from '../support/http.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  let ada: { id: number; token: string; email: string };
  let bob: typeof ada;
  let root: typeof ada;

  beforeAll(async () => {
    // Every change gets a different time.
    let now = Date.now();
    wiki = await startApp({}, { engine, clock: () => now++ });
    root = await wiki.member('Root', { isAdmin: true });
    ada = await wiki.member('Ada');
    bob = await wiki.member('Bob');
  });
  afterAll(() => wiki.close());

  const create = (json: unknown, token = ada.token) => wiki.call('POST', '/v1/pages', { token, json });
  const edit = (path: string, json: unknown, token = ada.token, headers: Record<string, string> = {}) =>
    wiki.call('POST', `/v1/pages${path}`, { token, json, headers });
  const titles = (pages: { title: string }[]) => pages.map(({ title }) => title);

  describe('create', () => {
    test('a page gets every field of the interface, with the documented defaults', async () => {
      const { status, json } = await create({ title: 'First of All' });
      expect(status).toBe(200);
      expect(json).toMatchObject({
        title: 'First of All',
        slug: 'first-of-all',
        path: '/first-of-all',
        parent: 0,
        depth: 0,
        data: {},
        permissions: 774,
        type: null,
        tags: {},
        location: false,
        likes: [],
        files: [],
        lineage: [],
        owner: { id: ada.id, name: 'Ada' },
      });
      expect(json.id).toBeTypeOf('number');
      expect(json.history).toHaveLength(1);
      expect(json.history[0]).toMatchObject({
        msg: '',
        editor: { id: ada.id, name: 'Ada' },
        content: { title: 'First of All' },
      });
      expect(json.history[0].timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    });

    test('a child is beneath its parent, given by path or by ID, and shows its lineage', async () => {
      const parent = await wiki.page(ada.token, { title: 'Forest' });
      const byPath = await wiki.page(ada.token, { title: 'Oak', parent: '/forest' });
      const byId = await wiki.page(ada.token, { title: 'Ash', parent: parent.id });
      expect([byPath.path, byId.path]).toEqual(['/forest/oak', '/forest/ash']);
      expect(byPath).toMatchObject({ parent: parent.id, depth: 1 });
      expect(byPath.lineage).toMatchObject([{ id: parent.id, path: '/forest', depth: 0, permissions: 774 }]);
    });

    test.each(['', '/', 0, null])('parent %j means a root page', async (parent) => {
      const page = await wiki.page(ada.token, {
        title: `Root by ${JSON.stringify(parent)} parent`,
        slug: `root-${String(parent).length}-${typeof parent}`,
        parent,
      });
      expect(page).toMatchObject({ parent: 0, depth: 0 });
    });

    test('a given path is used as it is, whatever the parent', async () => {
      await wiki.page(ada.token, { title: 'Shelf' });
      const page = await wiki.page(ada.token, {
        title: 'Elsewhere',
        parent: '/shelf',
        path: '/quite/elsewhere',
      });
      expect(page).toMatchObject({ path: '/quite/elsewhere', depth: 1 });
    });

    test('a path may begin with a digit', async () => {
      const page = await wiki.page(ada.token, { title: '2nd Edition', path: '/2nd-edition' });
      expect(page.path).toBe('/2nd-edition');
      expect((await edit('/2nd-edition', { body: 'x' })).status).toBe(200);
    });

    test('a path in use is refused with 400', async () => {
      await wiki.page(ada.token, { title: 'Taken' });
      for (const json of [{ title: 'Taken' }, { title: 'Other', path: '/taken' }]) {
        const answer = await create(json);
        expect(answer.status).toBe(400);
        expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
      }
    });

    test('one of many concurrent requests to create one path gets 200, the others 400', async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => create({ title: 'Race' })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
    });

    test.each(['/v1', '/v1/x', '/search', '/files/a', '/login', '/new', '/assets/x'])(
      'reserved path %s is refused with 400',
      async (path) => {
        expect((await create({ title: 'Reserved', path })).status).toBe(400);
      },
    );

    test.each(['/a//b', '/a/../b', '/a/./b', '/a?b', '/a#b', '/a\\b', '/a\u0007b', `/${'x'.repeat(1100)}`])(
      'unusable path %j is refused and named',
      async (path) => {
        const answer = await create({ title: 'Bad path', path });
        expect(answer.status).toBe(400);
        expect(answer.json.errors[0].pointer).toBe('/path');
      },
    );

    test('without a valid token it is 401 with a challenge, and nothing is created', async () => {
      const answer = await wiki.call('POST', '/v1/pages', { json: { title: 'Nobody' } });
      const forged = await wiki.call('POST', '/v1/pages', { json: { title: 'Nobody' }, token: 'forged' });
      expect([answer.status, forged.status]).toEqual([401, 401]);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(forged.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
      expect((await wiki.call('GET', '/v1/checkpath/nobody')).json).toEqual({ ok: true });
    });

    test('a title is required', async () => {
      for (const json of [{}, { body: 'x' }, { title: '' }, { title: '   ' }]) {
        const answer = await create(json);
        expect(answer.status).toBe(400);
        expect(answer.json.errors[0].pointer).toBe('/title');
      }
    });

    test('a description can have 280 characters, but not 281', async () => {
      expect((await create({ title: 'Just so', description: 'é'.repeat(280) })).status).toBe(200);
      const answer = await create({ title: 'Too long', description: 'é'.repeat(281) });
      expect(answer.status).toBe(400);
      expect(answer.json.errors[0].pointer).toBe('/description');
    });

    test.each([
      ['title', 5],
      ['title', null],
      ['title', ['x']],
      ['description', 5],
      ['slug', {}],
      ['parent', true],
      ['parent', 1.5],
      ['path', 7],
      ['body', ['x']],
      ['type', 1],
      ['permissions', '774'],
      ['permissions', 888],
      ['permissions', 77.4],
      ['permissions', -1],
      ['data', []],
      ['data', 'x'],
      ['image', 1],
      ['location', true],
      ['location', { lat: 'x', lon: 0 }],
      ['location', { lat: 91, lon: 0 }],
      ['format', 'html'],
      ['msg', 1],
      ['files', 'x'],
    ])('field %s of %j is refused with 400 that names the field', async (field, value) => {
      const answer = await create({ title: 'Wrong', [field]: value });
      expect(answer.status, answer.text).toBe(400);
      expect(answer.json.errors.map(({ pointer }: { pointer: string }) => pointer)).toContain(`/${field}`);
    });

    test('every bad field is named at once', async () => {
      const answer = await create({ title: 5, body: 5, data: 5 });
      expect(answer.json.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
        '/body',
        '/data',
        '/title',
      ]);
    });

    test('unknown and privileged fields are ignored', async () => {
      const page = await wiki.page(ada.token, {
        title: 'Privileged',
        id: 99999,
        owner: { id: root.id },
        likes: [1, 2],
        depth: 7,
        history: [],
        isAdmin: true,
        ...JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}'),
      });
      expect(page).toMatchObject({ owner: { id: ada.id }, likes: [], depth: 0 });
      expect(page.id).not.toBe(99999);
      expect(({} as Record<string, unknown>).isAdmin).toBeUndefined();
    });

    test('type, tags and location come from the body unless given', async () => {
      const body = '[[Type:Museum]] [[Season:summer]] [[season:autumn]] [[Location:52.5, 13.4]]';
      const derived = await wiki.page(ada.token, { title: 'Derived', body });
      expect(derived).toMatchObject({
        type: 'Museum',
        tags: { season: ['summer', 'autumn'] },
        location: { lat: 52.5, lon: 13.4 },
      });
      const given = await wiki.page(ada.token, { title: 'Given', body, type: 'Place', location: false });
      expect(given).toMatchObject({ type: 'Place', location: false });
    });

    test('data is returned as it was given', async () => {
      const data = { height: 26, names: ['a', { b: null }], constructor: 'x' };
      expect((await wiki.page(ada.token, { title: 'Data', data })).data).toEqual(data);
    });
  });

  describe('read', () => {
    test('front matter of Markdown sets properties of the page, and the rest of it is data', async () => {
      const body =
        '---\ntitle: Ignored\ntype: Tree\ntags: [wood]\nlocation: 1, 2\ndescription: Tall.\nheight: 20\n---\nAn oak.';
      const made = await wiki.page(ada.token, {
        title: 'Oak facts',
        body,
        format: 'markdown',
        data: { height: 1, age: 9 },
      });
      const facts = {
        type: 'Tree',
        tags: { tag: ['wood'] },
        location: { lat: 1, lon: 2 },
        description: 'Tall.',
      };
      expect(made).toMatchObject({
        ...facts,
        title: 'Oak facts',
        data: { title: 'Ignored', height: 20, age: 9 },
      });
      const read = await wiki.call('GET', '/v1/pages/oak-facts');
      expect(read.json.markup).toBe('<p>An oak.</p>');
      expect(read.json.page.data).toEqual(made.data);
      const found = await wiki.call('GET', '/v1/pages?tag=wood&path=/oak-facts');
      expect(found.json[0].data).toEqual(made.data);
      const titled = await wiki.page(ada.token, {
        body: '---\ntitle: From the body\n---\nx',
        format: 'markdown',
      });
      expect([titled.title, titled.path]).toEqual(['From the body', '/from-the-body']);
      for (const title of ['', '" "', '[a]', `"${'x'.repeat(300)}"`]) {
        const json = { body: `---\ntitle: ${title}\n---\nx`, format: 'markdown' };
        const refused = await wiki.call('POST', '/v1/pages', { token: ada.token, json });
        expect([refused.status, refused.json.errors[0].pointer], title).toEqual([400, '/title']);
      }
      // In wikitext, front matter is ordinary text.
      const plain = await wiki.page(ada.token, { title: 'No facts', body });
      expect([plain.type, plain.data]).toEqual([null, {}]);
    });

    test('a page is read with its markup, in its current and earlier versions', async () => {
      const made = await wiki.page(ada.token, { title: 'Versions', body: 'before' });
      await edit('/versions', { body: 'after', title: 'Renamed' });
      const now = await wiki.call('GET', '/v1/pages/versions');
      expect(now.json).toMatchObject({ page: { title: 'Renamed', permissions: 774 } });
      expect(now.json.markup).toContain('after');
      const then = await wiki.call('GET', `/v1/pages/versions?version=${made.history[0].id}`);
      expect(then.json.page.title).toBe('Versions');
      expect(then.json.markup).toContain('before');
      for (const version of ['999999', '9007199254740993']) {
        expect((await wiki.call('GET', `/v1/pages/versions?version=${version}`)).status).toBe(404);
      }
      for (const version of ['0', 'x', '-1', '1.5', '1e1']) {
        expect((await wiki.call('GET', `/v1/pages/versions?version=${version}`)).status, version).toBe(400);
      }
    });

    test('missing and unreadable pages answer alike, byte for byte', async () => {
      await wiki.page(ada.token, { title: 'Secret', path: '/secret-a', permissions: 700 });
      const hidden = await wiki.call('GET', '/v1/pages/secret-a', { token: bob.token });
      const missing = await wiki.call('GET', '/v1/pages/secret-b', { token: bob.token });
      expect(hidden.status).toBe(404);
      expect(hidden.text.replace('secret-a', 'secret-b')).toBe(missing.text);
    });

    test('history can be left out', async () => {
      await wiki.page(ada.token, { title: 'Long story' });
      await edit('/long-story', { body: '2' });
      const count = async (wanted: string) =>
        (await wiki.call('GET', `/v1/pages/long-story?history=${wanted}`)).json.page.history.length;
      expect([await count('all'), await count('latest'), await count('none')]).toEqual([2, 1, 0]);
      expect((await wiki.call('GET', '/v1/pages/long-story?history=some')).status).toBe(400);
    });

    test('paths are decoded exactly once, and a trailing slash is dropped', async () => {
      await wiki.page(ada.token, { title: 'Percent', path: '/100%25/a b/ü' });
      const encoded = '/v1/pages/100%2525/a%20b/%C3%BC';
      for (const url of [encoded, `${encoded}/`, '/v1/pages/100%2525%2Fa%20b%2F%C3%BC']) {
        const { status, json } = await wiki.call('GET', url);
        expect(status, url).toBe(200);
        expect(json.page.path).toBe('/100%25/a b/ü');
      }
      expect((await wiki.call('GET', '/v1/pages/100%25/a%20b/%C3%BC')).status).toBe(404);
    });

    test('an ancestor that the caller may not read has only id, path, title, depth and permissions', async () => {
      await wiki.page(ada.token, { title: 'Private root', permissions: 700, description: 'hush' });
      await wiki.page(ada.token, { title: 'Public leaf', parent: '/private-root' });
      const { json } = await wiki.call('GET', '/v1/pages/private-root/public-leaf');
      expect(Object.keys(json.page.lineage[0]).sort()).toEqual([
        'depth',
        'id',
        'path',
        'permissions',
        'title',
      ]);
      const own = await wiki.call('GET', '/v1/pages/private-root/public-leaf', { token: ada.token });
      expect(own.json.page.lineage[0].description).toBe('hush');
    });
  });

  describe('history, comparison, restoring', () => {
    test('changes are listed newest first, in pages', async () => {
      await wiki.page(ada.token, { title: 'Logged', body: '1' });
      await edit('/logged', { body: '2', msg: 'two' });
      await edit('/logged', { body: '3', msg: 'three' });
      const first = await wiki.call('GET', '/v1/history/logged?limit=2');
      expect(first.json.map(({ msg }: { msg: string }) => msg)).toEqual(['three', 'two']);
      expect(first.headers['x-total-count']).toBe('3');
      const second = await wiki.call('GET', /<(.*)>/.exec(String(first.headers.link))?.[1] ?? '');
      expect(second.json).toHaveLength(1);
      expect(second.headers.link).toBeUndefined();
    });

    test('two changes are compared by words, as structure and as HTML', async () => {
      const made = await wiki.page(ada.token, { title: 'Compared', body: 'a red rose' });
      await edit('/compared', { body: 'a white rose <b>' });
      const { status, json } = await wiki.call('GET', `/v1/diff/compared?from=${made.history[0].id}`);
      expect(status).toBe(200);
      expect(JSON.stringify(json.body)).toContain('white');
      expect(json.html).not.toContain('<b>');
      expect((await wiki.call('GET', '/v1/diff/compared?from=999999')).status).toBe(404);
      expect((await wiki.call('GET', '/v1/diff/compared?to=x')).status).toBe(400);
    });

    test('a comparison lists files that only the newer change has, and files that only the older one has', async () => {
      await wiki.page(ada.token, { title: 'Illustrated', body: 'a rose' });
      const attach = (name: string, data: string) =>
        edit('/illustrated', { files: { file: { name, data: Buffer.from(data).toString('base64') } } });
      await attach('a&b.txt', 'one');
      await attach('replaced.txt', 'old');
      await attach('replaced.txt', 'new');
      const { json: changes } = await wiki.call('GET', '/v1/history/illustrated');
      const [last, third, second, first] = changes.map(({ id }: { id: number }) => id);
      const namesAt = async (query: string) => {
        const { json } = await wiki.call('GET', `/v1/diff/illustrated?${query}`);
        return [json.files, json.filesBefore].map((files) =>
          files.map(({ filename }: { filename: string }) => filename),
        );
      };
      expect(await namesAt(`to=${second}`)).toEqual([['a&b.txt'], []]);
      expect(await namesAt(`to=${third}`)).toEqual([['replaced.txt'], []]);
      expect(await namesAt(`to=${last}`)).toEqual([['replaced.txt'], ['replaced.txt']]);
      const both = ['a&b.txt', 'replaced.txt'];
      expect(await namesAt(`from=${first}&to=${last}`)).toEqual([both, []]);
      expect(await namesAt(`from=${last}&to=${first}`)).toEqual([[], both]);
      const { json } = await wiki.call('GET', `/v1/diff/illustrated?to=${second}`);
      expect(json.html).toBe('<p class="diff-files">Files attached: <ins>a&amp;b.txt</ins></p>');
    });

    test('an ID beyond every number is not found', async () => {
      const id = 2 ** 64;
      const { token } = await wiki.member('Ida', { isAdmin: true });
      const { path } = await wiki.page(token, { title: 'Numbered' });
      const asked = async (method: 'GET' | 'POST' | 'DELETE', url: string, json?: object) =>
        (await wiki.call(method, url, { token, ...(json ? { json } : {}) })).status;
      const found = [
        await asked('POST', `/v1/rollback${path}`, { to: id }),
        await asked('GET', `/v1/diff${path}?from=${id}`),
        await asked('GET', `/v1/diff${path}?to=${id}`),
        await asked('GET', `/v1/pages${path}?version=${id}`),
        await asked('POST', `/v1/pages${path}`, { parent: id }),
        await asked('POST', `/v1/pages${path}`, { base: id, body: 'x' }),
        await asked('GET', `/v1/changes?since=${id}`),
        await asked('GET', `/v1/moves${path}?parent=${id}`),
        await asked('POST', `/v1/trash/${id}/restore`, {}),
        await asked('DELETE', `/v1/trash/${id}`),
        await asked('DELETE', `/v1/tokens/${id}`),
        await asked('GET', `/v1/changes?editor=${id}`),
        await asked('GET', `/v1/history${path}?offset=${id}`),
      ];
      expect(found).toEqual([400, 404, 404, 404, 400, 412, 200, 400, 400, 400, 400, 400, 200]);
    });

    test('an older change is restored as a new one', async () => {
      const made = await wiki.page(ada.token, { title: 'Undone', body: 'good' });
      await edit('/undone', { body: 'bad' });
      const json = { to: made.history[0].id };
      const answer = await wiki.call('POST', '/v1/rollback/undone', { token: bob.token, json });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.json.page.history).toHaveLength(3);
      expect(answer.json.markup).toContain('good');
      expect((await wiki.call('POST', '/v1/rollback/undone', { json })).status).toBe(401);
      expect(
        (await wiki.call('POST', '/v1/rollback/undone', { token: bob.token, json: {} })).json.errors[0]
          .pointer,
      ).toBe('/to');
      expect(
        (await wiki.call('POST', '/v1/rollback/undone', { token: bob.token, json: { to: 999999 } })).status,
      ).toBe(400);
      expect((await wiki.call('POST', '/v1/rollback/nothing', { token: bob.token, json })).status).toBe(404);
    });

    test('restoring neither moves a page nor gives access to readers who have lost it', async () => {
      const made = await wiki.page(ada.token, { title: 'Open', body: 'good' });
      await edit('/open', { permissions: 744, path: '/elsewhere', body: 'bad' });
      const json = { to: made.history[0].id };
      const answer = await wiki.call('POST', '/v1/rollback/elsewhere', { token: ada.token, json });
      const { path, permissions, history } = answer.json.page;
      expect([path, permissions.code, history.at(-1).content.body]).toEqual(['/elsewhere', 744, 'good']);
    });
  });

  describe('likes, backlinks, children, preview', () => {
    test('a member likes a page once, and takes it back', async () => {
      await wiki.page(ada.token, { title: 'Liked' });
      for (const times of [1, 2]) {
        const { json } = await wiki.call('PUT', '/v1/likes/liked', { token: bob.token });
        expect(json.likes, `${times}`).toEqual([bob.id]);
      }
      expect((await wiki.call('GET', '/v1/pages/liked')).json.page.likes).toEqual([bob.id]);
      expect((await wiki.call('DELETE', '/v1/likes/liked', { token: bob.token })).json.likes).toEqual([]);
      expect((await wiki.call('PUT', '/v1/likes/liked')).status).toBe(401);
      expect((await wiki.call('PUT', '/v1/likes/nothing', { token: bob.token })).status).toBe(404);
    });

    test('backlinks are the pages that lead here, by title', async () => {
      await wiki.page(ada.token, { title: 'Hub' });
      await wiki.page(ada.token, { title: 'Spoke B', body: 'to [[hub]]' });
      await wiki.page(ada.token, { title: 'Spoke A', body: 'to [[/hub]]' });
      await wiki.page(ada.token, { title: 'Spoke C', body: 'to [[Hub]]', permissions: 700 });
      const { json, headers } = await wiki.call('GET', '/v1/backlinks/hub');
      expect(titles(json)).toEqual(['Spoke A', 'Spoke B']);
      expect(headers['x-total-count']).toBe('2');
      expect((await wiki.call('GET', '/v1/backlinks/nothing')).status).toBe(404);
    });

    test('children are listed one level at a time, as far as the caller may see', async () => {
      await wiki.page(ada.token, { title: 'Trunk' });
      await wiki.page(ada.token, { title: 'Branch', parent: '/trunk' });
      await wiki.page(ada.token, { title: 'Hidden branch', parent: '/trunk', permissions: 700 });
      await wiki.page(ada.token, { title: 'Twig', parent: '/trunk/branch' });
      const { json } = await wiki.call('GET', '/v1/children/trunk');
      expect(json).toMatchObject([{ title: 'Branch', hasChildren: true }]);
      expect(titles((await wiki.call('GET', '/v1/children/trunk', { token: ada.token })).json)).toEqual([
        'Branch',
        'Hidden branch',
      ]);
      expect(titles((await wiki.call('GET', '/v1/children?limit=1000')).json)).toContain('Trunk');
      expect((await wiki.call('GET', '/v1/children/nothing')).status).toBe(404);
    });

    test('a preview renders without saving, and returns the meaning of markers', async () => {
      const body = '[[Type:Inn]] [[Stars:3]] [[Location:0, 0]] [[First of All]] [[No such page]]';
      const { status, json } = await wiki.call('POST', '/v1/preview', { json: { body } });
      expect(status).toBe(200);
      expect(json).toMatchObject({ type: 'Inn', tags: { stars: ['3'] }, location: { lat: 0, lon: 0 } });
      expect(json.links).toContainEqual({ target: 'No such page', path: null, title: 'No such page' });
      expect(json.notices).toEqual([
        'This is a tag and shows nothing: [[stars:3]]. To link to a page with such a title, begin with a colon: [[:stars:3]].',
      ]);
      expect((await wiki.call('POST', '/v1/preview', { json: {} })).json.errors[0].pointer).toBe('/body');
      expect((await wiki.call('POST', '/v1/preview', { form: { body: "'''b'''" } })).json.markup).toContain(
        '<b>b</b>',
      );
    });

    test('a stranger’s preview looks up a limited number of links, says so in a notice, and shows all links', async () => {
      const body = `[[First of All]] ${Array.from({ length: 5000 }, (_, i) => `[[No page ${i}]]`).join(' ')} [[Trunk]]`;
      const shown = (await wiki.call('POST', '/v1/preview', { json: { body } })).json;
      expect(shown.notices).toEqual([
        expect.stringMatching(
          /^This preview looks up only the first 5000 different links; the other 2 look as if/,
        ),
      ]);
      expect(shown.links).toHaveLength(5002);
      expect(shown.links.at(-1)).toEqual({ target: 'Trunk', path: null, title: 'Trunk' });
      expect(shown.markup).toContain('>Trunk</a>');
      const { notices, links } = (
        await wiki.call('POST', '/v1/preview', { token: ada.token, json: { body } })
      ).json;
      expect([notices, links.at(-1)]).toEqual([
        [],
        { target: 'Trunk', path: expect.stringMatching(/trunk$/), title: 'Trunk' },
      ]);
    });

    test('a preview names unsupported markup and what became a tag, but no categories', async () => {
      const body = '{{#property:X}} <mapframe/> [[Help:Me]] [[Category:Trees]]\n\n{{#property:Z}}';
      const { json } = await wiki.call('POST', '/v1/preview', { json: { body } });
      expect(json.tags).toEqual({ category: ['Trees'] });
      expect(json.notices).toEqual([
        'This wiki does not support #property, <mapframe>. Pages show the name instead, or nothing.',
      ]);
      const many = Array.from({ length: 30 }, (_, index) => `[[k${index}:v]]`).join('');
      const told = (await wiki.call('POST', '/v1/preview', { json: { body: many } })).json.notices;
      expect(told).toHaveLength(1);
      expect(told[0]).toContain('[[k19:v]] and 10 more.');
    });
  });
});
