/**
 * Signing in by a provider: OAuth 2.0 authorization code with PKCE, `state` and `nonce` (RFC 9700), for OpenID Connect and
 * GitHub. The server keeps no state meanwhile: what is needed to verify the response is sealed in a cookie. Providers are first
 * contacted on use, so starting never waits for one.
 */

import { timingSafeEqual } from 'node:crypto';
import * as client from 'openid-client';
import { Problem } from '#core/model/problem.ts';
import {
  type Arrival,
  authorizationLimitMs,
  type Intent,
  type Providers,
} from '#core/ports/sign-in-provider.ts';
import type { Words } from '#html/html.ts';
import { say } from '#words/say.ts';
import { githubAdapter } from './github.ts';
import { Unreachable } from './oauth-fetch.ts';
import { openIdAdapter } from './openid.ts';
import type { Profile, ProviderSettings } from './provider-adapter.ts';
import { createSealedTokens } from './sealed-token.ts';

/** Time after which a provider's metadata is fetched again. */
const metadataFreshMs = 60 * 60 * 1000;
const retryAfterMs = 2000;
const maxStateCookieLength = 8192;
const maxSubjectLength = 255;
/** Tolerated difference between the provider's clock and ours. */
const clockToleranceMs = 30_000;

interface AuthorizationRequest {
  provider: string;
  state: string;
  nonce: string;
  verifier: string;
  intent: Intent;
  startedAt: number;
}

/** `baseUrl`: the wiki's public address. `keys` and `clock` as for tokens. */
export function createProviders(
  settings: readonly ProviderSettings[],
  { baseUrl, keys, clock }: { baseUrl: string; keys: Uint8Array[]; clock: () => number },
): Providers {
  const limits = { lifetimeMs: authorizationLimitMs, maxLength: maxStateCookieLength };
  const stateCookies = createSealedTokens(keys, clock, { audience: 'coppice journey', ...limits });
  const arrivals = createSealedTokens(keys, clock, { audience: 'coppice arrival', ...limits });
  const byName = new Map(settings.map((one) => [one.name, openProvider(one, clock)]));
  const returnTo = (name: string) => `${baseUrl}/login/with/${name}/return`;

  const get = (name: string) => {
    const provider = byName.get(name);
    if (!provider) throw new Problem('not-found', say('problem.thereIsNoSuchProviderHere'));
    return provider;
  };

  return {
    all: settings.map(({ name, label, kind }) => ({ name, label, canConfirm: kind === 'oidc' })),

    async startAuthorization(name, intent) {
      const { label, canConfirm, adapter, reach } = get(name);
      if (intent.kind === 'confirm' && !canConfirm) throw new Problem('invalid', cannotConfirm(label));
      const request: AuthorizationRequest = {
        provider: name,
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
        intent,
        startedAt: clock(),
      };
      try {
        const address = client.buildAuthorizationUrl(await reach(), {
          redirect_uri: returnTo(name),
          response_type: 'code',
          state: request.state,
          code_challenge: await client.calculatePKCECodeChallenge(request.verifier),
          code_challenge_method: 'S256',
          ...adapter.parameters(intent, request.nonce),
        });
        return { address: address.href, stateCookie: await stateCookies.seal({ request }, clock()) };
      } catch (error) {
        throw unavailable(label, error);
      }
    },

    async handleCallback(name, stateCookie, answer) {
      const { label, adapter, reach } = get(name);
      const payload = stateCookie === undefined ? undefined : await stateCookies.open(stateCookie);
      const request = payload?.request as AuthorizationRequest | undefined;
      if (request?.provider !== name || !isSame(answer.get('state'), request.state)) {
        throw new Problem('invalid', say('problem.thisResponseOfDoesNotBelongTo', { label }));
      }
      const { intent, nonce, state, verifier } = request;
      const config = await reach().catch((error: unknown) => {
        throw unavailable(label, error);
      });
      try {
        const url = new URL(`${returnTo(name)}?${answer}`);
        const checks = { ...adapter.checks(nonce), expectedState: state, pkceCodeVerifier: verifier };
        const tokens = await client.authorizationCodeGrant(config, url, checks);
        const profile = await adapter.identify(config, tokens, intent);
        refuseOddSubject(profile);
        // A time in the future, such as one in wrong units, would always count as recent.
        if (profile.signedInAt !== null && profile.signedInAt > clock() + clockToleranceMs)
          profile.signedInAt = null;
        if (intent.kind === 'confirm') refuseUnlessAnew(profile, label, request.startedAt);
        return { intent, identity: { provider: name, ...profile } };
      } catch (error) {
        throw refusalOf(error, label);
      }
    },

    keep: (arrival) => arrivals.seal({ arrival }, clock()),
    async recall(kept) {
      return (await arrivals.open(kept))?.arrival as Arrival | undefined;
    },
  };
}

