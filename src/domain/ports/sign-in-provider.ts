/**
 * Port to the providers that people may sign in by: OpenID Connect and GitHub. Whoever signs in leaves the wiki with an
 * intent, proves at the provider who they are, and comes back with a code that only this wiki can redeem.
 */

export interface ProviderName {
  /** Name in the settings, in URLs and in the store. */
  name: string;
  /** Name that people know. */
  label: string;
  /** Whether it can tell when somebody signed in there, and so show again that it is them. */
  canConfirm: boolean;
}

/** Who somebody is to a provider. Issuer and subject together name one account for ever; nothing else does. */
export interface Identity {
  /** Name of the provider in the settings. */
  provider: string;
  issuer: string;
  subject: string;
  /** Name that the person would use for the account, for display only: e-mail address or user name. */
  account: string | null;
  /** Only if the provider says that it has verified the address. Never finds or links anyone. */
  email: string | null;
  name: string | null;
  /** When the person last signed in there, in milliseconds, where the provider tells. */
  signedInAt: number | null;
  /** Names of groups that the provider says the person is in, at a sign-in; absent: it is not asked. */
  groups?: readonly string[];
}

/** Purpose of a browser's trip to the provider, encrypted into its state cookie so that nobody can change it on the way. */
export type Intent =
  | { kind: 'sign-in'; next: string }
  /** A member who is signed in shows again that it is them. */
  | { kind: 'confirm'; memberId: number; next: string }
  | { kind: 'link'; memberId: number }
  | { kind: 'join'; token: string };

export interface Arrival {
  intent: Intent;
  identity: Identity;
}

/** How long a person may take at the provider, and then over the form of an invitation. */
export const authorizationLimitMs = 10 * 60 * 1000;

export interface Providers {
  /** Providers in the order of the settings. */
  all: readonly ProviderName[];
  /**
   * Address to send the browser to, and the state cookie that it must bring back: sealed, so it may be kept in a cookie.
   * Refuses `not-found` (no such provider), `invalid` (to confirm by one that cannot) and `unavailable` (it does not answer).
   */
  startAuthorization(provider: string, intent: Intent): Promise<{ address: string; stateCookie: string }>;
  /**
   * Who came back, told by the provider itself. Refuses `invalid` (no state cookie, an old one, or an answer that does not
   * belong to it), `bad-credentials` (the provider or the person refused, or what the provider says does not hold, or
   * a confirmation for which the person did not sign in there anew) and `unavailable`.
   */
  handleCallback(
    provider: string,
    stateCookie: string | undefined,
    answer: URLSearchParams,
  ): Promise<Arrival>;
  /** Keeps a proven arrival while the person fills in a form: sealed, for `authorizationLimitMs`. */
  keep(arrival: Arrival): Promise<string>;
  /** Result that `keep` encrypted, or undefined for anything else. */
  recall(kept: string): Promise<Arrival | undefined>;
}
