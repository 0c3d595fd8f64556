/**
 * GitHub and GitHub Enterprise: OAuth 2.0 with an API that identifies the person. Accounts are identified by number, because
 * user names can be reassigned.
 */
import * as client from 'openid-client';
import { boundedFetch, Unreachable } from './oauth-fetch.ts';
import { type Profile, type ProviderAdapter, type ProviderSettings, plainText } from './provider-adapter.ts';

const publicServer = 'https://github.com';

export function githubAdapter(settings: ProviderSettings): ProviderAdapter {
  const server = new URL(settings.issuer).href.replace(/\/$/, '');
  const api = server === publicServer ? 'https://api.github.com' : `${server}/api/v3`;
  // GitHub's issuer identifier (RFC 9207).
  const issuer = `${server}/login/oauth`;
  const origins = new Set([new URL(server).origin, new URL(api).origin]);

  async function ask(config: client.Configuration, token: string, path: string): Promise<unknown> {
    const headers = new Headers({ accept: 'application/vnd.github+json', 'user-agent': 'Coppice' });
    const response = await client.fetchProtectedResource(
      config,
      token,
      new URL(api + path),
      'GET',
      null,
      headers,
    );
    if (!response.ok) throw new Unreachable(`${api}${path} answers ${response.status}.`);
    return response.json();
  }

  return {
    async discover() {
      const config = new client.Configuration(
        {
          issuer,
          authorization_endpoint: `${server}/login/oauth/authorize`,
          token_endpoint: `${server}/login/oauth/access_token`,
        },
        settings.id,
        { client_secret: settings.secret },
        client.ClientSecretPost(settings.secret),
      );
      config[client.customFetch] = boundedFetch(() => origins);
      if (server.startsWith('http:')) client.allowInsecureRequests(config);
      return config;
    },
    // Without a scope GitHub returns public data, which is enough to recognise an account.
    parameters: ({ kind }): Record<string, string> => (kind === 'join' ? { scope: 'user:email' } : {}),
    checks: () => ({}),
    async identify(config, { access_token: token }, intent): Promise<Profile> {
      const user = (await ask(config, token, '/user')) as { id?: unknown; login?: unknown; name?: unknown };
      if (!Number.isSafeInteger(user.id)) throw new Error('GitHub did not send the ID of the account.');
      const emails = intent.kind === 'join' ? await ask(config, token, '/user/emails') : [];
      return {
        issuer,
        subject: String(user.id),
        account: plainText(user.login),
        email: primaryOf(emails),
        name: plainText(user.name),
        signedInAt: null,
      };
    },
  };
}

function primaryOf(emails: unknown): string | null {
  const known = (Array.isArray(emails) ? emails : []) as (Record<string, unknown> | null)[];
  return plainText(known.find((one) => one?.primary === true && one.verified === true)?.email);
}
