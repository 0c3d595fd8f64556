/** In what kinds of sign-in providers differ: OpenID Connect and GitHub, each an adapter of its own. */
import type * as client from 'openid-client';
import type { Identity, Intent } from '#domain/ports/sign-in-provider.ts';

export interface ProviderSettings {
  name: string;
  label: string;
  kind: 'oidc' | 'github';
  /** Issuer of an OpenID Connect provider; address of the GitHub server. */
  issuer: string;
  id: string;
  secret: string;
  /** Claim that names the groups of whoever signs in; empty: the provider tells none. */
  groupsClaim?: string;
}

export type Profile = Omit<Identity, 'provider'>;

/** More groups than these, or longer names, are none that a wiki has. */
const maxGroupsTold = 500;

/** Names of groups as a claim has them: a list of texts, or one text. */
export function groupNames(claim: unknown): string[] {
  const names = Array.isArray(claim) ? claim.slice(0, maxGroupsTold) : [claim];
  return names.flatMap((name) => plainText(name) ?? []);
}

/** In which kinds of providers differ. */
export interface ProviderAdapter {
  discover(): Promise<client.Configuration>;
  /** Added to the address that the browser is sent to. */
  parameters(intent: Intent, nonce: string): Record<string, string>;
  checks(nonce: string): client.AuthorizationCodeGrantChecks;
  identify(config: client.Configuration, tokens: Tokens, intent: Intent): Promise<Profile>;
}

type Tokens = Awaited<ReturnType<typeof client.authorizationCodeGrant>>;

/** A provider's text about people is shown and suggested, never relied on: short, on one line, or nothing. */
export function plainText(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return text === '' || text.length > 254 ? null : text;
}
