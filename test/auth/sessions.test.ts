/** Sessions: what ends them, how long they last, how many a member may have, and their cost. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '#config/config.ts';
import { changeMember, linkProvider, setPassphrase, unlinkProvider } from '#core/members/manage-members.ts';
import type { Claims, SignInMethod } from '#core/ports/credentials.ts';
import { maxSessions } from '#core/ports/sessions.ts';
import type { Identity } from '#core/ports/sign-in-provider.ts';
import { signInByProvider } from '#core/sign-in/sign-in-by-provider.ts';
import { unlinkIdentity } from '#core/sign-in/unlink-identity.ts';
import { buildApp } from '#run/app.ts';
import { answerOf, engines, startApp, type TestApp } from '../support/http.ts';
import { freshPostgres } from '../support/postgres.ts';
import { expectNoWrite } from '../support/revision.ts';
import { claimsFor, day, tokenFor } from '../support/sessions.ts';

const pass = 'correct horse battery staple';
const minute = 60_000;

describe.each(engines)('sessions on %s', (engine) => {
  let wiki: TestApp;
  let now = Date.UTC(2026, 0, 1);
  let ada: { id: number; email: string };
  let ben: typeof ada;
  let count = 0;

  beforeAll(async () => {
    wiki = await startApp({}, { engine, clock: () => now });
  });
  beforeEach(async () => {
    const { store, passphrases } = wiki.app.service;
    count++;
    ada = await wiki.member(`Ada ${count}`);
    ben = await wiki.member(`Ben ${count}`);
    for (const { email } of [ada, ben])
      await setPassphrase({ store, passphrases, now: Date.now() }, email, pass);
  });
  afterAll(() => wiki.close());

  const signIn = async (json: Record<string, string>, agent = 'agent') => {
    const headers = { 'user-agent': agent };
    const answer = await wiki.call('POST', '/v1/members/auth', { json, headers });
    expect(answer.status, answer.text).toBe(200);
    return answer.text;
  };
  const byPassphrase = (agent?: string) => signIn({ email: ada.email, pass }, agent);
  const byHandle = async (provider: string) => {
    const { store, secrets } = wiki.app.service;
    const { id } = await linkProvider({ store, secrets, now }, ada.email, provider);
    return { id, token: await signIn({ provider, id }) };
  };
  const status = async (token: string) => (await wiki.call('GET', '/v1/members/me', { token })).status;
  const statuses = (tokens: string[]) => Promise.all(tokens.map(status));
  const listed = async (token: string) => (await wiki.call('GET', '/v1/sessions', { token })).json;
  const rows = (memberId: number) => wiki.app.service.store.sessions.listOf(memberId, 10_000);
  const renew = (token: string) => wiki.call('POST', '/v1/members/reauth', { token });

  describe('the list', () => {
    test('shows members only where they themselves are signed in, most recently used first', async () => {
      const start = now;
      const old = await byPassphrase('Old/1.0');
      now += minute;
      const { token } = await byHandle('script');
      await claimsFor(wiki.app.service.store, ben.id, { now });
      const answer = await wiki.call('GET', '/v1/sessions', { token: old });
      expect(answer.headers['cache-control']).toBe('private, no-store');
      expect(answer.json).toMatchObject([
        { method: 'handle', provider: 'script', isBrowser: false, userAgent: 'agent', isCurrent: false },
        {
          method: 'passphrase',
          provider: null,
          userAgent: 'Old/1.0',
          isCurrent: true,
          createdAt: new Date(start).toISOString(),
          lastSeenAt: new Date(start).toISOString(),
          expiresAt: new Date(start + 20 * minute).toISOString(),
        },
      ]);
      expect((await listed(token)).map((one: { isCurrent: boolean }) => one.isCurrent)).toEqual([
        true,
        false,
      ]);
      expect((await wiki.call('GET', '/v1/sessions')).status).toBe(401);
    });

    test('contains the names that clients give themselves, shortened, or nothing', async () => {
      const token = await byPassphrase('x'.repeat(5000));
      await signIn({ email: ada.email, pass }, '');
      const agents = (await listed(token)).map((one: { userAgent: string | null }) => one.userAgent);
      expect(agents.sort()).toEqual([null, 'x'.repeat(200)].sort());
    });

    test('does not contain expired sessions', async () => {
      await byPassphrase();
      now += 21 * minute;
      expect(await listed(await byPassphrase())).toHaveLength(1);
    });
  });

  describe('ending one', () => {
    test('revokes every token of it, including renewed ones, and no other', async () => {
      const [one, other] = [await byPassphrase('one'), await byPassphrase('other')];
      const renewed = (await renew(one)).text;
      const { id } = (await listed(other)).find((one: { userAgent: string }) => one.userAgent === 'one');
      expect((await wiki.call('DELETE', `/v1/sessions/${id}`, { token: other })).status).toBe(204);
      expect(await statuses([one, renewed, other])).toEqual([401, 401, 200]);
      expect((await renew(renewed)).status).toBe(401);
      expect((await wiki.call('DELETE', `/v1/sessions/${id}`, { token: other })).status).toBe(404);
    });

    test('is refused for IDs that are no session of the member, and ends nothing', async () => {
      const [mine, theirs] = [await byPassphrase(), await signIn({ email: ben.email, pass })];
      const [{ id }] = await listed(theirs);
      for (const wrong of [id, 'none', 'x'.repeat(2000), '%00', '..%2f', "'%20or%201=1"]) {
        const { status } = await wiki.call('DELETE', `/v1/sessions/${wrong}`, { token: mine });
        expect([400, 404, 414], wrong).toContain(status);
      }
      expect((await wiki.call('DELETE', `/v1/sessions/${id}`)).status).toBe(401);
      expect(await statuses([mine, theirs])).toEqual([200, 200]);
    });

    test('signing out ends the current session', async () => {
      const [one, other] = [await byPassphrase(), await byPassphrase()];
      expect((await wiki.call('POST', '/v1/members/signout', { token: one })).status).toBe(204);
      expect(await statuses([one, other])).toEqual([401, 200]);
      expect((await wiki.call('POST', '/v1/members/signout', { token: one })).status).toBe(401);
      expect((await wiki.call('POST', '/v1/members/signout')).status).toBe(401);
    });
  });

  describe('the credential of a session', () => {
    test('revoking a handle ends its sessions, which cannot be renewed', async () => {
      const { store } = wiki.app.service;
      const [gone, kept] = [await byHandle('github'), await byHandle('gitlab')];
      const renewed = (await renew(gone.token)).text;
      const person = await byPassphrase();
      await unlinkProvider(store, ada.email, 'github');
      expect(await statuses([gone.token, renewed, kept.token, person])).toEqual([401, 401, 200, 200]);
      expect((await renew(renewed)).status).toBe(401);
    });

    test('unlinking an identity ends its sessions, but none of another identity', async () => {
      const { store, sessions, tokens } = wiki.app.service;
      const identity = (subject: string): Identity => ({
        provider: 'work',
        issuer: 'https://id.example.org',
        subject: `${subject} ${count}`,
        account: null,
        email: null,
        name: null,
        signedInAt: null,
      });
      const signedIn = async (subject: string) => {
        const { provider, issuer, subject: linked, account } = identity(subject);
        await store.identities.insert({
          provider,
          issuer,
          subject: linked,
          account,
          memberId: ada.id,
          linkedAt: now,
        });
        const told = { identity: identity(subject), label: 'Work' };
        const claims = await signInByProvider({ store, sessions, now }, told, {
          userAgent: 'x',
          isBrowser: false,
        });
        return tokens.issue(claims);
      };
      const [gone, kept, person] = [await signedIn('a'), await signedIn('b'), await byPassphrase()];
      await unlinkIdentity(store, { memberId: ada.id, name: 'Ada', isAdmin: false }, identity('a'), now);
      expect(await statuses([gone, kept, person])).toEqual([401, 200, 200]);
    });

    test('after a new passphrase all earlier credentials are refused', async () => {
      const { store, passphrases } = wiki.app.service;
      const { id, token } = await byHandle('github');
      const person = await byPassphrase();
      const others = await signIn({ email: ben.email, pass });
      await setPassphrase(
        { store, passphrases, now: Date.now() },
        ada.email,
        'another passphrase altogether',
      );
      expect(await statuses([token, person, others])).toEqual([401, 401, 200]);
      for (const json of [
        { provider: 'github', id },
        { email: ada.email, pass },
      ]) {
        expect((await wiki.call('POST', '/v1/members/auth', { json })).status).toBe(401);
      }
      expect(await rows(ada.id)).toEqual([]);
    });

    test('a deactivated member has no session, and activation restores none', async () => {
      const { store } = wiki.app.service;
      const tokens = [await byPassphrase(), (await byHandle('github')).token];
      await changeMember(store, ada.email, { isActive: false });
      expect(await statuses(tokens)).toEqual([401, 401]);
      await changeMember(store, ada.email, { isActive: true });
      expect(await statuses(tokens)).toEqual([401, 401]);
      expect(await rows(ada.id)).toEqual([]);
    });

    test('a new name or role ends nothing', async () => {
      const token = await byPassphrase();
      await changeMember(wiki.app.service.store, ada.email, {
        role: 'administrator',
        name: `Ada again ${count}`,
      });
      expect(await status(token)).toBe(200);
    });

    test.each<[string, () => Promise<SignInMethod>]>([
      ['a passphrase that was changed', async () => ({ method: 'passphrase' })],
      [
        'a handle that was revoked',
        async () => {
          const { store, secrets } = wiki.app.service;
          const { id } = await linkProvider({ store, secrets, now }, ada.email, 'slow');
          await unlinkProvider(store, ada.email, 'slow');
          return { method: 'handle', provider: 'slow', handleHash: secrets.hash(id) };
        },
      ],
      [
        'an identity that was unlinked',
        async () => ({
          method: 'provider',
          provider: 'work',
          issuer: 'https://id.example.org',
          subject: 'gone',
        }),
      ],
    ])('%s during a sign-in starts no session', async (_, prepare) => {
      const { store, sessions, passphrases } = wiki.app.service;
      const by = await prepare();
      const before = await store.members.findById(ada.id);
      if (!before) throw new Error('Ada is gone.');
      if (by.method === 'passphrase')
        await setPassphrase({ store, passphrases, now: Date.now() }, ada.email, 'another passphrase');
      const device = { userAgent: 'slow', isBrowser: false };
      const begun = sessions.begin(before, by, device, { now, signedInAt: now });
      await expect(begun).rejects.toMatchObject({ code: 'bad-credentials' });
      expect(await rows(ada.id)).toEqual([]);
    });

    test('concurrent sign-ins and a new passphrase leave no session from the old passphrase', async () => {
      const { store, passphrases } = wiki.app.service;
      const json = { email: ada.email, pass };
      const attempts = Array.from({ length: 8 }, () => wiki.call('POST', '/v1/members/auth', { json }));
      await setPassphrase(
        { store, passphrases, now: Date.now() },
        ada.email,
        'another passphrase altogether',
      );
      const tokens = (await Promise.all(attempts))
        .filter((one) => one.status === 200)
        .map(({ text }) => text);
      expect(await statuses(tokens)).toEqual(tokens.map(() => 401));
      expect(await rows(ada.id)).toEqual([]);
    });
  });

  describe('time', () => {
    test('a token must be renewed within its 15 minutes, and a session cannot be renewed for ever', async () => {
      const begun = now;
      let token = await byPassphrase();
      while (now + 14 * minute < begun + day) {
        now += 14 * minute;
        const renewed = await renew(token);
        expect(renewed.status).toBe(200);
        token = renewed.text;
      }
      // Skips the rest of the 30 days; the row marks the session as used.
      const [{ id }] = await listed(token);
      now = begun + 30 * day - minute;
      await wiki.app.service.store.sessions.noteSeen(id, now);
      const claims = await wiki.app.service.tokens.read(token);
      expect(claims).toBeUndefined();
      const fresh = await latestTokenOf(id);
      expect(await status(fresh)).toBe(200);
      const last = (await renew(fresh)).text;
      now += minute;
      expect(await status(last)).toBe(401);
    });

    /** Token as if the session had been renewed until now. */
    async function latestTokenOf(sessionId: string): Promise<string> {
      const { store, tokens } = wiki.app.service;
      const epoch = (await store.members.findById(ada.id))?.epoch ?? 0;
      return tokens.issue({ memberId: ada.id, epoch, sessionId, issuedAt: now });
    }

    test('a browser is signed out after seven idle days, but not while it is used', async () => {
      const { store, sessions, tokens } = wiki.app.service;
      const idle = await claimsFor(store, ada.id, { now, isBrowser: true });
      const active = await claimsFor(store, ada.id, { now, isBrowser: true });
      now += 6 * day;
      expect(await sessions.find(active, now)).toBeDefined();
      await expect.poll(async () => (await sessions.find(active, now))?.session.seenAt).toBe(now);
      now += day;
      expect(await tokens.read(await tokens.issue(idle))).toBeDefined();
      expect(await sessions.find(idle, now)).toBeUndefined();
      expect(await sessions.find(active, now)).toBeDefined();
    });

    test('sessions and tokens dated in the future are refused', async () => {
      const { store, tokens, sessions } = wiki.app.service;
      const right = now;
      now += 2 * day;
      const ahead = await byPassphrase();
      const begunAhead: Claims = { ...(await claimsFor(store, ada.id, { now })), issuedAt: right };
      now = right;
      expect(await tokens.read(ahead)).toBeUndefined();
      expect(await status(ahead)).toBe(401);
      expect(await sessions.find(begunAhead, now)).toBeUndefined();
      expect(await status(await tokens.issue({ ...begunAhead, issuedAt: now }))).toBe(401);
    });

    test('use is recorded after five minutes, by the first request, and reads wait for neither', async () => {
      const token = await byPassphrase();
      const start = now;
      const seen = async () => (await rows(ada.id))[0]?.seenAt;
      const { store } = wiki.app.service;
      now += 5 * minute - 1;
      await expectNoWrite(engine, store, () => statuses([token, token, token]));
      expect(await seen()).toBe(start);
      now += 1;
      await statuses([token, token, token]);
      await expect.poll(seen).toBe(now);
      await expectNoWrite(engine, store, () => statuses([token, token, token]));
    });

    test('ended sessions are removed at the next sign-in of anyone', async () => {
      const { store } = wiki.app.service;
      await claimsFor(store, ben.id, { now, isBrowser: true });
      await claimsFor(store, ben.id, { now });
      now += 7 * day + minute;
      expect(await rows(ben.id)).toHaveLength(2);
      await claimsFor(store, ada.id, { now, isBrowser: true });
      await byPassphrase();
      expect(await rows(ben.id)).toEqual([]);
    });
  });

  test('a member has a limited number, and programs do not displace browsers', async () => {
    const { store } = wiki.app.service;
    const browser = await claimsFor(store, ada.id, { now, isBrowser: true });
    const first = await claimsFor(store, ada.id, { now });
    now += 1;
    // One commit instead of a thousand.
    await store.transact(async (store) => {
      for (let n = 0; n < maxSessions.programs; n++) await claimsFor(store, ada.id, { now });
    });
    const left = await rows(ada.id);
    expect(left).toHaveLength(maxSessions.programs + 1);
    const ids = left.map(({ id }) => id);
    expect(ids).toContain(browser.sessionId);
    expect(ids).not.toContain(first.sessionId);
  });

  test('a cookie of the site is not a bearer token, and a token names an existing session', async () => {
    const { store, tokens } = wiki.app.service;
    const claims = await claimsFor(store, ada.id, { now, isBrowser: true });
    expect(await status(await tokens.issue(claims))).toBe(401);
    expect(await status(await tokens.issue({ ...claims, isCookie: false }))).toBe(200);
    expect(await status(await tokens.issue({ ...claims, isCookie: false, sessionId: 'x' }))).toBe(401);
    expect(await status(await tokens.issue({ ...claims, isCookie: false, memberId: ben.id }))).toBe(401);
  });

  test('a session is loaded together with its own member', async () => {
    const token = await tokenFor(wiki.app.service, ada.id, { now });
    const { store, tokens, sessions } = wiki.app.service;
    const claims = await tokens.read(token);
    if (!claims) throw new Error('The token is not valid.');
    const found = await store.sessions.find(claims.sessionId);
    expect(found).toMatchObject({ member: { id: ada.id }, session: { memberId: ada.id } });
    expect(found?.session.id).not.toBe(String(found?.member.id));
    expect((await sessions.find(claims, now))?.actor).toEqual({
      memberId: ada.id,
      name: `Ada ${count}`,
      isAdmin: false,
    });
  });
});

