/** Searches by words as people write them: stems of many languages, questions, phrases, alternatives, and errors of typing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, startApp, type TestApp } from '../support/http.ts';
import { best, found, misspelt, pages } from './search-queries.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  let ada: string;
  let bea: string;

  const ask = (query: string, more = '', token?: string) =>
    wiki.call(
      'GET',
      `/v1/pages?text=${encodeURIComponent(query)}&fields=title${more}`,
      token ? { token } : {},
    );
  const titlesOf = ({ json }: { json: { title: string }[] }) => json.map(({ title }) => title);

  beforeAll(async () => {
    wiki = await startApp({}, { engine });
    ada = (await wiki.member('Ada', { isAdmin: true })).token;
    bea = (await wiki.member('Bea')).token;
    for (const [title, language, body] of pages) await wiki.page(ada, { title, language, body });
    await wiki.page(bea, { title: 'Zuckerhut', body: 'Secret zucchini, xylophones.', permissions: 700 });
  });
  afterAll(() => wiki.close());

  test('words are found in the language of their page, and queries as they are written', async () => {
    const answers: [string, string[]][] = [];
    for (let at = 0; at < found.length; at += 10) {
      const some = found.slice(at, at + 10);
      const asked = some.map(
        async ([query]): Promise<[string, string[]]> => [query, titlesOf(await ask(query)).sort()],
      );
      answers.push(...(await Promise.all(asked)));
    }
    expect(answers).toEqual(found);
    for (const [query, titles] of best) expect(titlesOf(await ask(query)), query).toEqual(titles);
  });

  test('misspelt words find pages with the most likely spelling', async () => {
    for (const [query, meant, title] of misspelt) {
      const answer = await ask(query);
      expect(decodeURIComponent(String(answer.headers['x-did-you-mean'])), query).toBe(meant);
      expect(titlesOf(answer)[0], query).toBe(title);
    }
    const site = await wiki.call('GET', '/search?text=prunning%20-bread');
    expect(site.text).toContain(
      'Did you mean <a href="/search?text=pruning+-bread" dir="auto">pruning -bread</a>?',
    );
    for (const query of [
      'pruning',
      'Haus',
      'haeuser',
      'książka',
      'qqqqqqqq',
      '"prunning"',
      'ab',
      '12345',
      '桜桜桜桜',
    ])
      expect((await ask(query)).headers['x-did-you-mean'], query).toBeUndefined();
  });

  test('no word of a hidden page is suggested', async () => {
    expect((await ask('zuchini', '', bea)).headers['x-did-you-mean']).toBe('zucchini');
    for (const query of ['zuchini', 'xylophons', 'zukerhut', 'zucchini xylophone']) {
      const answer = await ask(query);
      expect(answer.headers['x-did-you-mean'], query).toBeUndefined();
      expect(answer.json, query).toEqual([]);
      expect(answer.headers['x-total-count'], query).toBe('0');
    }
  });

  test('other criteria limit a question, and its pages can be turned', async () => {
    const question = 'who trims hedges and bakes bread with rye';
    const all = titlesOf(await ask(question));
    expect([...all].sort()).toEqual(['Bakery', 'Rose hedge', 'Water mill']);
    const turned = [];
    for (const offset of [0, 1, 2])
      turned.push(...titlesOf(await ask(question, `&limit=1&offset=${offset}`)));
    expect(turned).toEqual(all);
    expect(titlesOf(await ask(question, '&path=/bakery'))).toEqual(['Bakery']);
    expect(titlesOf(await ask(question, '&order=alphabetical'))).toEqual([]);
    expect(titlesOf(await ask(`${question} -rye`)).sort()).toEqual(['Bakery', 'Rose hedge']);
    expect(titlesOf(await ask('"cold water" hedges'))).toEqual(['Bakery']);
  });

  test('an edit and a change of language change the stems', async () => {
    const { path } = await wiki.page(ada, { title: 'Note', language: 'en', body: 'Zebras walked.' });
    expect(titlesOf(await ask('zebra walking'))).toEqual(['Note']);
    const changed = await wiki.call('POST', `/v1/pages${path}`, {
      token: ada,
      json: { language: 'de', body: 'Zebras liefen. Blumen.' },
    });
    expect(changed.status, changed.text).toBe(200);
    expect(titlesOf(await ask('walking'))).toEqual([]);
    expect(titlesOf(await ask('Blume'))).toEqual(['Note']);
  });

  test('a question is answered by the texts as they are, not as they were when it was last asked', async () => {
    const question = 'quince medlar loquat tamarind';
    const body = (times: number) => `${'quince '.repeat(times)} medlar. Some other fruit of the garden.`;
    for (const [title, times] of [
      ['Many', 3],
      ['Few', 1],
    ] as const)
      await wiki.page(ada, { title, path: `/${title}`, body: body(times) });
    expect(titlesOf(await ask(question))).toEqual(['Many', 'Few']);
    for (const [title, times] of [
      ['Many', 1],
      ['Few', 3],
    ] as const)
      await wiki.call('POST', `/v1/pages/${title}`, { token: ada, json: { body: body(times) } });
    expect(titlesOf(await ask(question))).toEqual(['Few', 'Many']);
  });

  test('synonyms of the settings find each other at once, in both directions, and not in quotes', async () => {
    const change = (synonyms: unknown, token = ada) =>
      wiki.call('PATCH', '/v1/settings', { token, json: { synonyms } });
    const pagesOf = async (query: string) => titlesOf(await ask(query)).sort();
    await wiki.page(ada, { title: 'Skin doctor', language: 'en', body: 'The doctor looks at the skin.' });
    await wiki.page(ada, { title: 'Praxis', language: 'de', body: 'Die Hautärzte kommen montags.' });
    await wiki.page(ada, { title: '自動車', language: 'ja', body: '古い自動車の修理。' });
    await wiki.page(ada, { title: 'Tow bar', language: 'en', body: 'For a carriage or some cars.' });
    await wiki.page(ada, { title: 'Skin', language: 'en', body: 'A cream for the skin of the doctor.' });
    expect(await pagesOf('dermatologist')).toEqual([]);
    const groups = [
      'dermatologist,Skin  doctor ; Hautarzt, Skin doctor',
      'car, automobile、乗用車，自動車',
      'rye, -title:"bread" OR',
    ];
    const changed = await change(groups);
    expect(changed.json.synonyms).toEqual([
      'dermatologist, Skin doctor, Hautarzt',
      'car, automobile, 乗用車, 自動車',
      'rye, -title:"bread" OR',
    ]);
    const answers: Record<string, string[]> = {
      dermatologist: ['Praxis', 'Skin doctor'],
      dermatologists: ['Praxis', 'Skin doctor'],
      DERMATOLOGIST: ['Praxis', 'Skin doctor'],
      Hautarzt: ['Praxis', 'Skin doctor'],
      'skin doctor': ['Praxis', 'Skin', 'Skin doctor'],
      'skins doctors': ['Praxis', 'Skin', 'Skin doctor'],
      'doctor skin': ['Skin', 'Skin doctor'],
      '"skin doctor"': ['Skin doctor'],
      '"dermatologist"': [],
      'dermatologist -montags': ['Skin doctor'],
      'title:dermatologist': ['Skin doctor'],
      'xyz OR dermatologist': ['Praxis', 'Skin doctor'],
      'hedge -dermatologist': ['Rose hedge'],
      automobile: ['Tow bar', '自動車'],
      自動車: ['Tow bar', '自動車'],
    };
    for (const [query, titles] of Object.entries(answers))
      expect(await pagesOf(query), query).toEqual(titles);
    // Pages with every word come first, and words with synonyms are no errors of typing.
    expect(titlesOf(await ask('dermatologist montags'))[0]).toBe('Praxis');
    expect(titlesOf(await ask('automobile carriage'))[0]).toBe('Tow bar');
    expect((await ask('automobil')).headers['x-did-you-mean']).toBeUndefined();
    expect((await ask('Hautarzt', '&include=snippet')).text).toContain(
      '<mark>Skin</mark> <mark>doctor</mark>',
    );
    for (const wrong of [
      'car',
      [''],
      ['car'],
      ['car, car'],
      ['car, —'],
      [7],
      [['car', 'automobile']],
      [`car, ${'a'.repeat(61)}`],
      [Array.from({ length: 11 }, (_, i) => `w${i}`).join()],
      Array.from({ length: 501 }, () => 'a, b'),
    ])
      expect((await change(wrong)).status, JSON.stringify(wrong).slice(0, 80)).toBe(400);
    expect((await change([], bea)).status).toBe(403);
    expect(await pagesOf('dermatologist')).toEqual(['Praxis', 'Skin doctor']);
    const most = Array.from({ length: 500 }, (_, i) =>
      Array.from({ length: 10 }, (_, k) => (k === 0 ? 'hedge' : `group${i} word${k}`)).join(),
    );
    expect((await change(most)).status).toBe(200);
    expect(await pagesOf('hedge')).toEqual(['Rose hedge']);
    await change([]);
    expect(await pagesOf('dermatologist')).toEqual([]);
  });
});
