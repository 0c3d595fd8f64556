/** Members from the command line. */
import { describe, expect, test } from 'vitest';
import { engines, passphrase, startWiki } from '../support/cli.ts';
import { effort } from '../support/effort.ts';
import { startApp } from '../support/http.ts';
import { claimsFor } from '../support/sessions.ts';

/** Member rows are tested on both engines by `test/store/members.test.ts`. */
describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  test('a member can be made before the first start, and can sign in', async () => {
    await using wiki = await startWiki(engine);
    const added = await wiki.coppice(
      ['member', 'add', 'ada@example.org', '--name', 'Ada Lovelace', '--admin', '--passphrase-stdin'],
      `${passphrase}\nanother line that is not read\n`,
    );
    expect(added).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(added.out)).toEqual({
      id: 1,
      email: 'ada@example.org',
      name: 'Ada Lovelace',
      role: 'administrator',
      admin: true,
      active: true,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const app = await startApp(wiki.env);
    const sent = { email: 'ADA@example.org', pass: passphrase };
    expect((await app.call('POST', '/v1/members/auth', { json: sent })).status).toBe(200);
    await app.close();
  });

  test('promoting, demoting, deactivating and activating print the new state of the member', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    await wiki.coppice(['member', 'add', 'bob@example.org', '--name', 'Bob', '--no-passphrase']);
    for (const [what, expected, ...more] of [
      ['role', { role: 'moderator', admin: false }, 'moderator'],
      ['promote', { role: 'administrator', admin: true, active: true }],
      ['demote', { role: 'writer', admin: false, active: true }],
      ['deactivate', { admin: false, active: false }],
      ['activate', { admin: false, active: true }],
    ] as const) {
      const { code, out } = await wiki.coppice(['member', what, 'bob@example.org', ...more]);
      expect(code, what).toBe(0);
      expect(JSON.parse(out)).toMatchObject(expected);
    }
    expect(await wiki.coppice(['member', 'role', 'bob@example.org', 'king'])).toMatchObject({ code: 2 });
    const member = (...args: string[]) => wiki.coppice(['member', ...args]);
    expect(await member('rename', 'bob@example.org', 'Ada Lovelace')).toMatchObject({ code: 1, out: '' });
    expect(JSON.parse((await member('rename', 'bob@example.org', ' Robert ')).out).name).toBe('Robert');
    await member('rename', 'bob@example.org', 'Bob');
    for (const taken of ['ada@example.org', 'nowhere'])
      expect(await member('address', 'bob@example.org', taken)).toMatchObject({ code: 1, out: '' });
    expect(JSON.parse((await member('address', 'bob@example.org', 'rob@example.org')).out).id).toBe(2);
    await member('address', 'rob@example.org', 'bob@example.org');
    expect(await member('sign-out', 'bob@example.org')).toMatchObject({
      out: 'Bob has been signed out everywhere.\n',
    });
    {
      await using open = await wiki.open();
      expect((await open.store.members.findById(2))?.epoch).toBeGreaterThan(0);
      const told = await open.store.audit.listBefore(undefined, 9, {
        kinds: ['address-changed', 'sessions-ended'],
      });
      expect(told.map(({ kind, via }) => [kind, via])).toEqual([
        ['sessions-ended', 'command line'],
        ['address-changed', 'command line'],
        ['address-changed', 'command line'],
      ]);
    }
    const until = '2100-01-01T00:00:00.000Z';
    const block = ['member', 'block', 'bob@example.org'];
    expect(await wiki.coppice(block)).toMatchObject({ code: 2 });
    expect(await wiki.coppice([...block, '--reason', 'Spam', '--until', 'soon'])).toMatchObject({ code: 1 });
    const made = await wiki.coppice([...block, '--reason', 'Spam', '--until', until]);
    expect(JSON.parse(made.out)).toEqual({
      id: 2,
      email: 'bob@example.org',
      name: 'Bob',
      reason: 'Spam',
      until,
    });
    expect((await wiki.coppice(['member', 'blocked'])).out).toBe(`bob@example.org  until ${until}  Spam\n`);
    expect((await wiki.coppice(['member', 'unblock', 'bob@example.org'])).code).toBe(0);
    expect((await wiki.coppice(['member', 'blocked', '--json'])).out).toBe('[]\n');
    const listed = await wiki.coppice(['member', 'list', '--json']);
    expect(JSON.parse(listed.out).map(({ email }: { email: string }) => email)).toEqual([
      'ada@example.org',
      'bob@example.org',
    ]);
    expect((await wiki.coppice(['member', 'list'])).out).toBe(
      '1  ada@example.org  Ada Lovelace  administrator\n2  bob@example.org  Bob           writer\n',
    );
  });

  test('everything that the wiki knows about a member can be printed', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    const { code, out } = await wiki.coppice(['member', 'export', 'ada@example.org']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      profile: { email: 'ada@example.org', isAdmin: true },
      audit: [{ kind: 'data-exported', via: 'command line' }, { kind: 'member-added' }],
    });
    expect((await wiki.coppice(['member', 'export', 'nobody@example.org'])).code).not.toBe(0);
  });

  test('a provider is linked with a handle that signs in until it is unlinked', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    const linked = await wiki.coppice(['member', 'link', 'ada@example.org', 'GitHub']);
    const handle = JSON.parse(linked.out);
    expect(handle).toEqual({ provider: 'github', id: expect.stringMatching(/^[\w-]{43}$/) });
    expect(linked.err).toContain('not shown again');
    const app = await startApp(wiki.env);
    expect((await app.call('POST', '/v1/members/auth', { json: handle })).status).toBe(200);
    expect(JSON.parse((await wiki.coppice(['member', 'unlink', 'ada@example.org', 'github'])).out)).toEqual({
      revoked: 1,
    });
    expect((await app.call('POST', '/v1/members/auth', { json: handle })).status).toBe(401);
    await app.close();
  });

  test('an invitation makes one member, and the first member is an administrator', async () => {
    await using wiki = await startWiki(engine);
    expect(await wiki.coppice(['member', 'invite'])).toMatchObject({ code: 1, out: '' });
    const first = await wiki.coppice(['member', 'invite', '--admin']);
    const app = await startApp(wiki.env);
    const accept = (link: string, email: string) =>
      app.call('POST', '/v1/invitations/accept', {
        json: { token: link.trim().split('/').at(-1), email, name: email.split('@')[0], pass: passphrase },
      });
    expect(first.out).toMatch(/^http:\/\/localhost:8080\/setup\/[\w-]{43}\n$/);
    expect((await accept(first.out, 'ada@example.org')).status).toBe(200);
    const second = await wiki.coppice(['member', 'invite']);
    expect((await wiki.coppice(['member', 'invite', '--role', 'owner'])).code).toBe(2);
    expect(second.out).toMatch(/\/invite\/[\w-]{43}\n$/);
    expect((await accept(second.out, 'bob@example.org')).status).toBe(200);
    expect((await accept(second.out, 'eve@example.org')).status).toBe(400);
    await app.close();
    const members = JSON.parse((await wiki.coppice(['member', 'list', '--json'])).out);
    expect(members.map(({ email, admin }: { email: string; admin: boolean }) => [email, admin])).toEqual([
      ['ada@example.org', true],
      ['bob@example.org', false],
    ]);
  });

  test('credentials, sessions and watches of a member are listed and removed', async () => {
    await using wiki = await startWiki(engine);
    const { id, email } = await wiki.administrator();
    const json = async (...args: string[]) => JSON.parse((await wiki.coppice(args)).out);
    {
      await using open = await wiki.open();
      const passkey = { memberId: id, publicKey: 'AA', counter: 0, isSynced: false, createdAt: 5 };
      await open.store.passkeys.insert({ ...passkey, name: 'Phone', credentialId: 'abc' });
      const account = { provider: 'github', account: 'ada', linkedAt: 5, memberId: id };
      await open.store.identities.insert({ ...account, issuer: 'https://github.com', subject: '7' });
      await claimsFor(open.store, id);
    }
    const factors = await json('member', 'factors', email);
    const passkey = { id: expect.any(Number), name: 'Phone', createdAt: '1970-01-01T00:00:00.005Z' };
    expect(factors).toEqual({
      ...{ secondFactor: false, recoveryCodesLeft: 0 },
      passkeys: [{ ...passkey, lastUsedAt: null }],
    });
    expect(await json('member', 'accounts', email)).toMatchObject([{ provider: 'github', subject: '7' }]);
    const [session] = await json('member', 'sessions', email);
    expect(session).toMatchObject({ method: 'passphrase', userAgent: 'test' });
    const removals = [
      ['remove-passkey', email, String(factors.passkeys[0].id)],
      ['remove-account', email, 'https://github.com', '7'],
      ['end-session', email, session.id],
    ];
    for (const removal of removals) {
      expect(await wiki.coppice(['member', ...removal])).toMatchObject({ code: 0, err: '' });
      expect(await wiki.coppice(['member', ...removal])).toMatchObject({ code: 1, out: '' });
    }
    const gone = await wiki.coppice(['member', 'end-session', email, '-begins-with-a-hyphen']);
    expect(gone).toMatchObject({ code: 1, out: '' });
    for (const what of ['accounts', 'sessions']) expect(await json('member', what, email)).toEqual([]);

    const watch = (...args: string[]) => wiki.coppice(['watch', ...args]);
    const added = await json('watch', 'add', email, '--ancestor', '/', '--mail', 'daily');
    expect(added).toMatchObject({ kind: 'subtree', page: '/', target: null, mail: 'daily' });
    expect((await watch('add', email, '--tag', 'kind:oak', '--mail', 'hourly')).code).toBe(2);
    expect((await watch('add', email, '--page', '/missing')).code).toBe(1);
    await json('watch', 'add', email, '--tag', 'kind:oak');
    expect((await json('watch', 'list', email)).map(({ target }: { target: string }) => target)).toEqual([
      'kind:oak',
      null,
    ]);
    expect((await watch('remove', email, String(added.id))).code).toBe(0);
    expect((await watch('remove', email, String(added.id))).code).toBe(1);
    expect(await json('watch', 'notifications', email, '--unread')).toEqual([]);
    expect((await watch('read', email)).out).toContain('as read');
  });

  test('a reset link replaces a passphrase, and can be revoked', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    const reset = (...more: string[]) => wiki.coppice(['member', 'reset', 'ada@example.org', ...more]);
    const [revoked, made] = [
      (await reset()).out,
      (await reset('--revoke')).code === 0 && (await reset()).out,
    ];
    expect(made).toMatch(/^http:\/\/localhost:8080\/login\/reset\/[\w-]{43}\n$/);
    const app = await startApp(wiki.env);
    const use = async (link: string | false) => {
      const token = String(link).trim().split('/').at(-1);
      const json = { token, pass: 'a whole new passphrase' };
      return (await app.call('POST', '/v1/members/reset', { json })).status;
    };
    expect([await use(revoked), await use(made), await use(made)]).toEqual([400, 200, 400]);
    await app.close();
    expect(await reset('--revoke')).toMatchObject({ code: 1, out: '' });
  });

  test('invitations made on the command line are listed, revoked and independent of their maker', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    const kept = await wiki.coppice(['member', 'invite', '--admin']);
    const revoked = await wiki.coppice(['member', 'invite', '--role', 'moderator']);
    const listed = await wiki.coppice(['member', 'invitations', '--json']);
    const [second, first] = JSON.parse(listed.out);
    expect([second, first]).toMatchObject([
      { role: 'moderator', admin: false, invitedBy: null },
      { role: 'administrator', admin: true, invitedBy: null },
    ]);
    for (const link of [kept.out, revoked.out])
      expect(listed.out).not.toContain(link.trim().split('/').at(-1));
    expect((await wiki.coppice(['member', 'invitations'])).out).toMatch(
      /^\d+ {2}moderator {6}by the command line {2}until \S+Z\n\d+ {2}administrator {2}by the command line/,
    );
    expect(JSON.parse((await wiki.coppice(['member', 'uninvite', String(second.id)])).out)).toEqual({
      revoked: second.id,
    });
    expect(await wiki.coppice(['member', 'uninvite', String(second.id)])).toMatchObject({ code: 1, out: '' });
    // Signs the existing administrator out everywhere.
    await wiki.coppice(
      ['member', 'passphrase', 'ada@example.org', '--passphrase-stdin'],
      'a whole new passphrase',
    );
    const app = await startApp(wiki.env);
    const accept = async (link: string, name: string) =>
      (
        await app.call('POST', '/v1/invitations/accept', {
          json: {
            token: link.trim().split('/').at(-1),
            email: `${name}@example.org`,
            name,
            pass: passphrase,
          },
        })
      ).status;
    expect(await accept(revoked.out, 'eve')).toBe(400);
    expect(await accept(kept.out, 'bob')).toBe(200);
    await app.close();
    expect((await wiki.coppice(['member', 'invitations'])).err).toContain('There are no open invitations');
  });

  test('a new passphrase replaces the old one', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    const changed = await wiki.coppice(
      ['member', 'passphrase', 'ada@example.org', '--passphrase-stdin'],
      'a whole new passphrase\r\n',
    );
    expect(changed.code).toBe(0);
    const app = await startApp(wiki.env);
    const status = async (pass: string) =>
      (await app.call('POST', '/v1/members/auth', { json: { email: 'ada@example.org', pass } })).status;
    expect(await status(passphrase)).toBe(401);
    expect(await status('a whole new passphrase')).toBe(200);
    await app.close();
  });
});

