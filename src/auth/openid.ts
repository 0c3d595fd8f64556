/** OpenID Connect providers: metadata by discovery, identity from the ID token and, if it lacks claims, from userinfo. */
import * as client from 'openid-client';
import type { Intent } from '#core/ports/sign-in-provider.ts';
import { boundedFetch } from './oauth-fetch.ts';
import {
  groupNames,
  type Profile,
  type ProviderAdapter,
  type ProviderSettings,
  plainText,
} from './provider-adapter.ts';

/** Tolerated difference, in seconds, between the provider's clock and ours. */
const clockToleranceS = 30;

export function openIdAdapter(settings: ProviderSettings): ProviderAdapter {
  const issuer = new URL(settings.issuer);
  return {
    async discover() {
      const origins = new Set([issuer.origin]);
      const isLocal = issuer.protocol === 'http:';
      const metadata = { client_secret: settings.secret, [client.clockTolerance]: clockToleranceS };
      const config = await client.discovery(issuer, settings.id, metadata, authenticationOf(settings), {
        [client.customFetch]: boundedFetch(() => origins),
        // Signatures of ID tokens are verified although they come directly from the provider.
        execute: [client.enableNonRepudiationChecks, ...(isLocal ? [client.allowInsecureRequests] : [])],
      });
      const { token_endpoint, userinfo_endpoint, jwks_uri } = config.serverMetadata();
      for (const endpoint of [token_endpoint, userinfo_endpoint, jwks_uri]) {
        if (endpoint) origins.add(new URL(endpoint).origin);
      }
      return config;
    },
    parameters: (intent, nonce) => ({
      scope: wantsProfile(intent) ? 'openid email profile' : 'openid',
      nonce,
      // OpenID Connect Core §3.1.2.1: 0 asks for a fresh sign-in, and for when it was.
      ...(intent.kind === 'confirm' ? { max_age: '0' } : {}),
    }),
    checks: (nonce) => ({ expectedNonce: nonce, idTokenExpected: true }),
    async identify(config, tokens, intent): Promise<Profile> {
      const claims = tokens.claims();
      if (!claims) throw new Error('The provider sent no ID token.');
      let allClaims: Record<string, unknown> = claims;
      const { groupsClaim = '' } = settings;
      const tellsGroups = groupsClaim !== '' && !wantsProfile(intent);
      const isSilent = wantsProfile(intent)
        ? claims.email === undefined
        : tellsGroups && claims[groupsClaim] === undefined;
      if (isSilent && config.serverMetadata().userinfo_endpoint) {
        allClaims = { ...claims, ...(await client.fetchUserInfo(config, tokens.access_token, claims.sub)) };
      }
      const email = plainText(allClaims.email);
      return {
        issuer: claims.iss,
        subject: claims.sub,
        account: email ?? plainText(allClaims.preferred_username),
        email: allClaims.email_verified === true ? email : null,
        name: plainText(allClaims.name),
        signedInAt: typeof claims.auth_time === 'number' ? claims.auth_time * 1000 : null,
        ...(tellsGroups ? groupsIn(allClaims, groupsClaim) : {}),
      };
    },
  };
}

/**
 * If no groups are named, the person is in none, unless the provider says that it left them out: by a distributed claim (OpenID
 * Connect Core §5.6.2), or as Entra ID does in short answers. Those claims are read from addresses that need other rights.
 */
function groupsIn(
  allClaims: Record<string, unknown>,
  claim: string,
): Pick<Profile, 'groups' | 'withholdsGroups'> {
  const { _claim_names: elsewhere, hasgroups: hasGroups } = allClaims;
  const isElsewhere = typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, claim);
  const isWithheld = isElsewhere || hasGroups === true || hasGroups === 'true';
  if (allClaims[claim] === undefined && isWithheld) return { withholdsGroups: true };
  return { groups: groupNames(allClaims[claim]) };
}

/** Only linking and joining need more than the identity. */
function wantsProfile({ kind }: Intent): boolean {
  return kind === 'link' || kind === 'join';
}

/** OpenID Connect Discovery §3: Basic is the default method of client authentication. */
function authenticationOf({ secret }: ProviderSettings): client.ClientAuth {
  const basic = client.ClientSecretBasic(secret);
  const post = client.ClientSecretPost(secret);
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isBasic = methods.includes('client_secret_basic') || !methods.includes('client_secret_post');
    return (isBasic ? basic : post)(server, ...rest);
  };
}
