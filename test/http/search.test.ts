/** Searches by words as people write them: stems of many languages, questions, phrases, alternatives, and errors of typing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, startApp, type TestApp } from '../support/http.ts';

/** Title, language and text of each page. */
const pages: [title: string, language: string, body: string][] = [
  ['Pruning', 'en', 'Pruned roses flower twice. Cut above a bud.'],
  ['Rose hedge', 'en', 'A hedge of old shrubs, trimmed by the gardeners each winter.'],
  ['Water mill', 'en', 'The miller grinds rye by the water of the river.'],
  ['Bakery', 'en', 'Bread from the mill, baked with cold water.'],
  ['Bäume im Garten', 'de', 'Die Gärtnerin schneidet Häuser aus Buchsbäumen. Äpfel reifen.'],
  ['Arbres', 'fr', 'Les jardiniers taillent les arbres fruitiers, lentement et régulièrement.'],
  ['Jardín', 'es', 'Los jardineros podaron los árboles y las canciones sonaban.'],
  ['Giardino', 'it', 'I giardini antichi e le biblioteche delle città.'],
  ['Livraria', 'pt', 'Os livros antigos das bibliotecas portuguesas.'],
  ['Boekhandel', 'nl', 'De boeken liggen in huizen en op tafels.'],
  ['Trädgård', 'sv', 'Böckerna ligger i husen vid sjöarna.'],
  ['Haverne', 'da', 'Husene ligger ved skovene.'],
  ['Hagen', 'nb', 'Husene ligger ved fjordene med båtene.'],
  ['Puutarha', 'fi', 'Talossa on kirjoja ja puutarhassa omenapuita.'],
  ['Kert', 'hu', 'A házakban könyvek vannak.'],
  ['Grădina', 'ro', 'Cărțile vechi din grădinile orașelor.'],
  ['Bahçe', 'tr', 'Kitaplar evlerde duruyor.'],
  ['Kebun', 'id', 'Mereka membacakan cerita.'],
  ['Сад', 'ru', 'Садовники подстригли деревья и ёлки, читая книгами.'],
  ['Градина', 'bg', 'Книгите са в къщите.'],
  ['Бібліотека', 'uk', 'Книгами заповнені полиці.'],
  ['Κήπος', 'el', 'Τα βιβλία και τα δέντρα του κήπου.'],
  ['حديقة', 'ar', 'المكتبات الكبيرة وَالأَشْجَار.'],
  ['גן', 'he', 'הַסֵּפֶר עַל הַשֻּׁלְחָן'],
  ['बगीचा', 'hi', 'किताबें और पेड़ों की छाया।'],
  ['東京の庭', 'ja', '東京都庭園の桜を剪定する。'],
  ['花园', 'zh-Hans', '园丁修剪玫瑰和苹果树。'],
  ['สวน', 'th', 'คนสวนตัดแต่งกุหลาบในสวน'],
  ['정원', 'ko', '정원사가 장미를 가지치기한다.'],
  ['Full width', 'en', 'ＧＡＲＤＥＮ sec\u00adateurs and a Ｃａｆé.'],
];

