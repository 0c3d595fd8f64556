/**
 * Two wikis have the same public history, and one also has private pages. Everyone who may not read these must get identical
 * responses from both: status, headers and every byte of the body, on every list, count, header and feed.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actorFor } from '#cli/command/first-administrator.ts';
import { readConfig } from '#config/config.ts';
import { addMember } from '#core/members/manage-members.ts';
import { type Scope, scopes } from '#core/ports/credentials.ts';
import { type App, buildApp } from '#run/app.ts';
import { notifyWatchers } from '#src/features/watches/notify.ts';
import { effort } from '../support/effort.ts';
import { addGroup, addToGroup } from '../support/groups.ts';
import { passphraseCost } from '../support/passphrase-cost.ts';
import { emptyDatabases, type FreshDatabase } from '../support/postgres.ts';
import { addApiToken } from '../support/tokens.ts';

const pass = 'a passphrase of our own';
let now = Date.UTC(2026, 4, 1);

interface Wiki {
  app: App;
  folder: string;
  tokens: Record<string, string>;
}

/** In the usual run, tokens request a part of the URLs each; together they cover all. */
const strideOf = (who: string) => effort(who in limited ? 4 : 1, 1);

describe.each(effort(emptyDatabases.slice(0, 1), emptyDatabases))('on %s', (_engine, openDatabase) => {
  const wikis: Wiki[] = [];
  const opened: FreshDatabase[] = [];

  beforeAll(async () => {
    for (let i = 0; i < 2; i++) {
      const database = await openDatabase();
      opened.push(database);
      wikis.push(
        await openWiki(database.config.kind === 'postgres' ? { DATABASE_URL: database.config.url } : {}),
      );
    }
    const start = now;
    for (const wiki of wikis) {
      now = start;
      await addGroup(wiki.app.service.store, 'circle', now);
      await addToGroup(wiki.app.service.store, 1, 1, now);
      await publicPast(wiki);
      await openedPage(wiki, wiki === wikis[1]);
      await deletedPages(wiki, wiki === wikis[1], start + 100_000);
    }
    await privatePages(wikis[1] as Wiki);
    for (const wiki of wikis) {
      await giveTokens(wiki);
      while (await notifyWatchers(wiki.app.service.store, () => now));
    }
  });
  afterAll(async () => {
    for (const { app, folder } of wikis) {
      await app.close();
      await rm(folder, { recursive: true });
    }
    for (const database of opened) await database[Symbol.asyncDispose]();
  });

  const readers = ['nobody', 'Max', ...Object.keys(limited)];
  test.each(readers)('%s cannot tell them apart', async (who) => {
    const [plain, secretive] = wikis as [Wiki, Wiki];
    const stride = strideOf(who);
    for (const url of urls.filter((_, i) => (i + readers.indexOf(who)) % stride === 0)) {
      const expected = await ask(plain, who, url);
      const answer = await ask(secretive, who, url);
      expect(answer, url).toEqual(expected);
    }
    for (const [name, given] of toolCalls) {
      const expected = await useTool(plain, who, name, given);
      expect(await useTool(secretive, who, name, given), `${name} ${JSON.stringify(given)}`).toBe(expected);
    }
  });

  test.each(['nobody', 'Max'])('to %s a private page is a missing page', async (who) => {
    const [, wiki] = wikis as [Wiki, Wiki];
    for (const prefix of [
      '/v1/pages',
      '/v1/history',
      '/v1/diff',
      '/v1/backlinks',
      '/v1/children',
      '',
      '/history',
    ]) {
      const hidden = await ask(wiki, who, `${prefix}/garden/secret`);
      const missing = await ask(wiki, who, `${prefix}/garden/absent`);
      expect(hidden.body.replaceAll('secret', 'absent').replaceAll('Secret', 'Absent'), prefix).toBe(
        missing.body,
      );
      expect([hidden.status, hidden.headers], prefix).toEqual([missing.status, missing.headers]);
    }
    for (const name of ['read_page', 'list_children', 'backlinks', 'history', 'diff', 'edit_page']) {
      const edit = name === 'edit_page' ? { change: 1, body: 'x' } : {};
      const asked = (page: string) => useTool(wiki, who, name, { page, ...edit });
      expect((await asked('/garden/secret')).replaceAll('secret', 'absent'), name).toBe(
        await asked('/garden/absent'),
      );
    }
  });

  test('private data of members changes no byte of what others see', async () => {
    const [, wiki] = wikis as [Wiki, Wiki];
    const seen = async () => {
      const answers: Record<string, unknown> = {};
      for (const who of ['nobody', 'Max', 'Olga'])
        for (const url of own) answers[`${who} ${url}`] = await ask(wiki, who, url);
      return answers;
    };
    const before = await seen();
    // Data of Ada, who is an administrator, and of Olga, whom Max must not see.
    const ada = { token: await tokenOf(wiki, 'Ada') };
    await signIn(wiki, 'Ada');
    const invitation = await act(wiki, 'POST', '/v1/invitations', ada, {});
    await act(wiki, 'POST', '/v1/members/1/reset-link', ada, {});
    const stranger = { email: 'eve@example.org', name: 'Eve', passphraseHash: 'x', createdAt: now };
    const waiting = { ...stranger, waitingSince: now, expiresAt: now + 1e9 };
    await wiki.app.service.store.signUps.insert(waiting, now);
    await act(
      wiki,
      'POST',
      '/v1/members/auth',
      {},
      { email: 'Ada@example.org', pass: 'wrong, and long enough' },
    );
    expect(await seen()).toEqual(before);
    expect((await ask(wiki, 'Ada', '/v1/invitations')).body).toContain(`"id":${JSON.parse(invitation).id},`);
    expect(JSON.parse((await ask(wiki, 'Ada', '/v1/sessions')).body)).toHaveLength(2);
    expect((await ask(wiki, 'Ada', '/v1/sign-ups')).body).toContain('eve@example.org');

    const olga = await signIn(wiki, 'Olga');
    await act(wiki, 'DELETE', `/v1/invitations/${JSON.parse(invitation).id}`, ada);
    await act(wiki, 'DELETE', '/v1/members/1/reset-link', ada);
    const olgaSees = await ask(wiki, 'Olga', '/v1/sessions');
    expect(JSON.parse(olgaSees.body)).toHaveLength(2);
    const sessionOfOlga = JSON.parse(olgaSees.body)[0].id;
    // Someone else's session is treated as missing.
    const max = { token: await tokenOf(wiki, 'Max') };
    const answer = await act(wiki, 'DELETE', `/v1/sessions/${sessionOfOlga}`, max);
    expect(answer).toBe(await act(wiki, 'DELETE', `/v1/sessions/${'x'.repeat(43)}`, max));
    expect((await ask(wiki, 'Olga', '/v1/sessions')).body).toBe(olgaSees.body);
    await act(wiki, 'POST', '/v1/members/signout', { token: olga });
    expect(await seen()).toEqual(before);
  });

  test('the private feed of a member reveals nothing about them', async () => {
    const feeds = [];
    for (const wiki of wikis) {
      const made = await act(wiki, 'POST', '/v1/notifications/feed', { token: await tokenOf(wiki, 'Max') });
      const { pathname } = new URL(JSON.parse(made).url, 'http://here.invalid');
      const { body } = await ask(wiki, 'nobody', pathname);
      feeds.push(body.replaceAll(pathname, 'FEED').replaceAll(/notifications#\d+/g, 'notification'));
    }
    expect(feeds[0]).toContain('<title>Oak</title>');
    expect(feeds[1]).toBe(feeds[0]);
  });

  test('a secret link never shows what only its maker may read', async () => {
    for (const [maker, page] of [
      ['Olga', '/listing'],
      ['Ada', '/listing'],
      ['Ada', '/garden'],
      ['Max', '/garden'],
    ] as const) {
      const seen = [];
      for (const wiki of wikis) {
        const made = await act(
          wiki,
          'POST',
          '/v1/links',
          { token: await tokenOf(wiki, maker) },
          { page, beneath: true },
        );
        const { pathname } = new URL(JSON.parse(made).url, 'http://here.invalid');
        const secret = pathname.split('/').at(-1) ?? '';
        const answers = [];
        for (let id = 0; id <= 30; id++)
          answers.push(await ask(wiki, 'nobody', id === 0 ? pathname : `${pathname}/${id}`));
        answers.push(await ask(wiki, 'nobody', `/files/ghost.txt?link=${secret}`));
        seen.push(JSON.stringify(answers).replaceAll(secret, 'SECRET'));
      }
      expect(seen[0], `${maker} ${page}`).toContain('SECRET');
      expect(seen[1], `${maker} ${page}`).toBe(seen[0]);
    }
  });

  test('owner and administrators see the private pages, so the wikis do differ', async () => {
    const [plain, secretive] = wikis as [Wiki, Wiki];
    for (const who of ['Olga', 'Ada']) {
      expect((await ask(secretive, who, '/v1/updates/1000')).body).not.toBe(
        (await ask(plain, who, '/v1/updates/1000')).body,
      );
      expect((await ask(secretive, who, '/v1/pages/garden/secret')).status).toBe(200);
    }
  });

  test('in a private wiki strangers see no page, and members no page that only the third digit opens', async () => {
    const [plain, secretive] = wikis as [Wiki, Wiki];
    const write = (permissions: number, group: string | null) =>
      act(
        secretive,
        'POST',
        '/v1/pages',
        { token: secretive.tokens.Ada ?? '' },
        {
          ...{ title: `Hidden ${permissions} ${group}`, permissions, group, parent: '/garden' },
          body: '[[Ghost]] [[Garden]] {{Box}} [[tree:oak]] [[Location:10,20]] oak hidden secret',
        },
      );
    await tokenOf(secretive, 'Ada');
    for (const permissions of [704, 706, 4]) await write(permissions, null);
    await write(774, 'circle');
    for (const { app } of wikis) await app.service.store.settings.write({ private: true }, now, null);
    for (const permissions of [704, 6]) await write(permissions, 'circle');
    const differs: string[] = [];
    const compare = async (who: string, stride: number) => {
      for (const url of urls.filter((_, i) => i % stride === 0))
        if (!isDeepStrictEqual(await ask(secretive, who, url), await ask(plain, who, url)))
          differs.push(`${who} ${url}`);
      for (const [name, given] of toolCalls)
        if ((await useTool(secretive, who, name, given)) !== (await useTool(plain, who, name, given)))
          differs.push(`${who} ${name} ${JSON.stringify(given)}`);
    };
    await compare('Max', effort(3, 1));
    // Members read these.
    for (const permissions of [774, 777, 77]) await write(permissions, null);
    await compare('nobody', 1);
    expect(differs).toEqual([]);
    expect((await ask(secretive, 'nobody', '/v1/pages/garden')).status).toBe(404);
    expect((await ask(secretive, 'nobody', '/v1/pages?path=/')).body).toBe('[]');
    expect((await ask(secretive, 'Max', '/v1/pages/garden')).status).toBe(200);
  });
});

const urls = [
  '/v1/watches',
  '/v1/notifications',
  '/v1/notifications?limit=2',
  '/v1/notifications?unread=true&offset=1',
  '/v1/updates',
  '/v1/updates/1000',
  '/v1/changes',
  '/v1/changes?limit=2',
  '/v1/changes?after=latest',
  '/v1/changes?kind=moved,permissions',
  '/v1/changes?ancestor=/garden',
  '/v1/changes?before=latest',
  '/v1/changes?before=latest&limit=2&role=writer',
  '/v1/changes?before=latest&reviewed=false',
  '/v1/blocks',
  '/updates/changes',
  '/updates/changes?below=/garden&role=writer&tag=kind:tree',
  '/v1/proposals',
  '/v1/proposals?state=open&limit=1',
  '/v1/proposals?ancestor=/garden',
  '/v1/proposals?path=/ghost',
  ...[1, 2, 3].flatMap((id) => [`/v1/proposals/${id}`, `/v1/proposals/${id}/links`, `/proposals/${id}`]),
  '/proposals',
  // The wiki with a proposal of Max, and with one of Olga for a private page.
  ...[
    'pages/garden',
    'pages?text=oak',
    'pages/listing',
    'children/garden',
    'backlinks/garden',
    'updates',
    'requested',
  ].flatMap((read) => [1, 2].map((id) => `/v1/${read}${read.includes('?') ? '&' : '?'}proposal=${id}`)),
  ...['/', '/tree', '/search?text=oak', '/garden', '/ghost'].map(
    (url) => `${url}${url.includes('?') ? '&' : '?'}proposal=1`,
  ),
  '/v1/comments',
  '/v1/comments?limit=1',
  ...[
    'ancestor=/garden',
    'page=/garden',
    'page=/ghost',
    'mentions=me',
    'author=1',
    'author=me',
    'state=open',
  ].map((query) => `/v1/comments?${query}`),
  ...[1, 2, 3, 4].map((id) => `/v1/comments/${id}`),
  ...['garden', 'ghost'].map((page) => `/v1/mentions?page=/${page}&name=o`),
  '/v1/submissions',
  '/members/submissions',
  '/comments',
  '/comments/garden',
  '/comments/ghost',
  '/v1/favourites',
  '/v1/drafts',
  '/v1/translations/garden',
  '/v1/translations/garden/oak',
  '/v1/pages/garten',
  '/garten',
  '/v1/translations?behind=de',
  '/v1/translations?behind=fr',
  '/v1/untranslated',
  '/v1/untranslated/garden/oak',
  '/translations',
  '/translations/garden',
  ...['/garden', '/garden/oak', '/garden/secret'].flatMap((path) => [
    `/v1/rules${path}`,
    `/v1/verifications${path}`,
    `/v1/links?page=${path}`,
    `/v1/order${path}`,
  ]),
  '/v1/requested',
  '/v1/requested/1',
  '/v1/requested/1000',
  '/v1/near/10/20',
  '/v1/near/10/20/20000000',
  '/v1/near/10/20/20000000?limit=1',
  ...[
    'path=/',
    'path=/garden',
    'title=e',
    'title=ghost',
    'title=Garden',
    'type=Place',
    'type=Template',
    'tag=kind:tree',
  ]
    .flatMap((query) => [query, `${query}&limit=1`, `${query}&limit=1&offset=1&order=most%20recent%20update`])
    .map((query) => `/v1/pages?${query}`),
  ...[
    'tag=tree',
    'tag=kind',
    'path=/a&tag=Kind&logic=or',
    'text=oak',
    'text=hidden',
    'ancestor=/garden',
    'ancestor=/garden/secret',
    'path=/&tag=tree&logic=or',
    'text=ghost OR oak',
    'text=title:oak',
    'text=title:ghost',
    'text="hidden oak"',
    'text=oak -hidden',
    'text=hiden',
    'text=spectr',
    'text=where is the hidden oak of the garden',
    'review=due',
  ]
    .flatMap((query) => [query, `${query}&limit=1`, `${query}&order=relevance`])
    .map((query) => `/v1/pages?${query}`),
  ...[
    '/garden',
    '/garden/oak',
    '/moved',
    '/old',
    '/listing',
    '/box',
    '/unused',
    '/former',
    '/opened',
    '/secret-plan',
    '/binned',
    '/binned/below',
  ].flatMap((path) =>
    ['/v1/pages', '/v1/history', '/v1/diff', '/v1/backlinks', '/v1/children', '', '/history', '/atom'].map(
      (prefix) => prefix + path,
    ),
  ),
  ...['/garden', '/garden/oak', '/listing', '/opened', '/box'].flatMap((path) => [
    `/v1/pages${path}?format=md&frontMatter=true`,
    `${path}?format=md`,
  ]),
  '/v1/children',
  '/v1/groups',
  '/v1/links',
  '/v1/access?name=o',
  '/v1/groups/1',
  '/v1/groups/2',
  '/v1/trash',
  '/v1/trash?limit=1',
  '/trash',
  '/v1/files',
  '/v1/files?unused=true&sort=date',
  '/v1/files?limit=1&sort=size',
  '/files?unused=1',
  '/',
  '/tree',
  '/search?text=oak',
  '/search?title=e',
  '/search',
  '/map',
  '/updates',
  ...[1, 2, 3].flatMap((id) => [
    `/members/${id}`,
    `/v1/members/${id}`,
    `/v1/members/${id}/contributions?limit=3`,
  ]),
  '/wanted',
  '/sitemap.xml',
  '/sitemaps/1.xml',
  '/robots.txt',
  '/llms.txt',
  '/llms-full.txt',
  '/llms.txt?ancestor=/garden',
  '/llms.txt?ancestor=/garden/secret',
  '/atom',
  '/new?title=Ghost',
  '/new?from=/hidden-box',
  '/new?parent=/garden/secret',
  '/feed',
  '/v1/openapi.json',
  ...[
    'path=/&fields=id,path,title',
    'path=/&fields=id,likes,lineage&include=children,backlinks,files',
    'text=oak&include=snippet',
    'ids=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20',
    'owner=1',
    'owner=2',
    'linksTo=/garden',
    'linksTo=/garden/secret',
    'near=10,20,20000',
    'bbox=19,9,21,11',
    'since=2020-01-01&order=last%20created',
    'path=/&cursor=',
    'ancestor=/garden&order=tree',
    'ancestor=/garden&order=tree&cursor=&limit=1',
    'path=/&cursor=&limit=1',
    'path=/&cursor=&limit=3&order=most%20recent%20update',
    'bbox=19,9,21,11&title=e&owner=1&logic=or',
  ].flatMap((query) => [`/v1/pages?${query}`, `/v1/facets?${query}`]),
  '/v1/pages/garden?fields=id,title&include=children,backlinks,files',
  '/v1/children?include=children,backlinks',
  '/v1/children/garden?fields=id,title,hasChildren&include=files',
  '/v1/near/10/20?fields=id,distance&include=backlinks',
  '/v1/complete?q=g',
  '/v1/complete?q=se',
  '/v1/pages?title=secret',
  ...['jsonl', 'markdown', 'mdbook', 'docusaurus', 'wikitext', 'mediawiki-xml', 'site', 'html', 'epub'].map(
    (format) => `/v1/export?format=${format}`,
  ),
  '/v1/export?format=jsonl&ancestor=/garden',
  '/v1/export?format=jsonl&ancestor=/garden/secret',
];

/** Agent tools and their arguments. */
const toolCalls: [name: string, given: object][] = [
  ...['oak', 'hidden', 'secret'].flatMap((text): [string, object][] => [
    ['search', { text }],
    ['search', { text, limit: 1, offset: 1 }],
    ['read_page', { page: text }],
  ]),
  ['search', { ancestor: '/garden/secret' }],
  ...['/garden', '/garden/oak', '/listing', '/old', '/opened', '/secret-plan', '/binned'].flatMap((page) =>
    ['read_page', 'list_children', 'backlinks', 'history', 'diff'].map((name): [string, object] => [
      name,
      { page },
    ]),
  ),
  ['list_children', {}],
  ['near', { lat: 10, lon: 20, metres: 20_000_000 }],
  ['wanted', {}],
];

async function useTool(wiki: Wiki, who: string, name: string, given: object): Promise<string> {
  const token = who === 'nobody' ? {} : { token: await tokenOf(wiki, who) };
  const params = { name, arguments: given };
  return act(wiki, 'POST', '/mcp', token, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
}

/** API tokens that reach no private page: of each scope; of an administrator without `admin`; of the owner, limited to another page. */
const limited: Record<string, { of: string; scopes: Scope[]; ancestor?: string }> = {
  ...Object.fromEntries(
    scopes.map((scope) => [`a token of Max to ${scope}`, { of: 'Max', scopes: [scope] }]),
  ),
  'a token of Ada without admin': { of: 'Ada', scopes: ['read', 'write', 'files', 'members'] },
  'a token of Olga limited to a page': { of: 'Olga', scopes: ['read', 'write'], ancestor: '/garden/oak' },
};

async function giveTokens(wiki: Wiki): Promise<void> {
  const inAWeek = now + 7 * 24 * 60 * 60 * 1000;
  const { store } = wiki.app.service;
  for (const [who, { of, ...input }] of Object.entries(limited)) {
    const actor = await actorFor(store, `${of}@example.org`);
    wiki.tokens[who] =
      // A token with the scope preview must expire soon.
      (await addApiToken(store, actor, { name: who, expiresAt: inAWeek, ...input }, now)).secret;
  }
}

/** Data of a member other than pages: sessions, invitations, passphrase reset links, warnings. */
const own = [
  '/v1/sessions',
  '/v1/invitations',
  '/v1/sign-ups',
  '/members/waiting',
  '/login/sign-up',
  '/v1/members/me',
  '/account',
  '/members',
  '/login',
  '/readyz',
];

async function openWiki(env: Record<string, string>): Promise<Wiki> {
  const folder = await mkdtemp(join(tmpdir(), 'coppice-'));
  const config = readConfig({ COPPICE_DATA: folder, COPPICE_RATE_LIMIT: 'off', ...env });
  const app = await buildApp(config, { clock: () => now, logger: pino({ level: 'silent' }), passphraseCost });
  await app.server.ready();
  const wiki: Wiki = { app, folder, tokens: {} };
  for (const [name, isAdmin] of [
    ['Olga', false],
    ['Max', false],
    ['Ada', true],
  ] as const) {
    const { store, passphrases } = app.service;
    await addMember(
      store,
      passphrases,
      { email: `${name}@example.org`, name, passphrase: pass, isAdmin },
      now,
    );
  }
  return wiki;
}

async function write(wiki: Wiki, who: string, url: string, payload: object): Promise<void> {
  now += 1000;
  const { statusCode, body } = await wiki.app.server.inject({
    method: 'POST',
    url,
    payload,
    headers: { authorization: `Bearer ${await tokenOf(wiki, who)}` },
  });
  expect(statusCode, body).toBe(200);
}

async function tokenOf(wiki: Wiki, who: string): Promise<string> {
  wiki.tokens[who] ??= await signIn(wiki, who);
  return wiki.tokens[who];
}

function signIn(wiki: Wiki, who: string): Promise<string> {
  return act(wiki, 'POST', '/v1/members/auth', {}, { email: `${who}@example.org`, pass });
}

/** Returns the response body. */
async function act(
  wiki: Wiki,
  method: 'POST' | 'PUT' | 'DELETE',
  url: string,
  { token }: { token?: string },
  payload?: object,
): Promise<string> {
  const { body, headers: told } = await wiki.app.server.inject({
    method,
    url,
    ...(payload ? { payload } : {}),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  return body.replaceAll(String(told['x-request-id']), 'ID');
}

async function ask(wiki: Wiki, who: string, url: string) {
  const headers: Record<string, string> = {};
  if (who !== 'nobody') headers.authorization = `Bearer ${await tokenOf(wiki, who)}`;
  const answer = await wiki.app.server.inject({ url, headers });
  const told = Object.entries(answer.headers).filter(([name]) => !['date', 'x-request-id'].includes(name));
  // Random part of every response, in both wikis.
  const nonce = /'nonce-([^']+)'/.exec(String(answer.headers['content-security-policy']))?.[1];
  const plain = (text: string) => (nonce === undefined ? text : text.replaceAll(nonce, 'NONCE'));
  return {
    status: answer.statusCode,
    headers: Object.fromEntries(told.map(([name, value]) => [name, plain(String(value))])),
    body: withoutPlaces(plain(answer.body.replaceAll(String(answer.headers['x-request-id']), 'ID')), url),
  };
}

/** IDs and cursors of events, notifications and secret links count those of private pages, too, as change IDs do. */
function withoutPlaces(body: string, url: string): string {
  // The changes and pages that a proposal would make have the next IDs.
  if (url.includes('proposal=')) return body.replaceAll(/"id":\d+/g, '"id"');
  if (url.startsWith('/v1/links')) return body.replaceAll(/"id":\d+,"page"/g, '"page"');
  if (url.startsWith('/v1/notifications')) return body.replaceAll(/"(?:id|event)":\d+,/g, '');
  if (!url.startsWith('/v1/changes')) return body;
  return body.replaceAll(/"id":\d+,"kind"/g, '"kind"').replace(/"next":"[^"]*"/, '"next"');
}

const place = (lat: number, lon: number) => `[[Location:${lat}, ${lon}]]`;

async function publicPast(wiki: Wiki): Promise<void> {
  for (const who of ['Max', 'Olga', 'Ada'])
    for (const watched of [{ ancestor: '/' }, { tag: 'kind:tree' }, { search: 'text=oak' }])
      await write(wiki, who, '/v1/watches', watched);
  const create = (who: string, page: object) => write(wiki, who, '/v1/pages', page);
  await create('Max', {
    title: 'Garden',
    body: `An oak. [[Ghost]] [[ghost]] [[Oak]] [[kind:tree]] [[Category:wood]] ${place(10, 20)} {{Box}} {{Hidden box}} {{#invoke:Woodland|count}} {{#invoke:Hidden|say}} {{#invoke:Woodland|hidden}}`,
  });
  await create('Olga', {
    title: 'Oak',
    parent: '/garden',
    body: `[[kind:tree]] [[Garden]] [[/old]] [[/former]] ${place(10.01, 20)}`,
  });
  await create('Olga', { title: 'Ash', parent: '/garden', body: 'No oak.' });
  const children = ['/garden/oak', '/garden/ash'];
  await act(wiki, 'PUT', '/v1/order/garden', { token: await tokenOf(wiki, 'Olga') }, { children });
  await create('Max', { title: 'Box', type: 'Template', body: 'boxed [[Ghost]]' });
  await create('Max', {
    title: 'Woodland',
    type: 'Module',
    body: `return {
      count = function() return tostring(mw.title.new('Ghost').exists) .. tostring(mw.title.new('Ghost'):getContent()) end,
      hidden = function() return tostring((pcall(require, 'Module:Hidden'))) .. require('Module:Cellar').text end,
    }`,
  });
  await create('Max', { title: 'Old', body: 'To be moved. [[Spectre]]' });
  await write(wiki, 'Max', '/v1/pages/old', { path: '/moved' });
  await create('Olga', {
    title: 'Listing',
    body: '{{Children|/garden}} {{Tagged|kind=tree}} {{Recent}} {{Wanted}} {{Map|of=/garden}} {{#ifexist:Hidden box|yes|no}} {{NUMBEROFPAGES}} {{PAGESINCATEGORY:wood}} {{PAGESIZE:Hidden box}} {{PAGEID:Hidden box}} {{#part:Hidden box|x}} {{#lst:Hidden box|a}} {{#ifexist:File:/hidden/plan.txt|yes|no}}',
  });
  await create('Max', { title: 'Garten', language: 'de', translationOf: '/garden', body: 'Eine [[Oak]].' });
  await write(wiki, 'Max', '/v1/pages/garden/ash', { reviewBy: '2020-01-01' });
  await write(wiki, 'Max', '/v1/comments', {
    page: '/garden',
    body: 'See [[Ghost]], @Olga',
    quote: { text: 'An oak' },
  });
  await write(wiki, 'Olga', '/v1/comments', {
    page: '/garden',
    body: '[Ghost](/ghost) and @Max',
    replyTo: 1,
  });
  await act(wiki, 'PUT', '/v1/favourites/garden', { token: await tokenOf(wiki, 'Max') });
  await act(wiki, 'PUT', '/v1/rules/listing', { token: await tokenOf(wiki, 'Ada') }, { approvals: 1 });
  const changes = [
    {
      action: 'edit',
      path: '/garden',
      body: 'Proposed. [[Ghost]] [[Spectre]] {{Box}} {{Hidden box}} [[kind:tree]]',
    },
    {
      action: 'create',
      path: '/proposed',
      title: 'Proposed',
      body: '{{Children|/garden}} {{NUMBEROFPAGES}} oak',
    },
  ];
  await write(wiki, 'Max', '/v1/proposals', { title: 'Better', changes });
  await create('Olga', { title: 'Members only', permissions: 770, body: 'For [[Ghost]] hunters, oak.' });
}

/**
 * A page that was private until now: its former text, files and path stay private. IDs and times are the same in both wikis.
 */
async function openedPage(wiki: Wiki, isSecretive: boolean): Promise<void> {
  const file = (text: string) => ({ file: { name: 'plan.txt', data: Buffer.from(text).toString('base64') } });
  const secret = {
    title: 'Secret plan',
    body: `hidden ${'oak '.repeat(5000)} [[Ghost]] [[Garden]] [[kind:tree]]`,
    msg: 'hidden',
    files: file('hidden'),
    data: { hidden: true },
  };
  const plain = { title: 'Opened', path: '/closed', body: 'x' };
  const permissions = 700;
  await write(wiki, 'Olga', '/v1/pages', { permissions, ...(isSecretive ? secret : plain) });
  const path = isSecretive ? '/v1/pages/secret-plan' : '/v1/pages/closed';
  await write(wiki, 'Olga', path, isSecretive ? { msg: 'again', files: file('hidden, too') } : { body: 'y' });
  await write(wiki, 'Olga', path, {
    title: 'Opened',
    slug: 'opened',
    path: '/opened',
    body: 'Open to all. [[File:plan.txt]]',
    data: {},
    files: file('open'),
    permissions: 774,
    history: 'from now',
    msg: 'Opened',
  });
  await write(wiki, 'Max', '/v1/pages/opened', { body: 'Open to all. [[Oak]]' });
}

/** A page in the trash together with a private page beneath it, and a private page deleted on its own. */
async function deletedPages(wiki: Wiki, isSecretive: boolean, at: number): Promise<void> {
  const create = (who: string, page: object) => write(wiki, who, '/v1/pages', page);
  await create('Max', { title: 'Binned', body: '[[Ghost]] [[kind:tree]] oak' });
  await create('Max', { title: 'Below', parent: '/binned', body: '[[Binned]]' });
  // Created elsewhere in the plain wiki, so that later events have the same IDs.
  const beside = { title: 'Beside', permissions: 700, body: 'hidden [[Ghost]]' };
  await create('Olga', isSecretive ? { ...beside, parent: '/binned' } : { ...beside, path: '/aside' });
  now = at;
  await act(wiki, 'DELETE', '/v1/pages/binned?subtree=true', { token: await tokenOf(wiki, 'Ada') });
  if (!isSecretive) return;
  await create('Olga', { title: 'Hidden and binned', permissions: 700, body: 'hidden [[Ghost]]' });
  await act(wiki, 'DELETE', '/v1/pages/hidden-and-binned', { token: await tokenOf(wiki, 'Olga') });
}

/** Private pages with whatever could leak: wanted, linked and transcluded names, an old path, places, tags, words, files. */
async function privatePages(wiki: Wiki): Promise<void> {
  const create = (page: object) => write(wiki, 'Olga', '/v1/pages', { permissions: 700, ...page });
  const file = { name: 'ghost.txt', data: Buffer.from('boo').toString('base64'), mimetype: 'text/plain' };
  await create({
    title: 'Ghost',
    body: `hidden oak [[Garden]] [[Spectre]] [[kind:tree]] [[Category:wood]] [[Type:Place]] ${place(10, 20)}`,
    files: { file },
  });
  await create({ title: 'Secret', parent: '/garden', body: 'hidden [[Oak]] [[Nowhere else]]' });
  await create({ title: 'Below secret', parent: '/garden/secret', body: '[[kind:tree]]' });
  const children = ['/garden/oak', '/garden/secret', '/garden/ash'];
  await act(wiki, 'PUT', '/v1/order/garden', { token: await tokenOf(wiki, 'Olga') }, { children });
  await create({ title: 'Hidden box', type: 'Template', body: 'hidden' });
  await create({ title: 'Hidden', type: 'Module', body: 'return { say = function() return "hidden" end }' });
  await create({ title: 'Module:Cellar', body: 'return { text = "hidden" }' });
  await create({ title: 'Oak', path: '/another-oak', body: 'The same title.' });
  // Max is not in the group `cabal` and does not even know of it.
  await addGroup(wiki.app.service.store, 'cabal', now);
  await addToGroup(wiki.app.service.store, 2, 1, now);
  for (const [group, permissions] of [
    ['circle', 770],
    ['cabal', 70],
  ] as const) {
    const kept = { permissions, group, defaults: { permissions, group } };
    await create({
      title: `Of the ${group}`,
      body: `hidden oak [[Ghost]] [[Garden]] [[kind:tree]] ${place(10, 20)}`,
      ...kept,
    });
    await create({ title: 'Oak', path: `/oak-of-${group}`, body: 'hidden', ...kept });
    await create({
      title: 'Nowhere',
      parent: '/garden',
      path: `/garden/${group}`,
      body: '{{Box}} [[Spectre]]',
      ...kept,
    });
  }
  // Pages that are shared with others than Max, by themselves and by a page above.
  await create({ title: 'Shared', body: `hidden oak [[Ghost]] [[Garden]] [[kind:tree]] ${place(10, 20)}` });
  const olga = await actorFor(wiki.app.service.store, 'Olga@example.org');
  const grants = [
    { group: 'cabal', may: 'write', beneath: true },
    { member: olga.memberId, may: 'read' },
  ];
  const shared = await act(
    wiki,
    'PUT',
    '/v1/access/shared',
    { token: await tokenOf(wiki, 'Ada') },
    { grants },
  );
  expect(shared).toContain('the group “cabal” and Olga');
  await write(wiki, 'Ada', '/v1/links', { page: '/shared', beneath: true });
  await create({ title: 'Oak', path: '/oak-shared', parent: '/shared', body: 'hidden [[Spectre]]' });
  await create({ title: 'Nowhere', parent: '/garden', path: '/garden/shared', body: '{{Box}} [[Spectre]]' });
  await write(wiki, 'Olga', '/v1/pages/garden/shared', { parent: '/shared' });
  // Private pages at former paths of public pages; one of them moves away again.
  await create({ title: 'Taker', path: '/old', body: 'hidden' });
  await create({ title: 'Leaver', path: '/former', body: 'hidden' });
  await write(wiki, 'Olga', '/v1/pages/former', { path: '/moved/leaver', msg: 'moved' });
  await write(wiki, 'Olga', '/v1/pages/ghost', {
    body: 'hidden twice [[Garden]] [[Ghost]] oak [[kind:tree]]',
  });
  await wiki.app.server.inject({
    method: 'PUT',
    url: '/v1/likes/ghost',
    headers: { authorization: `Bearer ${await tokenOf(wiki, 'Olga')}` },
  });
  await create({
    title: 'Jardin',
    language: 'fr',
    translationOf: '/garden',
    body: 'hidden',
    reviewBy: '2020-01-01',
  });
  await create({ title: 'Geheim', language: 'de', translationOf: '/ghost', body: 'hidden' });
  await create({ title: 'Eiche', language: 'de', translationOf: '/garden/oak', body: 'hidden' });
  await write(wiki, 'Olga', '/v1/pages/ghost', { body: 'hidden [[Garden]] [[Ghost]] oak [[kind:tree]]' });
  const commented = { page: '/ghost', body: 'hidden @Max', quote: { text: 'oak' } };
  await write(wiki, 'Olga', '/v1/comments', commented);
  await write(wiki, 'Olga', '/v1/comments', { replyTo: 3, body: 'hidden, too' });
  const { store } = wiki.app.service;
  const ghost = await store.readAsSystem().pages.findByPath('/ghost');
  await store.transact((store) =>
    store.submissions.insert({
      ...{
        kind: 'comment',
        contents: { body: 'hidden', replyTo: null, quote: null },
        pageId: ghost?.id ?? 0,
      },
      ...{ stranger: 'Hidden', email: null, sender: 'hidden', at: 1 },
    }),
  );
  await act(wiki, 'PUT', '/v1/rules/ghost', { token: await tokenOf(wiki, 'Olga') }, { approvals: 2 });
  await act(wiki, 'PUT', '/v1/favourites/ghost', { token: await tokenOf(wiki, 'Olga') });
  const changes = [
    { action: 'edit', path: '/ghost', body: 'hidden proposal' },
    { action: 'create', title: 'Beneath', parent: '/garden/secret', body: 'hidden' },
  ];
  const proposed = { title: 'hidden oak', changes };
  const made = await act(wiki, 'POST', '/v1/proposals', { token: await tokenOf(wiki, 'Olga') }, proposed);
  expect(made).toContain('hidden proposal');
}
