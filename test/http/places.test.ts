/**
 * One rule for where somebody may put something, as a table of operation × kind of address: protection goes by tree and by
 * address, a token limited to a subtree stays in it, and reserved paths are nobody's.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, type Method } from '../support/http.ts';
import { addApiToken } from '../support/tokens.ts';
import { startSite, type TestSite } from '../support/web.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestSite;
  let ada: { id: number; token: string };
  let olga: { id: number; token: string };
  let token: string;
  let made = 0;

  beforeAll(async () => {
    wiki = await startSite({ COPPICE_DEFAULT_FORMAT: 'markdown' }, { engine });
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
    const { store } = wiki.app.service;
    const actor = { memberId: olga.id, name: 'Olga', isAdmin: false };
    const input = { name: 'x', scopes: ['read', 'write'], ancestor: '/box' };
    token = (await addApiToken(store, actor, input, Date.now())).secret;
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
  /** Imports a page with a redirect in JSON lines, and says what came of it. */
  const importAlias = async (who: string, path: string) => {
    const id = ++made;
    const at = new Date(0).toISOString();
    const member = { id: 1, name: 'Ada' };
    const page = {
      ...{ kind: 'page', id, path: `/imported-${id}`, title: 'T', slug: `imported-${id}`, parent: null },
      ...{ permissions: 774, owner: member, created: at, updated: at, change: id, likes: [] },
      aliases: [path],
    };
    const change = {
      ...{ kind: 'change', id, page: id, at, editor: member, msg: '', title: 'T', slug: page.slug },
      ...{ path: page.path, parent: null, description: null, type: null, permissions: 774, location: null },
      ...{ format: 'wikitext', data: {}, image: null, files: [], body: 'Text.' },
    };
    const all = [{ kind: 'export', version: 1 }, page, change];
    const end = { kind: 'end', pages: 1, changes: 1, files: 0 };
    const lines = [...all, end].map((line) => `${JSON.stringify(line)}\n`).join('');
    const headers = { 'content-type': 'application/jsonl' };
    const begun = await wiki.call('POST', '/v1/imports', { token: who, body: Buffer.from(lines), headers });
    if (begun.status !== 202) return codeOf(begun);
    for (;;) {
      await new Promise((done) => setTimeout(done, 20));
      const { json } = await call(ada.token, 'GET', `/v1/imports/${begun.json.id}`);
      if (json.state === 'failed') return json.error;
      if (json.state !== 'running') return (await leads(path)) ? 'done' : 'skipped';
    }
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

  test('an import makes redirects only for administrators, with a token for the whole wiki, and at no reserved address', async () => {
    for (const path of ['/off/by-import', `/free-${++made}`]) {
      expect(await importAlias(olga.token, path)).toBe('administrators-only');
      expect(await importAlias(token, path)).toBe('insufficient-scope');
      expect(await leads(path)).toBe(false);
      expect(await importAlias(ada.token, path)).toBe('done');
    }
    expect(await importAlias(ada.token, '/login/x')).toContain('/login/x cannot be the path of a page');
  });

  test('whether a page is shown as editable follows protection by tree and by address', async () => {
    const reader = await wiki.signedIn('Rita');
    const told = async (path: string) => {
      const [protection, near, shown, history] = await Promise.all([
        call(olga.token, 'GET', `/v1/protection${path}`),
        call(olga.token, 'GET', '/v1/near/10/20/1000'),
        reader.get(path),
        reader.get(`/history${path}`),
      ]);
      const found = near.json.find((one: { path: string }) => one.path === path);
      return {
        write: found.permissions.write,
        edit: shown.text.includes('>Edit</a>'),
        restore: history.text.includes('Restore'),
        protection: [protection.json.path, protection.json.level],
        banner: shown.text.includes('is protected'),
      };
    };
    const location = { lat: 10, lon: 20 };
    for (const page of [
      { title: 'By tree', path: '/by-tree', parent: '/off', location },
      { title: 'By address', path: '/off/by-address', parent: '/other', location },
      { title: 'Neither', path: '/neither', parent: '/other', location },
    ])
      await wiki.page(ada.token, page);
    // A second version, so that the first can be restored.
    for (const path of ['/by-tree', '/off/by-address', '/neither'])
      await call(ada.token, 'POST', `/v1/pages${path}`, { body: 'Second.' });
    const refused = {
      ...{ write: false, edit: false, restore: false, banner: true },
      protection: ['/off', 'administrators'],
    };
    const open = (path: string) => ({
      ...{ write: true, edit: true, restore: true, banner: false },
      protection: [path, null],
    });
    expect(await told('/by-tree')).toEqual(refused);
    expect(await told('/off/by-address')).toEqual(refused);
    expect(await told('/neither')).toEqual(open('/neither'));
    const protect = (json: object) => wiki.call('PUT', '/v1/protection/off', { token: ada.token, json });
    // Cached answers follow, too.
    await protect({ level: null });
    expect(await told('/off/by-address')).toEqual(open('/off/by-address'));
    await protect({ level: 'administrators', subtree: true });
    expect(await told('/off/by-address')).toEqual(refused);
    // The protecting page moves to another address, and back.
    await call(ada.token, 'POST', '/v1/pages/neither', { path: '/later/neither' });
    expect((await told('/later/neither')).edit).toBe(true);
    await wiki.page(ada.token, { title: 'Guard', path: '/guard' });
    const guard = { token: ada.token, json: { level: 'moderators', subtree: true } };
    await wiki.call('PUT', '/v1/protection/guard', guard);
    await call(ada.token, 'POST', '/v1/pages/guard', { path: '/later' });
    expect((await told('/later/neither')).protection).toEqual(['/later', 'moderators']);
    expect((await told('/later/neither')).edit).toBe(false);
    await call(ada.token, 'POST', '/v1/pages/later', { path: '/guard' });
    expect((await told('/later/neither')).edit).toBe(true);
  });

  test('restoring, also with pages beneath, follows the same rule', async () => {
    expect(await restore(olga.token, '/off/restored')).toBe('protected');
    expect(await restore(olga.token, '/login/restored')).toBe('path-reserved');
    expect(await restore(olga.token, '/restored')).toBe('done');
    expect(await restore(ada.token, '/off/restored')).toBe('done');
  });

  test('pages in a protected subtree, by tree or by address, are not changed', async () => {
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