/** Titles in alphabetical order. */
const found: [query: string, titles: string[]][] = [
  // English: stems, beginnings, exact words before stems, titles before texts.
  ['pruning', ['Pruning']],
  ['prune', ['Pruning']],
  ['prunes', ['Pruning']],
  ['flowers', ['Pruning']],
  ['flowering', ['Pruning']],
  ['buds', ['Pruning']],
  ['hedges', ['Rose hedge']],
  ['shrub', ['Rose hedge']],
  ['trimming', ['Rose hedge']],
  ['winters', ['Rose hedge']],
  ['gardener winter', ['Full width', 'Rose hedge']],
  ['grinding', ['Water mill']],
  ['rivers', ['Water mill']],
  ['breads', ['Bakery']],
  ['baking', ['Bakery']],
  // Phrases stay as they are written.
  ['"water mill"', ['Water mill']],
  ['"cold water"', ['Bakery']],
  ['"old shrubs"', ['Rose hedge']],
  ['"old shrub"', []],
  ['"pruned"', ['Pruning']],
  ['"prune"', []],
  ['"the mill" bread', ['Bakery']],
  // Without, or, in the title.
  ['water -bread', ['Water mill']],
  ['water -"cold water"', ['Water mill']],
  ['water -title:mill', ['Bakery']],
  ['title:mill', ['Water mill']],
  ['title:"water mill"', ['Water mill']],
  ['TITLE:mills', ['Water mill']],
  ['title:water title:mill', ['Water mill']],
  ['bread OR rye', ['Bakery', 'Water mill']],
  ['bread OR rye -river', ['Bakery']],
  ['"cold water" OR "old shrubs"', ['Bakery', 'Rose hedge']],
  ['title:bakery OR title:hedge', ['Bakery', 'Rose hedge']],
  ['bread OR rye OR buds', ['Bakery', 'Pruning', 'Water mill']],
  // Everything else is words.
  ['OR bread', ['Bakery']],
  ['bread OR', ['Bakery']],
  ['bread OR OR rye', ['Bakery', 'Water mill']],
  ['"cold water', ['Bakery']],
  ['title: bakery', ['Bakery']],
  ['title:', []],
  ['(bread)', ['Bakery']],
  ['bread*', ['Bakery']],
  ['bread:* & | ! <->', ['Bakery']],
  ['{title} : bread', ['Bakery']],
  ['-', []],
  ['OR', []],
  ['""', []],
  // German.
  ['Baum', ['Bäume im Garten']],
  ['Baume', ['Bäume im Garten']],
  ['Gärten', ['Bäume im Garten']],
  ['Haus', ['Bäume im Garten']],
  ['Apfel', ['Bäume im Garten']],
  ['schneiden', ['Bäume im Garten']],
  // French.
  ['arbre', ['Arbres']],
  ['jardinier', ['Arbres']],
  ['jardinière', ['Arbres', 'Jardín']],
  ['taille', ['Arbres']],
  ['fruitier', ['Arbres']],
  ['régulier', ['Arbres']],
  // Spanish and Portuguese.
  ['jardines', ['Jardín']],
  ['jardín', ['Arbres', 'Jardín']],
  ['árbol', ['Jardín']],
  ['arboles', ['Jardín']],
  ['canción', ['Jardín']],
  ['livro', ['Livraria']],
  ['livros antigo', ['Livraria']],
  ['portuguesa', ['Livraria']],
  // Italian, Dutch.
  ['giardini', ['Giardino']],
  ['giardino', ['Giardino']],
  ['antica', ['Giardino']],
  ['boek', ['Boekhandel']],
  ['huizen', ['Boekhandel']],
  ['tafel', ['Boekhandel']],
  // Nordic languages.
  ['sjö', ['Trädgård']],
  ['böcker', ['Trädgård']],
  ['skove', ['Haverne']],
  ['fjorder', ['Hagen']],
  ['båter', ['Hagen']],
  ['talo', ['Puutarha']],
  ['puutarhan', ['Puutarha']],
  // Hungarian, Romanian, Turkish, Indonesian.
  ['házban', ['Kert']],
  ['könyvek', ['Kert']],
  ['carte', ['Grădina']],
  ['cărți', ['Grădina']],
  ['grădină', ['Grădina']],
  ['kitap', ['Bahçe']],
  ['evler', ['Bahçe']],
  ['bacakan', ['Kebun']],
  // Cyrillic.
  ['садовник', ['Сад']],
  ['дерево', ['Сад']],
  ['елка', ['Сад']],
  ['ЁЛКАМИ', ['Сад']],
  ['къщи', ['Градина']],
  ['полиця', ['Бібліотека']],
  // Greek, Arabic, Hebrew, Hindi.
  ['βιβλίο', ['Κήπος']],
  ['δεντρων', ['Κήπος']],
  ['ΚΗΠΟΣ', ['Κήπος']],
  ['المكتبة', ['حديقة']],
  ['والأشجار', ['حديقة']],
  ['השלחן', ['גן']],
  ['הספר', ['גן']],
  ['किताब', ['बगीचा']],
  ['पेड़', ['बगीचा']],
  // Scripts without spaces.
  ['東京', ['東京の庭']],
  ['桜', ['東京の庭']],
  ['剪定', ['東京の庭']],
  ['玫瑰', ['花园']],
  ['苹果树', ['花园']],
  ['กุหลาบ', ['สวน']],
  ['장미', ['정원']],
  ['가지치기', ['정원']],
  // Width, soft hyphens, accents.
  ['secateur', ['Full width']],
  ['cafe', ['Full width']],
];

/** Titles of the best pages, best first. */
const best: [query: string, titles: string[]][] = [
  // Titles come before texts, and words as they are typed before others.
  ['waters', ['Water mill', 'Bakery']],
  ['water', ['Water mill', 'Bakery']],
  ['garden', ['Full width', 'Rose hedge']],
  ['gardeners', ['Rose hedge', 'Full width']],
  // Questions of which few pages have every word.
  ['how do I prune my roses in the winter', ['Pruning', 'Rose hedge']],
  ['what does the miller grind', ['Water mill', 'Bakery']],
  ['who bakes bread with rye', ['Bakery', 'Water mill']],
];

/** A query, what it was probably meant to be, and the page that this finds. */
const misspelt: [query: string, meant: string, title: string][] = [
  ['prunning', 'pruning', 'Pruning'],
  ['bakrey', 'bakery', 'Bakery'],
  ['watre mill', 'water mill', 'Water mill'],
  ['gardenrs', 'gardeners', 'Rose hedge'],
  ['rpuning', 'pruning', 'Pruning'],
  ['Gärtnerrin', 'gärtnerin', 'Bäume im Garten'],
  ['jardineors', 'jardineros', 'Jardín'],
  ['подстиргли', 'подстригли', 'Сад'],
];

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
    for (const [query] of found) answers.push([query, titlesOf(await ask(query)).sort()]);
    expect(answers).toEqual(found);
    for (const [query, titles] of best) expect(titlesOf(await ask(query)), query).toEqual(titles);
  });

  test('words with errors of typing are found as they were probably meant', async () => {
    for (const [query, meant, title] of misspelt) {
      const answer = await ask(query);
      expect(decodeURIComponent(String(answer.headers['x-did-you-mean'])), query).toBe(meant);
      expect(titlesOf(answer)[0], query).toBe(title);
    }
    const site = await wiki.call('GET', '/search?text=prunning%20-bread');
    expect(site.text).toContain(
      'Did you mean <a href="/search?text=pruning+-bread" dir="auto">pruning -bread</a>?',
    );
    for (const query of ['pruning', 'qqqqqqqq', '"prunning"', 'ab', '12345', '桜桜桜桜'])
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
      'car, automobile、車，自動車',
      'rye, -title:"bread" OR',
    ];
    const changed = await change(groups);
    expect(changed.json.synonyms).toEqual([
      'dermatologist, Skin doctor, Hautarzt',
      'car, automobile, 車, 自動車',
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
