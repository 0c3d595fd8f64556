/** Languages of the site: who gets which, and that every word comes from the catalogues. */
import type { DefaultTreeAdapterTypes } from 'parse5';
import { parse } from 'parse5';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pseudoLanguage } from '#words/languages.ts';
import { engines } from '../support/http.ts';
import { unpacked } from '../support/unpacked.ts';
import { attribute, elementsOf, passphrase, startSite, type TestSite, type Visitor } from '../support/web.ts';

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
    const { text } = await eve.get(path, { 'accept-language': 'ar' });
    expect(text).toMatch(/<span><bdi>Region<\/bdi> · <bdi>[^<]*°/);
  });

  test('an unknown language is no choice, and strangers have no account', async () => {
    const visitor = site.visitor();
    const answer = await visitor.post('/theme', { language: 'tlh', next: '/' });
    expect([answer.status, visitor.cookies.get('language')]).toEqual([303, undefined]);
  });
});

/** Programs and formats, which have the same name in every language. */
const programs =
  'MediaWiki,DokuWiki,Obsidian,Logseq,Foam,Dendron,Quartz,Wiki.js,Docusaurus,MkDocs,mdBook,GitBook,Hugo,Zola,Jekyll,Eleventy,Next.js,HTML,Notion,Confluence,TiddlyWiki,Evernote,OPML,Outline,BookStack,CSV,Coppice,Markdown'.split(
    ',',
  );

type Node = DefaultTreeAdapterTypes.Node;

/** Texts of a document that no message made: outside the marks of the pseudo-language, and not of a page or member. */
function unmarked(text: string): string[] {
  const found: string[] = [];
  let open = 0;
  const read = (value: string, where: string) => {
    let own = '';
    for (const part of value.split(/([⟦⟧])/)) {
      if (part === '⟦') open++;
      else if (part === '⟧') open--;
      else if (open === 0) own += part;
    }
    if (/\p{L}{2}/u.test(own)) found.push(`${where}: ${own.replace(/\s+/g, ' ').trim()}`);
  };
  const walk = (node: Node) => {
    if ('value' in node && node.nodeName === '#text') read(node.value, node.parentNode?.nodeName ?? '');
    if ('tagName' in node) {
      if (/^(script|style|time|code|pre|kbd|bdi|svg|textarea|noscript)$/.test(node.tagName)) return;
      const classes = attribute(node, 'class') ?? '';
      // Text of members has the direction of its own letters.
      if (attribute(node, 'dir') === 'auto' || /\bmarkup\b/.test(classes)) return;
      if (attribute(node, 'lang') !== undefined && node.tagName !== 'html') return;
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description']) {
        const value = attribute(node, name);
        if (value !== undefined) read(value, `${node.tagName} ${name}`);
      }
    }
    if ('childNodes' in node) for (const child of node.childNodes) walk(child);
  };
  walk(parse(text));
  return found;
}

/** Text of the test's members, names that are the same in every language, and sizes, whose units come from `Intl`. */
const data = new RegExp(
  `https://site\\.example\\.org/hooks/wiki|@example|\\.org|\\d bytes?|[Zz]z|Qq|${programs.join('|')}`,
  'g',
);

function notFromCatalogues(words: ReadonlyMap<string, string>): [string, string][] {
  return [...words].filter(([word]) => /\p{L}{2}/u.test(word.slice(word.indexOf(': ')).replace(data, '')));
}

