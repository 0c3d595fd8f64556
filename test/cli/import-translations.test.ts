/** Imports recognise translations by the layouts of programs, and exports as folders bring them back. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Certificate } from '#import/certificate.ts';
import { engines, startWiki, type TestWiki } from '../support/cli.ts';
import { effort } from '../support/effort.ts';
import { load, plant } from '../support/import-source.ts';

interface Layout {
  files: Record<string, string>;
  from: string;
  /** Path of a page beneath the import → its own language, and the path of its original. */
  pages: Record<string, string>;
  construct?: string;
  leftOut?: string[];
}

const layouts: Record<string, Layout> = {
  docusaurus: {
    from: 'docusaurus',
    files: {
      'docusaurus.config.js': "export default { i18n: { defaultLocale: 'en', locales: ['en', 'pt-BR'] } };\n",
      'docs/intro.md': '# Intro\n\n[Trees](trees/oak.md)\n',
      'docs/trees/oak.md': '# Oak\n',
      'i18n/pt-BR/docusaurus-plugin-content-docs/current/intro.md':
        '# Introdução\n\n[Árvores](trees/oak.md)\n',
      'i18n/pt-BR/docusaurus-plugin-content-docs/current/trees/oak.md': '# Carvalho\n',
      'i18n/xx/docusaurus-plugin-content-docs/current/intro.md': '# Xx\n',
    },
    pages: {
      '/intro': '',
      '/trees/oak': '',
      '/pt-br/intro': 'pt-BR /intro',
      '/pt-br/trees/oak': 'pt-BR /trees/oak',
      '/xx/intro': '',
    },
    construct: 'translation, by the folder i18n',
  },
  suffixes: {
    from: 'mkdocs',
    files: {
      'mkdocs.yml':
        'site_name: Trees\nplugins:\n  - search\n  - i18n:\n      languages:\n        - locale: en\n          default: true\n        - locale: de\n',
      'docs/index.md': '# Trees\n',
      'docs/index.de.md': '# Bäume\n',
      'docs/oak.en.md': '# Oak\n',
      'docs/oak.de.md': '# Eiche\n',
      // No language of the settings.
      'docs/oak.fr.md': '# Chêne\n',
      'docs/only.de.md': '# Nur hier\n',
    },
    pages: {
      '/index-de': 'de /home',
      '/oak-en': '',
      '/oak-de': 'de /oak-en',
      '/oak-fr': '',
      '/only-de': 'de',
    },
    construct: 'translation, by the languages of the settings',
  },
  folders: {
    from: 'mkdocs',
    files: {
      'mkdocs.yml':
        'plugins:\n  - i18n:\n      docs_structure: folder\n      languages:\n        - {locale: de, default: true}\n        - {locale: en}\n',
      'docs/de/eiche.md': '# Eiche\n',
      'docs/en/eiche.md': '# Oak\n',
      'docs/fr/eiche.md': '# Chêne\n',
    },
    pages: { '/de/eiche': 'de', '/en/eiche': 'en /de/eiche', '/fr/eiche': '' },
  },
  hugo: {
    from: 'hugo',
    files: {
      'hugo.toml':
        "defaultContentLanguage = 'en'\n[languages.en]\ncontentDir = 'content/english'\n[languages.de]\ncontentDir = 'content/german'\n[languages.fr]\nweight = 3\n",
      'content/english/oak.md': '---\ntitle: Oak\n---\n',
      'content/german/oak.md': '---\ntitle: Eiche\n---\n',
      'content/english/elm.md': '---\ntitle: Elm\ntranslationKey: elm\n---\n',
      'content/german/ulme.md': '---\ntitle: Ulme\ntranslationKey: elm\n---\n',
      'content/fr/oak.md': '---\ntitle: Chêne\n---\n',
      'content/ash.md': '---\ntitle: Ash\n---\n',
      'content/ash.fr.md': '---\ntitle: Frêne\n---\n',
    },
    pages: {
      '/english/oak': '',
      '/german/oak': 'de /english/oak',
      '/german/ulme': 'de /english/elm',
      '/fr/oak': 'fr /english/oak',
      '/ash-fr': 'fr /ash',
    },
  },
  gitbook: {
    from: 'gitbook',
    files: {
      'LANGS.md': '# Languages\n\n* [Français](fr/)\n* [English](en/)\n* [Elvish](elvish/)\n',
      'fr/README.md': '# Chêne\n',
      'en/README.md': '# Oak\n',
      'elvish/README.md': '# Norno\n',
    },
    pages: { '/fr': 'fr', '/en': 'en /fr', '/elvish': '' },
    construct: 'translation, by LANGS.md',
  },
  vault: {
    from: 'obsidian',
    files: {
      'README.md': 'Trees.\n',
      'en/Home.md': 'Home, [[Glossary]].\n',
      'en/First steps/Glossary.md': '---\npermalink: glossary\n---\nWords.\n',
      'de/Home.md': 'Start.\n',
      'de/Erste Schritte/Glossar.md': '---\npermalink: glossary\n---\nWörter.\n',
      // Hardly anything of it is in English, so it may be about Italy.
      'it/Rome.md': 'Rome.\n',
      'it/Milan.md': 'Milan.\n',
      'it/Home.md': 'Home.\n',
    },
    pages: {
      '/en/home': '',
      '/de/home': 'de /en/home',
      '/de/erste-schritte/glossar': 'de /en/first-steps/glossary',
      '/it/home': '',
    },
    construct: 'translation, by folders of languages',
  },
  'folders of programs': {
    from: 'markdown',
    files: { 'cs/README.md': '# C#\n', 'ts/README.md': '# TypeScript\n', 'go/README.md': '# Go\n' },
    pages: { '/cs': '', '/ts': '', '/go': '' },
  },
  'front matter': {
    from: 'markdown',
    files: {
      'oak.md': '# Oak\n',
      'more/eiche.md': '---\nlanguage: de\ntranslationOf: ../oak.md\n---\n# Eiche\n',
      'chene.md': '---\nlang: fr\ntranslationOf: /oak.md\n---\n# Chêne\n',
      'code.md': '---\nlanguage: bash\ntranslationOf: /nothing.md\n---\n# Code\n',
      'self.md': '---\nlang: English\ntranslationOf: self.md\n---\n# Self\n',
    },
    pages: { '/oak': '', '/more/eiche': 'de /oak', '/chene': 'fr /oak', '/code': '', '/self': '' },
    construct: 'translation, by its front matter',
    leftOut: [
      'code.md: its original /nothing.md is no other page of the source',
      'self.md: its original self.md is no other page of the source',
    ],
  },
};

describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  test('translations are recognised by the layouts of programs, and nothing else is', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    for (const [name, { files, from, pages, construct, leftOut = [] }] of Object.entries(layouts)) {
      const parent = `/${name.replaceAll(' ', '-')}`;
      const source = plant(wiki, files, name);
      const certificate = await imported(wiki, [source, '--from', from, '--parent', parent]);
      const found = Object.fromEntries(
        [...(await languagesOf(wiki, parent))].filter(([path]) => path in pages),
      );
      expect(found, name).toEqual(pages);
      if (construct !== undefined) {
        const count = Object.values(pages).filter((one) => one.includes('/')).length;
        expect(certificate.approximated.byConstruct[construct], name).toBe(count);
      }
      const told = certificate.leftOut.list.filter(({ source }) => /^(?:self|code)\.md$/.test(source));
      expect(told.map(({ source, why }) => `${source}: ${why}`).sort()).toEqual([...leftOut].sort());
    }
    // A second import changes nothing, and keeps what was changed here.
    const args = [join(wiki.folder, 'vault'), '--from', 'obsidian', '--parent', '/vault'];
    const again = await imported(wiki, args);
    expect(again.pages).toMatchObject({ created: 0, changed: 0 });
    expect((await languagesOf(wiki, '/vault')).get('/de/home')).toBe('de /en/home');
  });

  test('subpages of a MediaWiki are translations if their page is marked or several pages have them', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    const marked =
      '<languages/>\n<translate>\n== Bark == <!--T:2-->\n\n<!--T:1-->\nRough, like <tvar name="x">[[Elm]]</tvar>.\n</translate>\n<nowiki><translate></nowiki>\n';
    const texts = {
      ...{ Oak: marked, 'Oak/de': 'Rinde.', 'Oak/en': 'Bark.', 'Oak/xx': 'X.', 'Oak/war': 'Panit.' },
      ...{
        Elm: 'Elm.',
        'Elm/fr': 'Orme.',
        'Elm/old': 'Old.',
        'Lone/de': 'Allein.',
        'Talk:Elm/pt-br': 'Olmo.',
      },
      ...{ 'Elm/pt-br': 'Olmo.', Ash: 'Ash.', 'Ash/pt-br': 'Freixo.', Yew: 'Yew.', 'Yew/pt-br': 'Teixo.' },
    };
    const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const pages = Object.entries(texts).map(
      ([title, text], n) =>
        `<page><title>${title}</title><ns>${title.startsWith('Talk:') ? 1 : 0}</ns><id>${n + 1}</id><revision><id>${n + 1}</id><timestamp>2011-03-01T10:00:00Z</timestamp><contributor><ip>192.0.2.7</ip></contributor><model>wikitext</model><text xml:space="preserve">${escaped(text)}</text></revision></page>`,
    );
    const dump = `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="en"><siteinfo><sitename>Trees</sitename><namespaces><namespace key="0" /><namespace key="1">Talk</namespace></namespaces></siteinfo>${pages.join('')}</mediawiki>`;
    const source = join(plant(wiki, { 'trees.xml': dump }), 'trees.xml');
    const { approximated, comparison } = await imported(wiki, [source]);
    expect(approximated.byConstruct).toMatchObject({
      'translation, by marks of Extension:Translate': 2,
      'translation, by subpages of languages': 3,
      'marks for translators, left out': 1,
    });
    expect(comparison).toMatchObject({ differing: 0 });
    const found = await languagesOf(wiki, '');
    expect([...found].filter(([, one]) => one !== '').sort()).toEqual([
      ['/ash/pt-br', 'pt-BR /ash'],
      ['/elm/pt-br', 'pt-BR /elm'],
      ['/oak/de', 'de /oak'],
      ['/oak/war', 'war /oak'],
      ['/yew/pt-br', 'pt-BR /yew'],
    ]);
    expect((await load(wiki, '/oak'))?.content.body).toBe(
      '== Bark ==\n\nRough, like [[Elm]].\n\n<nowiki><translate></nowiki>\n',
    );
  });

  test('exports as folders bring translations back, for some programs where these look for them', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    await imported(wiki, [
      plant(wiki, {
        ...layouts.vault?.files,
        'en/Home.md': 'Home, [glossary](First%20steps/Glossary.md).\n',
        'de/Home.md': '[Glossar](Erste%20Schritte/Glossar.md), [Home](../en/Home.md), ![](bild.png)\n',
        'de/bild.png': 'A picture',
        'de/Home/plan.txt': 'A plan',
      }),
      ...['--from', 'obsidian'],
    ]);
    const before = await languagesOf(wiki, '');
    const places = {
      markdown: ['de/Home.md', 'de/Erste Schritte/Glossar.md'],
      wikitext: ['de/Home.md', 'de/Erste Schritte/Glossar.md'],
      mkdocs: ['docs/en/Home.de.md', 'docs/en/First steps/Glossary.de.md'],
      docusaurus: ['Home', 'First steps/Glossary'].map(
        (name) => `i18n/de/docusaurus-plugin-content-docs/current/en/${name}.md`,
      ),
      hugo: ['content/en/Home/index.de.md', 'content/en/First steps/Glossary.de.md'],
    };
    for (const format of Object.keys(places))
      await wiki.coppice(['export', '--format', format, '--to', join(wiki.folder, format)]);
    const dump = join(wiki.folder, 'dump.xml');
    await wiki.coppice(['export', '--format', 'mediawiki-xml', '--to', dump]);
    for (const [format, written] of Object.entries(places)) {
      const out = join(wiki.folder, format);
      const [home = ''] = written.map((file) => readFileSync(join(out, file), 'utf8'));
      if (format === 'mkdocs')
        expect(home).toContain('[Glossar](First%20steps/Glossary.md), [Home](Home.md)');
      if (format === 'docusaurus')
        expect(home).toContain('[Glossar](/en/First%20steps/Glossary.md), [Home](/en/Home.md)');
      if (format === 'hugo')
        expect(home).toContain('[Glossar](/en/First%20steps/Glossary.md), [Home](/en/Home/index.md)');
      const [, link = ''] = /!\[\]\((.*)\)/.exec(home) ?? [];
      const from = link.startsWith('/') ? 'content' : dirname(written[0] ?? '');
      if (format !== 'wikitext') expect(readFileSync(join(out, from, link), 'utf8')).toBe('A picture');
      expect(home.includes('translationOf'), format).toBe(format === 'markdown');
      const kind = format === 'wikitext' ? 'markdown' : format;
      const parent = `/${format}`;
      const args = [out, '--from', kind, '--parent', parent, '--source', format];
      const { leftOut } = await imported(wiki, args);
      expect(leftOut.list.filter(({ why }) => /link|address/.test(why))).toEqual([]);
      const after = await languagesOf(wiki, parent);
      const [path] = [...after].find(([, one]) => one === 'de /en/home') ?? [];
      const files = (await load(wiki, `${parent}${path}`))?.files.map(({ filename }) => filename);
      // In Hugo, a translation lies in the bundle of its original.
      expect(files?.includes('plan.txt'), format).toBe(format !== 'hugo');
      if (kind === 'markdown')
        for (const path of Object.keys(layouts.vault?.pages ?? {}))
          expect(after.get(path), path).toBe(before.get(path));
      // Programs show translations at the addresses of their originals.
      else
        expect([...new Set(after.values())].filter((one) => one !== '').sort()).toEqual([
          // Hugo has folders by language, too.
          ...(kind === 'hugo' ? ['de'] : []),
          'de /en/first-steps/glossary',
          'de /en/home',
        ]);
    }
    expect(parse(readFileSync(join(wiki.folder, 'mkdocs/mkdocs.yml'), 'utf8'))).toMatchObject({
      plugins: [
        'search',
        {
          i18n: {
            docs_structure: 'suffix',
            languages: [
              { locale: 'en', name: 'English', default: true },
              { locale: 'de', name: 'Deutsch' },
            ],
          },
        },
      ],
    });
    expect(readFileSync(join(wiki.folder, 'mkdocs/mkdocs.yml'), 'utf8')).not.toContain('.de.md');
    // MediaWiki finds translations as subpages of their originals.
    expect(readFileSync(dump, 'utf8')).toMatch(
      /<title>Glossary\/de<\/title>(?:(?!<page>).)*>#REDIRECT \[\[:Glossar\]\]<\/text>/s,
    );
    const { approximated } = await imported(wiki, [dump, '--parent', '/dump']);
    expect(approximated.byConstruct).toMatchObject({ 'translation, by the export': 2 });
    const after = await languagesOf(wiki, '/dump');
    expect(after.get('/glossar')).toBe('de /glossary');
  });
});

async function imported(wiki: TestWiki, args: string[]): Promise<Certificate> {
  const { out, err } = await wiki.coppice(['import', ...args, '--json']);
  expect(err).toBe('');
  return JSON.parse(out);
}

/** Path beneath the page → language of its own, and the path of its original. */
async function languagesOf(wiki: TestWiki, parent: string): Promise<Map<string, string>> {
  await using open = await wiki.open();
  const { pages } = open.store.readAsSystem();
  const ids = await open.store.maintenance.pagesAfter(0, 500);
  const found = await pages.load(
    ids.map(({ id }) => id),
    'none',
  );
  const paths = new Map(found.map(({ id, path }) => [id, path.slice(parent.length)]));
  return new Map(
    found
      .filter(({ path }) => path.startsWith(`${parent}/`))
      .map(({ path, content, originalId }) => [
        path.slice(parent.length),
        [content.language ?? [], paths.get(originalId ?? 0) ?? []].flat().join(' '),
      ]),
  );
}
