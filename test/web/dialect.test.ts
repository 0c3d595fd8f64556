/** The site of a wiki in another language than English. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSite, type TestSite } from '../support/web.ts';

let site: TestSite;
let ada: Awaited<ReturnType<TestSite['signedIn']>>;

beforeAll(async () => {
  site = await startSite({ COPPICE_LANGUAGE: 'de' });
  ada = await site.signedIn('Ada', { isAdmin: true });
});
afterAll(() => site.close());

test('sections whose headings hold names of the language can be edited alone', async () => {
  await site.page(ada.token, {
    title: 'Eiche',
    body: '== Rinde [[Datei:blatt.png|20px]] ==\nalt\n== Blatt ==\nneu',
  });
  const { text } = await ada.get('/eiche');
  expect(text).toContain('<h2 id="Rinde">');
  expect(text).toContain('href="/edit/eiche?section=Rinde"');
  const form = await ada.get('/edit/eiche?section=Rinde');
  expect(form.status).toBe(200);
  expect(form.text).toContain('== Rinde [[Datei:blatt.png|20px]] ==\nalt');
  expect(form.text).not.toContain('neu');
  expect((await ada.get('/edit/eiche?section=Rinde_20px')).status).toBe(404);
});
