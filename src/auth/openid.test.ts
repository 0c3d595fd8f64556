/** Responses that an OpenID Connect provider could send. Real providers are tested in `test/auth/oauth.test.ts`. */
import { generateKeyPair } from 'jose';
import { describe, expect, test } from 'vitest';
import type { Intent } from '#core/ports/sign-in-provider.ts';
import { type Lies, openId, refusal } from '#test/support/lying-provider.ts';
import { plainText } from './provider-adapter.ts';

describe('an ID token', () => {
  test('that is valid identifies the person, and signing in requests nothing more', async () => {
    const { go, asked } = await openId({ claims: { auth_time: 1_700_000_000, email: 'ada@mail.example' } });
    const { identity } = await go();
    expect(identity).toEqual({
      provider: 'test',
      issuer: expect.stringMatching(/^http:\/\/127/),
      subject: 'ada',
      account: 'ada@mail.example',
      email: null,
      name: null,
      signedInAt: 1_700_000_000_000,
    });
    expect(asked).toEqual(['GET /.well-known/openid-configuration', 'POST /token', 'GET /jwks']);
  });

  test.each<[string, unknown, string[]]>([
    ['a list', ['Editors', 'Night  watch', 7, '', 'x'.repeat(300)], ['Editors', 'Night watch']],
    ['one text', 'Editors', ['Editors']],
    ['nothing', undefined, []],
    ['something else', { editors: true }, []],
  ])('lists groups in the configured claim: %s', async (_, groups, expected) => {
    const { go } = await openId({ claims: { groups } }, { groupsClaim: 'groups' });
    expect((await go()).identity.groups).toEqual(expected);
    // The cookie for filling in a form has no room for groups.
    expect((await go({ kind: 'join', token: 'x' })).identity).not.toHaveProperty('groups');
  });

  test.each<[string, Record<string, unknown>]>([
    [
      'a distributed claim',
      { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'x' } } },
    ],
    ['a sign of its own', { hasgroups: true }],
  ])('that leaves out groups because of their number changes none: %s', async (_, claims) => {
    const { go } = await openId({ claims }, { groupsClaim: 'groups' });
    const { identity } = await go();
    expect([identity.groups, identity.withholdsGroups]).toEqual([undefined, true]);
    const told = { claims, userinfo: () => ({ sub: 'ada', groups: ['Editors'] }) };
    const asked = await openId(told, { groupsClaim: 'groups' });
    expect((await asked.go()).identity.groups).toEqual(['Editors']);
  });

  test('with thousands of groups is read completely', async () => {
    const groups = Array.from({ length: 3000 }, (_, i) => `Group ${i}`);
    const { go } = await openId(
      { claims: {}, userinfo: () => ({ sub: 'ada', groups }) },
      { groupsClaim: 'groups' },
    );
    expect((await go()).identity.groups).toEqual(groups);
  });

  test('without groups leaves them to userinfo', async () => {
    const lies = { userinfo: () => ({ sub: 'ada', roles: ['Editors'] }) };
    const { go } = await openId(lies, { groupsClaim: 'roles' });
    expect((await go()).identity.groups).toEqual(['Editors']);
  });

  test.each<[string, Lies]>([
    ['of another issuer', { claims: { iss: 'https://other.example' } }],
    ['for another client', { claims: { aud: 'somebody-else' } }],
    ['for several clients without saying for whom', { claims: { aud: ['wiki', 'other'], azp: 'other' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['with another nonce', { claims: { nonce: 'another' } }],
    ['that has expired', { claims: { exp: Math.floor(Date.now() / 1000) - 3600 } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['with an empty subject', { claims: { sub: '' } }],
    ['with a subject that is no text', { claims: { sub: 7 } }],
    ['with a subject too long to keep', { claims: { sub: 'x'.repeat(256) } }],
    ['with control characters in the subject', { claims: { sub: 'ada\u0000' } }],
    ['without a signature', { alg: 'none' }],
    ['signed with the client secret', { alg: 'HS256' }],
  ])('%s is refused', async (_, lies) => {
    const { go } = await openId(lies);
    expect((await refusal(go())).code).toBe('bad-credentials');
  });

  test('signed by a stranger is refused', async () => {
    const stranger = await generateKeyPair('RS256');
    const { go } = await openId({ key: stranger.privateKey });
    expect((await refusal(go())).code).toBe('bad-credentials');
  });

  test('is required', async () => {
    const { go } = await openId({ token: () => ({ access_token: 'access', token_type: 'bearer' }) });
    expect((await refusal(go())).code).toBe('bad-credentials');
  });
});

describe('confirming the identity', () => {
  const confirm: Intent = { kind: 'confirm', memberId: 1, next: '/' };
  const seconds = () => Math.floor(Date.now() / 1000);

  test('continues if the provider reports a recent sign-in', async () => {
    const { go } = await openId({ claims: { auth_time: seconds() } });
    expect((await go(confirm)).identity.signedInAt).toBeGreaterThan(Date.now() - 60_000);
  });

  test.each<[string, () => unknown, RegExp]>([
    ['does not say when they signed in', () => undefined, /does not say when.*Use your passphrase/],
    ['lets them through who signed in before', () => seconds() - 300, /did not ask you to sign in again/],
    ['says that they sign in tomorrow', () => seconds() + 86_400, /does not say when/],
    ['tells the time in milliseconds', Date.now, /does not say when/],
  ])('is refused when the provider %s', async (_, authTime, sentence) => {
    const { go } = await openId({ claims: { auth_time: authTime() } });
    const { code, message } = await refusal(go(confirm));
    expect(code).toBe('bad-credentials');
    expect(message).toMatch(sentence);
    // Sufficient for signing in, which only needs the identity, but not a recent sign-in.
    const { subject, signedInAt } = (await go()).identity;
    expect(subject).toBe('ada');
    expect(signedInAt ?? 0).toBeLessThan(Date.now() - 60_000);
  });
});

describe('profile data of a provider', () => {
  const join: Intent = { kind: 'join', token: 'x' };

  test('comes from userinfo if missing in the ID token, and must be about the same person', async () => {
    const told = {
      sub: 'ada',
      email: 'ada@mail.example',
      email_verified: true,
      name: ' Ada\u202e\n Lovelace ',
    };
    const { go } = await openId({ userinfo: () => told });
    expect((await go(join)).identity).toMatchObject({ email: 'ada@mail.example', name: 'Ada Lovelace' });
    const other = await openId({ userinfo: () => ({ ...told, sub: 'mallory' }) });
    expect((await refusal(other.go(join))).code).toBe('bad-credentials');
  });

  test.each([false, 'true', 'false', 1, null, undefined])(
    'an address verified as %s is not offered',
    async (email_verified) => {
      const { go } = await openId({ claims: { email: 'ada@mail.example', email_verified } });
      expect((await go(join)).identity.email).toBeNull();
    },
  );

  test('is short text on one line, or absent', () => {
    for (const odd of [7, {}, [], null, undefined, '', ' \n', 'x'.repeat(300)])
      expect(plainText(odd)).toBeNull();
    expect(plainText('a\u0000b\ud800')).toBe('a b\ufffd');
  });
});
