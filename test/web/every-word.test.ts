/** Every page of the site, mail and exported file is made of words from the catalogues: nothing stands outside of the brackets. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { writeLetter } from '#core/mail/write-letter.ts';
import { type Mail, usefulForMs } from '#core/model/mail.ts';
import { escapeHtml } from '#html/html.ts';
import { notifyWatchers } from '#src/features/watches/notify.ts';
import { pseudoLanguage } from '#words/languages.ts';
import { textOf } from '#words/say.ts';
import { proofFor } from '../support/proof.ts';
import { crawled, notFromCatalogues, unmarked } from '../support/pseudo-language.ts';
import { claimsFor } from '../support/sessions.ts';
import { unpacked } from '../support/unpacked.ts';
import { startSite, type TestSite } from '../support/web.ts';
import { zipOf } from '../support/zip.ts';

/** Answers to GET that are no pages of the site: for programs, files, redirections, and pages of other settings. */
const noPages = [
  ...['/v1/', '/assets/', '/atom', '/oauth/', '/.well-known/', '/sitemap', '/mcp', '/files/'].map(
    (start) => `${start}…`,
  ),
  ...['/healthz', '/readyz', '/metrics', '/robots.txt', '/llms.txt', '/llms-full.txt', '/favicon.ico'],
  ...['/search/titles', '/search/words', '/search/parameters', '/search/description.xml', '/map/places'],
  ...['/account/data', '/import/:id/:list', '/index.php', '/logout', '/preview/*'],
  // With providers of sign-in.
  ...['/login/with/:provider', '/login/with/:provider/return', '/login/join'],
];

const pass = 'nine owls share one barn';

