/** Small servers that act as providers and lie as told: what a provider could do to the wiki. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, onTestFinished } from 'vitest';
import { createProviders } from '#auth/oauth.ts';
import type { ProviderSettings } from '#auth/provider-adapter.ts';
import type { Problem } from '#core/model/problem.ts';
import type { Intent } from '#core/ports/sign-in-provider.ts';

export const keys = [new Uint8Array(32).fill(7)];
export const intent: Intent = { kind: 'sign-in', next: '/' };
const pair = await generateKeyPair('RS256', { extractable: true });

export type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => unknown;

/** Serves responses from a table by path until the test ends, and records the requests. */
export async function serve(answers: Record<string, Answer>): Promise<{ origin: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    asked.push(`${request.method} ${path}`);
    let body = '';
    for await (const chunk of request) body += chunk;
    const answer = answers[path];
    if (!answer) return void response.writeHead(404).end();
    const answered = await answer(request, response, body);
    if (answered === undefined) return;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answered));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as { port: number };
  return { origin: `http://127.0.0.1:${port}`, asked };
}

export interface Lies {
  metadata?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  key?: CryptoKey;
  alg?: string;
  token?: Answer;
  userinfo?: Answer;
  discovery?: Answer;
  jwks?: Answer;
}

/** An OpenID Connect provider that behaves correctly except for the given lies. */
export async function openId(lies: Lies = {}, settings: Partial<ProviderSettings> = {}) {
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
  const providers = createProviders([settingsOf({ issuer: origin, ...settings })], options());
  const go = async (what: Intent = intent, more: Record<string, string> = {}) => {
    const { address, stateCookie } = await providers.startAuthorization('test', what);
    const asked = new URL(address).searchParams;
    nonce = asked.get('nonce') ?? '';
    const answer = new URLSearchParams({ code: 'code', state: asked.get('state') ?? '', ...more });
    return providers.handleCallback('test', stateCookie, answer);
  };
  return { ...server, providers, go };
}

export function settingsOf(more: Partial<ProviderSettings>): ProviderSettings {
  return { name: 'test', label: 'Test', kind: 'oidc', issuer: '', id: 'wiki', secret: 's3cret', ...more };
}

export function options(clock: () => number = Date.now) {
  return { baseUrl: 'https://wiki.example', keys, clock };
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

export async function refusal(going: Promise<unknown>): Promise<Problem> {
  const error = await going.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toMatchObject({ name: 'Problem' });
  return error as Problem;
}

export function answerWith(status: number, value: unknown): Answer {
  return (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
