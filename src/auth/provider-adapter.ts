/** Interface of the adapters for the two kinds of providers: OpenID Connect and GitHub. */
import type * as client from 'openid-client';
import type { Identity, Intent } from '#core/ports/sign-in-provider.ts';

export interface ProviderSettings {
  name: string;
  label: string;
  kind: 'oidc' | 'github';
  /** Issuer of an OpenID Connect provider, or address of the GitHub server. */
  issuer: string;
  id: string;
  secret: string;
  /** Claim that contains the person's groups; empty if groups are not used. */
  groupsClaim?: string;
}

export type Profile = Omit<Identity, 'provider'>;

/** Maximum number of groups that are compared with those of the wiki. Answers of providers are bounded, too. */
const maxGroups = 20_000;

/** Group names in a claim: a list of strings, or a single string. */
export function groupNames(claim: unknown): string[] {
  const names = Array.isArray(claim) ? claim.slice(0, maxGroups) : [claim];
  return names.flatMap((name) => plainText(name) ?? []);
}

/** Operations in which the kinds of providers differ. */
export interface ProviderAdapter {
  discover(): Promise<client.Configuration>;
  /** Parameters added to the authorization URL. */
  parameters(intent: Intent, nonce: string): Record<string, string>;
  checks(nonce: string): client.AuthorizationCodeGrantChecks;
  identify(config: client.Configuration, tokens: Tokens, intent: Intent): Promise<Profile>;
}

type Tokens = Awaited<ReturnType<typeof client.authorizationCodeGrant>>;

/** Text from a provider is displayed and suggested but never trusted: limited to one short line, or dropped. */
export function plainText(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return text === '' || text.length > 254 ? null : text;
}
