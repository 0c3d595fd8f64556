/** The site that MediaWiki's parser tests assume, with `src/mediawiki` as its rules. */
import { fullName, mediawiki, type Site } from '../src/mediawiki/index.ts';
import { fixtures, original, thumbnail } from './mediawiki-files.ts';

const interwiki: Readonly<Record<string, string>> = {
  wikipedia: 'http://en.wikipedia.org/wiki/$1',
  meatball: 'http://www.usemod.com/cgi-bin/mb.pl?$1',
  memoryalpha: 'http://www.memory-alpha.org/en/index.php/$1',
  mediawikiwiki: 'https://www.mediawiki.org/wiki/$1',
  local: 'http://doesnt.matter.org/$1',
};
const languages = ['de', 'en', 'es', 'fr', 'ja', 'ru', 'zh', 'mi', 'mul'];
const namespaces = {
  [-2]: 'Media',
  [-1]: 'Special',
  1: 'Talk',
  2: 'User',
  3: 'User talk',
  4: 'MediaWiki',
  5: 'MediaWiki talk',
  6: 'File',
  7: 'File talk',
  8: 'Mediawiki',
  9: 'Mediawiki talk',
  10: 'Template',
  11: 'Template talk',
  12: 'Help',
  13: 'Help talk',
  14: 'Category',
  15: 'Category talk',
};

export type TestSite = Site & {
  article(title: string): string | undefined;
  fileName(written: string): string | undefined;
};

export function siteOf(
  page: string,
  articles: Record<string, string>,
  options: Record<string, unknown>,
): TestSite {
  const pages = new Map<string, string>();
  const site = mediawiki({
    title: page,
    namespaces,
    aliases: {
      image: 'File',
      'image talk': 'File talk',
      project: 'MediaWiki',
      'project talk': 'MediaWiki talk',
    },
    interwiki: {
      ...interwiki,
      ...Object.fromEntries(languages.map((code) => [code, `http://${code}.wikipedia.org/wiki/$1`])),
    },
    languages,
    ...('subpage' in options ? { hasSubpages: true } : {}),
    exists: (title) => pages.has(title),
    server: 'http://example.org',
  });
  for (const [name, text] of Object.entries(articles)) {
    const title = site.title(name);
    if (title) pages.set(fullName(title), text.trimEnd());
  }
  const fileName = (written: string) => {
    const title = site.title(written, 'File');
    return title?.namespace === 'File' ? title.text : undefined;
  };
  return {
    ...site,
    article: (title) => pages.get(title),
    fileName,
    word: (name, argument, other) => {
      if (name === 'SCRIPTPATH') return '/';
      if (name.toLowerCase() !== 'filepath') return site.word(name, argument, other);
      const file = fileName(`File:${argument}`);
      if (file === undefined || !(file in fixtures)) return '';
      const given = [other(1), other(2)];
      const width = Number.parseInt(given.find((one) => /^\d/.test(one)) ?? '', 10);
      const address =
        width > 0 && width < (fixtures[file]?.width ?? 0)
          ? thumbnail(file, { width }, undefined)
          : original(file);
      return given.includes('nowiki') ? `<nowiki>${address}</nowiki>` : address;
    },
    href: (target, fragment) => {
      const media = /^Media:(.+)$/s.exec(target)?.[1];
      if (media === undefined) return site.href(target, fragment);
      return media in fixtures
        ? original(media)
        : `/index.php?title=Special:Upload&wpDestFile=${encodeURIComponent(media.replaceAll(' ', '_'))}`;
    },
  };
}
