/** Order of pages among their siblings: arranging it, everything that shows it, and what moves, deletions and others leave of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, type Method, startApp, type TestApp } from '../support/http.ts';
import { addApiToken } from '../support/tokens.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  type Who = { id: number; token: string };
  let ada: Who;
  let bob: Who;

  beforeAll(async () => {
    wiki = await startApp({}, { engine });
    ada = await wiki.member('Ada');
    bob = await wiki.member('Bob');
  });
  afterAll(async () => {
    expect(await wiki.app.service.store.maintenance.violations(10)).toEqual([]);
    await wiki.close();
  });

  const call = (method: Method, url: string, who?: Who, json?: unknown) =>
    wiki.call(method, url, { ...(who ? { token: who.token } : {}), ...(json === undefined ? {} : { json }) });
  const order = (path: string, children: string[], who: Who | undefined = ada) =>
    call('PUT', `/v1/order${path}`, who, { children: children.map((name) => `${path}/${name}`) });
  const names = (json: { path: string }[]) => json.map(({ path }) => path.replace(/^.*\//, ''));
  const children = async (path: string, who?: Who) =>
    names((await call('GET', `/v1/children${path}?limit=1000`, who)).json);
  const inTree = async (path: string, who?: Who, more = '&limit=1000') =>
    names((await call('GET', `/v1/pages?ancestor=${path}&order=tree${more}`, who)).json);
  /** A page with pages beneath it, named by single words. */
  const book = async (title: string, beneath: string[], fields: object = {}): Promise<string> => {
    const { path } = await wiki.page(ada.token, { title, ...fields });
    for (const name of beneath) await wiki.page(ada.token, { title: name, parent: path });
    return path;
  };

  test('pages are in order of their titles until somebody arranges them; those never placed follow', async () => {
    const path = await book('Cook book', ['apples', 'bread', 'cheese', 'dill']);
    expect(await children(path)).toEqual(['apples', 'bread', 'cheese', 'dill']);
    const { status, json } = await order(path, ['dill', 'bread']);
    expect(status).toBe(200);
    expect(names(json.children.map((path: string) => ({ path })))).toEqual([
      ...['dill', 'bread', 'apples', 'cheese'],
    ]);
    expect(json.total).toBe(4);
    await wiki.page(ada.token, { title: 'butter', parent: path });
    expect(await children(path)).toEqual(['dill', 'bread', 'apples', 'butter', 'cheese']);
    expect(
      (await call('GET', `/v1/children${path}?limit=2&offset=1`)).json.map(
        (one: { title: string }) => one.title,
      ),
    ).toEqual(['bread', 'apples']);
    // Lists in other pages have the same order.
    const beneath = await call('GET', `/v1/pages${path}?include=children`);
    expect(beneath.status).toBe(200);
    const listed = await call('POST', `/v1/pages${path}`, ada, { body: '{{Children}}' });
    expect([...listed.json.markup.matchAll(/href="\/cook-book\/(\w+)"/g)].map(([, name]) => name)).toEqual(
      await children(path),
    );
    expect((await order(path, [])).status).toBe(200);
    expect(await children(path)).toEqual(['apples', 'bread', 'butter', 'cheese', 'dill']);
  });

  test('refused: strangers, those who may not write the page, other pages, pages named twice, and too many', async () => {
    const path = await book('Closed book', ['one', 'two'], { permissions: 744 });
    expect((await call('PUT', `/v1/order${path}`, undefined, { children: [] })).status).toBe(401);
    expect((await order(path, ['two'], bob)).status).toBe(401);
    expect((await call('PUT', '/v1/order/no-book', ada, { children: [] })).status).toBe(404);
    for (const given of [
      [`${path}/three`],
      [`${path}/one`, `${path}/one`],
      ['/cook-book/apples'],
      ['/a?b'],
    ]) {
      const refused = await call('PUT', `/v1/order${path}`, ada, { children: given });
      expect(refused.status, JSON.stringify(given)).toBe(400);
      expect(refused.json.errors[0].pointer).toMatch(/^\/children\/[01]$/);
    }
    for (const given of [{}, { children: 'one' }, { children: Array(501).fill(`${path}/one`) }])
      expect((await call('PUT', `/v1/order${path}`, ada, given)).status).toBe(400);
    const hidden = await book('Hidden book', ['one'], { permissions: 700 });
    expect((await call('PUT', `/v1/order${hidden}`, bob, { children: [] })).status).toBe(404);
    await call('PUT', `/v1/protection${path}`, ada, { level: 'moderators' });
    expect(await children(path)).toEqual(['one', 'two']);
  });

  test('children that the caller cannot see keep their places and are never revealed', async () => {
    const path = await book('Mixed book', ['a', 'b', 'c', 'd']);
    expect((await order(path, ['a', 'b', 'c', 'd'])).status).toBe(200);
    await call('POST', `/v1/pages${path}/b`, ada, { permissions: 700 });
    const arranged = await order(path, ['d', 'c', 'a'], bob);
    expect(arranged.text).not.toContain('/b"');
    expect(arranged.json).toEqual({ children: ['d', 'c', 'a'].map((name) => `${path}/${name}`), total: 3 });
    expect(await children(path, ada)).toEqual(['d', 'b', 'c', 'a']);
    expect(await inTree(path, ada)).toEqual(['d', 'b', 'c', 'a']);
    expect(await inTree(path)).toEqual(['d', 'c', 'a']);
    const named = await order(path, ['b', 'a'], bob);
    const missing = await order(path, ['x', 'a'], bob);
    expect(named.text.replaceAll('/b', '/x')).toBe(missing.text);
    expect(named.status).toBe(400);
  });

  test('the tree is listed depth first, and a cursor continues correctly after any changes', async () => {
    const path = await book('Deep book', ['a', 'b', 'c']);
    for (const [parent, title] of [
      ['b', 'x'],
      ['b', 'y'],
      ['b/y', 'deep'],
      ['c', 'z'],
    ] as const)
      await wiki.page(ada.token, { title, parent: `${path}/${parent}` });
    await order(path, ['c', 'b']);
    await order(`${path}/b`, ['y', 'x']);
    const whole = ['c', 'z', 'b', 'y', 'deep', 'x', 'a'];
    expect(await inTree(path)).toEqual(whole);
    expect(await inTree(path, undefined, '&limit=2&offset=3')).toEqual(['y', 'deep']);
    const page = await call('GET', `/v1/pages?ancestor=${path}&order=tree&limit=2`);
    expect(page.headers['x-total-count']).toBe('7');

    const found: string[] = [];
    let url: string | undefined = `/v1/pages?ancestor=${path}&order=tree&limit=2&cursor=`;
    for (let i = 0; url; i++) {
      const { json, headers } = await call('GET', url);
      found.push(...names(json));
      url = /<([^>]*)>/.exec(String(headers.link ?? ''))?.[1];
      // The last page of the first answer goes away.
      if (i === 0) await call('DELETE', `/v1/pages${path}/c/z`, ada);
    }
    expect(found).toEqual(whole);
    for (const query of ['', '&type=Place', '&offset=10001', '&cursor=bm8'])
      expect(
        (await call('GET', `/v1/pages?order=tree${query === '' ? '' : `&ancestor=${path}`}${query}`)).status,
        query,
      ).toBe(400);
  });

  test('pages beneath a hidden page have the place of that page', async () => {
    const path = await book('Half hidden book', ['a', 'b', 'c']);
    await wiki.page(ada.token, { title: 'inside', parent: `${path}/b` });
    await call('POST', `/v1/pages${path}/b`, ada, { permissions: 700 });
    expect(await inTree(path, bob)).toEqual(['a', 'inside', 'c']);
    await order(path, ['c', 'b', 'a']);
    expect(await inTree(path, bob)).toEqual(['c', 'inside', 'a']);
  });

  test('moves, renames, deletions and restores of a subtree keep its order', async () => {
    const path = await book('Moved book', ['a', 'b', 'c']);
    await order(path, ['c', 'a', 'b']);
    const moved = await call('POST', `/v1/pages${path}`, ada, { parent: '/cook-book' });
    const now: string = moved.json.page.path;
    expect(await children(now)).toEqual(['c', 'a', 'b']);
    expect((await call('POST', `/v1/pages${now}/a`, ada, { slug: 'zz', title: 'Zz' })).status).toBe(200);
    expect(await children(now)).toEqual(['c', 'zz', 'b']);
    const { json } = await call('DELETE', `/v1/pages${now}?subtree=true`, ada);
    expect((await call('POST', `/v1/trash/${json.trash.id}/restore`, ada, {})).status).toBe(200);
    expect(await children(now)).toEqual(['c', 'zz', 'b']);
    // A page that comes from elsewhere was never placed here.
    await call('POST', `/v1/pages${now}/c`, ada, { parent: '/deep-book', slug: 'again' });
    expect(await children(now)).toEqual(['zz', 'b']);
    expect(await children('/deep-book')).toEqual(['c', 'b', 'a', 'again']);
  });

  test('two people who arrange at once lose no page', async () => {
    const path = await book('Busy book', ['a', 'b', 'c', 'd']);
    const answers = await Promise.all([
      order(path, ['d', 'c', 'b', 'a']),
      order(path, ['b', 'a'], bob),
      wiki.page(bob.token, { title: 'e', parent: path }).then(() => ({ status: 200 })),
      order(path, ['c', 'd', 'a'], bob),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await children(path)).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect((await inTree(path)).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('the change feed says it, once and only if something changed', async () => {
    const path = await book('Fed book', ['a', 'b']);
    const after = async () => (await call('GET', '/v1/changes?after=latest&kind=ordered')).json.next;
    const start = await after();
    await order(path, ['b', 'a']);
    await order(path, ['b', 'a']);
    const { json } = await call('GET', `/v1/changes?after=${start}&kind=ordered`);
    expect(json.changes).toMatchObject([{ kind: 'ordered', page: { path }, editor: { id: ada.id } }]);
    expect(json.changes[0].affects.lists).toContain(`children:${path}`);
  });

  test('root pages are arranged by members who may write; limited tokens arrange in their subtree only', async () => {
    const first = await call('GET', '/v1/children?limit=1000');
    const roots = (first.json as { path: string }[]).map(({ path }) => path).toReversed();
    expect((await call('PUT', '/v1/order', undefined, { children: roots })).status).toBe(401);
    const answer = await call('PUT', '/v1/order', bob, { children: roots });
    expect(answer.json.children).toEqual(roots);
    expect(names((await call('GET', '/v1/children?limit=1000')).json)).toEqual(
      names(roots.map((path) => ({ path }))),
    );
    const { json } = await call('GET', '/v1/changes?after=0&kind=ordered&limit=1000');
    expect(json.changes.at(-1).affects.lists).toContain('children:/');

    const path = await book('Token book', ['a', 'b']);
    const { store } = wiki.app.service;
    const actor = { memberId: ada.id, name: 'Ada', isAdmin: false };
    const input = { name: 'Bot', scopes: ['read', 'write'], ancestor: path };
    const { secret } = await addApiToken(store, actor, input, Date.now());
    const limited = { id: ada.id, token: secret };
    expect((await order(path, ['b', 'a'], limited)).status).toBe(200);
    expect((await order('/busy-book', ['b', 'a'], limited)).status).toBe(403);
    expect((await call('PUT', '/v1/order', limited, { children: [] })).status).toBe(403);
    await call('PUT', '/v1/order', ada, { children: [] });
  });
});
