/**
 * What a provider could do to the wiki, and what a wiki could be made to ask: against small servers that lie. That real
 * providers work is `test/oauth.test.ts`.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Problem } from '#domain/problem.ts';
import type { Arrival, Errand, Providers } from '#domain/provider.ts';
import { createProviders, type ProviderSettings, plainText } from './oauth.ts';
import { boundedFetch, isSafe, Unreachable } from './oauth-fetch.ts';
import { createTokens } from './token.ts';

const keys = [new Uint8Array(32).fill(7)];
const errand: Errand = { kind: 'sign-in', next: '/' };
const closing: (() => Promise<void>)[] = [];
let pair: Awaited<ReturnType<typeof generateKeyPair>>;
let stranger: Awaited<ReturnType<typeof generateKeyPair>>;

beforeAll(async () => {
  pair = await generateKeyPair('RS256', { extractable: true });
  stranger = await generateKeyPair('RS256');
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(() => expect(closing).toEqual([]));

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => unknown;

/** A server whose answers are a table from paths; what is asked of it is counted. */
async function serve(answers: Record<string, Answer>): Promise<{ origin: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    asked.push(`${request.method} ${path}`);
    let body = '';
    for await (const chunk of request) body += chunk;
    const answer = answers[path];
    if (!answer) return void response.writeHead(404).end();
    const said = await answer(request, response, body);
    if (said === undefined) return;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as { port: number };
  return { origin: `http://127.0.0.1:${port}`, asked };
}

interface Lies {
  metadata?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  key?: CryptoKey;
  alg?: string;
  token?: Answer;
  userinfo?: Answer;
  discovery?: Answer;
  jwks?: Answer;
}

/** An OpenID Connect provider that tells the truth but for the given lies. */
async function openId(lies: Lies = {}) {
  let nonce = '';
  let origin = '';
  const server = await serve({
    '/.well-known/openid-configuration': (...args) =>
      lies.discovery
        ? lies.discovery(...args)
        : {
            issuer: origin,
            authorization_endpoint: `${origin}/authorize`,
            token_endpoint: `${origin}/token`,
            userinfo_endpoint: `${origin}/userinfo`,
            jwks_uri: `${origin}/jwks`,
            id_token_signing_alg_values_supported: ['RS256'],
            ...lies.metadata,
          },
    '/jwks': async (...args) =>
      lies.jwks ? lies.jwks(...args) : { keys: [{ ...(await exportJWK(pair.publicKey)), alg: 'RS256' }] },
    '/userinfo': (...args) => (lies.userinfo ? lies.userinfo(...args) : { sub: 'ada' }),
    '/token': async (...args) => {
      if (lies.token) return lies.token(...args);
      const now = Math.floor(Date.now() / 1000);
      const claims = { iss: origin, sub: 'ada', aud: 'wiki', nonce, iat: now, exp: now + 60, ...lies.claims };
      const alg = lies.alg ?? 'RS256';
      const idToken =
        alg === 'none'
          ? `${encoded({ alg: 'none' })}.${encoded(claims)}.`
          : await new SignJWT(claims)
              .setProtectedHeader({ alg })
              .sign(lies.key ?? (alg === 'HS256' ? Buffer.from('s3cret'.padEnd(32)) : pair.privateKey));
      return { access_token: 'access', token_type: 'bearer', id_token: idToken };
    },
  });
  origin = server.origin;
  const providers = createProviders([settingsOf({ issuer: origin })], options());
  const go = async (what: Errand = errand, more: Record<string, string> = {}) => {
    const { address, ticket } = await providers.depart('test', what);
    const asked = new URL(address).searchParams;
    nonce = asked.get('nonce') ?? '';
    const answer = new URLSearchParams({ code: 'code', state: asked.get('state') ?? '', ...more });
    return providers.arrive('test', ticket, answer);
  };
  return { ...server, providers, go };
}

