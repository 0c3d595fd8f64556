/** Languages of the site: who gets which. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines } from '../support/http.ts';
import { passphrase, startSite, type TestSite } from '../support/web.ts';

const languageOf = (text: string) => /<html lang="([^"]*)"/.exec(text)?.[1];

describe.each(engines)('the language of a member, on %s', (engine) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({}, { engine });
  });
  afterAll(() => site.close());

  test('is kept by the account, and shown in every browser after signing in', async () => {
    const ada = await site.signedIn('Ada');
    await ada.post('/theme', { language: 'de', next: '/account' });
    expect(languageOf((await ada.get('/account')).text)).toBe('de');
    const elsewhere = site.visitor();
    expect(languageOf((await elsewhere.get('/login')).text)).toBe('en');
    const { store, passphrases } = site.app.service;
    await store.members.update(ada.id, { passphraseHash: await passphrases.hash(passphrase) });
    await elsewhere.post('/login', { email: ada.email, pass: passphrase });
    expect(languageOf((await elsewhere.get('/tree')).text)).toBe('de');
    // Without a choice, the browser decides again.
    await elsewhere.post('/theme', { language: '', next: '/' });
    expect((await store.members.findById(ada.id))?.language).toBe(null);
    const french = { 'accept-language': 'fr-CA, en;q=0.5' };
    expect(languageOf((await elsewhere.get('/tree', french)).text)).toBe('fr');
  });

  test('facts of a page keep their own direction each, and follow one another in that of the reader', async () => {
    const eve = await site.signedIn('Eve');
    const page = { title: 'Ford', body: '[[Type: Region]]', location: { lat: 1, lon: 2 } };
    const { path } = await site.page(eve.token, page);
    const arabic = { 'accept-language': 'ar' };
    const { text } = await eve.get(path, arabic);
    expect(text).toMatch(/<span><bdi>Region<\/bdi> · <bdi>[^<]*°/);
    expect(text).toMatch(/<a href="\/map[^>]*><bdi>[^<]*°/);
    // The sign of an added line is said in Arabic, and would otherwise turn the line.
    expect((await eve.get(`/diff${path}`, arabic)).text).toMatch(
      /<td class="text added" dir="auto"><span[^>]*>\+<\/span><bdi /,
    );
  });

  test('an unknown language is ignored, and strangers have no account', async () => {
    const visitor = site.visitor();
    const answer = await visitor.post('/theme', { language: 'tlh', next: '/' });
    expect([answer.status, visitor.cookies.get('language')]).toEqual([303, undefined]);
  });
});