test.each(engines)('deactivating a member signs them out of a running wiki on %s at once', async (engine) => {
  await using wiki = await startWiki(engine);
  await wiki.administrator();
  await wiki.coppice(['member', 'add', 'bob@example.org', '--name', 'Bob', '--passphrase-stdin'], passphrase);
  const app = await startApp(wiki.env);
  const signedIn = await app.call('POST', '/v1/members/auth', {
    json: { email: 'bob@example.org', pass: passphrase },
  });
  const token = signedIn.text;
  expect((await app.call('GET', '/v1/members/me', { token })).status).toBe(200);
  await wiki.coppice(['member', 'deactivate', 'bob@example.org']);
  expect((await app.call('GET', '/v1/members/me', { token })).status).toBe(401);
  await app.close();
});

test('refusals give a reason, change nothing and end with 1', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  for (const [args, stdin, sentence] of [
    [['add', 'not an address', '--name', 'X', '--no-passphrase'], '', 'e-mail address'],
    [['add', 'x@example.org', '--name', ' ', '--no-passphrase'], '', 'name'],
    [['add', 'x@example.org', '--name', 'X', '--passphrase-stdin'], 'short\n', '12 characters'],
    [['add', 'ADA@example.org', '--name', 'X', '--no-passphrase'], '', 'address'],
    [['add', 'x@example.org', '--name', 'Аdа Lovelace', '--no-passphrase'], '', 'similar-looking'],
    [['add', 'x@example.org', '--name', 'X', '--passphrase-stdin'], 'password1234\n', 'most common'],
    [['promote', 'nobody@example.org'], '', 'nobody@example.org'],
    [['demote', 'ada@example.org'], '', 'last active administrator'],
    [['deactivate', 'ada@example.org'], '', 'last active administrator'],
    [['link', 'ada@example.org', 'a provider!'], '', 'provider'],
    [['passphrase', 'ada@example.org', '--passphrase-stdin'], 'short\n', '12 characters'],
  ] as const) {
    const { code, out, err } = await wiki.coppice(['member', ...args], stdin);
    expect({ args, code, out }).toEqual({ args, code: 1, out: '' });
    expect(err).toContain(sentence);
    expect(err).toMatch(/^[^\n]+\n$/);
  }
  expect(JSON.parse((await wiki.coppice(['member', 'list', '--json'])).out)).toHaveLength(1);
  const lookalike = [
    'member',
    'add',
    'x@example.org',
    '--name',
    'Аdа Lovelace',
    '--no-passphrase',
    '--allow-lookalike',
  ];
  expect((await wiki.coppice(lookalike)).code).toBe(0);
});

