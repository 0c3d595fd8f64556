/** Copies of pages and subtrees: what comes along, where links lead, who reads them, and what is refused. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyPages } from '#core/maintenance/verify-pages.ts';
import { engines, type Method, startApp, type TestApp } from '../support/http.ts';

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
    const { store } = wiki.app.service;
    expect(await store.maintenance.violations(10)).toEqual([]);
    expect(await Array.fromAsync(verifyPages(store))).toEqual([]);
    await wiki.close();
  });

  const call = (method: Method, url: string, who?: Who, json?: unknown) =>
    wiki.call(method, url, { ...(who ? { token: who.token } : {}), ...(json === undefined ? {} : { json }) });
  const copy = (path: string, json: object, who: Who | undefined = ada) =>
    call('POST', `/v1/copies${path}`, who, json);
  const bodyOf = (page: { history: { content: { body: string } }[] }) => page.history.at(-1)?.content?.body;
  const read = async (path: string, who?: Who) => (await call('GET', `/v1/pages${path}`, who)).json;

  test('a subtree is copied with its files, links, order and formats; its history begins anew', async () => {
    const file = { name: 'plan.txt', data: Buffer.from('a plan').toString('base64') };
    await wiki.page(ada.token, {
      title: 'Book',
      body: '[[First]], [[/book/second#end|2]] and [[Other]].',
      files: { file },
    });
    await wiki.page(ada.token, { title: 'Other' });
    await wiki.page(ada.token, {
      title: 'First',
      parent: '/book',
      body: '[[File:/book/plan.txt]] [[../second]] [[../../other]] <nowiki>[[Second]]</nowiki>',
    });
    await wiki.page(ada.token, {
      title: 'Second',
      parent: '/book',
      format: 'markdown',
      body: '[one](/book/first#x), [[First]], [[/book]], `[[First]]` and [away](https://example.org/book/first).',
    });
    await call('PUT', '/v1/order/book', ada, { children: ['/book/second', '/book/first'] });
    const dry = await copy('/book', { to: '/book-2', subtree: true, dryRun: true });
    expect(dry.json).toEqual({ page: null, pages: 3 });
    expect((await call('GET', '/v1/pages/book-2')).status).toBe(404);
    expect((await call('GET', '/v1/copies/book', ada)).json).toEqual({ to: '/book-2', pages: 3 });

    const made = await copy('/book', { to: '/book-2', title: 'Second book', subtree: true }, bob);
    expect(made.status, made.text).toBe(200);
    expect(made.json).toMatchObject({
      pages: 3,
      page: { path: '/book-2', title: 'Second book', owner: { id: bob.id } },
    });
    expect(bodyOf(made.json.page)).toBe('[[/book-2/first|First]], [[/book-2/second#end|2]] and [[Other]].');
    expect(made.json.page.history.map(({ msg }: { msg: string }) => msg)).toEqual(['Copied from /book']);
    const first = await read('/book-2/first');
    expect(bodyOf(first.page)).toBe(
      '[[File:/book-2/plan.txt]] [[/book-2/second|../second]] [[/other|../../other]] <nowiki>[[Second]]</nowiki>',
    );
    expect(bodyOf((await read('/book-2/second')).page)).toBe(
      '[one](/book-2/first#x), [[/book-2/first|First]], [[/book-2|/book]], `[[First]]` and [away](https://example.org/book/first).',
    );
    const children = (await call('GET', '/v1/children/book-2')).json as { title: string }[];
    expect(children.map(({ title }) => title)).toEqual(['Second', 'First']);
    // The bytes are the same, under another name.
    const [own] = (await read('/book')).page.files;
    const [copied] = made.json.page.files;
    expect(copied.filename).toBe(own.filename);
    expect(copied.name).not.toBe(own.name);
    expect((await call('GET', `/files/${copied.name}`)).text).toBe('a plan');
    await call('DELETE', '/v1/pages/book?subtree=true', ada);
    expect((await call('GET', `/files/${copied.name}`)).text).toBe('a plan');
  });

  test('templates within the copied subtree are called from the copy, others stay', async () => {
    await wiki.page(ada.token, {
      title: 'Kit',
      body: '{{Kit box|{{Shared box}}}} {{/kit/kit-box}} {{subst:none}} {{#if:x|{{ Template:Kit box }}}}',
    });
    await wiki.page(ada.token, { title: 'Kit box', type: 'Template', parent: '/kit', body: 'One: {{{1|}}}' });
    await wiki.page(ada.token, {
      title: 'Kit part',
      parent: '/kit',
      body: '{{../kit-box}} {{../../shared-box}} {{Kit box}}',
    });
    await wiki.page(ada.token, { title: 'Shared box', type: 'Template', body: 'shared' });
    const made = await copy('/kit', { to: '/kit-2', subtree: true });
    expect(made.json.page.path, made.text).toBe('/kit-2');
    expect(bodyOf((await read('/kit-2')).page)).toBe(
      '{{/kit-2/kit-box|{{Shared box}}}} {{/kit-2/kit-box}} {{subst:none}} {{#if:x|{{ /kit-2/kit-box }}}}',
    );
    expect(bodyOf((await read('/kit-2/kit-part')).page)).toBe(
      '{{/kit-2/kit-box}} {{/shared-box}} {{/kit-2/kit-box}}',
    );
    await call('POST', '/v1/pages/kit-2/kit-box', bob, { body: 'Two: {{{1|}}}' });
    expect((await call('GET', '/kit-2', bob)).text).toContain('Two: shared');
    expect((await call('GET', '/kit', bob)).text).toContain('One: shared');
  });

  test('pages that the maker cannot read are left out and not counted', async () => {
    await wiki.page(ada.token, { title: 'Nest' });
    await wiki.page(ada.token, { title: 'Hidden', parent: '/nest', permissions: 700 });
    await wiki.page(ada.token, { title: 'Egg', parent: '/nest/hidden' });
    const made = await copy('/nest', { to: '/nest-2', subtree: true }, bob);
    expect(made.json.pages).toBe(2);
    expect(
      (await read('/nest-2/hidden/egg', bob)).page.lineage.map(({ path }: { path: string }) => path),
    ).toEqual(['/nest-2']);
    expect((await call('GET', '/v1/pages/nest-2/hidden', ada)).status).toBe(404);
    expect((await copy('/nest/hidden', { to: '/x' }, bob)).text.replaceAll('hidden', 'absent')).toBe(
      (await copy('/nest/absent', { to: '/x' }, bob)).text,
    );
  });

  test('nobody reads more through a copy than before', async () => {
    await wiki.page(ada.token, { title: 'Private', permissions: 700 });
    await wiki.page(ada.token, { title: 'Of members', permissions: 770 });
    await wiki.page(ada.token, { title: 'Open' });
    await wiki.page(ada.token, { title: 'Vault', permissions: 770, defaults: { permissions: 770 } });
    const permissions = async (from: string, to: string, who: Who) =>
      (await copy(from, { to }, who)).json.page.permissions;
    expect(await permissions('/private', '/private-2', ada)).toBe(700);
    expect(await permissions('/of-members', '/of-members-2', bob)).toBe(770);
    expect(await permissions('/open', '/open-2', bob)).toBe(774);
    expect(await permissions('/open', '/vault/open', bob)).toBe(770);
    expect(await permissions('/private', '/vault/private', ada)).toBe(700);
    expect((await call('GET', '/v1/pages/private-2', bob)).status).toBe(404);
  });

  test('refused: strangers, taken and reserved addresses, protected places and bad input; nothing is left behind', async () => {
    await wiki.page(ada.token, { title: 'Pair' });
    await wiki.page(ada.token, { title: 'Half', parent: '/pair' });
    await wiki.page(ada.token, { title: 'Taken', path: '/pair-3/half' });
    expect((await call('POST', '/v1/copies/pair', undefined, { to: '/x' })).status).toBe(401);
    const taken = await copy('/pair', { to: '/pair-3', subtree: true });
    expect(taken.status).toBe(400);
    expect((await call('GET', '/v1/pages/pair-3')).status).toBe(404);
    expect((await copy('/pair', { to: '/pair' })).json.freePath).toBe('/pair-2');
    for (const json of [{}, { to: 7 }, { to: '/a?b' }, { to: '/v1/x' }, { to: '/x', title: 'a\u0000b' }])
      expect((await copy('/pair', json)).status, JSON.stringify(json)).toBe(400);
    const root = await wiki.member('Root', { isAdmin: true });
    await call('PUT', '/v1/protection/pair', root, { level: 'administrators', subtree: true });
    expect((await copy('/pair', { to: '/pair/copy' })).status).toBe(403);
    expect((await copy('/pair', { to: '/pair-9', subtree: true })).status).toBe(200);
  });
});
