/** Deleting and restoring pages: who may, what others see meanwhile, and that nothing is lost. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyPages } from '#core/maintenance/verify-pages.ts';
import { dayMs } from '#core/model/iso-time.ts';
import { emptyTrash, purgeDeletion } from '#src/features/trash/purge.ts';
import { engines, startApp, type TestApp } from '../support/http.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  let ada: { id: number; token: string };
  let bob: typeof ada;
  let root: typeof ada;
  let now = Date.UTC(2026, 0, 1);

  beforeAll(async () => {
    wiki = await startApp({}, { engine, clock: () => (now += 1000) });
    root = await wiki.member('Root', { isAdmin: true });
    ada = await wiki.member('Ada');
    bob = await wiki.member('Bob');
  });
  afterAll(() => wiki.close());

  const get = (url: string, who?: { token: string }) =>
    wiki.call('GET', url, who ? { token: who.token } : {});
  const remove = (path: string, who: { token: string }, query = '', headers = {}) =>
    wiki.call('DELETE', `/v1/pages${path}${query}`, { token: who.token, headers });
  const restore = (id: number, who: { token: string }, json = {}) =>
    wiki.call('POST', `/v1/trash/${id}/restore`, { token: who.token, json });
  const purge = (id: number, who: { token: string }) =>
    wiki.call('DELETE', `/v1/trash/${id}`, { token: who.token });
  const sound = async () => {
    const { store } = wiki.app.service;
    expect(await store.maintenance.violations(10)).toEqual([]);
    expect(await Array.fromAsync(verifyPages(store))).toEqual([]);
  };
  const file = (name: string, text: string) => ({
    file: { name, data: Buffer.from(text).toString('base64') },
  });

  test('a deleted page is 410 for its readers and leaves every list; links to it become wanted', async () => {
    await wiki.page(bob.token, { title: 'Asks', body: 'See [[Doomed]] and [[/doomed]].' });
    const page = await wiki.page(ada.token, {
      title: 'Doomed',
      body: 'Unusualword [[kind:doomed]] [[Missing thing]] [[Location: 1, 2]]',
      files: file('a.txt', 'bytes'),
    });
    await wiki.call('PUT', '/v1/likes/doomed', { token: bob.token });
    const before = await get('/v1/pages/doomed', ada);
    const answer = await remove('/doomed', bob);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json.trash).toEqual({ id: expect.any(Number), path: '/doomed', title: 'Doomed', pages: 1 });

    for (const url of ['pages', 'history', 'backlinks', 'children', 'diff']) {
      const gone = await get(`/v1/${url}/doomed${url === 'diff' ? '?from=1&to=1' : ''}`);
      expect(gone.status, url).toBe(410);
      expect(gone.json.deletedBy).toEqual({ id: bob.id, name: 'Bob' });
      expect(Date.parse(gone.json.deletedAt)).toBeGreaterThan(Date.UTC(2026, 0, 1));
    }
    // The interface requires 404 for an edit of a deleted page.
    const edit = await wiki.call('POST', '/v1/pages/doomed', { token: ada.token, json: { body: 'x' } });
    expect(edit.status).toBe(404);
    for (const url of [
      '/v1/pages?path=/doomed',
      '/v1/pages?title=doomed',
      '/v1/pages?text=unusualword',
      '/v1/pages?tag=kind:doomed',
      '/v1/pages?type=Place',
      '/v1/near/1/2',
      '/v1/updates/1000',
      '/v1/children',
    ])
      expect((await get(url, ada)).text, url).not.toMatch(/doomed/i);
    const wanted = (await get('/v1/requested')).json.map(({ title }: { title: string }) => title);
    expect(wanted).toEqual(expect.arrayContaining(['Doomed', '/doomed']));
    expect(wanted).not.toContain('Missing thing');
    expect((await get('/v1/checkpath/doomed')).json).toEqual({ ok: true });
    const [attached] = page.files;
    expect((await get(`/files/${attached.name}`)).status).toBe(404);
    expect((await get(`/files/${attached.name}`, bob)).status).toBe(200);
    await sound();

    const restored = await restore(answer.json.trash.id, ada);
    expect(restored.status, restored.text).toBe(200);
    expect(restored.json.page).toEqual(before.json.page);
    expect((await get('/v1/pages/doomed', ada)).json).toEqual(before.json);
    expect((await get(`/files/${attached.name}`)).status).toBe(200);
    expect((await get('/v1/pages?text=unusualword')).json).toHaveLength(1);
    const now = (await get('/v1/requested')).json.map(({ title }: { title: string }) => title);
    expect(now).not.toContain('Doomed');
    expect(now).toContain('Missing thing');
    expect((await restore(answer.json.trash.id, ada)).status).toBe(404);
    await sound();
  });

  test('a subtree is deleted and restored as a whole, or not at all', async () => {
    const top = await wiki.page(ada.token, { title: 'Wood' });
    await wiki.page(ada.token, { title: 'Oak', parent: '/wood', body: 'Beside [[../birch]]' });
    await wiki.page(ada.token, { title: 'Birch', parent: '/wood' });
    await wiki.page(ada.token, { title: 'Leaf', parent: '/wood/oak', path: '/leaf' });
    const refused = await remove('/wood', ada);
    expect(refused.status).toBe(409);
    expect(refused.json.pages).toBe(3);

    const secret = await wiki.page(bob.token, { title: 'Secret', parent: '/wood/oak', permissions: 700 });
    const foreign = await remove('/wood', ada, '?subtree=true');
    expect(foreign.status).toBe(401);
    expect(foreign.json.pages).toBe(1);
    expect((await get('/v1/pages/wood')).status).toBe(200);
    const byRoot = await remove('/wood', root, '?subtree=true');
    expect(byRoot.json.trash.pages).toBe(5);
    expect((await get('/v1/pages/leaf')).status).toBe(410);
    expect((await get('/v1/pages/wood/oak/secret', bob)).status).toBe(410);
    const hidden = await get('/v1/pages/wood/oak/secret', ada);
    const missing = await get('/v1/pages/wood/oak/absent', ada);
    expect(hidden.text.replaceAll('secret', 'absent')).toBe(missing.text);
    const countFor = async (who: { token: string }) =>
      (await get('/v1/trash', who)).json.find(({ path }: { path: string }) => path === '/wood').pages;
    expect([await countFor(ada), await countFor(bob), await countFor(root)]).toEqual([4, 5, 5]);
    await sound();

    const id = byRoot.json.trash.id;
    expect((await restore(id, ada)).status).toBe(401);
    await wiki.page(ada.token, { title: 'Other', path: '/wood/birch' });
    const taken = await restore(id, root);
    expect(taken.status).toBe(400);
    expect(taken.json.detail).toContain('/wood/birch');
    expect((await get('/v1/pages/wood', root)).status).toBe(410);

    await wiki.page(ada.token, { title: 'Park' });
    const elsewhere = await restore(id, root, { path: '/park/wood' });
    expect(elsewhere.status, elsewhere.text).toBe(200);
    expect(elsewhere.json.page).toMatchObject({ id: top.id, path: '/park/wood', depth: 1 });
    expect((await get('/v1/pages/park/wood/oak/secret', bob)).json.page.id).toBe(secret.id);
    expect((await get('/v1/pages/leaf')).json.page.lineage.map(({ path }: { path: string }) => path)).toEqual(
      ['/park', '/park/wood', '/park/wood/oak'],
    );
    expect((await get('/v1/pages/wood')).headers.location).toBe('/v1/pages/park/wood');
    const links = await get('/v1/backlinks/park/wood/birch');
    expect(links.json.map(({ path }: { path: string }) => path)).toEqual(['/park/wood/oak']);
    await sound();
  });

  test('a page without its parent is restored beneath the nearest existing ancestor', async () => {
    await wiki.page(ada.token, { title: 'A' });
    await wiki.page(ada.token, { title: 'B', parent: '/a' });
    await wiki.page(ada.token, { title: 'C', parent: '/a/b' });
    const child = (await remove('/a/b/c', ada)).json.trash.id;
    const parent = (await remove('/a/b', ada)).json.trash.id;
    const restored = await restore(child, ada);
    expect(restored.json.page).toMatchObject({ path: '/a/b/c', depth: 1 });
    expect((await restore(parent, ada)).json.page.depth).toBe(1);
    await sound();
  });

  test('deleting needs permission to edit, and people without access learn nothing', async () => {
    await wiki.page(ada.token, { title: 'Locked', permissions: 744 });
    expect((await remove('/locked', bob)).status).toBe(401);
    await wiki.page(ada.token, { title: 'Hidden', permissions: 700 });
    const hidden = await remove('/hidden', bob);
    const missing = await remove('/absent', bob);
    expect([hidden.status, hidden.text.replaceAll('hidden', 'absent')]).toEqual([404, missing.text]);
    expect((await wiki.call('DELETE', '/v1/pages/locked')).status).toBe(401);
    expect((await wiki.call('GET', '/v1/trash')).status).toBe(401);

    const { id } = (await remove('/hidden', ada)).json.trash;
    for (const url of ['/v1/pages/hidden', '/v1/history/hidden', '/v1/children/hidden']) {
      const expected = await get(url.replace('hidden', 'absent'), bob);
      expect(
        (await get(url, bob)).text.replaceAll(/hidden/g, 'absent').replaceAll('Hidden', 'Absent'),
        url,
      ).toBe(expected.text);
    }
    expect((await get('/v1/trash', bob)).text).not.toContain('idden');
    expect((await restore(id, bob)).text).toBe(
      (await restore(99_999, bob)).text.replaceAll('99999', String(id)),
    );
    expect((await purge(id, ada)).status).toBe(403);
    expect((await restore(id, ada)).status).toBe(200);
  });

  test('If-Match protects a page that changed meanwhile', async () => {
    const { history } = await wiki.page(ada.token, { title: 'Changing' });
    await wiki.call('POST', '/v1/pages/changing', { token: bob.token, json: { body: 'New' } });
    const stale = await remove('/changing', ada, '', { 'if-match': `"${history[0].id}"` });
    expect([stale.status, stale.json.detail]).toEqual([412, expect.stringContaining('Nothing was deleted.')]);
    const { headers } = await get('/v1/pages/changing');
    expect((await remove('/changing', ada, '', { 'if-match': String(headers.etag) })).status).toBe(200);
    expect((await remove('/changing', ada)).status).toBe(410);
  });

  test('purging leaves nothing, not even the bytes; the trash purges old pages by itself', async () => {
    const page = await wiki.page(ada.token, { title: 'Waste', files: file('w.txt', `waste of ${engine}`) });
    const { id } = (await remove('/waste', ada)).json.trash;
    const { store, files } = wiki.app.service;
    const [{ hash } = { hash: '' }] = await store.readAsSystem().files.named([page.files[0].name]);
    expect(await files.store.find(hash)).toBeDefined();
    // Long after the upload, whose time comes from the disk, no pending save can refer to the bytes again.
    const later = Math.max(now, Date.now()) + 40 * dayMs;
    await purgeDeletion(store, files.store, id, later);
    expect((await purge(id, root)).status).toBe(404);
    expect((await get('/v1/pages/waste', root)).status).toBe(404);
    expect((await get(`/files/${page.files[0].name}`, root)).status).toBe(404);
    expect(await files.store.find(hash)).toBeUndefined();
    expect(await store.readAsSystem().files.named([page.files[0].name])).toEqual([]);

    await wiki.page(ada.token, { title: 'Old' });
    const old = (await remove('/old', ada)).json.trash.id;
    await wiki.page(ada.token, { title: 'Late' });
    const { deletedAt } =
      (await remove('/late', ada)).json.trash.id && (await get('/v1/trash', root)).json[0];
    expect(await emptyTrash(store, files.store, Date.parse(deletedAt), now)).toBeGreaterThan(0);
    expect((await get('/v1/trash', root)).json.map(({ path }: { path: string }) => path)).toEqual(['/late']);
    expect((await purge(old, root)).status).toBe(404);
    const [{ id: late }] = (await get('/v1/trash', root)).json;
    expect((await purge(late, root)).status).toBe(204);
    await sound();
  });

  test('a concurrent deletion and edit are ordered, and the wiki stays consistent', async () => {
    await wiki.page(ada.token, { title: 'Raced' });
    await wiki.page(ada.token, { title: 'Below', parent: '/raced' });
    const edit = (i: number) =>
      wiki.call('POST', '/v1/pages/raced/below', { token: bob.token, json: { body: `Edit ${i} [[Raced]]` } });
    const create = (i: number) =>
      wiki.call('POST', '/v1/pages', { token: bob.token, json: { title: `New ${i}`, parent: '/raced' } });
    const answers = await Promise.all([
      edit(1),
      create(1),
      remove('/raced', ada, '?subtree=true'),
      create(2),
      edit(2),
      remove('/raced', bob, '?subtree=true'),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect([statuses[2], statuses[5]].toSorted()).toEqual([200, 410]);
    for (const status of [statuses[0], statuses[4]]) expect([200, 404]).toContain(status);
    for (const status of [statuses[1], statuses[3]]) expect([200, 400]).toContain(status);
    await sound();
  });
});
