/** Responses that a GitHub server could send to the wiki. */
import { describe, expect, test } from 'vitest';
import type { Intent, Providers } from '#core/ports/sign-in-provider.ts';
import {
  type Answer,
  answerWith,
  intent,
  options,
  refusal,
  serve,
  settingsOf,
} from '#test/support/lying-provider.ts';
import { createProviders } from './oauth.ts';

describe('GitHub', () => {
  async function gitHub(answers: Record<string, Answer> = {}) {
    const server = await serve({
      '/login/oauth/access_token': (_request, _response, body) => {
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

  async function go(providers: Providers, what: Intent = intent, more: Record<string, string> = {}) {
    const { address, stateCookie } = await providers.startAuthorization('test', what);
    const asked = new URL(address).searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    const answer = new URLSearchParams({ code: 'c', state: asked.get('state') ?? '', ...more });
    return { asked, arrival: await providers.handleCallback('test', stateCookie, answer) };
  }

  test('identifies people by their number, and is asked for nothing else', async () => {
    const { providers, asked, origin } = await gitHub();
    const { asked: query, arrival } = await go(providers, intent, { iss: `${origin}/login/oauth` });
    expect(query.has('scope')).toBe(false);
    expect(arrival.identity).toMatchObject({
      issuer: `${origin}/login/oauth`,
      subject: '583231',
      account: 'octocat',
      email: null,
    });
    expect(asked).toEqual(['POST /login/oauth/access_token', 'GET /api/v3/user']);
  });

  test('is asked for the address when joining, and only a verified one is accepted', async () => {
    const join: Intent = { kind: 'join', token: 'x' };
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

  test('named in a response of another server signs nobody in', async () => {
    const { providers } = await gitHub();
    const problem = await refusal(go(providers, intent, { iss: 'https://github.com/login/oauth' }));
    expect(problem.code).toBe('bad-credentials');
  });

  test('cannot confirm an identity, because it does not report when somebody signed in', async () => {
    const { providers, asked } = await gitHub();
    expect(providers.all).toEqual([{ name: 'test', label: 'Test', canConfirm: false }]);
    const problem = await refusal(go(providers, { kind: 'confirm', memberId: 1, next: '/' }));
    expect([problem.code, problem.message]).toEqual(['invalid', expect.stringContaining('passphrase')]);
    expect(asked).toEqual([]);
  });

  test('itself is contacted at its own addresses', async () => {
    const settings = settingsOf({ kind: 'github', issuer: 'https://github.com' });
    const { address } = await createProviders([settings], options()).startAuthorization('test', intent);
    expect(address).toMatch(/^https:\/\/github\.com\/login\/oauth\/authorize\?/);
  });
});
