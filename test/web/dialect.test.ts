/** The site of a wiki in a language other than English. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSite, type TestSite } from '../support/web.ts';

let site: TestSite;
let ada: Awaited<ReturnType<TestSite['signedIn']>>;

beforeAll(async () => {
  site = await startSite({ COPPICE_LANGUAGE: 'de' });
  ada = await site.signedIn('Ada', { isAdmin: true });
});
afterAll(() => site.close());

test('sections whose headings contain names of the language can be edited alone', async () => {
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

test('the heading of a page is its display title, on the site and in responses of the API', async () => {
  await site.page(ada.token, { title: 'Quercus robur', body: "{{SEITENTITEL:''Quercus robur''}}Text" });
  const { text } = await ada.get('/quercus-robur');
  expect(text).toContain('<h1 lang="de" dir="auto"><i>Quercus robur</i></h1>');
  expect(text).toContain('<title>Quercus robur');
  const read = JSON.parse((await ada.get('/v1/pages/quercus-robur')).text);
  expect([read.displayTitle, read.page.title]).toEqual(['<i>Quercus robur</i>', 'Quercus robur']);
  expect(JSON.parse((await ada.get('/v1/pages/eiche')).text)).not.toHaveProperty('displayTitle');
  await site.page(ada.token, { title: 'Bank', body: '{{DISPLAYTITLE:Sparkasse}}' });
  expect((await ada.get('/bank')).text).toContain('<h1 lang="de" dir="auto">Bank</h1>');
});
