/** Translations on the site: other languages of a page, the form, and the way to be up to date again. */
import { expect, test } from 'vitest';
import { formFields, startSite } from '../support/web.ts';

test('a page offers its other languages, and a translation says how far it is behind until it is up to date', async () => {
  const site = await startSite();
  try {
    const ada = await site.signedIn('Ada');
    const anybody = site.visitor();
    await site.page(ada.token, { title: 'Garden', body: 'One.\n\nTwo.' });
    await site.page(ada.token, {
      title: 'Hidden',
      language: 'fr',
      translationOf: '/garden',
      permissions: 700,
    });
    // The form of a translation begins with the text of the original.
    const form = formFields((await ada.get('/new?translationOf=/garden')).text, 'page-form');
    expect(form).toMatchObject({ title: 'Garden', body: 'One.\n\nTwo.', translationOf: '/garden' });
    // Its language is asked for at once, and is that of the reader if the original has another.
    const german = await ada.get('/new?translationOf=/garden', { 'accept-language': 'de' });
    expect(formFields(german.text, 'page-form').language).toBe('de');
    expect([form.language, /name="language"[^>]* required/.test(german.text)]).toEqual(['', true]);
    const saved = await ada.post('/new', {
      ...form,
      intent: 'save',
      title: 'Garten',
      body: 'Eins.\n\nZwei.',
      language: 'de',
    });
    expect([saved.status, saved.location, saved.status === 303 ? '' : saved.text]).toEqual([
      303,
      '/garten',
      '',
    ]);
    const link = '<a href="/garten" lang="de" hreflang="de" dir="auto" title="Garten">Deutsch</a>';
    const garden = await anybody.get('/garden');
    expect(garden.text).toContain(link);
    expect(garden.text).not.toContain('Hidden');
    expect(garden.text).toMatch(/<link rel="alternate" hreflang="de" href="[^"]*\/garten">/);
    expect(garden.text).not.toContain('hreflang="fr"');
    expect((await ada.get('/garden')).text).toContain('hreflang="fr"');
    expect((await anybody.get('/garten')).text).toContain(
      'hreflang="en" dir="auto" title="Garden">English</a>',
    );
    // The site map names both for each, and nothing hidden.
    const map = (await anybody.get('/sitemap.xml')).text;
    const inMap = (language: string, path: string) =>
      `<xhtml:link rel="alternate" hreflang="${language}" href="http://wiki.test${path}"/>`;
    const both = `${inMap('en', '/garden')}${inMap('de', '/garten')}</url>`;
    expect(map.split(both)).toHaveLength(3);
    expect(map).not.toContain('hreflang="fr"');
    // The page that was kept says it as soon as the original changes.
    expect((await anybody.get('/garten')).text).not.toContain('behind');
    await site.call('POST', '/v1/pages/garden', {
      token: ada.token,
      json: { body: 'One.\n\nTwo!\n\nThree.' },
    });
    expect((await anybody.get('/garten')).text).toContain('<strong>2 paragraphs behind</strong>');
    expect((await anybody.get('/garten')).text).not.toContain('Up to date</button>');
    const behind = (await ada.get('/garten')).text;
    expect(behind).toContain('href="/translations/garten#untranslated">What changed');
    // Changed paragraphs stand beside their translations, and each is up to date by itself.
    const missing = (await ada.get('/translations/garten')).text;
    expect(missing).toMatch(
      /Two<del>\.<\/del>\s*Two<ins>!<\/ins>.*Zwei\..*<ins>Three\.<\/ins>.*Not there yet/s,
    );
    expect((await anybody.get('/translations/garten')).text).not.toContain('name="translated"');
    const key = /name="translated" value="([^"]+)"/.exec(missing)?.[1] ?? '';
    const translated = await ada.post('/translations/garten', { translated: key });
    expect(translated.location).toBe('/translations/garten#untranslated');
    expect((await ada.post('/translations/garten', { translated: key })).text).toContain('changed meanwhile');
    expect((await anybody.get('/garten')).text).toContain('<strong>1 paragraph behind</strong>');
    // All pages and languages in one table.
    const all = (await ada.get('/translations')).text;
    expect(all).toMatch(/href="\/translations\/garten">1 paragraph behind/);
    expect(all).toContain('>French</a>');
    expect((await anybody.get('/translations')).text).not.toContain('>French</a>');
    expect((await anybody.get('/translations?behind=de')).text).toContain('1 paragraph behind, 1 change');
    expect((await anybody.get('/translations?behind=german')).text).toContain('A language is a tag such as');
    expect((await anybody.get('/translations/garten')).text).toContain('Original');
    const change = /name="change" value="(\d+)"/.exec(behind)?.[1] ?? '';
    const marked = await ada.post('/translations/garten', { change, 'up-to-date': 'yes' });
    expect(marked.location).toBe('/garten');
    expect((await anybody.get('/garten')).text).not.toContain('behind');
    expect((await anybody.get('/translations?behind=de')).text).toContain('are up to date');
    // Without its original nobody knows how far it is.
    expect((await anybody.get('/translations/garten')).text).toContain('<td>Up to date</td>');
    const lost = await site.call('DELETE', '/v1/pages/garden', { token: ada.token });
    const left = (await anybody.get('/translations/garten')).text;
    expect([left.includes('<td>No original</td>'), left.includes('Up to date')]).toEqual([true, false]);
    await site.call('POST', `/v1/trash/${lost.json.trash.id}/restore`, { token: ada.token, json: {} });
    expect((await anybody.get('/translations/garten')).text).toContain('<td>Up to date</td>');
    // Saving the form leaves the original; emptying its field does not.
    const edit = formFields((await ada.get('/edit/garten')).text, 'page-form');
    expect((await ada.post('/edit/garten', { ...edit, intent: 'save', body: 'Eins!' })).status).toBe(303);
    expect((await anybody.get('/garten')).text).toContain('>English</a>');
    const again = formFields((await ada.get('/edit/garten')).text, 'page-form');
    expect((await ada.post('/edit/garten', { ...again, intent: 'save', translationOf: '' })).status).toBe(
      303,
    );
    expect((await anybody.get('/garten')).text).not.toContain('>English</a>');
    // A place in several languages is one dot, and one line of a list: in the reader's language, as far as they may read it.
    const body = '[[Location: 52.5, 13.4]] [[Tag: tree]]';
    const inOak = { body, translationOf: '/oak' };
    await site.page(ada.token, { title: 'Oak', body });
    await site.page(ada.token, { ...inOak, title: 'Eiche', language: 'de-AT' });
    await site.page(ada.token, { ...inOak, title: 'Chêne', language: 'fr', permissions: 700 });
    await site.page(ada.token, { title: 'Bäume', language: 'de', body: '{{Tagged|tree}} {{Map|tree}}' });
    const dots = async (who: typeof anybody, language: string) => {
      const headers = { 'accept-language': language };
      const { places } = JSON.parse((await who.get('/map/places', headers)).text);
      const around = (await who.get('/map?lat=52.5&lon=13.4', headers)).text;
      const listed = [...around.matchAll(/<li data-place.*?<a [^>]*>(.*?)<\/a>/g)].map(([, title]) => title);
      expect(listed).toEqual(places.map(({ title }: { title: string }) => title));
      return listed;
    };
    expect([await dots(anybody, 'de'), await dots(anybody, 'fr'), await dots(ada, 'fr')]).toEqual([
      ['Eiche'],
      ['Oak'],
      ['Chêne'],
    ]);
    const trees = async () =>
      [...(await site.call('GET', '/v1/pages/baume')).json.markup.matchAll(/>(Oak|Eiche|Chêne)</g)].map(
        ([, title]) => title,
      );
    expect(new Set(await trees())).toEqual(new Set(['Eiche']));
    await site.call('POST', '/v1/pages/eiche', { token: ada.token, json: { permissions: 700 } });
    expect(new Set(await trees())).toEqual(new Set(['Oak']));
    await site.call('POST', '/v1/pages/eiche', {
      token: ada.token,
      json: { permissions: 774, translationOf: null },
    });
    expect(new Set(await trees())).toEqual(new Set(['Eiche', 'Oak']));
    // Search engines are told one page of each language.
    await site.page(ada.token, { ...inOak, title: 'Oak again', language: 'en' });
    await site.page(ada.token, { ...inOak, title: 'Oachn', language: 'de-AT' });
    await site.page(ada.token, { ...inOak, title: 'Aach', language: 'de-AT' });
    const told = (await anybody.get('/oachn')).text.match(/<link rel="alternate" hreflang="[^>]*/g);
    expect(told?.map((link) => link.replace(/ href="[^/]*\/\/[^/]*/, ' '))).toEqual([
      '<link rel="alternate" hreflang="de-AT" /oachn"',
      '<link rel="alternate" hreflang="en" /oak"',
    ]);
  } finally {
    await site.close();
  }
});