/**
 * The provider's metadata, fetched on first use. After a failure the next caller tries again after a pause, so that a provider
 * in trouble is not flooded with requests.
 */
function openProvider(settings: ProviderSettings, clock: () => number) {
  const adapter = settings.kind === 'github' ? githubAdapter(settings) : openIdAdapter(settings);
  let known: client.Configuration | undefined;
  let knownAt = 0;
  let failed: { at: number; error: unknown } | undefined;
  let asking: Promise<client.Configuration> | undefined;

  const ask = async () => {
    try {
      const config = await adapter.discover();
      [known, knownAt, failed] = [config, clock(), undefined];
      return config;
    } catch (error) {
      failed = { at: clock(), error };
      // Metadata from an hour ago is most likely still valid.
      if (known) return known;
      throw error;
    } finally {
      asking = undefined;
    }
  };
  return {
    label: settings.label,
    canConfirm: settings.kind === 'oidc',
    adapter,
    async reach(): Promise<client.Configuration> {
      if (known && Math.abs(clock() - knownAt) < metadataFreshMs) return known;
      if (failed && Math.abs(clock() - failed.at) < retryAfterMs) {
        if (known) return known;
        throw failed.error;
      }
      asking ??= ask();
      return asking;
    },
  };
}

function isSame(given: string | null, expected: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** OpenID Connect Core §2: at most 255 ASCII characters. */
function refuseOddSubject({ subject }: Profile): void {
  if (subject.length > maxSubjectLength || !/^[\x20-\x7e]+$/.test(subject)) {
    throw new Error('The provider’s ID of the account cannot be stored.');
  }
}

/**
 * OpenID Connect Core §3.1.2.1: if `max_age` was requested, the ID token must contain the time of the sign-in (§2,
 * `auth_time`). Providers that ignore the one omit the other, or report an old sign-in.
 */
function refuseUnlessAnew({ signedInAt }: Profile, label: string, startedAt: number): void {
  if (signedInAt === null) throw new Problem('bad-credentials', cannotConfirm(label));
  if (signedInAt >= startedAt - clockToleranceMs) return;
  throw new Problem('bad-credentials', say('problem.didNotAskYouToSignIn', { label }));
}

function cannotConfirm(label: string): Words {
  return say('problem.doesNotSayWhenYouSignedIn', { label });
}

function unavailable(label: string, cause: unknown): Problem {
  return new Problem('unavailable', say('problem.cannotBeReachedAtTheMomentTry', { label }), { cause });
}

/** Errors between the redirect and the verified identity, in words for the person. */
function refusalOf(error: unknown, label: string): Problem {
  if (error instanceof Problem) return error;
  const refuse = (sentence: Words) => new Problem('bad-credentials', sentence, { cause: error });
  const code = errorCodeOf(error);
  switch (code) {
    case 'access_denied':
      return refuse(say('problem.wasNotAllowedToSignYouIn', { label }));
    case 'invalid_grant':
    case 'bad_verification_code':
      return refuse(say('problem.thisResponseOfWasAlreadyUsedOr', { label }));
    case 'invalid_client':
    case 'unauthorized_client':
    case 'incorrect_client_credentials':
    case 'redirect_uri_mismatch':
    case 'invalid_scope':
      return new Problem('unavailable', say('problem.doesNotKnowThisWikiTheOperator', { label }), {
        cause: error,
      });
    case 'server_error':
    case 'temporarily_unavailable':
      return unavailable(label, error);
  }
  if (causes(error).some((cause) => cause instanceof Unreachable || isServerFailure(cause))) {
    return unavailable(label, error);
  }
  if (code !== undefined) return refuse(say('problem.didNotSignYouInStartAgain', { label }));
  return refuse(say('problem.theResponseOfIsInvalidSoNobody', { label }));
}

/** RFC 6749 §4.1.2.1 and §5.2; GitHub returns errors with status 200. */
function errorCodeOf(error: unknown): string | undefined {
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError) {
    return error.error;
  }
  for (const cause of causes(error)) {
    const { body } = cause as { body?: { error?: unknown } };
    if (typeof body?.error === 'string') return body.error;
  }
  return undefined;
}

function isServerFailure(cause: unknown): boolean {
  const { status } = cause as { status?: unknown };
  return typeof status === 'number' && status >= 500;
}

function causes(error: unknown): object[] {
  const found: object[] = [];
  for (let at: unknown = error; typeof at === 'object' && at !== null && found.length < 10; ) {
    found.push(at);
    at = (at as { cause?: unknown }).cause;
  }
  return found;
}