describe('every word comes from the catalogues', () => {
  let site: TestSite;
  let addresses: string[];
  /** The page of the first start, as long as there is no member. */
  let setup: string;
  let ada: Awaited<ReturnType<TestSite['signedIn']>>;
  beforeAll(async () => {
    site = await startSite(
      {
        COPPICE_NAME: 'Zz',
        COPPICE_LANGUAGE: pseudoLanguage.tag,
        COPPICE_SIGN_UP: 'approval',
        // Nobody sends what is queued.
        COPPICE_MAIL: 'smtp://127.0.0.1:9',
        COPPICE_MAIL_FROM: 'zz@example.org',
        COPPICE_URL: 'http://wiki.test',
        COPPICE_OUTGOING_ALLOW: '127.0.0.1',
      },
      { proofCost: 1 },
    );
    const invitation = await site.app.ensureSetupInvitation();
    setup = (await site.visitor().get(`/setup/${invitation}`)).text;
    ada = await site.signedIn('Zz', { isAdmin: true });
    addresses = await fill();
  });
  afterAll(() => site.close());

  const made = async (url: string, json: object, method: 'POST' | 'PATCH' = 'POST') => {
    const { store, tokens } = site.app.service;
    const now = Date.now();
    // Some ask for a sign-in of the last minutes.
    const token = await tokens.issue({ ...(await claimsFor(store, ada.id, { now })), signedInAt: now });
    const who = url.startsWith('/v1/submissions') ? {} : { token };
    const answer = await site.call(method, url, { ...who, json });
    expect(answer.status, `${url} ${answer.text}`).toBeLessThan(300);
    return answer.json;
  };

  /** Something of everything that pages show. Returns the addresses to which no link leads. */
  async function fill(): Promise<string[]> {
    const body = '== Zz ==\nzz\n== Zz zz ==\n[[Qq]]\n== Zz ==';
    await site.page(ada.token, { title: 'Zz', body, location: { lat: 1, lon: 2 } });
    const child = await site.page(ada.token, {
      title: 'Zz zz',
      parent: '/zz',
      body: '[[Zz]] [[Qq]]',
      permissions: 770,
    });
    await site.page(ada.token, { title: 'Zz qq', translationOf: '/zz', language: 'de', body: 'zz' });
    await site.page(ada.token, { title: 'Qq zz', type: 'Page template', body: 'zz' });
    await site.page(ada.token, { title: 'Qq qq' });
    await made('/v1/settings', { strangers: 'proposals' }, 'PATCH');
    await made('/v1/pages/zz', { body: `${body}\nzz zz`, reviewBy: '2020-01-01', msg: 'zz' });
    await made('/v1/comments', { page: '/zz', body: 'zz', quote: { text: 'Zz zz' } });
    const change = { action: 'edit', path: '/zz', title: 'Zz', body: 'zz' };
    await made('/v1/proposals', { title: 'Zz', changes: [change] });
    const person = async () => ({ name: 'Qq', email: 'qq@example.org', proof: await proofFor(site) });
    await made('/v1/submissions/comments', { ...(await person()), page: '/zz', body: 'zz' });
    await made('/v1/submissions/proposals', { ...(await person()), title: 'Zz', changes: [change] });
    await made('/v1/groups', { name: 'Zz' });
    await made('/v1/tokens', { name: 'Zz', scopes: ['read'] });
    await made('/v1/webhooks', { url: 'http://127.0.0.1:9/qq' });
    const { url } = await made('/v1/links', { page: '/zz', beneath: true });
    const linked = new URL(url, 'http://wiki.test').pathname;
    const zip = zipOf([{ name: 'Zz/Zz.md', content: '# Zz\n\n[[Qq]] <blink>zz</blink>' }]);
    const headers = { 'content-type': 'application/zip' };
    const { json } = await site.call('POST', '/v1/imports?dryRun=true', {
      token: ada.token,
      body: zip,
      headers,
    });
    const state = async () =>
      (await site.call('GET', `/v1/imports/${json.id}`, { token: ada.token })).json.state;
    await vi.waitFor(async () => expect(await state()).toBe('done'), { timeout: 60_000 });
    return [
      ...[
        '/order',
        '/order/zz',
        '/verify/zz',
        '/watch/zz',
        '/translations',
        '/translations/zz',
        '/account/pages',
      ],
      ...['/export', '/export?ancestor=/zz', '/export?ancestor=/qq/qq', '/login/forgot'],
      ...['/members/submissions', `/import/${json.id}`, linked, `${linked}/${child.id}`, '/gone/nowhere'],
    ];
  }

  const signUp = async (name: string, email: string) =>
    site.call('POST', '/v1/members', { json: { name, email, pass, proof: await proofFor(site) } });

  test('of every mail', async () => {
    const { store, secrets } = site.app.service;
    const now = Date.now();
    const { email: address, id: memberId } = ada;
    await made('/v1/invitations', { email: 'zz@example.org' });
    const [invitation] = await store.members.listInvitations(now, 10);
    const { epoch = 0 } = (await store.members.findById(memberId)) ?? {};
    const changeId = await store.mails.insertAddressChange({
      ...{ memberId, memberEpoch: epoch, email: 'zz@example.org', createdAt: now, expiresAt: now + 60_000 },
    });
    await signUp('Qq zz', 'qq@example.org');
    await signUp('Qq qq', 'zzzz@example.org');
    const other = await site.member('Zz zz');
    const watched = { now: '/zz', daily: '/qq-qq', weekly: '/zz-qq' };
    for (const [mail, page] of Object.entries(watched)) {
      await made('/v1/watches', { page, mail });
      const json = { body: 'zz\nzz', msg: 'zz' };
      expect((await site.call('POST', `/v1/pages${page}`, { token: other.token, json })).status).toBe(200);
    }
    while (await notifyWatchers(store, () => now));
    const wiki = { name: 'Zz', language: pseudoLanguage.tag, url: 'http://wiki.test' };
    const letterOf = async (kind: Mail['kind'], fields: object) => {
      const letter = await writeLetter({ store, secrets, wiki }, { kind, address, ...fields } as Mail, now);
      if (!letter) throw new Error(`There is no letter of the kind ${kind}.`);
      return letter;
    };
    // Confirmed, and so waiting.
    const { link } = await letterOf('sign-up', { address: 'zzzz@example.org' });
    const token = link?.url.split('/').at(-1);
    expect((await site.call('POST', '/v1/members/confirm', { json: { token, pass } })).status).toBe(202);
    const fieldsOf: Partial<Record<Mail['kind'], object>> = {
      invitation: { invitationId: invitation?.id },
      'sign-up': { address: 'qq@example.org' },
      'address-confirmation': { changeId },
      'address-changed': { newAddress: address },
      'new-sign-in': { at: now, userAgent: null, from: '1' },
      'provider-linked': { provider: 'Zz' },
      'provider-unlinked': { provider: 'Zz' },
      'sign-up-refused': { name: 'Zz' },
      blocked: { reason: 'zz', until: now },
      'passkey-added': { name: 'Zz' },
      'passkey-removed': { name: 'Zz' },
      'guesses-limited': { at: now },
      'codes-guessed': { at: now },
      'watched-now': { memberId },
      'watched-daily': { memberId },
      'watched-weekly': { memberId },
    };
    const words = new Map<string, string>();
    for (const kind of Object.keys(usefulForMs) as Mail['kind'][]) {
      const {
        subject,
        paragraphs,
        pages = [],
        link,
        reason,
        unsubscribe,
      } = await letterOf(kind, fieldsOf[kind] ?? {});
      const ofPages = pages.flatMap(({ happened, more = '' }) => [...happened, more]);
      for (const one of [subject, ...paragraphs, link?.label ?? '', reason, ...ofPages])
        for (const text of unmarked(`<p>${escapeHtml(textOf(one, pseudoLanguage.tag))}</p>`))
          words.set(text, kind);
      for (const url of [link?.url, unsubscribe]) if (url) addresses.push(new URL(url).pathname);
    }
    expect(notFromCatalogues(words)).toEqual([]);
  });

  test('of every feed', async () => {
    const { url } = await made('/v1/notifications/feed', {});
    const words = new Map<string, string>();
    const feeds = [
      '/atom',
      '/atom/updates/zz',
      '/atom/history/zz',
      '/atom/history/zz-qq',
      new URL(url).pathname,
    ];
    for (const feed of feeds) {
      const { text, headers, status } = await site.visitor().get(feed);
      expect([feed, status, headers['content-type']]).toEqual([
        feed,
        200,
        'application/atom+xml; charset=utf-8',
      ]);
      const shown = [...text.matchAll(/<(title|summary)>([^<]*)</g)];
      expect(shown.length, feed).toBeGreaterThan(0);
      for (const [, , inside] of shown) for (const one of unmarked(`<p>${inside}</p>`)) words.set(one, feed);
    }
    expect(notFromCatalogues(words)).toEqual([]);
  });

  /** Addresses of all pages that were looked at. */
  const looked = new Set<string>();

  test('of every page that an administrator reaches', async () => {
    const { shown, words } = await crawled(ada, ['/', ...addresses]);
    // Entries about what has only a number name it in words.
    expect((await ada.get('/members/audit?kind=invitation-made')).text).toMatch(/<bdi>⟦[^⟧]*⟦?\d+/);
    for (const one of unmarked(setup)) words.set(one, '/setup');
    expect(notFromCatalogues(words)).toEqual([]);
    for (const url of [...shown, '/setup/zz']) looked.add(url);
  }, 120_000);

  test('of every page that a stranger reaches, refusals included', async () => {
    const refused = ['/login', '/zz/zz-zz', '/edit/zz', '/members', '/search?text=nothing', '/account'];
    const { shown, words } = await crawled(site.visitor(), [
      '/',
      ...refused,
      ...addresses,
      '/login/comment/zz',
      '/login/propose/zz',
    ]);
    expect(notFromCatalogues(words)).toEqual([]);
    for (const url of shown) looked.add(url);
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
      ['/access/zz', { what: 'save', permissions: '999', group: 'qq' }],
      ['/access/zz', { what: 'preview', permissions: '770', group: 'qq' }],
      ['/verify/zz', { what: 'verify', reviewBy: 'zz' }],
      ['/account/watches', { kind: 'tag', tag: '' }],
      ['/account/watches', { what: 'end', id: '9999' }],
      ['/copy/zz', { what: 'look', to: '/zz' }],
      ['/secret-links/zz', { what: 'revoke', id: '9999' }],
      ['/translations/zz', { what: 'up-to-date' }],
      ['/trash', { what: 'restore', id: '9999' }],
      ['/comments/zz', { what: 'edit', id: '9999', body: 'zz' }],
      ['/members/submissions', { what: 'approve', id: '9999' }],
      ['/members/waiting', { what: 'approve', id: '9999' }],
      ['/members/mail', { what: 'retry', id: '9999' }],
      ['/account/passkeys', { what: 'rename', id: 'zz', name: '' }],
      ['/erase/zz', { changes: '1' }],
      ['/login/forgot', { email: 'zz' }],
      ['/login/sign-up', { name: '', email: 'zz', pass: 'zz' }],
    ];
    const words = new Map<string, string>();
    for (const [url, fields] of forms) {
      const { status, text } = await ada.post(url, fields);
      expect(status, `${url} ${JSON.stringify(fields)}`).toBeOneOf([400, 401, 403, 404, 409, 412]);
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
    for (const format of ['site', 'html', 'epub']) {
      const answer = await site.app.server.inject({ url: `/v1/export?format=${format}` });
      expect(answer.statusCode).toBe(200);
      const files = format === 'html' ? { 'wiki.html': answer.payload } : await unpacked(answer.rawPayload);
      for (const [name, text] of Object.entries(files))
        if (/\.x?html$/.test(name)) for (const one of unmarked(text)) words.set(one, name);
    }
    expect(notFromCatalogues(words)).toEqual([]);
  });

  test('and no page is forgotten', () => {
    const ofSite = site.app.routes.routes.filter(
      ({ method, url }) =>
        [method].flat().includes('GET') && !noPages.some((one) => url.startsWith(one.replace('…', ''))),
    );
    const pattern = (url: string) =>
      new RegExp(
        `^${url
          .replaceAll(/[.]/g, '\\.')
          .replaceAll(/:[^/]+/g, '[^/]+')
          .replace('*', '.+')}(?:\\?.*)?$`,
      );
    const forgotten = ofSite.filter(({ url }) => ![...looked].some((one) => pattern(url).test(one)));
    expect(forgotten.map(({ url }) => url)).toEqual([]);
  });
});
