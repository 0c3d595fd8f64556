/** Manipulated responses of providers, and attempts to redirect the wiki's requests, against small lying servers. */
import { describe, expect, test } from 'vitest';
import type { Arrival } from '#core/ports/sign-in-provider.ts';
import {
  type Answer,
  answerWith,
  intent,
  keys,
  openId,
  options,
  refusal,
  serve,
  settingsOf,
} from '#test/support/lying-provider.ts';
import { createProviders } from './oauth.ts';
import { createTokens } from './token.ts';

describe('a response of a provider', () => {
  test('needs the state cookie and the state of its own request and provider', async () => {
    const { origin } = await openId();
    const named = ['one', 'two'].map((name) => settingsOf({ name, issuer: origin }));
    const providers = createProviders(named, options());
    const { address, stateCookie } = await providers.startAuthorization('one', intent);
    const state = new URL(address).searchParams.get('state') ?? '';
    const answer = (more: Record<string, string>) => new URLSearchParams({ code: 'c', ...more });
    const other = await providers.startAuthorization('one', intent);
    for (const [name, sealed, query] of [
      ['two', stateCookie, answer({ state })],
      ['one', other.stateCookie, answer({ state })],
      ['one', stateCookie, answer({ state: `${state}x` })],
      ['one', stateCookie, answer({})],
      ['one', undefined, answer({ state })],
      ['one', '', answer({ state })],
      ['one', `${stateCookie.slice(0, -3)}AAA`, answer({ state })],
      ['one', 'x'.repeat(100_000), answer({ state })],
      ['one', await providers.keep({ intent, identity: {} } as Arrival), answer({ state })],
      [
        'one',
        await createTokens(keys, Date.now, 1).issue({
          memberId: 1,
          epoch: 0,
          sessionId: 's',
          issuedAt: Date.now(),
        }),
        answer({ state }),
      ],
    ] as const) {
      expect((await refusal(providers.handleCallback(name, sealed, query))).code).toBe('invalid');
    }
    expect(await createTokens(keys, Date.now, 1).read(stateCookie)).toBeUndefined();
    expect(await providers.recall(stateCookie)).toBeUndefined();
  });

  test('is refused after ten minutes, and its state cookie is encrypted', async () => {
    const { origin } = await openId();
    let now = Date.now();
    const providers = createProviders(
      [settingsOf({ issuer: origin })],
      options(() => now),
    );
    const { address, stateCookie } = await providers.startAuthorization('test', intent);
    const state = new URL(address).searchParams.get('state') ?? '';
    expect(Buffer.from(stateCookie.split('.')[3] ?? '', 'base64url').toString('latin1')).not.toContain(state);
    now += 10 * 60_000 + 1000;
    const answer = new URLSearchParams({ code: 'c', state });
    expect((await refusal(providers.handleCallback('test', stateCookie, answer))).code).toBe('invalid');
  });

  test.each([
    ['access_denied', 'bad-credentials', 'was not allowed to sign you in'],
    ['server_error', 'unavailable', 'cannot be reached'],
    ['temporarily_unavailable', 'unavailable', 'cannot be reached'],
    ['invalid_scope', 'unavailable', 'check its settings'],
    ['login_required', 'bad-credentials', 'did not sign you in'],
    ['<script>', 'bad-credentials', 'did not sign you in'],
  ])('with the error %s is explained in our own words', async (error, code, words) => {
    const { go } = await openId();
    const problem = await refusal(go(intent, { error, error_description: 'Call 0900-EVIL now' }));
    expect(problem.code).toBe(code);
    expect(problem.message).toContain(words);
    expect(problem.message).not.toContain('EVIL');
  });

  test.each<[string, Answer, string]>([
    ['a used code', answerWith(400, { error: 'invalid_grant' }), 'bad-credentials'],
    ['a wrong secret', answerWith(401, { error: 'invalid_client' }), 'unavailable'],
    ['a failure of the provider', answerWith(502, { error: 'oops' }), 'unavailable'],
    [
      'a page',
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>'),
      'bad-credentials',
    ],
    ['a closed connection', (request) => void request.socket.destroy(), 'unavailable'],
  ])('redeemed against %s is refused', async (_, token, code) => {
    const { go } = await openId({ token });
    expect((await refusal(go())).code).toBe(code);
  });
});

describe('requests', () => {
  test('follow no redirect', async () => {
    const { origin: inside, asked } = await serve({ '/token': () => ({}), '/latest/meta-data': () => ({}) });
    const redirecting = await openId({
      token: (_, response) => void response.writeHead(307, { location: `${inside}/token` }).end(),
    });
    await refusal(redirecting.go());
    const moved = await openId({
      discovery: (_, response) =>
        void response.writeHead(302, { location: `${inside}/latest/meta-data` }).end(),
    });
    expect((await refusal(moved.go())).code).toBe('unavailable');
    expect(asked).toEqual([]);
  });

  test('to HTTP endpoints on other hosts are not made', async () => {
    const { go, asked } = await openId({ metadata: { token_endpoint: 'http://169.254.169.254/token' } });
    expect((await refusal(go())).code).toBe('unavailable');
    expect(asked).toEqual(['GET /.well-known/openid-configuration']);
  });

  test('for the configuration of a provider are made when needed, once, and again after a failure', async () => {
    let isDown = true;
    let now = Date.now();
    let origin = '';
    const server = await serve({
      '/.well-known/openid-configuration': (_, response) =>
        isDown
          ? void response.writeHead(503).end()
          : { issuer: origin, authorization_endpoint: `${origin}/a`, token_endpoint: `${origin}/t` },
    });
    origin = server.origin;
    const providers = createProviders(
      [settingsOf({ issuer: origin })],
      options(() => now),
    );
    expect(server.asked).toEqual([]);
    const failed = await Promise.all(
      [1, 2, 3].map(() => refusal(providers.startAuthorization('test', intent))),
    );
    expect(failed.map(({ code }) => code)).toEqual(['unavailable', 'unavailable', 'unavailable']);
    await refusal(providers.startAuthorization('test', intent));
    expect(server.asked).toHaveLength(1);

    isDown = false;
    now += 3000;
    await Promise.all([1, 2, 3].map(() => providers.startAuthorization('test', intent)));
    expect(server.asked).toHaveLength(2);
    // Cached metadata remains in use while the provider is down.
    isDown = true;
    now += 2 * 60 * 60_000;
    await providers.startAuthorization('test', intent);
    await providers.startAuthorization('test', intent);
    expect(server.asked).toHaveLength(3);
  });

  test('to a provider with another issuer are refused', async () => {
    const { go } = await openId({ metadata: { issuer: 'https://accounts.google.com' } });
    expect((await refusal(go())).code).toBe('unavailable');
  });
});
