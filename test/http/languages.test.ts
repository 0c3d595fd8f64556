/** Languages of pages: given, taken from the parent or the wiki, kept by every change, and shown to readers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyPages } from '#core/maintenance/verify-pages.ts';
import { engines, type Method, startApp, type TestApp } from '../support/http.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  type Who = { id: number; token: string };
  let ada: Who;

  beforeAll(async () => {
    wiki = await startApp({}, { engine });
    ada = await wiki.member('Ada');
  });
  afterAll(async () => {
    const { store } = wiki.app.service;
    expect(await store.maintenance.violations(10)).toEqual([]);
    expect(await Array.fromAsync(verifyPages(store))).toEqual([]);
    await wiki.close();
  });

  const call = (method: Method, url: string, json?: unknown, who: Who | undefined = ada) =>
    wiki.call(method, url, { token: who.token, ...(json === undefined ? {} : { json }) });
  const languageOf = async (path: string) =>
    (await call('GET', `/v1/pages${path}?fields=language`)).json.page;

  test('a new page has the language of its parent, else of the wiki, and shows it to readers', async () => {
    const created = await call('POST', '/v1/pages', {
      title: 'Garten',
      language: 'DE-at',
      body: 'Ein Garten.',
    });
    expect(created.json).toMatchObject({ path: '/garten', language: 'de-AT' });
    expect((await call('POST', '/v1/pages', { title: 'Rosen', parent: '/garten' })).json.language).toBe(
      'de-AT',
    );
    const english = { title: 'Roses', parent: '/garten', language: null };
    expect((await call('POST', '/v1/pages', english)).json.language).toBe('en');
    const hebrew = await call('POST', '/v1/pages', { title: 'גן', language: 'he', body: 'HTML ועוד' });
    const shown = await call('GET', encodeURI(hebrew.json.path));
    expect(shown.text).toContain('<div class="markup" lang="he" dir="rtl">');
    expect((await call('GET', '/garten/roses')).text).toContain('<h1 lang="en" dir="auto">Roses');
    await call('POST', '/v1/pages', { title: 'Gärten', body: 'Viele.', parent: '/garten', language: '' });
    const list = await call('GET', '/v1/pages?ancestor=/garten');
    expect(list.json.map((page: { title: string; language: string }) => [page.title, page.language])).toEqual(
      [
        ...[
          ['Gärten', 'en'],
          ['Rosen', 'de-AT'],
          ['Roses', 'en'],
        ],
      ],
    );
    expect((await call('POST', '/v1/copies/garten', { to: '/orchard' })).json.page.language).toBe('de-AT');
  });

  test('a tag that no language has is refused, and nothing is saved', async () => {
    await call('POST', '/v1/pages', { title: 'Strict' });
    for (const language of [
      'english',
      'de_DE',
      '-',
      'x'.repeat(40),
      'de-',
      'a b',
      `de-${'abcdefgh-'.repeat(5)}`,
    ]) {
      const refused = await call('POST', '/v1/pages/strict', { language });
      expect([language, refused.status]).toEqual([language, 400]);
      expect(refused.json.errors[0].pointer).toBe('/language');
    }
    expect((await call('POST', '/v1/pages/strict', { language: 7 })).status).toBe(400);
    expect(await languageOf('/strict')).toEqual({ language: 'en' });
  });

  test('an edit keeps the language; merging, conflicts, rollback and comparisons know it', async () => {
    const { json: made } = await call('POST', '/v1/pages', { title: 'Wald', body: 'eins\n\nzwei' });
    const base = made.history.at(-1).id;
    const unchanged = await call('POST', '/v1/pages/wald', { language: null });
    expect(unchanged.json.page.history).toHaveLength(1);
    expect((await call('POST', '/v1/pages/wald', { language: 'de', base })).json.page.language).toBe('de');
    const merged = await call('POST', '/v1/pages/wald', { body: 'eins\n\ndrei', base });
    expect(merged.json.page).toMatchObject({ language: 'de' });
    expect(merged.json.page.history.at(-1).content).toMatchObject({ language: 'de', body: 'eins\n\ndrei' });
    const clash = await call('POST', '/v1/pages/wald', { language: 'fr', base });
    expect(clash.status).toBe(412);
    expect(clash.json.fields).toEqual(['language']);
    const diff = await call('GET', `/v1/diff/wald?from=${base}`);
    expect(diff.json.fields).toContainEqual({ field: 'language', from: null, to: 'de' });
    const back = await call('POST', '/v1/rollback/wald', { to: base });
    expect(back.json.page.language).toBe('en');
  });

  test('a changed language of the wiki counts for pages that have none', async () => {
    await call('POST', '/v1/pages', { title: 'Plain' });
    await call('POST', '/v1/pages', { title: 'Own', language: 'en' });
    const admin = await wiki.member('Root', { isAdmin: true });
    expect(await languageOf('/plain')).toEqual({ language: 'en' });
    const all = async () =>
      (await call('GET', '/v1/pages?title=plain&history=none')).json.map(
        ({ language }: { language: string }) => language,
      );
    expect(await all()).toEqual(['en']);
    expect((await call('PATCH', '/v1/settings', { language: 'nl' }, admin)).status).toBe(200);
    expect(await languageOf('/plain')).toEqual({ language: 'nl' });
    expect(await all()).toEqual(['nl']);
    expect(await languageOf('/own')).toEqual({ language: 'en' });
    await call('PATCH', '/v1/settings', { language: 'en' }, admin);
  });

  test('a deleted page has its language again when it returns, and a page in JSON lines keeps it', async () => {
    await call('POST', '/v1/pages', { title: 'Trashed', language: 'sv' });
    const deleted = await call('DELETE', '/v1/pages/trashed');
    const restored = await call('POST', `/v1/trash/${deleted.json.trash.id}/restore`, {});
    expect(restored.json.page).toMatchObject({ path: '/trashed', language: 'sv' });
    const lines = (await call('GET', '/v1/export?format=jsonl&ancestor=/trashed')).text.split('\n');
    expect(lines.filter((line) => line.includes('"language":"sv"'))).toHaveLength(1);
    const text = await call('GET', '/v1/pages/trashed?format=md&frontMatter=true');
    expect(text.status).toBe(200);
  });
});
