/** The second factor by the API and the site: enabled, required, not reusable, disabled, reset. */
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addMember, setPassphrase } from '#core/members/manage-members.ts';
import type { SignInMethod } from '#core/ports/credentials.ts';
import { makeResetLink } from '#core/sign-in/reset-passphrase.ts';
import { runCommand, startWiki } from '../support/cli.ts';
import { engines } from '../support/http.ts';
import { claimsFor } from '../support/sessions.ts';
import { attribute, elementsOf, startSite, type TestSite } from '../support/web.ts';

const pass = 'correct horse battery staple';
const url = '/v1/members/me/second-factor';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestSite;
  let now = Date.UTC(2026, 0, 1);
  let made = 0;
  let attempts = 0;
  beforeAll(async () => {
    wiki = await startSite(
      { COPPICE_RATE_LIMIT: 'on', COPPICE_TRUST_PROXY: '1', COPPICE_URL: 'http://wiki.test' },
      { engine, clock: () => now },
    );
  });
  afterAll(() => wiki.close());

  const recent = async (id: number) => {
    const { store, tokens } = wiki.app.service;
    return tokens.issue({ ...(await claimsFor(store, id, { now })), signedInAt: now });
  };
  /** Member with an active second factor; `code` returns the app's code at a given time. */
  const withFactor = async (isAdmin = false) => {
    const { id, email } = await wiki.member(`Ada ${++made}`, { isAdmin });
    const { store, passphrases } = wiki.app.service;
    await setPassphrase({ store, passphrases, now }, email, pass);
    const token = await recent(id);
    const begun = await wiki.call('POST', url, { token });
    expect(begun.status, begun.text).toBe(200);
    const totp = new TOTP({ secret: Secret.fromBase32(begun.json.secret) });
    const code = (at = now) => totp.generate({ timestamp: at });
    const wrong = await wiki.call('POST', `${url}/confirm`, { token, json: { code: '12345' } });
    expect([wrong.status, wrong.json.errors[0].pointer]).toEqual([400, '/code']);
    const confirmed = await wiki.call('POST', `${url}/confirm`, { token, json: { code: code() } });
    expect(confirmed.status, confirmed.text).toBe(200);
    now += 30_000;
    return { id, email, token, code, recoveryCodes: confirmed.json.recoveryCodes as string[] };
  };
  const signIn = async (email: string, code?: string, passphrase = pass) => {
    const json = { email, pass: passphrase, ...(code === undefined ? {} : { code }) };
    // Each attempt from an address of its own, because one address has limits of its own.
    const headers = { 'x-forwarded-for': `198.51.${Math.floor(++attempts / 250)}.${attempts % 250}` };
    const { status, json: problem } = await wiki.call('POST', '/v1/members/auth', { json, headers });
    return status === 200 ? 'in' : problem.type.replace('/v1/docs#problem-', '');
  };

  test('the passphrase without a code gets its own problem, and a code works once', async () => {
    const { email, token, code } = await withFactor();
    expect(await signIn(email)).toBe('second-factor-required');
    expect(await signIn(email, ' ')).toBe('second-factor-required');
    // A wrong passphrase does not reveal that a second factor exists.
    expect(await signIn(email, undefined, 'wrong, and long enough')).toBe('bad-credentials');
    expect(await signIn(email, code(now + 120_000))).toBe('bad-credentials');
    const current = code();
    const both = await Promise.all([signIn(email, current), signIn(email, current)]);
    expect(both.sort()).toEqual(['bad-credentials', 'in']);
    // Codes of earlier time steps are refused, too.
    expect(await signIn(email, code(now - 30_000))).toBe('bad-credentials');
    now += 30_000;
    expect(await signIn(email, `${code().slice(0, 3)} ${code().slice(3)}`)).toBe('in');
    expect((await wiki.call('GET', url, { token })).json).toEqual({ isOn: true, recoveryCodesLeft: 10 });
  });

  test('each recovery code works once, and new codes replace old ones', async () => {
    const { email, token, recoveryCodes } = await withFactor();
    const [first = '', second = ''] = recoveryCodes;
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(await signIn(email, first.toUpperCase())).toBe('in');
    expect(await signIn(email, first)).toBe('bad-credentials');
    expect((await wiki.call('GET', url, { token })).json.recoveryCodesLeft).toBe(9);
    const renewed = await wiki.call('POST', `${url}/recovery-codes`, { token });
    expect(renewed.json.recoveryCodes).toHaveLength(10);
    expect(await signIn(email, second)).toBe('bad-credentials');
    expect(await signIn(email, renewed.json.recoveryCodes[0])).toBe('in');
  });

  /** Sends wrong codes until the account has to wait; returns how many. */
  const guessUntilLimited = async (guess: () => Promise<string>) => {
    for (let wrong = 0; ; wrong++) {
      const answer = await guess();
      if (answer === 'too-many-requests') return wrong;
      expect(answer).toBe('bad-credentials');
    }
  };

  test('the wait after wrong codes for an account doubles each time, whatever address they come from', async () => {
    const { email, code } = await withFactor();
    const guess = (sent = '000000') => signIn(email, sent);
    expect(await guessUntilLimited(guess)).toBe(5);
    expect(await guess(code())).toBe('too-many-requests');
    for (let wait = 1; wait <= 64; wait *= 2) {
      now += wait * 60_000 - 1;
      expect(await guess(code())).toBe('too-many-requests');
      now += 1;
      expect(await guess()).toBe('bad-credentials');
      expect(await guess()).toBe('too-many-requests');
    }
    now += 128 * 60_000;
    expect(await guess(code())).toBe('in');
    // A right code does not give guessers new attempts.
    expect(await guess()).toBe('bad-credentials');
    expect(await guess(code(now + 30_000))).toBe('too-many-requests');
  });

  test('concurrent wrong codes are counted individually', async () => {
    const { email } = await withFactor();
    const answers = await Promise.all(Array.from({ length: 9 }, () => signIn(email, '000000')));
    expect(answers.filter((answer) => answer === 'bad-credentials')).toHaveLength(5);
  });

  test('guessers cannot lock out a browser that gave a code before, nor recovery codes', async () => {
    const { email, code, recoveryCodes } = await withFactor();
    const [first = '', second = ''] = recoveryCodes;
    const known = wiki.visitor();
    const login = async (visitor: typeof known, sent: string) => {
      const asked = await visitor.post('/login', { email, pass });
      const found = elementsOf(asked.text).find((one) => attribute(one, 'name') === 'ticket');
      const ticket = (found && attribute(found, 'value')) ?? '';
      return (await visitor.post('/login', { ticket, code: sent })).status;
    };
    expect(await login(known, code())).toBe(303);
    now += 60_000;
    await guessUntilLimited(() => signIn(email, '000000'));
    expect(await login(wiki.visitor(), code())).toBe(429);
    expect(await login(known, code())).toBe(303);
    expect(await signIn(email, first)).toBe('in');
    // The browser is known from its recovery code on.
    const found = wiki.visitor();
    expect(await login(found, second)).toBe(303);
    now += 60_000;
    expect(await login(found, code())).toBe(303);
    // Browsers have limits of their own.
    for (let wrong = 0; wrong < 5; wrong++) expect(await login(found, '000000')).toBe(401);
    now += 30_000;
    expect(await login(found, code())).toBe(429);
    expect(await login(known, code())).toBe(303);
  });

  test('a browser that signed in before the second factor existed is not trusted', async () => {
    const { id, email } = await wiki.member(`Ada ${++made}`);
    const { store, passphrases } = wiki.app.service;
    await setPassphrase({ store, passphrases, now }, email, pass);
    const thief = wiki.visitor();
    expect((await thief.post('/login', { email, pass })).status).toBe(303);
    const token = await recent(id);
    const begun = await wiki.call('POST', url, { token });
    const totp = new TOTP({ secret: Secret.fromBase32(begun.json.secret) });
    const code = totp.generate({ timestamp: now });
    expect((await wiki.call('POST', `${url}/confirm`, { token, json: { code } })).status).toBe(200);
    await guessUntilLimited(() => signIn(email, '000000'));
    const later = totp.generate({ timestamp: now + 30_000 });
    const asked = await thief.post('/login', { email, pass });
    const found = elementsOf(asked.text).find((one) => attribute(one, 'name') === 'ticket');
    const ticket = (found && attribute(found, 'value')) ?? '';
    expect((await thief.post('/login', { ticket, code: later })).status).toBe(429);
  });

  test('choosing a new passphrase when signed in resets the count of wrong codes; a mailed link does not', async () => {
    const { id, email, code } = await withFactor();
    await guessUntilLimited(() => signIn(email, '000000'));
    const { store, secrets } = wiki.app.service;
    const { token } = await makeResetLink({ store, secrets, by: 'command line', now }, id);
    const newPass = 'nine owls share one barn';
    await wiki.call('POST', '/v1/members/reset', { json: { token, pass: newPass } });
    expect(await signIn(email, code(), newPass)).toBe('too-many-requests');
    const json = { current: newPass, pass };
    expect(
      (await wiki.call('POST', '/v1/members/me/passphrase', { token: await recent(id), json })).status,
    ).toBe(204);
    expect(await signIn(email, code())).toBe('in');
  });

  test('a new passphrase by a reset link does not bypass it', async () => {
    const { id, email, code } = await withFactor();
    const { store, secrets } = wiki.app.service;
    const { token } = await makeResetLink({ store, secrets, by: 'command line', now }, id);
    const newPass = 'nine owls share one barn';
    expect((await wiki.call('POST', '/v1/members/reset', { json: { token, pass: newPass } })).status).toBe(
      200,
    );
    expect(await signIn(email, undefined, newPass)).toBe('second-factor-required');
    expect(await signIn(email, code(), newPass)).toBe('in');
  });

  test('only a recent sign-in may turn the second factor on or off, and administrators reset it for others', async () => {
    const ada = await withFactor();
    const max = await wiki.member(`Max ${made}`);
    const root = await withFactor(true);
    const begin = (token: string) => wiki.call('POST', url, { token });
    expect((await begin(max.token)).status).toBe(401);
    expect((await begin(await recent(ada.id))).status).toBe(400);
    const reset = (token: string, id = ada.id) =>
      wiki.call('DELETE', `/v1/members/${id}/second-factor`, { token });
    expect((await reset(await recent(max.id))).status).toBe(403);
    expect((await reset(await recent(root.id), max.id)).status).toBe(404);
    expect((await reset(await recent(root.id))).status).toBe(204);
    expect(await signIn(ada.email)).toBe('in');
    expect((await wiki.call('DELETE', url, { token: await recent(root.id) })).status).toBe(204);
    expect(await signIn(root.email)).toBe('in');
  });

  test('on the site the code is asked for after the passphrase, which is not entered again', async () => {
    const { id, email, code } = await withFactor();
    const ada = wiki.visitor();
    const asked = await ada.post('/login', { email, pass, next: '/tree' });
    expect(asked.status).toBe(401);
    expect(asked.text).toContain('One more step');
    expect(asked.text).not.toContain(pass);
    const found = elementsOf(asked.text).find((one) => attribute(one, 'name') === 'ticket');
    const ticket = (found && attribute(found, 'value')) ?? '';
    const send = (code: string, other = ticket) => ada.post('/login', { ticket: other, code, next: '/tree' });
    expect((await send('111111')).text).toContain('This code is wrong');
    expect((await send(code(), `${ticket.slice(0, -4)}aaaa`)).status).toBe(401);
    const { store, passphrases } = wiki.app.service;
    await setPassphrase({ store, passphrases, now }, email, pass);
    // The passphrase has changed, so the ticket is invalid.
    expect((await send(code())).status).toBe(401);
    const again = await ada.post('/login', { email, pass });
    const next = elementsOf(again.text).find((one) => attribute(one, 'name') === 'ticket');
    now += 30_000;
    const done = await send(code(), (next && attribute(next, 'value')) ?? '');
    expect(done).toMatchObject({ status: 303, location: '/tree' });
    expect((await ada.get('/account')).text).toContain('also requires a code');

    const root = await wiki.signedIn(`Root ${id}`, { isAdmin: true });
    expect((await root.get('/members')).text).toContain('Reset second factor and passkeys');
  });

  test('on the site a pending code step cannot be used for the account of somebody else', async () => {
    const { email, code } = await withFactor();
    const victim = await wiki.member(`Vic ${++made}`, { isAdmin: true });
    const ticketIn = (text: string) => {
      const found = elementsOf(text).find((one) => attribute(one, 'name') === 'ticket');
      return (found && attribute(found, 'value')) ?? '';
    };
    const thief = wiki.visitor();
    const own = ticketIn((await thief.post('/login', { email, pass })).text);
    for (const given of ['', ' ']) {
      const again = await thief.post('/login', { ticket: own, code: given, email: victim.email });
      expect(again.status).toBe(401);
      const ticket = ticketIn(again.text);
      expect((await thief.post('/login', { ticket, code: '123456' })).status).toBe(401);
      expect((await thief.get('/members')).status).not.toBe(200);
    }
    // A ticket for an account without a second factor is worth nothing, wherever it comes from.
    const { store, signInTickets } = wiki.app.service;
    const { id, epoch } = (await store.members.findByEmail(victim.email)) ?? { id: 0, epoch: 0 };
    const fields = { email: victim.email, sub: String(id), epoch: String(epoch) };
    const forged = await signInTickets.seal(fields, now);
    expect((await thief.post('/login', { ticket: forged, code: '123456' })).status).toBe(401);
    expect((await thief.post('/login', { ticket: own, code: code() })).status).toBe(303);
  });

  test('on the site an app is added by QR code and key, and removed', async () => {
    const { email } = await wiki.member(`Eve ${++made}`);
    await setPassphrase(
      { store: wiki.app.service.store, passphrases: wiki.app.service.passphrases, now },
      email,
      pass,
    );
    const eve = wiki.visitor();
    await eve.post('/login', { email, pass });
    const begun = await eve.post('/account/second-factor', { what: 'begin' });
    const secret = /class="key">([^<]*)</.exec(begun.text)?.[1]?.replaceAll(' ', '') ?? '';
    expect(begun.text).toContain('<svg');
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const refused = await eve.post('/account/second-factor', { what: 'confirm', code: '1' });
    expect([refused.status, refused.text.includes('<svg')]).toEqual([400, true]);
    const on = await eve.post('/account/second-factor', {
      what: 'confirm',
      code: totp.generate({ timestamp: now }),
    });
    expect(on.text.match(/<li><code>/g)).toHaveLength(10);
    expect((await eve.get('/account/second-factor')).text).not.toContain('<li><code>');
    await eve.post('/account/second-factor', { what: 'end' });
    expect(await signIn(email)).toBe('in');
  });
});