describe('every word comes from the catalogues', () => {
  let site: TestSite;
  let ada: Awaited<ReturnType<TestSite['signedIn']>>;
  beforeAll(async () => {
    site = await startSite({
      COPPICE_NAME: 'Zz',
      COPPICE_LANGUAGE: pseudoLanguage.tag,
      COPPICE_SIGN_UP: 'open',
    });
    ada = await site.signedIn('Zz', { isAdmin: true });
    const body = '== Zz ==\nzz\n== Zz zz ==\n[[Qq]]\n== Zz ==';
    const first = await site.page(ada.token, { title: 'Zz', body, location: { lat: 1, lon: 2 } });
    await site.page(ada.token, {
      title: 'Zz zz',
      parent: first.path,
      body: '[[Zz]] [[Qq]]',
      permissions: 770,
    });
  });
  afterAll(() => site.close());

  async function crawled(
    visitor: Visitor,
    from: string[],
  ): Promise<{ pages: number; words: Map<string, string> }> {
    const seen = new Set(from);
    const waiting = [...from];
    const words = new Map<string, string>();
    let pages = 0;
    for (let url = waiting.shift(); url !== undefined && pages < 300; url = waiting.shift()) {
      const answer = await visitor.get(url);
      const found = answer.location === undefined ? [] : [answer.location];
      if (String(answer.headers['content-type'] ?? '').startsWith('text/html')) {
        pages++;
        for (const one of unmarked(answer.text)) if (!words.has(one)) words.set(one, url);
        for (const element of elementsOf(answer.text))
          if (element.tagName === 'a') found.push(attribute(element, 'href') ?? '');
      }
      for (const href of found) {
        const address = href.split('#')[0] ?? '';
        if (!/^\/(?!\/|v1\/|files\/|assets\/)/.test(address) || /download|\/export|logout/.test(href))
          continue;
        if (seen.has(address)) continue;
        seen.add(address);
        waiting.push(address);
      }
    }
    return { pages, words };
  }

  test('of every page that an administrator reaches', async () => {
    const { pages, words } = await crawled(ada, ['/']);
    expect(pages).toBeGreaterThan(60);
    expect(notFromCatalogues(words)).toEqual([]);
  }, 120_000);

  test('of every page that a stranger reaches, refusals included', async () => {
    const { pages, words } = await crawled(site.visitor(), [
      ...[
        '/',
        '/login',
        '/zz/zz-zz',
        '/edit/zz',
        '/members',
        '/gone/nowhere',
        '/search?text=nothing',
        '/account',
      ],
    ]);
    expect(pages).toBeGreaterThan(15);
    expect(notFromCatalogues(words)).toEqual([]);
  });

  test('of forms that are refused, while the API stays English', async () => {
    const forms: [string, Record<string, string>][] = [
      ['/new', { title: '', body: 'zz', intent: 'save' }],
      ['/new', { title: 'Zz', body: 'zz', intent: 'save' }],
      ['/new', { title: 'Zz 2', path: '/search/zz', body: 'zz', intent: 'save' }],
      [
        '/new',
        { title: 'Zz 3', path: '/zz//3', parent: '/qq', permissions: '999', body: 'zz', intent: 'save' },
      ],
      ['/edit/zz', { title: 'Zz', body: 'zz', language: '!', data: '[', intent: 'save', base: '1' }],
      ['/account', { what: 'name', name: '' }],
      ['/members', { email: 'zz', role: 'writer', what: 'invite' }],
      ['/members/groups', { what: 'make', name: 'members' }],
      ['/account/tokens', { name: '', what: 'make' }],
      ['/members/webhooks', { url: 'http://127.0.0.1/', what: 'make' }],
      ['/settings', { name: '', accent: 'zz', home: '//', css: '@import "zz";' }],
      ['/protect/zz', { level: 'moderators', reason: 'z'.repeat(501), until: '' }],
      ['/delete/zz', { confirm: 'yes' }],
      ['/move/zz', { to: '/zz/zz-zz/zz' }],
      ['/comments/zz', { body: ' ' }],
      ['/proposals', { title: '' }],
      ['/login', { email: 'zz', pass: 'zz' }],
    ];
    const words = new Map<string, string>();
    for (const [url, fields] of forms) {
      const { status, text } = await ada.post(url, fields);
      expect(status, `${url} ${JSON.stringify(fields)}`).toBeOneOf([400, 401, 403, 409, 412]);
      for (const one of unmarked(text)) words.set(one, `${url} ${JSON.stringify(fields)}`);
    }
    expect(notFromCatalogues(words)).toEqual([]);
    const answer = await site.call('POST', '/v1/pages', {
      token: ada.token,
      json: { title: '' },
      headers: { cookie: `language=${pseudoLanguage.tag}` },
    });
    expect(answer.json).toMatchObject({ detail: 'A page needs a title.' });
  });

  test('of an exported site and an exported file', async () => {
    const words = new Map<string, string>();
    for (const format of ['site', 'html']) {
      const answer = await site.app.server.inject({ url: `/v1/export?format=${format}` });
      expect(answer.statusCode).toBe(200);
      const files = format === 'html' ? { 'wiki.html': answer.payload } : await unpacked(answer.rawPayload);
      for (const [name, text] of Object.entries(files))
        if (name.endsWith('.html')) for (const one of unmarked(text)) words.set(one, name);
    }
    expect(notFromCatalogues(words)).toEqual([]);
  });
});
