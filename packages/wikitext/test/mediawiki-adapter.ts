/**
 * MediaWiki's conventions on top of the package's options, for scoring against MediaWiki's own parser tests:
 * namespaces, `/wiki/X` addresses, file fixtures, a clock that stands at two minutes past the epoch.
 */

import type { ExpandContext, ParseOptions, ResolvedFile } from '../src/index.ts';
import { expand, parse, render } from '../src/index.ts';
import { fixtures, thumbnail } from './mediawiki-files.ts';
import { siteOf, type TestSite } from './mediawiki-titles.ts';

export const name = 'coppice';

type Test = {
  wikitext: string;
  title: string;
  articles: Record<string, string>;
  options: Record<string, unknown>;
  config: string | null;
  file: string;
};

function renderTest(test: Test): string {
  const site = siteOf(test.title, test.articles, test.options);
  const text = expanded(site, test);
  const options: ParseOptions = { path: test.title, expanded: true, rules: site.rules };
  const tree = parse(text, options);
  const thumbnailWidth = Number(test.options.thumbsize ?? 180);
  const files = new Map<string, ResolvedFile>();
  for (const [file, { width, height, mime }] of Object.entries(fixtures)) {
    files.set(file, { url: `http://example.com/images/${file}`, mime, width, height, title: file });
  }
  return render(tree, {
    pages: new Map(),
    files,
    page: { path: test.title, title: test.title },
    thumbnailWidth,
    address: {
      page: ({ target, fragment }) => ({ href: editorHref(site, target) ?? site.href(target, fragment) }),
      file: (name, options, size) => {
        const shown = options.manual === undefined ? name : site.fileName(options.manual);
        if (shown !== undefined && shown in fixtures) {
          return {
            href: options.lang
              ? `/index.php?title=File:${name}&lang=${options.lang}`
              : site.href(`File:${name}`),
            src: thumbnail(shown, size, options.lang),
            title: name,
            width: size?.width,
            height: size?.height,
          };
        }
        if (options.manual !== undefined) return { missing: 'Error creating thumbnail: ' };
        const isRedirect = name === 'Barfoo.jpg';
        const href = isRedirect ? (site.href(`File:${name}`) ?? '') : uploadHref(name);
        return { missing: `<a href="${escaped(href)}"><span>${escaped(`File:${name}`)}</span></a>` };
      },
    },
  }).html;
}

export { renderTest as render };

/** Calls `expand` until it needs nothing more, as a host does. */
function expanded(site: TestSite, test: Test): string {
  const templates = new Map<string, string | null>();
  const exists = new Map<string, boolean>();
  const files = new Map<string, string | null>();
  for (let round = 0; round < 60; round++) {
    const context: ExpandContext = {
      page: { title: test.title, path: test.title, changeId: 1337 },
      templates,
      exists,
      files,
      listings: new Map(),
      now: 123_000,
      siteName: 'MediaWiki',
      server: 'http://example.org',
      timeZone: typeof test.options.wglocaltimezone === 'string' ? test.options.wglocaltimezone : 'UTC',
      rules: site.rules,
      word: site.word,
    };
    const { text, needs } = expand(test.wikitext, context);
    if (needs.templates.length + needs.exists.length + needs.files.length === 0) return text;
    for (const wanted of needs.templates) templates.set(wanted, site.article(wanted) ?? null);
    for (const wanted of needs.files) files.set(wanted, wanted in fixtures ? wanted : null);
    for (const wanted of needs.exists) exists.set(wanted, site.article(wanted) !== undefined);
  }
  throw new Error('expand never stops asking');
}

/**
 * Address of the editor, to which MediaWiki links for missing pages. The scorer treats it as the page's own, except for titles
 * with an ampersand.
 */
function editorHref(site: TestSite, target: string): string | undefined {
  const isOther = /^(?:Special|Media|[a-z]+):/.test(target);
  if (!target.includes('&') || isOther || site.article(target) !== undefined) return undefined;
  return `/index.php?title=${encodeURIComponent(target.replaceAll(' ', '_'))}&action=edit&redlink=1`;
}

function uploadHref(file: string): string {
  return `/index.php?title=Special:Upload&wpDestFile=${encodeURIComponent(file.replaceAll(' ', '_'))}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
