/** Signing in, staying signed in, being shut out; invitations; rate limits. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inviteMember, maxInvitations } from '#core/joining/invite-member.ts';
import { changeMember, linkProvider, setPassphrase, unlinkProvider } from '#core/members/manage-members.ts';
import { makeResetLink } from '#core/sign-in/reset-passphrase.ts';
import { rates } from '#http/limits.ts';
import { failureRates } from '#http/sign-in-limits.ts';
import { engines, startApp, type TestApp } from '../support/http.ts';
import { claimsFor, tokenFor } from '../support/sessions.ts';

const pass = 'correct horse battery staple';
describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  let now = Date.UTC(2026, 0, 1);
  let root: { id: number; token: string; email: string };
  let ada: typeof root;

  beforeAll(async () => {
    wiki = await startApp({}, { engine, clock: () => now });
    root = await wiki.member('Root', { isAdmin: true });
    ada = await wiki.member('Ada');
    const { store, passphrases } = wiki.app.service;
    await setPassphrase({ store, passphrases, now: Date.now() }, ada.email, pass);
  });
  // Tokens expire as the clock advances, so each test gets new ones.
  beforeEach(async () => {
    const { store, tokens } = wiki.app.service;
    for (const one of [root, ada]) {
      one.token = await tokenFor({ store, tokens }, one.id, { now });
    }
  });
  afterAll(() => wiki.close());

  const auth = (json: unknown) => wiki.call('POST', '/v1/members/auth', { json });
  const me = (token: string) => wiki.call('GET', '/v1/members/me', { token });
  const invite = (json: unknown = {}, token = root.token) =>
    wiki.call('POST', '/v1/invitations', { token, json });
  const open = async () => (await wiki.call('GET', '/v1/invitations', { token: root.token })).json;
  const accept = (json: unknown) => wiki.call('POST', '/v1/invitations/accept', { json });

  describe('authenticate', () => {
    test('e-mail and passphrase return a token as plain text, in JSON and as a form, whatever the case of the address', async () => {
      for (const options of [
        { json: { email: ada.email, pass } },
        { form: { email: ` ${ada.email.toUpperCase()} `, pass } },
      ]) {
        const answer = await wiki.call('POST', '/v1/members/auth', options);
        expect(answer.status).toBe(200);
        expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
        expect(answer.headers['cache-control']).toBe('no-store');
        expect(answer.text).toMatch(/^[\w-]+\.[\w-]*\.[\w-]+\.[\w-]+\.[\w-]+$/);
        expect((await me(answer.text)).json).toMatchObject({ id: ada.id, name: 'Ada', isAdmin: false });
      }
    });

    test('a token is opaque and lives for 15 minutes', async () => {
      const { text: token } = await auth({ email: ada.email, pass });
      expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('Ada');
      now += 14 * 60_000 + 59_000;
      expect((await me(token)).status).toBe(200);
      now += 2000;
      const late = await me(token);
      expect([late.status, late.headers['www-authenticate']]).toEqual([401, 'Bearer error="invalid_token"']);
    });

    test('reauth returns a new token for a valid one, and refuses an expired one', async () => {
      const { text: token } = await auth({ email: ada.email, pass });
      now += 10 * 60_000;
      const renewed = await wiki.call('POST', '/v1/members/reauth', { token });
      expect([renewed.status, renewed.headers['content-type'], renewed.headers['cache-control']]).toEqual([
        200,
        'text/plain; charset=utf-8',
        'no-store',
      ]);
      now += 10 * 60_000;
      expect((await me(token)).status).toBe(401);
      expect((await me(renewed.text)).status).toBe(200);
      expect((await wiki.call('POST', '/v1/members/reauth', { token })).status).toBe(401);
      expect((await wiki.call('POST', '/v1/members/reauth')).status).toBe(401);
    });

    test('every kind of wrong credentials gets the same response', async () => {
      const answers = [
        await auth({ email: ada.email, pass: 'wrong passphrase' }),
        await auth({ email: 'nobody@example.org', pass }),
        await auth({ email: root.email, pass }),
        await auth({ email: 'nonsense', pass: '' }),
        await auth({ provider: 'github', id: '12345' }),
        await auth({ provider: 'github', id: String(ada.id) }),
        await auth({ provider: '', id: '' }),
      ];
      for (const { status, text, headers } of answers) {
        expect([status, text, headers['www-authenticate']]).toEqual([401, answers[0]?.text, 'Bearer']);
      }
    });

    test('incomplete credentials are 401, a field of the wrong type 400', async () => {
      for (const json of [
        {},
        { email: ada.email },
        { pass },
        { provider: 'github' },
        { id: 'x' },
        { email: ada.email, id: 'x' },
      ]) {
        expect((await auth(json)).status, JSON.stringify(json)).toBe(401);
      }
      for (const json of [
        { email: 5, pass },
        { email: ada.email, pass: ['x'] },
        { provider: {}, id: 'x' },
      ]) {
        const answer = await auth(json);
        expect(answer.status, JSON.stringify(json)).toBe(400);
        expect(answer.json.errors).toHaveLength(1);
      }
    });

    test('the secret handle of a stored OAuth token signs in until it is revoked; a public user ID never does', async () => {
      const { store, secrets } = wiki.app.service;
      const { id } = await linkProvider({ store, secrets, now }, ada.email, 'GitHub');
      const answer = await auth({ provider: 'github', id });
      expect((await me(answer.text)).json.id).toBe(ada.id);
      expect((await auth({ provider: 'gitlab', id })).status).toBe(401);
      await unlinkProvider(store, ada.email, 'github');
      expect((await auth({ provider: 'github', id })).status).toBe(401);
    });

    test('deactivation and a new passphrase end every token at once', async () => {
      const { store, passphrases } = wiki.app.service;
      const eve = await wiki.member('Eve');
      await wiki.page(eve.token, { title: 'By Eve' });
      await changeMember(store, eve.email, { isActive: false });
      for (const [method, url] of [
        ['POST', '/v1/pages'],
        ['GET', '/v1/members/me'],
        ['POST', '/v1/members/reauth'],
        ['PUT', '/v1/likes/by-eve'],
      ] as const) {
        expect(
          (
            await wiki.call(method, url, {
              token: eve.token,
              ...(method === 'POST' ? { json: { title: 'x' } } : {}),
            })
          ).status,
          url,
        ).toBe(401);
      }
      await changeMember(store, eve.email, { isActive: true });
      expect((await me(eve.token)).status).toBe(401);
      const fay = await wiki.member('Fay');
      await setPassphrase({ store, passphrases, now: Date.now() }, fay.email, 'another long passphrase');
      expect((await me(fay.token)).status).toBe(401);
    });

    test('no response contains addresses of members', async () => {
      await wiki.page(ada.token, { title: 'Hunted', body: 'x' });
      await wiki.call('PUT', '/v1/likes/hunted', { token: ada.token });
      for (const url of [
        '/v1/pages?path=/',
        '/v1/pages/hunted',
        '/v1/history/hunted',
        '/v1/diff/hunted',
        '/v1/updates',
        '/v1/requested',
        '/v1/backlinks/hunted',
        '/v1/children',
        '/v1/members/me',
        '/metrics',
      ]) {
        const { text } = await wiki.call('GET', url, { token: root.token });
        expect(text, url).not.toMatch(/@example\.org/);
      }
    });
  });

  describe('invitations', () => {
    test('an administrator invites, and the invited person becomes a member once', async () => {
      const made = await invite();
      expect(made.status, made.text).toBe(200);
      expect(made.json.url).toBe(`/invite/${made.json.token}`);
      expect(Date.parse(made.json.expiresAt) - now).toBe(7 * 24 * 3600_000);
      const json = { token: made.json.token, email: 'grace@example.org', name: 'Grace', pass };
      const answers = await Promise.all([accept(json), accept({ ...json, email: 'grace2@example.org' })]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      const winner = answers.find(({ status }) => status === 200);
      expect(winner?.json).toMatchObject({ name: 'Grace', isAdmin: false });
      expect(winner?.text).not.toContain('@');
    });

    test('a link dated in the future, after the clock was set back, works when its time comes', async () => {
      const { json } = await invite();
      const reset = await makeResetLink(
        { store: wiki.app.service.store, secrets: wiki.app.service.secrets, by: 'command line', now },
        ada.id,
      );
      const joining = { token: json.token, email: 'late@example.org', name: 'Late', pass };
      const resetting = { token: reset.token, pass: 'nine owls share one barn' };
      const both = async () => [
        (await accept(joining)).status,
        (await wiki.call('POST', '/v1/members/reset', { json: resetting })).status,
      ];
      now -= 3600_000;
      expect(await both()).toEqual([400, 400]);
      now += 3600_000;
      expect((await accept(joining)).status).toBe(200);
    });

    test('only administrators invite, and invited people cannot raise their own role', async () => {
      expect((await invite({}, ada.token)).status).toBe(403);
      expect((await wiki.call('POST', '/v1/invitations', { json: {} })).status).toBe(401);
      const { json } = await invite({ isAdmin: false });
      const made = await accept({
        token: json.token,
        email: 'heidi@example.org',
        name: 'Heidi',
        pass,
        isAdmin: true,
      });
      expect(made.json.isAdmin).toBe(false);
      for (const role of ['reader', 'writer', 'moderator', 'administrator']) {
        const { json } = await invite({ role });
        const [open] = (await wiki.call('GET', '/v1/invitations', { token: root.token })).json;
        expect(open).toMatchObject({ id: json.id, role, isAdmin: role === 'administrator' });
        const who = { token: json.token, email: `${role}@example.org`, name: `The ${role}`, pass };
        expect((await accept({ ...who, role: 'administrator' })).json).toMatchObject({
          name: who.name,
          role,
        });
      }
      expect((await invite({ role: 'owner' })).json.errors[0].pointer).toBe('/role');
      const admin = await invite({ isAdmin: true });
      expect(
        (await accept({ token: admin.json.token, email: 'ivan@example.org', name: 'Ivan', pass })).json
          .isAdmin,
      ).toBe(true);
    });

    test('invalid fields are named and leave the invitation usable; an old invitation is refused', async () => {
      const { json } = await invite();
      const bad = await accept({ token: json.token, email: 'nonsense', name: '', pass: 'short' });
      expect(bad.json.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
        '/email',
        '/name',
        '/pass',
      ]);
      expect((await accept({ token: json.token })).json.errors).toHaveLength(3);
      const taken = await accept({ token: json.token, email: ada.email, name: 'Ada again', pass });
      expect([taken.status, taken.json.errors[0].pointer]).toEqual([400, '/email']);
      now += 7 * 24 * 3600_000 + 1;
      expect(
        (await accept({ token: json.token, email: 'judy@example.org', name: 'Judy', pass })).status,
      ).toBe(400);
      // An expired invitation reports only the token, no fields to correct.
      const late = await accept({ token: json.token, email: 'nonsense', name: '', pass: 'short' });
      expect(late.json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/token']);
      expect((await accept({ token: 'forged', email: 'judy@example.org', name: 'Judy', pass })).status).toBe(
        400,
      );
    });

    test('ends with the role, the account and the epoch of its inviter, and does not return with them', async () => {
      const { store } = wiki.app.service;
      for (const [i, end] of [
        (one: typeof root) => changeMember(store, one.email, { role: 'writer' }),
        (one: typeof root) => changeMember(store, one.email, { isActive: false }),
        (one: typeof root) => store.members.raiseEpoch(one.id),
        (one: typeof root) => store.members.update(one.id, { passphraseHash: null }),
      ].entries()) {
        const inviter = await wiki.member(`Inviter ${i}`, { isAdmin: true });
        const { json } = await invite({ isAdmin: true }, inviter.token);
        const spare = (await invite({ isAdmin: true }, inviter.token)).json;
        expect((await open()).map(({ id }: { id: number }) => id)).toEqual(
          expect.arrayContaining([json.id, spare.id]),
        );
        await end(inviter);
        const back = { email: `back${i}@example.org`, name: `Back ${i}`, pass };
        const refused = await accept({ ...back, token: json.token });
        expect([refused.status, refused.json.errors[0].pointer], `${i}`).toEqual([400, '/token']);
        await changeMember(store, inviter.email, { role: 'administrator', isActive: true });
        expect((await accept({ ...back, token: spare.token })).status, `${i}`).toBe(400);
        expect(await store.members.findByEmail(back.email)).toBeUndefined();
        expect(await open()).toEqual([]);
      }
    });

    test('only administrators list open invitations, without tokens, and revoke them', async () => {
      const made = (await invite({ isAdmin: true })).json;
      const { status, json, text } = await wiki.call('GET', '/v1/invitations', { token: root.token });
      expect([status, json]).toEqual([
        200,
        [
          {
            id: made.id,
            role: 'administrator',
            isAdmin: true,
            invitedBy: { id: root.id, name: 'Root' },
            createdAt: new Date(now).toISOString(),
            expiresAt: made.expiresAt,
          },
        ],
      ]);
      expect(text).not.toContain(made.token);
      const revoke = (id: unknown, token?: string) =>
        wiki.call('DELETE', `/v1/invitations/${id}`, token === undefined ? {} : { token });
      expect((await wiki.call('GET', '/v1/invitations')).status).toBe(401);
      expect((await wiki.call('GET', '/v1/invitations', { token: ada.token })).status).toBe(403);
      expect((await revoke(made.id)).status).toBe(401);
      expect((await revoke(made.id, ada.token)).status).toBe(403);
      expect((await revoke('x', root.token)).status).toBe(400);
      const answers = await Promise.all([revoke(made.id, root.token), revoke(made.id, root.token)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
      expect((await accept({ token: made.token, email: 'kim@example.org', name: 'Kim', pass })).status).toBe(
        400,
      );
      expect(await open()).toEqual([]);
    });

    test('the number of open invitations is limited, and ended ones do not count', async () => {
      const { store, secrets } = wiki.app.service;
      const inviter = await wiki.member('Busy', { isAdmin: true });
      const actor = { memberId: inviter.id, name: 'Busy', isAdmin: true };
      await store.transact(async (store) => {
        for (let i = 0; i < maxInvitations; i++) {
          await store.members.insertInvitation({
            tokenHash: `many ${i}`,
            role: 'writer',
            byCommandLine: false,
            inviter: { id: inviter.id, epoch: 0 },
            createdAt: now,
            expiresAt: now + 1000,
          });
        }
      });
      expect((await invite()).json.detail).toContain('Revoke some');
      expect(await open()).toHaveLength(maxInvitations);
      await store.members.raiseEpoch(inviter.id);
      expect((await inviteMember({ store, secrets, actor, now }, {})).token).toMatch(/./);
      await changeMember(store, inviter.email, { isActive: false });
      expect(await open()).toEqual([]);
    });

    test('the set-up token makes the first administrator, and is worthless afterwards', async () => {
      const fresh = await startApp({}, { engine });
      const token = await fresh.app.ensureSetupInvitation();
      const spare = await fresh.app.ensureSetupInvitation();
      const made = await fresh.call('POST', '/v1/invitations/accept', {
        json: { token, email: 'first@example.org', name: 'First', pass },
      });
      expect(made.json).toMatchObject({ name: 'First', isAdmin: true });
      const again = { json: { token: spare, email: 'second@example.org', name: 'Second', pass } };
      expect((await fresh.call('POST', '/v1/invitations/accept', again)).status).toBe(400);
      expect(await fresh.app.ensureSetupInvitation()).toBeUndefined();
      const first = await tokenFor(fresh.app.service, made.json.id, { now: Date.now() });
      expect((await fresh.call('GET', '/v1/invitations', { token: first })).json).toEqual([]);
      await fresh.close();
    });
  });

  describe('reset links', () => {
    const made = (id: number, token: string) => wiki.call('POST', `/v1/members/${id}/reset-link`, { token });
    const use = (token: string, given = 'a brand new passphrase') =>
      wiki.call('POST', '/v1/members/reset', { json: { token, pass: given } });
    const recent = async (one: { id: number }) => {
      const { store, tokens } = wiki.app.service;
      return tokens.issue({ ...(await claimsFor(store, one.id, { now })), signedInAt: now });
    };

    test('replaces a passphrase once, ends every session, and is reported at the next sign-in', async () => {
      const eli = await wiki.member('Eli');
      const { status, json, text, headers } = await made(eli.id, await recent(root));
      expect([status, headers['cache-control']], text).toEqual([200, 'no-store']);
      expect(json.url).toBe(`/login/reset/${json.token}`);
      expect((await use(json.token, 'short')).json.errors[0].pointer).toBe('/pass');
      expect((await me(eli.token)).status).toBe(200);
      const answers = await Promise.all([use(json.token), use(json.token)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      expect((await me(eli.token)).status).toBe(401);
      const signedIn = await auth({ email: eli.email, pass: 'a brand new passphrase' });
      expect(signedIn.status).toBe(200);
      expect(signedIn.headers['passphrase-resets']).toBe(`1;last=@${Math.floor(now / 1000)}`);
    });

    test('needs an administrator with a recent sign-in', async () => {
      const eli = await wiki.member('Eli Two');
      expect((await wiki.call('POST', `/v1/members/${eli.id}/reset-link`)).status).toBe(401);
      expect((await made(eli.id, await recent(ada))).status).toBe(403);
      const late = await made(eli.id, root.token);
      expect([late.status, late.headers['www-authenticate']]).toEqual([
        401,
        'Bearer error="insufficient_user_authentication", max_age="300"',
      ]);
      const token = await recent(root);
      now += 5 * 60_000 + 1000;
      expect((await made(eli.id, token)).status).toBe(401);
      expect((await made(root.id, await recent(root))).status).toBe(400);
      expect((await made(99_999, await recent(root))).status).toBe(404);
      expect((await made(eli.id, await recent(root))).status).toBe(200);
    });

    test('ends with a newer link, the account and sessions of the member, its maker, or after four hours', async () => {
      const { store, secrets } = wiki.app.service;
      const ends: Record<
        string,
        (eli: { id: number; email: string }, maker: typeof root) => Promise<unknown>
      > = {
        newer: async (eli) => made(eli.id, await recent(root)),
        revoked: async (eli) =>
          wiki.call('DELETE', `/v1/members/${eli.id}/reset-link`, { token: await recent(root) }),
        deactivated: (eli) => changeMember(store, eli.email, { isActive: false }),
        reactivated: async (eli) => {
          await changeMember(store, eli.email, { isActive: false });
          await changeMember(store, eli.email, { isActive: true });
        },
        demoted: (_, maker) => changeMember(store, maker.email, { role: 'writer' }),
        expelled: (_, maker) => changeMember(store, maker.email, { isActive: false }),
        signedOut: (_, maker) => store.members.raiseEpoch(maker.id),
        late: async () => {
          now += 4 * 3600_000 + 1;
        },
      };
      for (const [name, end] of Object.entries(ends)) {
        const eli = await wiki.member(`Eli ${name}`);
        const maker = await wiki.member(`Maker ${name}`, { isAdmin: true });
        const { token } = (await made(eli.id, await recent(maker))).json;
        await end(eli, maker);
        const refused = await use(token);
        expect([refused.status, refused.json.errors[0].pointer], name).toEqual([400, '/token']);
      }
      const eli = await wiki.member('Eli again');
      const byHand = await makeResetLink({ store, secrets, by: 'command line', now }, eli.id);
      expect((await use(byHand.token)).status).toBe(200);
    });
  });

  describe('names and passphrases', () => {
    const attempt = async (fields: Record<string, string>) => {
      const { json } = await invite();
      const answer = await accept({
        token: json.token,
        email: 'new@example.org',
        name: 'Newcomer',
        pass,
        ...fields,
      });
      return [
        answer.status,
        ...(answer.json.errors ?? []).map(({ pointer }: { pointer: string }) => pointer),
      ];
    };

    test('a common passphrase is refused, by invitation as by reset link', async () => {
      for (const weak of [
        '123456789012',
        'QWERTYUIOP12',
        'abcabcabcabcab',
        'zyxwvutsrqpo',
        'newcomer-2026',
        'new@example.org',
      ])
        expect(await attempt({ pass: weak }), weak).toEqual([400, '/pass']);
      const { store, secrets } = wiki.app.service;
      const { token } = await makeResetLink({ store, secrets, by: 'command line', now }, ada.id);
      const json = { token, pass: ada.email };
      const answer = await wiki.call('POST', '/v1/members/reset', { json });
      expect(answer.json.errors[0].pointer).toBe('/pass');
    });

    test('names and addresses similar to another member’s are refused, also concurrently', async () => {
      await wiki.member('Paul Klee');
      for (const name of ['Paul Klee', 'paul klee', 'Рaul Klee', 'PauI Klee', 'Paul\u034f Klee'])
        expect(await attempt({ name }), name).toEqual([400, '/name']);
      expect(await attempt({ email: 'pаul.klee@example.org' })).toEqual([400, '/email']);
      const [one, two] = [(await invite()).json, (await invite()).json];
      const answers = await Promise.all([
        accept({ token: one.token, email: 'm1@example.net', name: 'Franz Marc', pass }),
        accept({ token: two.token, email: 'm2@example.net', name: 'Franz Маrс', pass }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    });
  });

  describe('rate limits', () => {
    test('guessing at one account gets 429 with Retry-After, under every spelling of its address and whatever X-Forwarded-For says', async () => {
      const limited = await startApp({ COPPICE_RATE_LIMIT: 'on' });
      const statuses: number[] = [];
      for (let i = 0; i <= failureRates.perAccountAndAddress.max; i++) {
        const email = i % 2 === 0 ? 'victim@example.org' : ' VICTIM@example.org';
        const answer = await limited.call('POST', '/v1/members/auth', {
          json: { email, pass: `guess ${i}` },
          headers: { 'x-forwarded-for': `203.0.113.${i}` },
        });
        statuses.push(answer.status);
        if (answer.status === 429) {
          expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
          expect(answer.json.retryAfter).toBe(Number(answer.headers['retry-after']));
        }
      }
      expect(statuses).toEqual([...Array(failureRates.perAccountAndAddress.max).fill(401), 429]);
      expect(
        (await limited.call('POST', '/v1/members/auth', { json: { email: 'other@example.org', pass: 'x' } }))
          .status,
      ).toBe(401);
      await limited.close();
    });

    test('guessers lock out nobody at other addresses, and the right passphrase does not count', async () => {
      const limited = await startApp({
        COPPICE_RATE_LIMIT: 'on',
        COPPICE_TRUST_PROXY: '1',
        COPPICE_URL: 'https://wiki.example.org',
      });
      const { store, passphrases } = limited.app.service;
      const { email } = await limited.member('Ada');
      await setPassphrase({ store, passphrases, now: Date.now() }, email, pass);
      const signIn = (address: string, given = pass) =>
        limited.call('POST', '/v1/members/auth', {
          json: { email, pass: given },
          headers: { 'x-forwarded-for': address },
        });
      const { max } = failureRates.perAccountAndAddress;
      for (let i = 0; i < max + 2; i++) expect((await signIn('203.0.113.1')).status).toBe(200);
      // Concurrent guesses: no extra guess passes while others are checked.
      const guesses = await Promise.all(
        Array.from({ length: max + 5 }, (_, i) => signIn('203.0.113.1', `${i}`)),
      );
      const statuses = guesses.map(({ status }) => status).sort();
      expect(statuses).toEqual([...Array(max).fill(401), ...Array(5).fill(429)]);
      expect((await signIn('203.0.113.1')).status).toBe(429);
      expect((await signIn('203.0.113.2')).status).toBe(200);
      for (let i = 0; i < max; i++) await signIn(`2001:db8::${i + 1}`, 'wrong');
      expect((await signIn('2001:db8:0:0:ffff::1')).status).toBe(429);
      const told = await signIn('2001:db8:0:1::1');
      expect(told.status).toBe(200);
      expect(told.headers['failed-sign-ins']).toMatch(new RegExp(`^${2 * max};since=@\\d{10}$`));
      await limited.close();
    });

    test('guessing at many accounts from one address is refused, but not from another address', async () => {
      const limited = await startApp({
        COPPICE_RATE_LIMIT: 'on',
        COPPICE_TRUST_PROXY: '1',
        COPPICE_URL: 'https://wiki.example.org',
      });
      const guess = (i: number, address: string) =>
        limited.call('POST', '/v1/members/auth', {
          json: { provider: 'p', id: `${i}` },
          headers: { 'x-forwarded-for': address },
        });
      for (let i = 0; i < rates.signInsPerAddress.max; i++)
        expect((await guess(i, '203.0.113.1')).status).toBe(401);
      expect((await guess(999, '203.0.113.1')).status).toBe(429);
      expect((await guess(999, '203.0.113.2')).status).toBe(401);
      for (let i = 0; i < rates.signInsPerAddress.max; i++) await guess(i + 2000, `2001:db8::${i + 1}`);
      expect((await guess(1000, '2001:db8::ffff')).status).toBe(429);
      await limited.close();
    });

    test('invitations are limited by address', async () => {
      const limited = await startApp({ COPPICE_RATE_LIMIT: 'on' });
      const accept = async () => {
        const json = { token: 'x', email: 'x', name: 'x', pass: 'x' };
        return (await limited.call('POST', '/v1/invitations/accept', { json })).status;
      };
      for (let i = 0; i < rates.invitations.max; i++) expect(await accept(), `${i}`).toBeLessThan(429);
      expect(await accept()).toBe(429);
      await limited.close();
    });

    test('reading is not limited', async () => {
      const limited = await startApp({ COPPICE_RATE_LIMIT: 'on' });
      const answers = await Promise.all(
        Array.from({ length: 300 }, () => limited.call('GET', '/v1/updates')),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      await limited.close();
    });
  });
});
