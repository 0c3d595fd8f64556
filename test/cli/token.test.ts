/** API tokens and bots from the command line. */
import { describe, expect, test } from 'vitest';
import { engines, startWiki } from '../support/cli.ts';
import { startApp } from '../support/http.ts';

describe.each(engines)('on %s', (engine) => {
  test('a bot is given a token, uses it, loses it, and cannot sign in', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    const added = await wiki.coppice(['member', 'add', 'bot@example.org', '--name', 'Bird bot', '--bot']);
    expect([added.code, JSON.parse(added.out).bot]).toEqual([0, true]);
    const made = await wiki.coppice(
      ['token', 'add', 'bot@example.org', '--name', 'sync', '--scope', 'read', '--scope', 'write'].concat([
        '--expires',
        '2999-01-01',
      ]),
    );
    expect(made.err).toContain('acts as Bird bot');
    const { token, ...listed } = JSON.parse(made.out);
    expect(listed).toMatchObject({ id: 1, name: 'sync', scopes: ['read', 'write'], ancestor: null });

    const app = await startApp(wiki.env);
    expect((await app.call('GET', '/v1/members/me', { token })).json.name).toBe('Bird bot');
    await app.page(token, { title: 'Birds' });
    const limited = await wiki.coppice([
      'token',
      'add',
      'bot@example.org',
      '--name',
      'birds',
      '--scope',
      'write',
      '--ancestor',
      '/birds',
    ]);
    expect(JSON.parse(limited.out).ancestor).toBe('/birds');

    for (const refused of [
      ['member', 'link', 'bot@example.org', 'github'],
      ['member', 'reset', 'bot@example.org'],
    ]) {
      const { code, err } = await wiki.coppice(refused);
      expect([code, err]).toEqual([
        1,
        'Bird bot is a bot. It cannot sign in and acts only with API tokens.\n',
      ]);
    }
    const pass = await wiki.coppice(
      ['member', 'passphrase', 'bot@example.org', '--passphrase-stdin'],
      'a long passphrase\n',
    );
    expect(pass.code).toBe(1);

    const shown = await wiki.coppice(['token', 'list', 'bot@example.org']);
    expect(shown.out).toMatch(
      /^2 {2}birds {2}write {7}\/birds .*\n1 {2}sync {3}read,write {2}the whole wiki .*\n$/,
    );
    const json = await wiki.coppice(['token', 'list', 'bot@example.org', '--json']);
    expect(JSON.parse(json.out).map(({ id }: { id: number }) => id)).toEqual([2, 1]);
    expect(json.out).not.toContain('cop_');
    expect((await wiki.coppice(['token', 'revoke', 'bot@example.org', '1'])).code).toBe(0);
    expect((await app.call('GET', '/v1/members/me', { token })).status).toBe(401);
    expect((await wiki.coppice(['token', 'revoke', 'bot@example.org', '1'])).code).toBe(1);
    await app.close();
  });

  test('wrong calls are refused with a reason and make nothing', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    for (const [args, code, said] of [
      [['add', 'ada@example.org', '--name', 'x'], 2, '--scope is missing'],
      [['add', 'ada@example.org', '--scope', 'read'], 2, '--name NAME is missing'],
      [['add', 'ada@example.org', '--name', 'x', '--scope', 'all'], 1, 'at least one of the scopes'],
      [['add', 'ada@example.org', '--name', 'x', '--scope', 'read', '--expires', 'soon'], 2, 'is not a date'],
      [['add', 'nobody@example.org', '--name', 'x', '--scope', 'read'], 1, 'No member has the address'],
      [['revoke', 'ada@example.org', 'x'], 2, 'is not an ID'],
      [['make'], 2, 'is not one of'],
    ] as const) {
      const outcome = await wiki.coppice(['token', ...args]);
      expect([args, outcome.code, outcome.err]).toEqual([args, code, expect.stringContaining(said)]);
    }
    expect((await wiki.coppice(['token', 'list', 'ada@example.org'])).err).toBe(
      'This member has no API tokens.\n',
    );
  });
});
