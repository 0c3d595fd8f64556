/**
 * One rule for where somebody may put something, as a table of operation × kind of address: protection goes by tree and by
 * address, a token limited to a subtree stays in it, and reserved paths are nobody's.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addApiToken } from '#core/members/api-tokens.ts';
import { engines, type Method, startApp, type TestApp } from '../support/http.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  let ada: { id: number; token: string };
  let olga: { id: number; token: string };
  let token: string;
  let made = 0;

  beforeAll(async () => {
    wiki = await startApp({ COPPICE_DEFAULT_FORMAT: 'markdown' }, { engine });
    ada = await wiki.member('Ada', { isAdmin: true });
    olga = await wiki.member('Olga');
    for (const page of [
      { title: 'Off' },
      { title: 'Box' },
      { title: 'Other' },
      { title: 'Far', path: '/far', parent: '/off' },
      { title: 'Near', path: '/off/near', parent: '/other' },
    ])
      await wiki.page(ada.token, page);
    const protection = { level: 'administrators', subtree: true };
    const done = await wiki.call('PUT', '/v1/protection/off', { token: ada.token, json: protection });
    expect(done.status).toBe(200);
    const { store, apiTokenSecrets } = wiki.app.service;
    const actor = { memberId: olga.id, name: 'Olga', isAdmin: false };
    const input = { name: 'x', scopes: ['read', 'write'], ancestor: '/box' };
    token = (await addApiToken(store, apiTokenSecrets, actor, input, Date.now())).secret;
  });
  afterAll(() => wiki.close());

  const call = (who: string, method: Method, url: string, json?: object) =>
    wiki.call(method, url, { token: who, ...(json ? { json } : {}) });
  const codeOf = ({ status, json }: { status: number; json: { type?: string } }) =>
    status < 300 ? 'done' : String(json.type).replace('/v1/docs#problem-', '');
  const aliasing = (path: string) => `---\naliases: [${path}]\n---\nText.`;
  const leads = async (path: string) => (await call(ada.token, 'GET', `/v1/pages${path}`)).status !== 404;

  /** Puts something at an address, and says what came of it. `tree`: beneath a page there, at the address below it. */
  const operations: Record<string, (who: string, path: string) => Promise<string>> = {
    create: async (who, path) =>
      codeOf(
        await call(who, 'POST', '/v1/pages', { title: 'New', path, parent: who === token ? '/box' : '' }),
      ),
    'batch create': async (who, path) => {
      const body = { title: 'New', path, parent: who === token ? '/box' : '' };
      const operations = [{ method: 'POST', path: '/v1/pages', body }];
      const { json } = await call(who, 'POST', '/v1/batch', { atomic: true, operations });
      return codeOf({ status: json.results[0].status, json: json.results[0].body });
    },
    move: async (who, path) => {
      const page = await wiki.page(who, { title: `Mover ${++made}`, parent: '/box' });
      return codeOf(await call(who, 'POST', `/v1/pages${page.path}`, { path }));
    },
    'alias of a new page': async (who, path) => {
      const body = aliasing(path);
      await wiki.page(who, { title: `Aliased ${++made}`, parent: '/box', format: 'markdown', body });
      return (await leads(path)) ? 'done' : 'skipped';
    },
    'alias by an edit': async (who, path) => {
      const page = await wiki.page(who, { title: `Edited ${++made}`, parent: '/box', format: 'markdown' });
      expect(codeOf(await call(who, 'POST', `/v1/pages${page.path}`, { body: aliasing(path) }))).toBe('done');
      return (await leads(path)) ? 'done' : 'skipped';
    },
  };
  const restore = async (who: string, path: string) => {
    const page = await wiki.page(who, { title: `Gone ${++made}`, parent: '/box' });
    const { json } = await call(who, 'DELETE', `/v1/pages${page.path}`);
    return codeOf(await call(who, 'POST', `/v1/trash/${json.trash.id}/restore`, { path }));
  };

  test.each(Object.keys(operations))('%s: protected, outside, reserved and free addresses', async (name) => {
    const put = operations[name];
    if (!put) throw new Error(name);
    const isAlias = name.startsWith('alias');
    const refused = (code: string) => (isAlias ? 'skipped' : code);
    for (const path of ['/off/announcement', '/off/deep/er', '/off/near/x'])
      expect([path, await put(olga.token, path)]).toEqual([path, refused('protected')]);
    for (const path of ['/pricing', '/other/x', '/boxes', '/off/x'])
      expect([path, await put(token, path)]).toEqual([path, refused('insufficient-scope')]);
    expect(await put(olga.token, '/login/x')).toBe(refused('path-reserved'));
    expect(await put(olga.token, `/free-${++made}`)).toBe('done');
    expect(await put(olga.token, `/offer-${++made}`)).toBe('done');
    expect(await put(token, `/box/free-${++made}`)).toBe('done');
    expect(await put(ada.token, `/off/by-an-administrator-${++made}`)).toBe('done');
  });

  test('restoring, also with pages beneath, obeys the same rule', async () => {
    expect(await restore(olga.token, '/off/restored')).toBe('protected');
    expect(await restore(olga.token, '/login/restored')).toBe('path-reserved');
    expect(await restore(olga.token, '/restored')).toBe('done');
    expect(await restore(ada.token, '/off/restored')).toBe('done');
  });

  test('what lies in a protected subtree, by tree or by address, is not changed', async () => {
    for (const path of ['/far', '/off/near']) {
      for (const [method, url, json] of [
        ['POST', `/v1/pages${path}`, { body: 'x' }],
        ['POST', `/v1/pages${path}`, { path: '/taken-away' }],
        ['DELETE', `/v1/pages${path}`],
      ] as const)
        expect([url, codeOf(await call(olga.token, method, url, json))]).toEqual([url, 'protected']);
      const beneath = { title: 'Beneath', parent: path, path: `/beneath-${++made}` };
      const isByTree = path === '/far';
      // The address is free; in the tree only the first page lies beneath the protected one.
      expect(codeOf(await call(olga.token, 'POST', '/v1/pages', beneath))).toBe(
        isByTree ? 'protected' : 'done',
      );
    }
    // A move and a deletion take pages beneath along.
    expect(codeOf(await call(olga.token, 'DELETE', '/v1/pages/other?subtree=true'))).toBe('protected');
    expect(codeOf(await call(ada.token, 'POST', '/v1/pages/off/near', { body: 'x' }))).toBe('done');
  });
});