function settingsOf(more: Partial<ProviderSettings>): ProviderSettings {
  return { name: 'test', label: 'Test', kind: 'oidc', issuer: '', id: 'wiki', secret: 's3cret', ...more };
}

function options(clock: () => number = Date.now) {
  return { baseUrl: 'https://wiki.example', keys, clock };
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

async function refusal(going: Promise<unknown>): Promise<Problem> {
  const error = await going.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toMatchObject({ name: 'Problem' });
  return error as Problem;
}

describe('an ID token', () => {
  test('that is right tells who it is, and nothing more is asked for signing in', async () => {
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
  ])('%s signs nobody in', async (_, lies) => {
    const { go } = await openId(lies);
    expect((await refusal(go())).code).toBe('bad-credentials');
  });

  test('signed by a stranger signs nobody in', async () => {
    const { go } = await openId({ key: stranger.privateKey });
    expect((await refusal(go())).code).toBe('bad-credentials');
  });

  test('must be there', async () => {
    const { go } = await openId({ token: () => ({ access_token: 'access', token_type: 'bearer' }) });
    expect((await refusal(go())).code).toBe('bad-credentials');
  });
});

describe('what a provider tells of a person', () => {
  const join: Errand = { kind: 'join', token: 'x' };

  test('comes from userinfo where the ID token is silent, and must be about the same person', async () => {
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

  test('is short text on one line, or nothing', () => {
    for (const odd of [7, {}, [], null, undefined, '', ' \n', 'x'.repeat(300)])
      expect(plainText(odd)).toBeNull();
    expect(plainText('a\u0000b\ud800')).toBe('a b\ufffd');
  });
});

describe('an answer', () => {
  test('needs the ticket and the state of its own journey and provider', async () => {
    const { origin } = await openId();
    const named = ['one', 'two'].map((name) => settingsOf({ name, issuer: origin }));
    const providers = createProviders(named, options());
    const { address, ticket } = await providers.depart('one', errand);
    const state = new URL(address).searchParams.get('state') ?? '';
    const answer = (more: Record<string, string>) => new URLSearchParams({ code: 'c', ...more });
    const other = await providers.depart('one', errand);
    for (const [name, sealed, query] of [
      ['two', ticket, answer({ state })],
      ['one', other.ticket, answer({ state })],
      ['one', ticket, answer({ state: `${state}x` })],
      ['one', ticket, answer({})],
      ['one', undefined, answer({ state })],
      ['one', '', answer({ state })],
      ['one', `${ticket.slice(0, -3)}AAA`, answer({ state })],
      ['one', 'x'.repeat(100_000), answer({ state })],
      ['one', await providers.keep({ errand, identity: {} } as Arrival), answer({ state })],
      [
        'one',
        await createTokens(keys, Date.now).issue({ memberId: 1, epoch: 0, issuedAt: Date.now() }),
        answer({ state }),
      ],
    ] as const) {
      expect((await refusal(providers.arrive(name, sealed, query))).code).toBe('invalid');
    }
    expect(await createTokens(keys, Date.now).read(ticket)).toBeUndefined();
    expect(await providers.recall(ticket)).toBeUndefined();
  });

  test('is of no use after ten minutes, and its ticket hides what it holds', async () => {
    const { origin } = await openId();
    let now = Date.now();
    const providers = createProviders(
      [settingsOf({ issuer: origin })],
      options(() => now),
    );
    const { address, ticket } = await providers.depart('test', errand);
    const state = new URL(address).searchParams.get('state') ?? '';
    expect(Buffer.from(ticket.split('.')[3] ?? '', 'base64url').toString('latin1')).not.toContain(state);
    now += 10 * 60_000 + 1000;
    const answer = new URLSearchParams({ code: 'c', state });
    expect((await refusal(providers.arrive('test', ticket, answer))).code).toBe('invalid');
  });

  test.each([
    ['access_denied', 'bad-credentials', 'was not allowed to sign you in'],
    ['server_error', 'unavailable', 'cannot be reached'],
    ['temporarily_unavailable', 'unavailable', 'cannot be reached'],
    ['invalid_scope', 'unavailable', 'look at its settings'],
    ['login_required', 'bad-credentials', 'did not sign you in'],
    ['<script>', 'bad-credentials', 'did not sign you in'],
  ])('with the error %s is said in words of our own', async (error, code, words) => {
    const { go } = await openId();
    const problem = await refusal(go(errand, { error, error_description: 'Call 0900-EVIL now' }));
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
  test('follow no redirect and go nowhere but to the provider and the endpoints that it names', async () => {
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

    const ask = boundedFetch(() => new Set(['https://id.example']));
    for (const url of [
      `${inside}/token`,
      'https://id.example.evil.example/',
      'http://id.example/',
      'file:///etc/passwd',
    ]) {
      await expect(ask(url, {})).rejects.toThrow(Unreachable);
    }
    expect(asked).toEqual([]);
  });

  test('go out by HTTPS, or on this machine', () => {
    for (const safe of [
      'https://id.example',
      'http://localhost:8080',
      'http://127.0.0.1',
      'http://[::1]:9',
    ]) {
      expect(isSafe(new URL(safe)), safe).toBe(true);
    }
    for (const bad of [
      'http://id.example',
      'http://localhost.evil.example',
      'http://10.0.0.1',
      'http://169.254.169.254',
      'ftp://localhost',
      'file:///etc/passwd',
      'http://127.0.0.1.nip.io',
    ]) {
      expect(isSafe(new URL(bad)), bad).toBe(false);
    }
  });

  test('of a provider that names endpoints by HTTP elsewhere are not made', async () => {
    const { go, asked } = await openId({ metadata: { token_endpoint: 'http://169.254.169.254/token' } });
    expect((await refusal(go())).code).toBe('unavailable');
    expect(asked).toEqual(['GET /.well-known/openid-configuration']);
  });

  test('give up on answers that are too long or never end', async () => {
    const { origin } = await serve({
      '/long': (_, response) => void response.end('x'.repeat(100_001)),
      '/endless': (request, response) => {
        const pump = setInterval(() => response.write('x'), 10);
        request.socket.on('close', () => clearInterval(pump));
        return undefined;
      },
      '/silent': () => undefined,
    });
    const ask = boundedFetch(() => new Set([origin]), { maxBytes: 100_000, timeoutMs: 300 });
    await expect(ask(`${origin}/long`, {})).rejects.toThrow('too long');
    const began = performance.now();
    await expect(ask(`${origin}/endless`, {})).rejects.toThrow('does not answer');
    await expect(ask(`${origin}/silent`, {})).rejects.toThrow('does not answer');
    expect(performance.now() - began).toBeLessThan(3000);
  });

  test('for what a provider is are made when it is needed, once, and again after a failure', async () => {
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
    const failed = await Promise.all([1, 2, 3].map(() => refusal(providers.depart('test', errand))));
    expect(failed.map(({ code }) => code)).toEqual(['unavailable', 'unavailable', 'unavailable']);
    await refusal(providers.depart('test', errand));
    expect(server.asked).toHaveLength(1);

    isDown = false;
    now += 3000;
    await Promise.all([1, 2, 3].map(() => providers.depart('test', errand)));
    expect(server.asked).toHaveLength(2);
    // What is known goes on being used while the provider is away.
    isDown = true;
    now += 2 * 60 * 60_000;
    await providers.depart('test', errand);
    await providers.depart('test', errand);
    expect(server.asked).toHaveLength(3);
  });

  test('to a provider that claims to be another are refused', async () => {
    const { go } = await openId({ metadata: { issuer: 'https://accounts.google.com' } });
    expect((await refusal(go())).code).toBe('unavailable');
  });
});

describe('GitHub', () => {
  async function gitHub(answers: Record<string, Answer> = {}) {
    const server = await serve({
      '/login/oauth/access_token': (_, response, body) => {
        const sent = new URLSearchParams(body);
        expect(sent.get('code_verifier')).toMatch(/^[\w-]{43}$/);
        expect(sent.get('redirect_uri')).toBe('https://wiki.example/login/with/test/return');
        return { access_token: 'gho', token_type: 'bearer', scope: '' };
      },
      '/api/v3/user': ({ headers }) => {
        expect(headers.authorization).toBe('Bearer gho');
        return { id: 583231, login: 'octocat', name: 'The Octocat', email: 'public@mail.example' };
      },
      '/api/v3/user/emails': () => [
        { email: 'old@mail.example', primary: false, verified: true },
        { email: 'octo@mail.example', primary: true, verified: true },
      ],
      ...answers,
    });
    const providers = createProviders([settingsOf({ kind: 'github', issuer: server.origin })], options());
    return { ...server, providers };
  }

  async function go(providers: Providers, what: Errand = errand, more: Record<string, string> = {}) {
    const { address, ticket } = await providers.depart('test', what);
    const asked = new URL(address).searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    const answer = new URLSearchParams({ code: 'c', state: asked.get('state') ?? '', ...more });
    return { asked, arrival: await providers.arrive('test', ticket, answer) };
  }

  test('tells people by their number, and no more is asked for', async () => {
    const { providers, asked, origin } = await gitHub();
    const { asked: query, arrival } = await go(providers, errand, { iss: `${origin}/login/oauth` });
    expect(query.has('scope')).toBe(false);
    expect(arrival.identity).toMatchObject({
      issuer: `${origin}/login/oauth`,
      subject: '583231',
      account: 'octocat',
      email: null,
    });
    expect(asked).toEqual(['POST /login/oauth/access_token', 'GET /api/v3/user']);
  });

  test('is asked for the address when joining, and only a verified one is taken', async () => {
    const join: Errand = { kind: 'join', token: 'x' };
    const { providers } = await gitHub();
    expect((await go(providers, join)).arrival.identity.email).toBe('octo@mail.example');
    const other = await gitHub({
      '/api/v3/user/emails': () => [{ email: 'a@b.example', primary: true, verified: false }],
    });
    expect((await go(other.providers, join)).arrival.identity.email).toBeNull();
  });

  test.each<[string, Record<string, Answer>, string]>([
    [
      'a used code, told with status 200',
      { '/login/oauth/access_token': () => ({ error: 'bad_verification_code' }) },
      'bad-credentials',
    ],
    [
      'a wrong secret, told with status 200',
      { '/login/oauth/access_token': () => ({ error: 'incorrect_client_credentials' }) },
      'unavailable',
    ],
    ['no number', { '/api/v3/user': () => ({ login: 'octocat' }) }, 'bad-credentials'],
    [
      'a user name in the place of the number',
      { '/api/v3/user': () => ({ id: 'octocat' }) },
      'bad-credentials',
    ],
    ['an API that is down', { '/api/v3/user': answerWith(500, {}) }, 'unavailable'],
  ])('answering with %s signs nobody in', async (_, answers, code) => {
    const { providers } = await gitHub(answers);
    expect((await refusal(go(providers))).code).toBe(code);
  });

  test('named in an answer of another server signs nobody in', async () => {
    const { providers } = await gitHub();
    const problem = await refusal(go(providers, errand, { iss: 'https://github.com/login/oauth' }));
    expect(problem.code).toBe('bad-credentials');
  });

  test('itself is asked at its own addresses', async () => {
    const settings = settingsOf({ kind: 'github', issuer: 'https://github.com' });
    const { address } = await createProviders([settings], options()).depart('test', errand);
    expect(address).toMatch(/^https:\/\/github\.com\/login\/oauth\/authorize\?/);
  });
});

function answerWith(status: number, value: unknown): Answer {
  return (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
