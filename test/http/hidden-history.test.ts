/** A private page is opened: with its whole history, or only from now on. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { editPage } from '#core/pages/edit-page.ts';
import { engines, type PageAnswer, startApp, type TestApp } from '../support/http.ts';

type Change = PageAnswer['history'][number];

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  let olga: { id: number; token: string };
  let max: typeof olga;
  let ada: typeof olga;

  beforeAll(async () => {
    wiki = await startApp({}, { engine });
    olga = await wiki.member('Olga');
    max = await wiki.member('Max');
    ada = await wiki.member('Ada', { isAdmin: true });
  });
  afterAll(() => wiki.close());

  const file = (text: string) => ({
    file: { name: 'note.txt', data: Buffer.from(text).toString('base64') },
  });
  const post = (path: string, json: object, token = olga.token) =>
    wiki.call('POST', `/v1/pages${path}`, { token, json });
  const idsOf = (changes: Change[]) => changes.map(({ id }: { id: number }) => id);

  /** A private page with three changes and a replaced file, moved once, then opened with `more`. */
  async function opened(title: string, more: object) {
    const made = await wiki.page(olga.token, {
      title: `Draft ${title}`,
      body: 'secret one',
      permissions: 700,
      files: file('secret file'),
    });
    const old = made.files[0].urls.full;
    await post(made.path, { body: 'secret two', files: file('current file') });
    const path = `/${title.toLowerCase()}`;
    await post(made.path, { path, title });
    const answer = await post(path, { body: 'public', permissions: 774, ...more });
    expect(answer.status, answer.text).toBe(200);
    const all = await wiki.call('GET', `/v1/history${path}`, { token: olga.token });
    const [last, , , first] = idsOf(all.json);
    expect(all.json).toHaveLength(4);
    return { path, formerPath: made.path, old, first, last, page: answer.json.page as PageAnswer };
  }

  test('a page opened “from now on” shows earlier history only to its owner and administrators', async () => {
    const { path, formerPath, old, first, last, page } = await opened('Plan', { history: 'from now' });
    expect(idsOf(page.history)).toEqual([last]);
    const insiders = [olga.token, ada.token];
    // Requests of insiders come first, so that leaks through the cache would show.
    for (const token of insiders) {
      expect((await wiki.call('GET', `/v1/history${path}`, { token })).json).toHaveLength(4);
      const then = await wiki.call('GET', `/v1/pages${path}?version=${first}`, { token });
      expect(then.json.page.files[0].urls.full).toBe(old);
      expect(then.json.markup).toContain('secret one');
      expect((await wiki.call('GET', `/v1/diff${path}?from=${first}&to=${last}`, { token })).status).toBe(
        200,
      );
      const bytes = await wiki.call('GET', old, { token });
      expect([bytes.text, bytes.headers['cache-control']]).toEqual(['secret file', 'private, no-store']);
    }
    for (const options of [{}, { token: max.token }]) {
      const get = (url: string) => wiki.call('GET', url, options);
      const read = await get(`/v1/pages${path}`);
      expect(idsOf(read.json.page.history)).toEqual([last]);
      const history = await get(`/v1/history${path}`);
      expect([idsOf(history.json), history.headers['x-total-count']]).toEqual([[last], '1']);
      const diff = await get(`/v1/diff${path}`);
      expect([diff.json.from, diff.json.filesBefore]).toEqual([null, []]);
      for (const url of [
        `/v1/pages${path}?version=${first}`,
        `/v1/diff${path}?from=${first}`,
        `/v1/diff${path}?from=${last}&to=${first}`,
        old,
        `/v1/pages${formerPath}`,
        formerPath,
      ])
        expect((await get(url)).status, url).toBe(404);
      expect((await get(`/v1/pages?path=${path}`)).json[0].history).toHaveLength(1);
      const shown = [
        path,
        `/history${path}`,
        `/diff${path}`,
        `/atom/history${path}`,
        `/history${path}?from=${first}`,
      ];
      for (const url of shown) {
        const answer = await get(url);
        expect([answer.status, /secret|Draft/.test(answer.text)], url).toEqual([200, false]);
      }
    }
    // The current file is public, whenever it was uploaded.
    expect((await wiki.call('GET', page.files[0].urls.full)).text).toBe('current file');
  });

  test('others can neither restore hidden changes, nor merge with them, nor see them in a conflict', async () => {
    const { path, first, last } = await opened('Merge', { history: 'from now' });
    const back = (token: string) => wiki.call('POST', `/v1/rollback${path}`, { token, json: { to: first } });
    const refused = await back(max.token);
    expect([refused.status, refused.json.errors?.[0]?.pointer]).toEqual([400, '/to']);
    const merged = await post(path, { body: 'mine', base: first }, max.token);
    expect([merged.status, merged.json.base]).toEqual([412, null]);
    expect(merged.text).not.toContain('secret');
    const section = await post(path, { body: 'mine', base: last }, max.token);
    expect(section.status).toBe(200);
    // The owner may roll back, which publishes only the content of that change.
    const restored = await back(olga.token);
    expect([restored.status, restored.json.page.history.length]).toEqual([200, 3]);
    expect((await wiki.call('GET', `/v1/history${path}`)).json).toHaveLength(3);
    expect((await wiki.call('GET', `/v1/pages${path}?version=${first}`)).status).toBe(404);
  });

  test('a page opened without that option shows its whole history, as the reference says', async () => {
    const { path, formerPath, old, first } = await opened('Whole', {});
    expect((await wiki.call('GET', `/v1/history${path}`)).json).toHaveLength(4);
    expect((await wiki.call('GET', `/v1/pages${path}?version=${first}`)).status).toBe(200);
    expect((await wiki.call('GET', old)).text).toBe('secret file');
    expect((await wiki.call('GET', `/v1/pages${formerPath}`)).status).toBe(308);
    const { json } = await wiki.call('GET', '/v1/openapi.json');
    const { permissions, history } = json.components.schemas.PageEdit.properties;
    expect(permissions.description).toContain('may also read its whole history');
    expect(JSON.stringify(history)).toContain('from now');
  });

  test('the owner and administrators can hide more history and show it again', async () => {
    const { path, last } = await opened('Again', { history: 'from now' });
    for (const history of ['from now', 'all']) {
      const refused = await post(path, { history }, max.token);
      expect([refused.status, refused.json.errors?.[0]?.pointer]).toEqual([401, '/history']);
    }
    const wrong = await post(path, { history: 'since yesterday' });
    expect([wrong.status, wrong.json.errors?.[0]?.pointer]).toEqual([400, '/history']);
    const further = await post(path, { body: 'only this', history: 'from now' }, ada.token);
    expect(idsOf(further.json.page.history).every((id) => id > (last ?? 0))).toBe(true);
    expect((await wiki.call('GET', `/v1/history${path}`)).json).toHaveLength(1);
    const shown = await post(path, { body: 'all of it', history: 'all' });
    expect(shown.json.page.history).toHaveLength(6);
    expect((await wiki.call('GET', `/v1/history${path}`)).json).toHaveLength(6);
    expect(await wiki.app.service.store.maintenance.violations(9)).toEqual([]);
  });

  test('a long hidden history does not shorten the visible one', async () => {
    const made = await wiki.page(olga.token, { title: 'Long', body: 'x', permissions: 700 });
    const { store, files, renderer } = wiki.app.service;
    const actor = { memberId: olga.id, name: 'Olga', isAdmin: false };
    for (const text of ['a', 'b', 'c', 'd', 'e']) {
      const body = `<!-- ${text.repeat(3_900_000)} -->`;
      await editPage({ store, files, renderer, actor, now: Date.now() }, '/long', { body }, 'none');
    }
    await post('/long', { body: 'short', permissions: 774, history: 'from now' });
    await post('/long', { body: 'shorter' });
    const read = await wiki.call('GET', '/v1/pages/long');
    expect(read.json.page.history.map(({ content }: Change) => content.body)).toEqual(['short', 'shorter']);
    // Readers with full access get as much as fits.
    const { json, headers } = await wiki.call('GET', '/v1/history/long', { token: olga.token });
    expect([headers['x-total-count'], json.length < 8, json.at(-1).id > made.history[0].id]).toEqual([
      '8',
      true,
      true,
    ]);
    expect((await wiki.call('GET', '/v1/history/long')).json).toHaveLength(2);
  }, 180_000);
});
