/**
 * Port to identity providers: OpenID Connect and GitHub. The browser leaves the wiki with an intent, the person authenticates
 * at the provider, and comes back with a code that only this wiki can redeem.
 */

export interface ProviderName {
  /** Name in the settings, in URLs and in the store. */
  name: string;
  /** Display name. */
  label: string;
  /** Whether the provider reports the time of the sign-in, which confirming an identity requires. */
  canConfirm: boolean;
}

/** Identity of a person at a provider. Only issuer and subject together identify an account permanently. */
export interface Identity {
  /** Name of the provider in the settings. */
  provider: string;
  issuer: string;
  subject: string;
  /** Display name of the account: e-mail address or user name. */
  account: string | null;
  /** Only set if the provider says that it has verified the address. Never used to find or link a member. */
  email: string | null;
  name: string | null;
  /** When the person last signed in there, in milliseconds, if the provider reports it. */
  signedInAt: number | null;
  /** The person's groups according to the provider; absent if groups are not requested. */
  groups?: readonly string[];
  /** Whether groups were requested and the provider left them out, because there are too many for its answer. */
  withholdsGroups?: true;
}

/** Purpose of a trip to the provider, encrypted in the state cookie so that it cannot be changed on the way. */
export type Intent =
  | { kind: 'sign-in'; next: string }
  /** A signed-in member confirms their identity. */
  | { kind: 'confirm'; memberId: number; next: string }
  | { kind: 'link'; memberId: number }
  | { kind: 'join'; token: string };

export interface Arrival {
  intent: Intent;
  identity: Identity;
}

/** Time allowed at the provider, and then for the form of an invitation. */
export const authorizationLimitMs = 10 * 60 * 1000;

export interface Providers {
  /** Providers in the order of the settings. */
  all: readonly ProviderName[];
  /**
   * URL to send the browser to, and the sealed state cookie that it must bring back. Refuses `not-found` (no such provider),
   * `invalid` (the provider cannot confirm identities) and `unavailable` (it does not respond).
   */
  startAuthorization(provider: string, intent: Intent): Promise<{ address: string; stateCookie: string }>;
  /**
   * The person who came back, according to the provider. Refuses `invalid` (state cookie missing, expired or not matching),
   * `bad-credentials` (refused by the provider or the person, invalid ID token, or no new sign-in for a confirmation) and
   * `unavailable`.
   */
  handleCallback(
    provider: string,
    stateCookie: string | undefined,
    answer: URLSearchParams,
  ): Promise<Arrival>;
  /** Seals a verified arrival while the person fills in a form, for `authorizationLimitMs`. */
  keep(arrival: Arrival): Promise<string>;
  /** Opens the result of `keep`; returns undefined for anything else. */
  recall(kept: string): Promise<Arrival | undefined>;
}