test.each(engines)('a backup on %s contains no session, and a restored wiki has none', async (engine) => {
  const key = { COPPICE_KEY: 'ab'.repeat(32) };
  const one = await startApp(key, { engine });
  const other = await startApp(key, { engine });
  try {
    const { token } = await one.member('Ada');
    const { maintenance } = other.app.service.store;
    const foreign = (async function* () {
      yield { table: 'sessions', row: { id: 's', member_id: 1 } };
    })();
    await expect(maintenance.restore(foreign)).rejects.toThrow('does not know: sessions');
    await maintenance.restore(one.app.service.store.maintenance.dump());
    expect((await other.app.service.store.members.findById(1))?.name).toBe('Ada');
    expect((await one.call('GET', '/v1/members/me', { token })).status).toBe(200);
    expect((await other.call('GET', '/v1/members/me', { token })).status).toBe(401);
  } finally {
    await other.close();
    await one.close();
  }
});

test.each(engines)(
  'when one of two processes on %s ends a session, the other knows at once',
  async (engine) => {
    const postgres = engine === 'PostgreSQL' ? await freshPostgres() : undefined;
    const one = await startApp(postgres ? { DATABASE_URL: postgres.url } : {});
    const config = readConfig({ COPPICE_DATA: one.folder, DATABASE_URL: postgres?.url, LOG_LEVEL: 'silent' });
    const other = await buildApp(config);
    try {
      const { id, token } = await one.member('Ada');
      const second = await tokenFor(one.app.service, id);
      const ask = async (token: string) => {
        const headers = { authorization: `Bearer ${token}` };
        return answerOf(await other.server.inject({ url: '/v1/members/me', headers })).status;
      };
      expect(await Promise.all([ask(token), ask(second)])).toEqual([200, 200]);
      expect((await one.call('POST', '/v1/members/signout', { token })).status).toBe(204);
      expect(await Promise.all([ask(token), ask(second)])).toEqual([401, 200]);
      await setPassphrase(
        { store: one.app.service.store, passphrases: one.app.service.passphrases, now: Date.now() },
        'ada@example.org',
        pass,
      );
      expect(await ask(second)).toBe(401);
    } finally {
      await other.close();
      await one.close();
      await postgres?.[Symbol.asyncDispose]();
    }
  },
);
