/** Sets of translations: who is in one, what each reader sees of it, and how far a translation is behind its original. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyPages } from '#core/maintenance/verify-pages.ts';
import { translationsOf } from '#core/pages/translations.ts';
import { engines, type Method, startApp, type TestApp } from '../support/http.ts';
import { ask, cacheHitsOf } from '../support/two-processes.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  type Who = { id: number; token: string };
  let ada: Who;
  let bob: Who;

  beforeAll(async () => {
    wiki = await startApp({}, { engine });
    ada = await wiki.member('Ada');
    bob = await wiki.member('Bob');
  });
  afterAll(async () => {
    const { store } = wiki.app.service;
    expect(await store.maintenance.violations(10)).toEqual([]);
    expect(await Array.fromAsync(verifyPages(store))).toEqual([]);
    await wiki.close();
  });

  const call = (method: Method, url: string, who?: Who, json?: unknown) =>
    wiki.call(method, url, { ...(who ? { token: who.token } : {}), ...(json === undefined ? {} : { json }) });
  const edit = (path: string, fields: object, who: Who = ada) =>
    call('POST', `/v1/pages${path}`, who, fields);
  const create = async (fields: object, who: Who = ada) => {
    const made = await call('POST', '/v1/pages', who, fields);
    expect(made.status, made.text).toBe(200);
    return made.json;
  };
  const translations = async (path: string, who?: Who) =>
    (await call('GET', `/v1/translations${path}`, who)).json;
  const paths = async (path: string, who?: Who) =>
    (await translations(path, who)).map((one: { path: string }) => one.path);
  const behindOf = async (path: string, who?: Who) =>
    (await translations(path, who)).find((one: { path: string }) => one.path === path)?.behind;
  const original = async (path: string, who?: Who) =>
    (await call('GET', `/v1/pages${path}`, who)).json.page.translationOf;

  test('a translation names its original, and one of a translation joins the same set', async () => {
    const garden = await create({ title: 'Garden', body: 'One.\n\nTwo.' });
    const garten = await create({ title: 'Garten', language: 'de', translationOf: '/garden' });
    expect(garten).toMatchObject({ language: 'de', translationOf: '/garden' });
    expect(garden.translationOf).toBe(null);
    expect(await translations('/garden')).toEqual([
      { id: garten.id, language: 'de', path: '/garten', title: 'Garten', original: false, behind: null },
    ]);
    await create({ title: 'Tuin', language: 'nl', translationOf: garten.id });
    expect(await original('/tuin')).toBe('/garden');
    expect(await paths('/tuin')).toEqual(['/garden', '/garten', '/tuin']);
    // Everything that names the original follows it.
    await edit('/garden', { path: '/the-garden' });
    expect(await original('/garten')).toBe('/the-garden');
    const list = await call('GET', '/v1/pages?title=garten&history=none');
    expect(list.json[0].translationOf).toBe('/the-garden');
    expect((await call('GET', '/v1/pages/garten?fields=translationOf,language')).json.page).toEqual({
      language: 'de',
      translationOf: '/the-garden',
    });
    // A page that becomes a translation brings its own along.
    await create({ title: 'Park', language: 'en' });
    expect((await edit('/the-garden', { translationOf: '/park' })).json.page.translationOf).toBe('/park');
    expect(await paths('/park')).toEqual(['/the-garden', '/garten', '/tuin']);
    expect(await original('/garten')).toBe('/park');
    expect((await edit('/garten', { translationOf: null })).json.page.translationOf).toBe(null);
    expect(await paths('/park')).toEqual(['/the-garden', '/tuin']);
    expect(await paths('/garten')).toEqual([]);
  });

  test('loops, unknown pages and wrong values are refused, and nothing changes', async () => {
    const { id } = await create({ title: 'A' });
    await create({ title: 'B', language: 'de', translationOf: '/a' });
    await create({ title: 'Secret', permissions: 700 }, bob);
    for (const translationOf of ['/a', id, '/b']) {
      const refused = await edit('/a', { translationOf });
      expect([translationOf, refused.status]).toEqual([translationOf, 400]);
      expect(refused.json.errors[0].pointer).toBe('/translationOf');
    }
    const missing = await edit('/b', { translationOf: '/nowhere' });
    const hidden = await edit('/b', { translationOf: '/secret' });
    expect([missing.status, hidden.status]).toEqual([400, 400]);
    expect(hidden.text.replaceAll('/secret', '/nowhere').replaceAll(/"(?:instance|id)":"[^"]*",?/g, '')).toBe(
      missing.text.replaceAll(/"(?:instance|id)":"[^"]*",?/g, ''),
    );
    for (const translationOf of [true, {}, ['/a'], '/'.repeat(5000)])
      expect((await edit('/b', { translationOf })).status).toBe(400);
    expect(await original('/b')).toBe('/a');
    expect((await call('GET', '/v1/translations')).status).toBe(400);
    expect((await call('GET', '/v1/translations?behind=german')).status).toBe(400);
    expect((await call('GET', '/v1/translations?behind=de&cursor=x')).status).toBe(400);
    expect((await call('GET', '/v1/translations/nowhere')).status).toBe(404);
  });

  test('two pages that become translations of each other at once are one set, or one is refused', async () => {
    await create({ title: 'Left' });
    await create({ title: 'Right' });
    const ends = await Promise.all([
      edit('/left', { translationOf: '/right' }),
      edit('/right', { translationOf: '/left' }),
    ]);
    expect(ends.map(({ status }) => status).sort()).toEqual([200, 400]);
    const set = await paths('/left');
    expect(set.length + (await paths('/right')).length).toBe(3);
  });

  test('a hidden original and hidden translations are as if they did not exist', async () => {
    await create({ title: 'Plans', body: 'x', permissions: 770 });
    await create({ title: 'Pläne', language: 'de', translationOf: '/plans', permissions: 774 });
    await create({ title: 'Plannen', language: 'nl', translationOf: '/plans', permissions: 770 });
    await edit('/plans', { body: 'y' });
    expect(await original('/plane')).toBe(null);
    expect(await original('/plane', ada)).toBe('/plans');
    expect(await paths('/plane')).toEqual(['/plane']);
    expect((await translations('/plane'))[0].behind).toBe(null);
    expect((await call('GET', '/v1/translations/plans')).status).toBe(404);
    expect(await behindOf('/plane', bob)).toEqual({ changes: 1, paragraphs: 1 });
    const work = async (who?: Who) =>
      (await call('GET', '/v1/translations?behind=de&limit=100', who)).json.map(
        (one: { path: string }) => one.path,
      );
    expect(await work(bob)).toContain('/plane');
    expect(await work()).not.toContain('/plane');
    // Lists say the same, also once they are cached.
    const listed = async (who?: Who) =>
      (await call('GET', '/v1/pages?title=pläne', who)).json[0].translationOf;
    expect([await listed(), await listed(bob), await listed(), await listed(bob)]).toEqual([
      ...[null, '/plans', null, '/plans'],
    ]);
    // A page that is sent back as its editor sees it keeps an original that they cannot see.
    await edit('/plans', { permissions: 700 });
    const seen = (await call('GET', '/v1/pages/plane', bob)).json.page;
    expect(seen.translationOf).toBe(null);
    expect((await edit('/plane', { translationOf: null, body: 'z' }, bob)).status).toBe(200);
    expect(await original('/plane', ada)).toBe('/plans');
    expect((await call('POST', '/v1/translations/plane', bob, {})).status).toBe(400);
  });

  test('a translation counts the paragraphs that changed since, until its editor says that it is up to date', async () => {
    const body = (...paragraphs: string[]) => ({ body: paragraphs.join('\n\n') });
    await create({ title: 'Mill', ...body('One.', 'Two.', 'Three.') });
    await create({ title: 'Mühle', language: 'de', translationOf: '/mill' });
    expect(await behindOf('/muhle')).toBe(null);
    await edit('/mill', body('One.', 'Two, changed.', 'Three.'));
    await edit('/mill', body('One.', 'Two, changed again.', 'Three.', 'Four.'));
    expect(await behindOf('/muhle')).toEqual({ changes: 2, paragraphs: 2 });
    const work = await call('GET', '/v1/translations?behind=DE&limit=100');
    expect(work.json.filter((one: { path: string }) => one.path === '/muhle')).toMatchObject([
      { language: 'de', title: 'Mühle', behind: { changes: 2, paragraphs: 2 } },
    ]);
    expect((await call('GET', '/v1/translations?behind=fr')).json).toEqual([]);
    const { history } = (await call('GET', '/v1/pages/mill')).json.page;
    const partly = await call('POST', '/v1/translations/muhle', ada, { change: history[1].id });
    expect(partly.json.behind).toEqual({ changes: 1, paragraphs: 2 });
    expect((await call('POST', '/v1/translations/muhle', ada, {})).json.behind).toBe(null);
    expect(await behindOf('/muhle')).toBe(null);
    // The trash keeps it, and a deleted original leaves the translation as a page of its own.
    await edit('/mill', body('One.'));
    const gone = await call('DELETE', '/v1/pages/muhle', ada);
    expect(await paths('/mill')).toEqual([]);
    await call('POST', `/v1/trash/${gone.json.trash.id}/restore`, ada, {});
    expect(await behindOf('/muhle')).toEqual({ changes: 1, paragraphs: 3 });
    const lost = await call('DELETE', '/v1/pages/mill', ada);
    expect(await original('/muhle')).toBe(null);
    expect(await behindOf('/muhle')).toBe(null);
    await call('POST', `/v1/trash/${lost.json.trash.id}/restore`, ada, {});
    expect(await behindOf('/muhle')).toEqual({ changes: 1, paragraphs: 3 });
  });

  test('a translation is up to date paragraph by paragraph, each beside its own', async () => {
    const body = (...paragraphs: string[]) => ({ body: paragraphs.join('\n\n') });
    const text = ['Intro.', '== Tools ==', 'A saw and shears, both sharp.', '* one\n* two', 'The end.'];
    await create({ title: 'Shed', ...body(...text) });
    // The translation has one paragraph more, so its paragraphs are found by their kinds and lengths.
    const german = ['Vorwort des Übersetzers, lang und breit, wie es Übersetzer mögen.', 'Einleitung.'];
    german.push('== Werkzeug ==', 'Eine Säge und Scheren, beide scharf.', '* eins\n* zwei', 'Ende.');
    await create({ title: 'Schuppen', language: 'de', translationOf: '/shed', ...body(...german) });
    const missing = async (who?: Who) => (await call('GET', '/v1/untranslated/schuppen', who)).json;
    const mark = (paragraphs: string[], who: Who = ada) =>
      call('POST', '/v1/translations/schuppen', who, { paragraphs });
    expect(await missing()).toEqual([]);
    await edit('/shed', body('Intro.', '== Tools ==', 'A saw, sharp.', '* one', 'The end.', 'New.'));
    const [saw, list, added, ...others] = await missing();
    expect(others).toEqual([]);
    expect([saw, list, added].map(({ before, after, translation }) => [before, after, translation])).toEqual([
      ['A saw and shears, both sharp.', 'A saw, sharp.', 'Eine Säge und Scheren, beide scharf.'],
      ['* one\n* two', '* one', '* eins\n* zwei'],
      [null, 'New.', null],
    ]);
    expect((await mark([saw.key])).json.behind).toEqual({ changes: 1, paragraphs: 2 });
    expect((await missing()).map(({ key }: { key: string }) => key)).toEqual([list.key, added.key]);
    // Marked twice, unknown, or changed meanwhile: refused, and nothing changes.
    for (const keys of [[saw.key], ['x-y'], [list.key, 'x-y']]) expect((await mark(keys)).status).toBe(400);
    expect((await mark([])).status).toBe(400);
    // Named twice, it counts once.
    expect((await mark([list.key, list.key], bob)).json.behind).toEqual({ changes: 1, paragraphs: 1 });
    await edit('/shed', body('Intro.', '== Tools ==', 'A saw, sharp.', '* one', 'The end.', 'Newer.'));
    expect((await mark([added.key])).status).toBe(400);
    const left = await missing();
    expect(left.map(({ after }: { after: string }) => after)).toEqual(['Newer.']);
    // Two at once: once all are translated, the translation renders the latest change.
    const both = await Promise.all([mark([left[0].key]), mark([left[0].key], bob)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect([await behindOf('/schuppen'), await missing()]).toEqual([null, []]);
    // Hidden originals have nothing to show, and the table of all pages leaves them out.
    const inTable = async (who?: Who) =>
      (await call('GET', '/v1/untranslated?limit=100', who)).json
        .filter((one: { original: { path: string } }) => one.original.path === '/shed')
        .map((one: { translations: { path: string }[] }) => one.translations.map(({ path }) => path));
    expect(await inTable()).toEqual([['/schuppen']]);
    await edit('/shed', { ...body('Secret.'), permissions: 700 });
    expect([await missing(), await inTable(), await inTable(ada)]).toEqual([[], [], [['/schuppen']]]);
    expect((await missing(ada)).length).toBeGreaterThan(0);
    expect((await call('GET', '/v1/untranslated/nowhere')).status).toBe(404);
    expect((await call('GET', '/v1/untranslated?cursor=x')).status).toBe(400);
    const first = await call('GET', '/v1/untranslated?limit=1');
    expect([first.json.length, String(first.headers.link)]).toEqual([1, expect.stringContaining('cursor=')]);
  });

  test('links lead to the translation in the language of their page, for those who may read it', async () => {
    const body = '[[Safety rules]] [[/safety|path]] [[safety RULES]] [[Nowhere]] [[Regeln]]';
    await wiki.app.server.listen({ host: '127.0.0.1', port: 0 });
    await create({ title: 'Safety rules', path: '/safety', body: '[[Workshop]] [[Regeln]]' });
    await create({ title: 'Workshop', body, language: 'en' });
    await create({ title: 'Werkstatt', body, language: 'de', translationOf: '/workshop' });
    const links = async (path: string, who?: Who) => {
      // Only real connections get responses that were kept.
      const url = `/v1/pages${path}`;
      const { markup } = who
        ? (await call('GET', url, who)).json
        : JSON.parse((await ask(wiki.app, url)).body);
      return [...markup.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href);
    };
    const first = async (path: string, who?: Who) => (await links(path, who))[0];
    const english = ['/safety', '/safety', '/safety'];
    const before = await links('/werkstatt');
    expect(before.slice(0, 3)).toEqual(english);
    await create({
      title: 'Regeln',
      path: '/regeln',
      language: 'de',
      translationOf: '/safety',
    });
    expect((await links('/werkstatt')).slice(0, 3)).toEqual(['/regeln', '/regeln', '/regeln']);
    // A link in English, and one that names the translation, lead where they say; so does one to its own original.
    expect((await links('/workshop')).filter((href) => href !== before[3])).toEqual([...english, '/regeln']);
    expect(await links('/safety')).toEqual(['/workshop', '/regeln']);
    await edit('/regeln', { body: '[[Safety rules]] [[Workshop]]' });
    expect(await links('/regeln')).toEqual(['/safety', '/werkstatt']);
    // The source, backlinks and wanted links follow what is written.
    expect((await call('GET', '/v1/pages/werkstatt')).json.page.history[0].content.body).toBe(body);
    const linking = async (path: string) =>
      (await call('GET', `/v1/backlinks${path}`)).json.map((one: { path: string }) => one.path);
    expect(await linking('/safety')).toEqual(['/regeln', '/werkstatt', '/workshop']);
    expect(await linking('/regeln')).toEqual(['/safety', '/werkstatt', '/workshop']);
    // Each change of the set is seen at once, also in responses that are kept, and named by the feed of changes.
    const seen: (string | undefined)[] = [];
    const affected: boolean[] = [];
    const looked = async (change: () => Promise<unknown>, who?: Who) => {
      const hits = await cacheHitsOf(wiki.app);
      for (let i = 0; i < 3; i++) await first('/werkstatt', who);
      if (!who) expect(await cacheHitsOf(wiki.app)).toBeGreaterThan(hits);
      const { next } = (await call('GET', '/v1/changes?after=latest', ada)).json;
      await change();
      seen.push(await first('/werkstatt', who));
      const { changes } = (await call('GET', `/v1/changes?after=${next}`, who)).json;
      affected.push(
        changes.some(({ affects }: { affects: { pages: { path: string }[] } }) =>
          affects.pages.some(({ path }) => path === '/werkstatt'),
        ),
      );
    };
    await looked(() => edit('/regeln', { path: '/sicher' }));
    await looked(() => edit('/sicher', { permissions: 700 }));
    await looked(() => edit('/sicher', { permissions: 774 }), bob);
    await looked(() => edit('/sicher', { language: 'fr' }));
    await looked(() => edit('/sicher', { language: 'de' }));
    await looked(() => edit('/sicher', { translationOf: null }));
    await looked(() => edit('/sicher', { translationOf: '/safety' }));
    await looked(() => edit('/safety', { language: 'de' }));
    await looked(() => edit('/safety', { language: null }));
    await looked(() => edit('/werkstatt', { language: 'fr' }));
    await looked(() => edit('/werkstatt', { language: 'de' }));
    await looked(() => call('DELETE', '/v1/pages/sicher', ada));
    expect(seen).toEqual([
      ...['/sicher', '/safety', '/sicher', '/safety', '/sicher', '/safety', '/sicher'],
      ...['/safety', '/sicher', '/safety', '/sicher', '/safety'],
    ]);
    expect(affected).toEqual(seen.map(() => true));
    // Hidden translations change nothing for others, even if they come first.
    await create({ title: 'Geheim', language: 'de', translationOf: '/safety', permissions: 700 }, bob);
    await create({ title: 'Offen', language: 'de', translationOf: '/safety' });
    expect([
      await first('/werkstatt'),
      await first('/werkstatt', ada),
      await first('/werkstatt', bob),
    ]).toEqual([...['/offen', '/offen', '/geheim']]);
    // Austrian German is nearest to itself, then to German, then to that of other countries.
    await edit('/werkstatt', { language: 'de-AT' });
    const nearest = [await first('/werkstatt')];
    await create({ title: 'Austrian', language: 'de-AT', translationOf: '/safety' });
    nearest.push(await first('/werkstatt'));
    for (const language of ['de', 'de-CH', 'den', 'fr']) {
      await edit('/werkstatt', { language });
      nearest.push(await first('/werkstatt'));
    }
    expect(nearest).toEqual(['/offen', '/austrian', '/offen', '/offen', '/safety', '/safety']);
    await edit('/offen', { language: 'fr' });
    await edit('/werkstatt', { language: 'de-CH' });
    expect(await first('/werkstatt')).toBe('/austrian');

    await call('DELETE', '/v1/pages/austrian', ada);
    await edit('/offen', { language: 'de' });
    await edit('/werkstatt', { language: 'de' });
    // A hidden original is as a missing one, although its translation can be read.
    const nowhere = (await call('GET', '/v1/pages/werkstatt')).json.markup;
    expect(nowhere).toContain('href="/offen"');
    await edit('/safety', { permissions: 700 });
    expect(await links('/werkstatt')).not.toContain('/offen');
    expect(await links('/werkstatt', ada)).toContain('/offen');
  });

  test('only those who may edit a translation say what it renders', async () => {
    await create({ title: 'Closed', body: 'x' });
    const { history } = await create({
      title: 'Zu',
      language: 'de',
      translationOf: '/closed',
      permissions: 744,
    });
    const mark = (path: string, who?: Who, json: object = {}) =>
      call('POST', `/v1/translations${path}`, who, json);
    expect((await mark('/zu')).status).toBe(401);
    expect((await mark('/zu', bob)).status).toBe(401);
    expect((await mark('/nowhere', ada)).status).toBe(404);
    expect((await mark('/closed', ada)).status).toBe(400);
    expect((await mark('/zu', ada, { change: history[0].id })).status).toBe(400);
    expect((await mark('/zu', ada, { change: 'x' })).status).toBe(400);
  });

  test('the list of translations to do in a language is paged, and has each translation once', async () => {
    await create({ title: 'Many', body: 'x' });
    for (let i = 0; i < 5; i++) await create({ title: `Sok ${i}`, language: 'hu', translationOf: '/many' });
    await edit('/many', { body: 'y' });
    const found: string[] = [];
    let url: string | undefined = '/v1/translations?behind=hu&limit=2&cursor=';
    while (url) {
      const part: Awaited<ReturnType<typeof call>> = await call('GET', url);
      expect(part.json.length).toBeLessThanOrEqual(2);
      found.push(...part.json.map((one: { title: string }) => one.title));
      url = /<(.*?)>/.exec(String(part.headers.link ?? ''))?.[1];
    }
    expect(found).toEqual(['Sok 0', 'Sok 1', 'Sok 2', 'Sok 3', 'Sok 4']);
    // All of them render the same change, which is compared once.
    const reader = wiki.app.service.store.readAsSystem();
    const compared: number[] = [];
    const changes: typeof reader.changes = {
      ...reader.changes,
      listBefore(marks, maxBytes) {
        compared.push(marks.length);
        return reader.changes.listBefore(marks, maxBytes);
      },
    };
    const many = await reader.pages.findByPath('/many');
    const all = await translationsOf(
      { ...reader, changes },
      wiki.app.service.renderer.language,
      many as NonNullable<typeof many>,
    );
    expect(all.map(({ behind }) => behind?.paragraphs ?? null)).toEqual([1, 1, 1, 1, 1]);
    expect(compared).toEqual([2]);
  });
});
