/** Passkeys by the API and the site, with an authenticator that creates real signatures. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { maxPasskeys } from '#core/sign-in/passkeys.ts';
import { createAuthenticator } from '../support/authenticator.ts';
import { engines } from '../support/http.ts';
import { patience } from '../support/patience.ts';
import { claimsFor } from '../support/sessions.ts';
import { startSite, type TestSite } from '../support/web.ts';

const origin = 'https://wiki.test';
const url = '/v1/members/me/passkeys';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestSite;
  let now = Date.UTC(2026, 0, 1);
  let made = 0;
  beforeAll(async () => {
    wiki = await startSite({ COPPICE_URL: origin }, { engine, clock: () => now });
  });
  afterAll(() => wiki.close());

  const recent = async (id: number, isBrowser = false) => {
    const { store, tokens } = wiki.app.service;
    return tokens.issue({ ...(await claimsFor(store, id, { now, isBrowser })), signedInAt: now });
  };
  const somebody = async () => {
    const { id, email } = await wiki.member(`Ada ${++made}`);
    const { store } = wiki.app.service;
    await store.transact((store) => store.members.update(id, { passphraseHash: 'none that matches' }));
    return { id, email, token: await recent(id) };
  };
  const begin = async (token: string) => {
    const begun = await wiki.call('POST', `${url}/options`, { token });
    expect(begun.status, begun.text).toBe(200);
    return begun.json.options;
  };
  const add = (token: string, credential: unknown, name?: string) =>
    wiki.call('POST', url, { token, json: { credential, ...(name === undefined ? {} : { name }) } });
  const list = async (token: string) => (await wiki.call('GET', url, { token })).json;
  /** A member with a passkey on the device. */
  const withPasskey = async (device = createAuthenticator(origin)) => {
    const member = await somebody();
    const added = await add(member.token, device.create(await begin(member.token)), 'Phone');
    expect(added.status, added.text).toBe(200);
    return { ...member, device, passkeyId: added.json.id as number };
  };
  const request = async () => {
    const begun = await wiki.call('POST', '/v1/members/auth/passkey/options');
    expect(begun.status, begun.text).toBe(200);
    return begun.json.options;
  };
  const signIn = (credential: unknown) =>
    wiki.call('POST', '/v1/members/auth/passkey', { json: { credential } });
  const outcomeOf = async (credential: unknown) => {
    const { status, text, json } = await signIn(credential);
    return status === 200 ? text : json.type.replace('/v1/docs#problem-', '');
  };
  const audited = async (memberId: number) =>
    (await wiki.app.service.store.audit.listBefore(undefined, 10, { memberId })).map(({ kind, note }) => [
      kind,
      note,
    ]);

  /** Failed sign-ins are logged when the response is sent. */
  const failureBy = (via: 'api' | 'site') =>
    vi.waitFor(async () => {
      const failed = { kinds: ['sign-in-failed'] } as const;
      const found = await wiki.app.service.store.audit.listBefore(undefined, 100, failed);
      expect(found.filter((entry) => entry.via === via && entry.subject === null)).toHaveLength(1);
    }, patience);

  test('a passkey is added, named and listed, signs in as both factors, and ends its sessions when removed', async () => {
    const { id, token, device, passkeyId } = await withPasskey();
    const options = await request();
    expect(options).toMatchObject({ rpId: 'wiki.test', userVerification: 'required' });
    expect(options.allowCredentials ?? []).toEqual([]);
    const session = await outcomeOf(device.get(options));
    const me = await wiki.call('GET', '/v1/members/me', { token: session });
    expect(me.json.id).toBe(id);
    const listed = (await wiki.call('GET', '/v1/sessions', { token: session })).json;
    expect(listed.find((one: { isCurrent: boolean }) => one.isCurrent)).toMatchObject({
      ...{ method: 'passkey', provider: null },
    });
    // The passkey sign-in counts as recent.
    expect((await wiki.call('POST', `${url}/options`, { token: session })).status).toBe(200);

    const rename = (name: string) =>
      wiki.call('PATCH', `${url}/${passkeyId}`, { token: session, json: { name } });
    expect((await rename('My key')).status).toBe(204);
    expect((await rename('x'.repeat(61))).json.errors[0].pointer).toBe('/name');
    expect(await list(session)).toEqual([
      expect.objectContaining({ id: passkeyId, name: 'My key', lastUsedAt: new Date(now).toISOString() }),
    ]);
    const remove = () => wiki.call('DELETE', `${url}/${passkeyId}`, { token });
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    expect((await wiki.call('GET', '/v1/members/me', { token: session })).status).toBe(401);
    expect(await outcomeOf(device.get(await request()))).toBe('bad-credentials');
    expect(await audited(id)).toEqual(
      expect.arrayContaining([
        ['passkey-added', 'Phone'],
        ['signed-in', 'by passkey'],
        ['passkey-removed', 'My key'],
      ]),
    );
  });

  test('responses for another origin, name, challenge or member, or without verification, are refused', async () => {
    const { id, device } = await withPasskey();
    const other = await withPasskey();
    const get = async (lies = {}) => outcomeOf(device.get(await request(), lies));
    const refused = 'bad-credentials';
    expect(await get({ origin: 'https://wiki.test.evil.example' })).toBe(refused);
    expect(await get({ rpId: 'evil.example' })).toBe(refused);
    expect(await get({ challenge: Buffer.from('made up').toString('base64url') })).toBe(refused);
    // The challenge was issued for adding a passkey.
    expect(await get({ challenge: (await begin(await recent(id))).challenge })).toBe(refused);
    expect(await get({ isVerified: false })).toBe(refused);
    expect(await get({ userHandle: Buffer.from(String(other.id)).toString('base64url') })).toBe(refused);
    // One device signs, but the request names another device's passkey.
    const mine = device.get(await request());
    const { id: theirs } = other.device.credential();
    expect(await outcomeOf({ ...mine, id: theirs, rawId: theirs })).toBe(refused);
    for (const nonsense of [{}, { id: 1 }, { ...mine, response: null }, { ...mine, id: 'x'.repeat(20_000) }])
      expect(await outcomeOf(nonsense)).toBe(refused);
    expect(await get()).not.toBe(refused);
    await failureBy('api');
  });

  test('a challenge can be answered once, within five minutes, and never by a deactivated member', async () => {
    const { device, email } = await withPasskey();
    const answer = device.get(await request());
    const both = await Promise.all([outcomeOf(answer), outcomeOf(answer)]);
    expect(both.filter((one) => one === 'bad-credentials')).toHaveLength(1);
    expect(await outcomeOf(answer)).toBe('bad-credentials');
    const late = await request();
    now += 6 * 60_000;
    expect(await outcomeOf(device.get(late))).toBe('bad-credentials');
    const { store } = wiki.app.service;
    const member = await store.members.findByEmail(email);
    await store.transact((store) => store.members.update(member?.id ?? 0, { isActive: false }));
    expect(await outcomeOf(device.get(await request()))).toBe('bad-credentials');
  });

  test('a signature counter that does not increase is refused, because the key may have been copied', async () => {
    const { device } = await withPasskey(createAuthenticator(origin, { counts: true }));
    const early = device.get(await request());
    expect(await outcomeOf(device.get(await request()))).not.toBe('bad-credentials');
    expect(await outcomeOf(early)).toBe('bad-credentials');
    device.credential().counter = 0;
    expect(await outcomeOf(device.get(await request()))).toBe('bad-credentials');
  });

  test('adding a passkey needs a recent sign-in and the response to one’s own challenge; the number is limited', async () => {
    const { id, token, device } = await withPasskey();
    const other = await somebody();
    const refusal = async (credential: unknown, by = token) => {
      const { status, json } = await add(by, credential);
      return [status, json.errors?.[0]?.pointer];
    };
    const wrong = [400, '/credential'];
    const fresh = createAuthenticator(origin);
    for (const lies of [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { isVerified: false },
      { x5c: true },
    ])
      expect(await refusal(fresh.create(await begin(token), lies))).toEqual(wrong);
    expect(await refusal(fresh.create(await begin(other.token)))).toEqual(wrong);
    expect(await refusal({})).toEqual(wrong);
    const answer = fresh.create(await begin(token));
    expect(await refusal(answer)).toEqual([200, undefined]);
    expect(await refusal(answer)).toEqual(wrong);
    expect((await begin(token)).excludeCredentials).toHaveLength(2);

    const { store } = wiki.app.service;
    const known = await store.passkeys.find(device.credential().id);
    for (let i = 2; i < maxPasskeys; i++)
      await store.transact((store) =>
        store.passkeys.insert({ ...(known as NonNullable<typeof known>), credentialId: `${id} ${i}` }),
      );
    expect((await wiki.call('POST', `${url}/options`, { token })).json.detail).toContain('the maximum');
    now += 6 * 60_000;
    const late = await wiki.call('POST', `${url}/options`, { token });
    expect([late.status, late.json.detail]).toEqual([
      401,
      expect.stringContaining('within the last few minutes'),
    ]);
    expect((await wiki.call('DELETE', `${url}/${known?.id}`, { token: other.token })).status).toBe(404);
  });

  test('the last credential of an account cannot be removed; own data and account deletion include passkeys', async () => {
    const { id, token, passkeyId, device } = await withPasskey();
    const { store } = wiki.app.service;
    await store.transact((store) => store.members.update(id, { passphraseHash: null }));
    const again = await recent(id);
    const last = await wiki.call('DELETE', `${url}/${passkeyId}`, { token: again });
    expect([last.status, last.json.detail]).toEqual([400, expect.stringContaining('your only way')]);
    const own = await wiki.call('GET', '/v1/members/me/export', { token: again });
    expect(own.json.passkeys).toEqual([expect.objectContaining({ id: passkeyId, name: 'Phone' })]);
    expect(own.text).not.toContain(device.credential().id);
    expect(
      (await wiki.call('POST', '/v1/members/me/leave', { token: again, json: { name: 'keep' } })).status,
    ).toBe(204);
    expect(await store.passkeys.listOf(id)).toEqual([]);
    expect(token).not.toBe(again);
  });

  test('on the site only its member can add a passkey, sign in and confirm identity with it', async () => {
    const { id, email, device } = await withPasskey();
    const own = wiki.visitor();
    const host = { headers: { origin, 'sec-fetch-site': 'same-origin' } };
    const credential = async () => JSON.stringify(device.get(await request()));
    expect((await own.get('/login')).text).toContain('Sign in with a passkey');
    const sent = await own.post('/login/passkey', { credential: await credential(), next: '/tree' }, host);
    expect(sent).toMatchObject({ status: 303, location: '/tree' });
    expect((await own.get('/account')).text).toContain(email);
    expect((await own.get('/account/passkeys')).text).toContain('Phone');
    // Failures without an account are logged once an hour.
    now += 61 * 60_000;
    expect((await own.get('/account/passkeys')).text).toContain('Confirm first that it is you');
    const { device: stranger } = await withPasskey();
    const foreign = await own.post(
      '/login/passkey',
      { credential: JSON.stringify(stranger.get(await request())), next: '/account' },
      host,
    );
    expect([foreign.status, foreign.text.includes('does not belong to this account')]).toEqual([401, true]);
    await failureBy('site');
    expect((await own.get('/login/again')).text).toContain('Sign in with a passkey');
    await own.post('/login/passkey', { credential: await credential(), next: '/account' }, host);
    expect((await own.get('/account/passkeys')).text).toContain('data-passkey-missing');
    const [passkey] = await wiki.app.service.store.passkeys.listOf(id);
    const form = { id: String(passkey?.id), name: 'Old phone' };
    await own.post('/account/passkeys', { what: 'rename', ...form }, host);
    expect((await own.get('/account/passkeys')).text).toContain('Old phone');
    const broken = await own.post('/account/passkeys', { what: 'add', credential: '{' }, host);
    expect([broken.status, broken.text.includes('could not be verified')]).toEqual([400, true]);
    await own.post('/account/passkeys', { what: 'remove', ...form }, host);
    // The session was signed in by the removed passkey.
    expect(await own.get('/account')).toMatchObject({ status: 303, location: '/login?next=%2Faccount' });
  });
});

test.each([
  ['http://192.0.2.7:3000', 'opened by an IP address'],
  ['http://[::1]:3000', 'opened by an IP address'],
  ['http://wiki.lan', 'only for https://'],
])('at %s there are no passkeys, and the refusal says why', async (address, why) => {
  const wiki = await startSite({ COPPICE_URL: address });
  onTestFinished(() => wiki.close());
  const { id } = await wiki.member('Ada');
  const { store, tokens } = wiki.app.service;
  const token = await tokens.issue({ ...(await claimsFor(store, id)), signedInAt: Date.now() });
  for (const [route, who] of [
    [`${url}/options`, { token }],
    ['/v1/members/auth/passkey/options', {}],
  ] as const) {
    const { status, json } = await wiki.call('POST', route, who);
    expect([status, json.detail]).toEqual([400, expect.stringContaining(why)]);
  }
  expect((await wiki.visitor().get('/login')).text).not.toContain('data-passkey');
});