test('wrong calls say what is missing, point to the help and end with 2', async () => {
  await using wiki = await startWiki();
  for (const [args, sentence] of [
    [[], 'Say what to do'],
    [['remove', 'x@example.org'], '“remove” is not one of'],
    [['add'], 'EMAIL is missing'],
    [['add', 'x@example.org'], '--name NAME is missing'],
    [['add', 'x@example.org', 'y@example.org', '--name', 'X'], 'one argument too many'],
    [['add', 'x@example.org', '--name', 'X', '--administrator'], "Unknown option '--administrator'"],
    [['add', 'x@example.org', '--name', 'X', '--no-passphrase', '--passphrase-stdin'], 'exclude each other'],
    // There is no terminal to prompt on and no piped input.
    [['add', 'x@example.org', '--name', 'X'], '--passphrase-stdin'],
    [['add', 'x@example.org', '--name', 'X', '--passphrase-stdin'], 'must be the passphrase'],
    [['link', 'x@example.org'], 'PROVIDER is missing'],
    [['uninvite'], 'ID is missing'],
    [['uninvite', 'x'], 'is not an ID'],
  ] as const) {
    const { code, out, err } = await wiki.coppice(['member', ...args]);
    expect({ args, code, out }).toEqual({ args, code: 2, out: '' });
    expect(err).toContain(sentence);
    expect(err).toContain('See: coppice member --help');
  }
});

test('no output contains a hash', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const printed = await Promise.all([
    wiki.coppice(['member', 'list', '--json']),
    wiki.coppice(['member', 'promote', 'ada@example.org']),
    wiki.coppice(['member', 'passphrase', 'ada@example.org', '--passphrase-stdin'], 'a whole new passphrase'),
  ]);
  for (const { out } of printed) expect(out).not.toMatch(/argon2|hash|epoch/i);
});
