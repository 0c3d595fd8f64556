/** API tokens: creating, using, limiting and revoking them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addMember, changeMember, setPassphrase } from '#core/members/manage-members.ts';
import { type Scope, scopes } from '#core/ports/credentials.ts';
import { effort } from '../support/effort.ts';
import { documentOf, engines, type Method, startApp, type TestApp } from '../support/http.ts';
import { addApiToken } from '../support/tokens.ts';

const pass = 'a passphrase of our own';
const minute = 60_000;

/**
 * Operations without a `scope` in their route refuse every API token: they end sessions, create credentials, change an account
 * or prove identity. A new operation needs a scope or an entry here.
 */
const forPeople = [
  'addPasskey',
  'beginPasskey',
  'beginSecondFactor',
  'changeEmail',
  'changeName',
  'changePassphrase',
  'confirmSecondFactor',
  'createToken',
  'discardDraft',
  'endNotificationFeed',
  'endSecondFactor',
  'endSession',
  'exportOwnData',
  'findMentionable',
  'keepDraft',
  'leave',
  'listDrafts',
  'listIdentities',
  'listPasskeys',
  'listSessions',
  'listTokens',
  'makeNotificationFeed',
  'makeResetLink',
  'noteEditing',
  'readDraft',
  'reauthenticate',
  'removePasskey',
  'renamePasskey',
  'renewRecoveryCodes',
  'resetSecondFactor',
  'revokeToken',
  'secondFactor',
  'signOut',
  'submitComment',
  'submitProposal',
  'unlinkIdentity',
];

describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  let wiki: TestApp;
  let now = Date.UTC(2026, 4, 1);

  beforeAll(async () => {
    wiki = await startApp({}, { engine, clock: () => now });
    for (const [name, isAdmin] of [
      ['Ada', true],
      ['Olga', false],
    ] as const)
      await addMember(
        wiki.app.service.store,
        wiki.app.service.passphrases,
        { email: `${name}@example.org`, name, passphrase: pass, isAdmin },
        now,
      );
  });
  afterAll(() => wiki.close());

  const signIn = async (name: string) => {
    const sent = { email: `${name}@example.org`, pass };
    return (await wiki.call('POST', '/v1/members/auth', { json: sent })).text;
  };
  /** Makes a token with these scopes, as the command line does. */
  const give = async (name: string, wanted: Scope[], ancestor?: string) => {
    const { store } = wiki.app.service;
    const member = await store.members.findByEmail(`${name}@example.org`);
    if (!member) throw new Error(`There is no ${name}.`);
    const actor = { memberId: member.id, name, isAdmin: member.isAdmin };
    const ends = wanted.includes('preview') ? { expiresAt: now + 60 * minute } : {};
    const input = { name: wanted.join(' '), scopes: wanted, ancestor, ...ends };
    return (await addApiToken(store, actor, input, now)).secret;
  };

  test('a token is made after signing in, shown once, listed with its use, and invalid once revoked', async () => {
    const token = await signIn('Olga');
    const json = { name: 'Bird bot', scopes: ['write', 'read'], expiresAt: '2026-06-01T00:00:00.000Z' };
    const made = await wiki.call('POST', '/v1/tokens', { token, json });
    expect([made.status, made.json]).toEqual([
      200,
      {
        id: expect.any(Number),
        name: 'Bird bot',
        scopes: ['read', 'write'],
        ancestor: null,
        createdAt: '2026-05-01T00:00:00.000Z',
        expiresAt: '2026-06-01T00:00:00.000Z',
        lastUsedAt: null,
        lastUsedFrom: null,
        token: expect.stringMatching(/^cop_[0-9A-Za-z]{36}$/),
      },
    ]);
    expect(made.headers['cache-control']).toBe('no-store');
    const { token: secret, ...listed } = made.json;
    expect((await wiki.call('GET', '/v1/tokens', { token })).json).toEqual([listed]);
    const me = await wiki.call('GET', '/v1/members/me', { token: secret });
    expect([me.status, me.json]).toMatchObject([200, { id: 2, name: 'Olga', isAdmin: false }]);
    await wiki.page(secret, { title: 'By a bot' });
    await expect
      .poll(async () => (await wiki.call('GET', '/v1/tokens', { token })).json)
      .toEqual([{ ...listed, lastUsedAt: '2026-05-01T00:00:00.000Z', lastUsedFrom: '127.0.0.1' }]);
    expect(JSON.stringify(wiki.logged)).not.toContain(secret.slice(4, 34));

    expect(
      (await wiki.call('DELETE', `/v1/tokens/${listed.id}`, { token: await signIn('Ada') })).status,
    ).toBe(404);
    expect((await wiki.call('DELETE', `/v1/tokens/${listed.id}`, { token })).status).toBe(204);
    expect((await wiki.call('GET', '/v1/members/me', { token: secret })).status).toBe(401);
    expect((await wiki.call('GET', '/v1/tokens', { token })).json).toEqual([]);
    // A public read ignores an invalid token and reports it in a header.
    const read = await wiki.call('GET', '/v1/pages/by-a-bot', { token: secret });
    expect([read.status, read.headers['www-authenticate']]).toEqual([200, 'Bearer error="invalid_token"']);
  });

  test('making a token needs a recent sign-in of a person, and valid fields', async () => {
    const token = await signIn('Olga');
    const json = { name: 'x', scopes: ['read'] };
    const secret = await give('Olga', [...scopes]);
    const byToken = await wiki.call('POST', '/v1/tokens', { token: secret, json });
    expect([byToken.status, byToken.json.type]).toEqual([403, '/v1/docs#problem-insufficient-scope']);
    for (const [wrong, pointer] of [
      [{ name: ' ' }, '/name'],
      [{ name: 'x'.repeat(101) }, '/name'],
      [{ scopes: [] }, '/scopes'],
      [{ scopes: ['everything'] }, '/scopes'],
      [{ ancestor: '/nowhere' }, '/ancestor'],
      [{ expiresAt: '2020-01-01T00:00:00.000Z' }, '/expiresAt'],
      [{ expiresAt: 'tomorrow' }, '/expiresAt'],
      [{ scopes: ['preview'] }, '/expiresAt'],
      [{ scopes: ['preview'], expiresAt: '2090-01-31T12:00:00.000Z' }, '/expiresAt'],
    ] as const) {
      const { status, json: told } = await wiki.call('POST', '/v1/tokens', {
        token,
        json: { ...json, ...wrong },
      });
      expect([status, told.errors?.[0]?.pointer], JSON.stringify(wrong)).toEqual([400, pointer]);
      // Each error says in words what the field takes.
      expect(told.detail).toMatch(
        /“write”|scopes read, write|1 to 100 characters|2027-01-31T12|in the future|No page exists|within 366 days/,
      );
    }
    now += 6 * minute;
    const late = await wiki.call('POST', '/v1/tokens', { token, json });
    expect([late.status, late.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('insufficient_user_authentication'),
    ]);
  });

  test('each operation accepts only tokens of its scope, and none if it has no scope', async () => {
    const given = new Map<Scope, string>();
    for (const scope of scopes) given.set(scope, await give('Ada', [scope]));
    const withoutScope: string[] = [];
    for (const [path, operations] of Object.entries(documentOf(wiki.app).paths)) {
      for (const [method, { operationId, security }] of Object.entries(operations)) {
        const needed = security.at(-1)?.token as Scope[] | undefined;
        if (needed === undefined) continue;
        if (needed.length === 0) withoutScope.push(operationId);
        const url = path.replace('{path}', 'none').replace(/\{\w+\}/g, '1');
        for (const [scope, token] of given) {
          const options = { token, ...(method === 'post' ? { json: {} } : {}) };
          const { status, json, headers } = await wiki.call(method.toUpperCase() as Method, url, options);
          const isRefused = status === 403 && json?.type === '/v1/docs#problem-insufficient-scope';
          expect([operationId, scope, isRefused]).toEqual([operationId, scope, !needed.includes(scope)]);
          if (isRefused) expect(headers['www-authenticate']).toMatch(/^Bearer error="insufficient_scope"/);
        }
      }
    }
    expect(withoutScope.sort()).toEqual(forPeople);
  });

  test('files, and invitations by administrators, need their own scopes in addition', async () => {
    const files = { file: { name: 'a.txt', data: Buffer.from('text').toString('base64') } };
    const json = { title: 'With a file', files };
    const refused = await wiki.call('POST', '/v1/pages', { token: await give('Olga', ['write']), json });
    expect([refused.status, refused.json.detail]).toEqual([403, 'This token lacks the scope “files”.']);
    await wiki.page(await give('Olga', ['write', 'files']), json);

    const inviter = await give('Ada', ['members']);
    expect((await wiki.call('POST', '/v1/invitations', { token: inviter, json: {} })).status).toBe(200);
    const moderator = { token: inviter, json: { role: 'moderator' } };
    expect((await wiki.call('POST', '/v1/invitations', moderator)).status).toBe(403);
    const raised = await wiki.call('POST', '/v1/invitations', { token: inviter, json: { isAdmin: true } });
    expect(raised.status).toBe(403);
    const both = await give('Ada', ['members', 'admin']);
    expect(
      (await wiki.call('POST', '/v1/invitations', { token: both, json: { isAdmin: true } })).status,
    ).toBe(200);
  });

  test('an administrator’s token has an administrator’s rights only with the scope “admin”', async () => {
    await wiki.page(await signIn('Olga'), { title: 'Diary', permissions: 700 });
    const read = async (scopes: Scope[]) =>
      (await wiki.call('GET', '/v1/pages/diary', { token: await give('Ada', scopes) })).status;
    expect(await read(['read', 'write'])).toBe(404);
    expect(await read(['read', 'admin'])).toBe(200);
    // The scope gives members no rights beyond their own.
    const token = await give('Olga', ['read', 'admin']);
    expect((await wiki.call('GET', '/v1/members/me', { token })).json.isAdmin).toBe(false);
  });

  test('a limited token writes only in its subtree, and elsewhere sees what anyone may', async () => {
    const olga = await signIn('Olga');
    for (const page of [
      { title: 'Birds' },
      { title: 'Owl', parent: '/birds', permissions: 700, body: '{{Private box}} [[Private box]]' },
      { title: 'Fish' },
      { title: 'Carp', parent: '/fish', permissions: 700 },
      { title: 'Private box', type: 'Template', permissions: 700, body: 'hidden' },
    ])
      await wiki.page(olga, page);
    const token = await give('Olga', ['read', 'write'], '/birds');
    const get = async (path: string) => wiki.call('GET', `/v1/pages${path}`, { token });
    expect((await get('/fish')).status).toBe(200);
    expect((await get('/fish/carp')).status).toBe(404);
    const owl = await get('/birds/owl');
    expect([owl.status, owl.json.page.title]).toEqual([200, 'Owl']);
    expect(owl.json.markup).not.toContain('hidden');
    expect((await wiki.call('GET', '/v1/pages?title=carp', { token })).json).toEqual([]);
    expect((await wiki.call('GET', '/v1/history/fish/carp', { token })).status).toBe(404);

    const post = async (url: string, json: object) => (await wiki.call('POST', url, { token, json })).status;
    expect(await post('/v1/pages', { title: 'Wren', parent: '/birds' })).toBe(200);
    expect(await post('/v1/pages/birds/wren', { body: 'Small.' })).toBe(200);
    expect(await post('/v1/pages/birds/owl', { body: 'Wise.' })).toBe(200);
    expect(await post('/v1/pages/birds', { body: 'All of them.' })).toBe(200);
    for (const [url, json] of [
      ['/v1/pages', { title: 'Root' }],
      ['/v1/pages', { title: 'Trout', parent: '/fish' }],
      ['/v1/pages', { title: 'Robin', parent: '/birds', path: '/robin' }],
      ['/v1/pages/fish', { body: 'x' }],
      ['/v1/pages/birds/wren', { parent: '/fish' }],
      ['/v1/pages/birds/wren', { parent: '' }],
      ['/v1/pages/birds/wren', { path: '/wren' }],
      ['/v1/pages/birds', { slug: 'fowl' }],
    ] as const) {
      const { status, json: told } = await wiki.call('POST', url, { token, json });
      expect([url, json, status, told.type]).toEqual([url, json, 403, '/v1/docs#problem-insufficient-scope']);
    }
    expect((await wiki.call('PUT', '/v1/likes/fish', { token })).status).toBe(403);
    expect((await wiki.call('PUT', '/v1/likes/birds/wren', { token })).status).toBe(200);
    // The restriction follows the page, not its path.
    expect(
      (await wiki.call('POST', '/v1/pages/birds', { token: olga, json: { path: '/fowl' } })).status,
    ).toBe(200);
    expect((await get('/fowl/owl')).status).toBe(200);
    const [listed] = (await wiki.call('GET', '/v1/tokens', { token: olga })).json;
    expect(listed.ancestor).toBe('/fowl');
  });

  test('an expired token is invalid, and making the next one removes it', async () => {
    const { store } = wiki.app.service;
    const actor = { memberId: 2, name: 'Olga', isAdmin: false };
    const input = { name: 'short', scopes: ['read'], expiresAt: now + minute };
    const { secret } = await addApiToken(store, actor, input, now);
    expect((await wiki.call('GET', '/v1/members/me', { token: secret })).status).toBe(200);
    now += minute;
    expect((await wiki.call('GET', '/v1/members/me', { token: secret })).status).toBe(401);
    await give('Olga', ['read']);
    const names = (await store.apiTokens.listOf(2, 100)).map(({ name }) => name);
    expect(names).not.toContain('short');
  });

  test('deactivation and a new passphrase end every token permanently', async () => {
    const { store, passphrases } = wiki.app.service;
    const status = async (token: string) => (await wiki.call('GET', '/v1/members/me', { token })).status;
    const first = await give('Olga', ['read']);
    expect(await status(first)).toBe(200);
    await changeMember(store, 'olga@example.org', { isActive: false });
    expect(await status(first)).toBe(401);
    await changeMember(store, 'olga@example.org', { isActive: true });
    expect(await status(first)).toBe(401);
    const second = await give('Olga', ['read']);
    await setPassphrase(
      { store, passphrases, now: Date.now() },
      'olga@example.org',
      'another passphrase of hers',
    );
    expect(await status(second)).toBe(401);
  });
});
