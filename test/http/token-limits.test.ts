/**
 * Limits of API tokens, walked over all operations: the expected answer is read from each operation's declaration, so that a new
 * operation is tested from its first day.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Scope, scopes, subtreeScopes } from '#core/ports/credentials.ts';
import { mcp } from '#src/features/pages/mcp.ts';
import { effort } from '../support/effort.ts';
import { documentOf, engines, type Method, startApp, type TestApp } from '../support/http.ts';

const insufficient = '/v1/docs#problem-insufficient-scope';
const secret = 'zanzibar';

describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  let wiki: TestApp;
  let ada: { id: number; token: string };
  let olga: { id: number; token: string };
  let box: { id: number };

  beforeAll(async () => {
    wiki = await startApp({}, { engine });
    ada = await wiki.member('Ada', { isAdmin: true });
    olga = await wiki.member('Olga');
    box = await wiki.page(ada.token, { title: 'Box' });
    await wiki.page(ada.token, { title: 'Open', body: 'For all. [[Hidden]]' });
    await wiki.page(ada.token, { title: 'Hidden', permissions: 700, body: secret, coordinates: [] });
    await wiki.page(ada.token, { title: 'Beneath', parent: '/hidden', permissions: 700, body: secret });
  });
  afterAll(() => wiki.close());

  /** Stored directly, because tokens of earlier versions may have any scope with a limit. */
  const give = async (memberId: number, wanted: readonly Scope[], ancestorId: number | null = null) => {
    const { store, apiTokenSecrets } = wiki.app.service;
    const { secret, hash } = apiTokenSecrets.make();
    await store.transact((store) =>
      store.apiTokens.insert({
        memberId,
        name: 'x',
        scopes: [...wanted],
        ancestorId,
        createdAt: Date.now(),
        expiresAt: null,
        hash,
      }),
    );
    return secret;
  };

  /** Every operation that looks at who calls. */
  const operations = () =>
    Object.entries(documentOf(wiki.app).paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { operationId, parameters = [], requestBody }]) => {
        const config = wiki.app.routes.routes.find((one) => one.schema?.operationId === operationId)?.config;
        if (!config?.access || config.access === 'none') return [];
        const content = requestBody?.content['application/json'] as { example?: object } | undefined;
        return [
          {
            ...{ name: operationId, path, parameters, config, example: content?.example },
            method: method.toUpperCase() as Method,
          },
        ];
      }),
    );

  test('each operation accepts tokens as its scope and its relation to a subtree declare', async () => {
    const all = operations();
    expect(all.length).toBeGreaterThan(90);
    for (const ancestorId of [null, box.id]) {
      for (const scope of scopes) {
        const token = await give(ada.id, [scope], ancestorId);
        for (const { name, method, path, config } of all) {
          const url = path.replace('{path}', 'none').replace(/\{\w+\}/g, '999');
          const { status, json } = await wiki.call(method, url, {
            token,
            ...(method === 'POST' ? { json: {} } : {}),
          });
          const isAllowed =
            config.scope === 'any' ||
            (config.scope === scope && (ancestorId === null || config.subtree === 'within'));
          const isRefused = status === 403 && json?.type === insufficient;
          expect([name, scope, ancestorId, isRefused]).toEqual([name, scope, ancestorId, !isAllowed]);
        }
      }
    }
  });

  test('operations of scopes for the whole wiki refuse every limited token, and no such token can be made', async () => {
    for (const { name, config } of operations())
      if (config.subtree === 'within') expect(subtreeScopes, name).toContain(config.scope);
    const wide = scopes.filter((scope) => !subtreeScopes.includes(scope));
    expect(wide).toEqual(['members', 'admin', 'preview']);
    const { store, passphrases } = wiki.app.service;
    const { addMember } = await import('#core/members/manage-members.ts');
    const pass = 'a passphrase of our own';
    const email = 'recent@example.org';
    await addMember(store, passphrases, { email, name: 'Recent', passphrase: pass, isAdmin: true }, 0);
    const token = (await wiki.call('POST', '/v1/members/auth', { json: { email, pass } })).text;
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const make = async (scopes: readonly Scope[], ancestor?: string) =>
      wiki.call('POST', '/v1/tokens', { token, json: { name: 'x', scopes, ancestor, expiresAt } });
    for (const scope of wide) {
      const { status, json } = await make(['read', scope], '/box');
      expect([status, json.errors[0].pointer]).toEqual([400, '/scopes']);
      expect(json.detail).toContain(`Leave out ${scope}`);
      expect((await make(['read', scope])).status).toBe(200);
    }
    expect((await make(subtreeScopes, '/box')).status).toBe(200);
  });

  test('a limited token changes nothing outside of its subtree and reads no private page there, by any operation', async () => {
    const token = await give(ada.id, scopes, box.id);
    const stored = async () => {
      const answers: string[] = [];
      for (const url of [
        '/v1/export?format=jsonl',
        '/v1/members',
        '/v1/groups',
        '/v1/invitations',
        '/v1/webhooks',
        '/v1/watches',
        '/v1/trash',
        '/v1/imports',
        '/v1/protection/open',
        '/v1/protection/hidden',
        '/v1/checkpath/pricing',
      ]) {
        const { status, text } = await wiki.call('GET', url, { token: ada.token });
        answers.push(
          `${url} ${status} ${text
            .split('\n')
            .filter((line) => !line.includes('"/box'))
            .join('\n')}`,
        );
      }
      return answers;
    };
    const before = await stored();
    for (const target of ['open', 'hidden', 'hidden/beneath'])
      for (const { method, path, parameters, example, config } of operations()) {
        if (config.isEndless) continue;
        const query = parameters
          .filter((one) => one.in === 'query' && one.required)
          .map(({ name, example }) => [name, String(example)]);
        const url = `${path.replace('{path}', target).replace(/\{\w+\}/g, '2')}?${new URLSearchParams(query)}`;
        const { text } = await wiki.call(method, url, { token, ...(example ? { json: example } : {}) });
        expect(text, `${method} ${url}`).not.toContain(secret);
        if (method === 'GET') continue;
        const batch = {
          operations: [{ method, path: url, ...(example && method !== 'PATCH' ? { body: example } : {}) }],
        };
        if (method !== 'PATCH') {
          const { text } = await wiki.call('POST', '/v1/batch', { token, json: batch });
          expect(text, `batch of ${method} ${url}`).not.toContain(secret);
        }
      }
    expect(await stored()).toEqual(before);
  });

  test('a limited token adds no translation to a page outside, as links there would lead to it', async () => {
    const token = await give(ada.id, scopes, box.id);
    const add = async (title: string, translationOf: string) => {
      const json = { title, parent: '/box', language: 'de', translationOf };
      return (await wiki.call('POST', '/v1/pages', { token, json })).status;
    };
    expect(await add('Offen', '/open')).toBe(403);
    expect(await add('Kasten', '/box')).toBe(200);
    const json = { translationOf: '/open' };
    expect((await wiki.call('POST', '/v1/pages/box/kasten', { token, json })).status).toBe(403);
    const theirs = { token: ada.token, json };
    expect((await wiki.call('POST', '/v1/pages/box/kasten', theirs)).status).toBe(200);
    // Sent back as it was read.
    const again = { token, json: { ...json, body: 'Auf' } };
    expect((await wiki.call('POST', '/v1/pages/box/kasten', again)).status).toBe(200);
  });

  test('each tool of agents lets in tokens as its operations say', async () => {
    const answersOf = async (token: string, method: string, params: object = {}) =>
      (await wiki.call('POST', '/mcp', { token, json: { jsonrpc: '2.0', id: 1, method, params } })).json
        .result;
    for (const ancestorId of [null, box.id])
      for (const scope of scopes) {
        const token = await give(ada.id, [scope], ancestorId);
        const { tools } = await answersOf(token, 'tools/list');
        const offered = tools.map(({ name }: { name: string }) => name);
        for (const { name, operations } of mcp) {
          const isAllowed = operations.every(
            (one) => one.scope === scope && (ancestorId === null || one.subtree === 'within'),
          );
          const { content } = await answersOf(token, 'tools/call', { name, arguments: {} });
          const isRefused = /This token (lacks|is limited)/.test(content[0].text);
          const expected = [name, scope, ancestorId, !isAllowed, isAllowed];
          expect([name, scope, ancestorId, isRefused, offered.includes(name)]).toEqual(expected);
        }
      }
  });

  test('tools of agents follow the same declaration', async () => {
    const token = await give(ada.id, scopes, box.id);
    const use = async (name: string, args: object) => {
      const params = { name, arguments: args };
      const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      return (await wiki.call('POST', '/mcp', { token, json })).text;
    };
    expect(await use('read_page', { page: '/hidden' })).toContain('No page exists');
    expect(await use('create_page', { title: 'X', body: '', parent: '/open' })).toContain(
      'within the subtree',
    );
    expect(await use('create_page', { title: 'Y', body: '', parent: '/box' })).toContain('outcome: created');
  });

  describe('nobody grants a right that their token lacks', () => {
    const call = async (token: string, method: Method, url: string, json?: object) =>
      (await wiki.call(method, url, { token, ...(json ? { json } : {}) })).status;

    test('roles from moderator on are given, removed and blocked with “admin” only', async () => {
      const narrow = await give(ada.id, ['read', 'members']);
      const wide = await give(ada.id, ['read', 'members', 'admin']);
      const target = await wiki.member('Target');
      const url = `/v1/members/${target.id}`;
      for (const role of ['moderator', 'administrator'])
        expect([role, await call(narrow, 'PATCH', url, { role })]).toEqual([role, 403]);
      for (const role of ['reader', 'writer'])
        expect([role, await call(narrow, 'PATCH', url, { role })]).toEqual([role, 200]);
      expect(await call(narrow, 'PATCH', url, { isActive: false })).toBe(200);
      expect(await call(narrow, 'PATCH', url, { isActive: true })).toBe(200);
      for (const role of ['moderator', 'administrator']) {
        expect(await call(wide, 'PATCH', url, { role })).toBe(200);
        for (const json of [{ role: 'writer' }, { isActive: false }])
          expect([role, json, await call(narrow, 'PATCH', url, json)]).toEqual([role, json, 403]);
        expect(await call(narrow, 'POST', `${url}/block`, { reason: 'x' })).toBe(403);
        // Activating an account gives its rights back.
        expect(await call(wide, 'PATCH', url, { isActive: false })).toBe(200);
        expect(await call(narrow, 'PATCH', url, { isActive: true })).toBe(403);
        expect(await call(wide, 'PATCH', url, { isActive: true })).toBe(200);
        expect(await call(wide, 'POST', `${url}/block`, { reason: 'x' })).toBe(200);
        expect(await call(narrow, 'DELETE', `${url}/block`)).toBe(403);
        expect(await call(wide, 'DELETE', `${url}/block`)).toBe(204);
      }
      for (const role of ['moderator', 'administrator'])
        expect(await call(narrow, 'POST', '/v1/invitations', { role })).toBe(403);
      expect(await call(narrow, 'POST', '/v1/invitations', { role: 'writer' })).toBe(200);
    });

    test('a token without “admin” adds nobody, including its member, to a group that its member is not in', async () => {
      const narrow = await give(ada.id, ['read', 'members']);
      const wide = await give(ada.id, ['read', 'members', 'admin']);
      const { json: group } = await wiki.call('POST', '/v1/groups', {
        token: ada.token,
        json: { name: 'Board' },
      });
      const board = await wiki.page(ada.token, { title: 'Minutes', permissions: 770, group: 'Board' });
      await wiki.call('PATCH', `/v1/members/${ada.id}`, { token: ada.token, json: {} });
      const at = (id: number) => `/v1/groups/${group.id}/members/${id}`;
      expect(await call(narrow, 'PUT', at(ada.id))).toBe(403);
      expect(await call(narrow, 'PUT', at(olga.id))).toBe(403);
      expect(await call(olga.token, 'GET', `/v1/pages${board.path}`)).toBe(404);
      expect(await call(wide, 'PUT', at(ada.id))).toBe(204);
      expect(await call(narrow, 'PUT', at(olga.id))).toBe(204);
      expect(await call(narrow, 'DELETE', at(olga.id))).toBe(204);
    });
  });
});