test('the command line removes second factor and passkeys, and says if there are none', async () => {
  await using wiki = await startWiki();
  const { id, email } = await wiki.administrator();
  {
    await using open = await wiki.open();
    await open.store.secondFactors.begin(id, 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', 1);
    await open.store.secondFactors.confirm(id, 1);
  }
  expect(await wiki.coppice(['member', 'reset-factor', email])).toMatchObject({ code: 0, err: '' });
  const again = await wiki.coppice(['member', 'reset-factor', email]);
  expect([again.code, again.err]).toEqual([
    1,
    expect.stringContaining('neither a second factor nor a passkey'),
  ]);
});

test.each(engines)(
  'on %s a wiki can require it of administrators, who have a writer’s rights until they add one',
  async (engine) => {
    const now = Date.now();
    const wiki = await startSite(
      { COPPICE_REQUIRE_SECOND_FACTOR: 'administrators', COPPICE_SIGN_UP: 'approval' },
      { engine, clock: () => now },
    );
    const { id, token: session, email } = await wiki.member('Root', { isAdmin: true });
    const bob = await wiki.member('Bob');
    await wiki.page(bob.token, { title: 'Diary', permissions: 700, body: 'private' });
    const { store, passphrases, sessions, tokens, apiTokenSecrets } = wiki.app.service;
    await setPassphrase({ store, passphrases, now }, email, pass);
    const begin = async (by: SignInMethod, isBrowser = false) => {
      const member = await store.members.findById(id);
      if (!member) throw new Error('There is no Root.');
      const claims = await sessions.begin(member, by, { userAgent: '', isBrowser }, { now, signedInAt: now });
      return tokens.issue(claims);
    };
    const apiToken = async (memberId: number) => {
      const { secret, hash } = apiTokenSecrets.make();
      await store.apiTokens.insert({
        ...{ memberId, name: 'Ops', scopes: ['read', 'write', 'members', 'admin'], ancestorId: null },
        ...{ createdAt: now, expiresAt: null, hash },
      });
      return secret;
    };
    expect((await wiki.call('GET', '/v1/members/me', { token: session })).status).toBe(401);
    const token = await begin({ method: 'passphrase' });
    const program = await apiToken(id);
    const powers = async (token: string) => {
      const answers = await Promise.all([
        wiki.call('GET', '/v1/audit', { token }),
        wiki.call('GET', '/v1/sign-ups', { token }),
        wiki.call('POST', '/v1/invitations', { token, json: {} }),
        wiki.call('POST', `/v1/members/${bob.id}/block`, { token, json: { reason: 'x' } }),
        wiki.call('DELETE', '/v1/trash/99', { token }),
      ]);
      for (const { status, json } of answers)
        if (status === 403) expect(json.detail).toContain('/account/second-factor');
      await wiki.call('DELETE', `/v1/members/${bob.id}/block`, { token });
      const read = await wiki.call('GET', '/v1/pages/diary', { token });
      return [...answers, read].map(({ status }) => status);
    };
    const [none, all] = [
      [403, 403, 403, 403, 403, 404],
      [200, 200, 200, 200, 404, 200],
    ];
    expect([await powers(token), await powers(program)]).toEqual([none, none]);
    const me = (token: string) => wiki.call('GET', '/v1/members/me', { token });
    expect((await me(token)).json).toMatchObject({ isAdmin: false, role: 'writer', needsSecondFactor: true });
    // Members without administrator rights get the usual message.
    expect((await wiki.call('GET', '/v1/audit', { token: bob.token })).json.detail).not.toContain('second');
    const bot = await addMember(
      store,
      passphrases,
      { email: 'bot@example.org', name: 'Bot', passphrase: null, isAdmin: true, isBot: true },
      now,
    );
    expect(await powers(await apiToken(bot.id))).toEqual(all);

    const browser = wiki.visitor();
    const arrived = await browser.post('/login', { email, pass, next: '/diary' });
    expect(arrived.location).toBe('/account/second-factor');
    expect((await browser.get('/account')).text).toContain('requires administrators to have a second factor');
    expect((await browser.get('/members')).status).toBe(403);

    // A passkey is a second factor for its own sessions and API tokens, not for passphrase sessions.
    const credentialId = 'a passkey';
    await store.passkeys.insert({
      ...{
        memberId: id,
        name: 'Key',
        credentialId,
        publicKey: '',
        counter: 0,
        isSynced: false,
        createdAt: now,
      },
    });
    const byPasskey = await begin({ method: 'passkey', credentialId });
    expect([await powers(token), await powers(byPasskey), await powers(program)]).toEqual([none, all, all]);
    const [passkey] = await store.passkeys.listOf(id);
    await store.passkeys.remove(id, passkey?.id ?? 0);
    expect(await powers(program)).toEqual(none);

    const begun = await wiki.call('POST', url, { token });
    const code = new TOTP({ secret: Secret.fromBase32(begun.json.secret) }).generate({ timestamp: now });
    expect(await powers(token)).toEqual(none);
    expect((await wiki.call('POST', `${url}/confirm`, { token, json: { code } })).status).toBe(200);
    expect([await powers(token), await powers(program)]).toEqual([all, all]);
    expect((await me(token)).json).toEqual({
      id,
      name: 'Root',
      isAdmin: true,
      role: 'administrator',
      blocked: null,
    });
    expect((await browser.get('/members')).status).toBe(200);
    expect((await browser.get('/account')).text).not.toContain('requires a second factor');
    expect((await wiki.call('DELETE', url, { token })).status).toBe(204);
    expect([await powers(token), await powers(program)]).toEqual([none, none]);
    // The command line works without a second factor.
    const env = {
      COPPICE_DATA: wiki.folder,
      ...(wiki.databaseUrl ? { DATABASE_URL: wiki.databaseUrl } : {}),
    };
    expect(await runCommand(['member', 'role', bob.email, 'administrator'], env)).toMatchObject({ code: 0 });
    await wiki.close();
  },
);
