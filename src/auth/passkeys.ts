/**
 * Passkeys by WebAuthn Level 3. A challenge is a sealed token, so requesting one writes nothing; the caller stores used
 * challenges until they expire, so that each is accepted once.
 */
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Count } from '#core/ports/credentials.ts';
import type { AnsweredChallenge, Passkeys } from '#core/ports/passkeys.ts';
import type { LocalText } from '#html/html.ts';
import { say, textOf } from '#words/say.ts';
import { createSealedTokens } from './sealed-token.ts';

const challengeLifetimeMs = 5 * 60 * 1000;
/** Maximum number of JSON characters: a response has about 1,500, and a credential ID up to 1,364. */
const maxAnswerLength = 16_384;
/** EdDSA, ES256 and RS256 (WebAuthn §5.4: these three reach all authenticators). */
const algorithms = [-8, -7, -257];

/** Importing it takes most of a second, so it is imported on first use. */
const library = () => import('@simplewebauthn/server');

/** `keys`: 32 bytes each. The first seals, all open. `clock`: milliseconds since 1970. */
export function createPasskeys(
  wikiName: () => string,
  keys: Uint8Array[],
  clock: () => number,
  count: Count,
): Passkeys {
  const challenges = createSealedTokens(keys, clock, {
    audience: 'coppice passkey',
    lifetimeMs: challengeLifetimeMs,
    maxLength: 1024,
  });
  /** `sub`: the member who adds a passkey; empty for signing in. */
  const challengeFor = (sub: string) => challenges.seal({ sub }, clock());
  const openChallenge = async (given: string, sub: string): Promise<AnsweredChallenge | undefined> => {
    const { sub: sealed, exp = 0 } =
      (await challenges.open(Buffer.from(given, 'base64url').toString())) ?? {};
    if (sealed !== sub) return undefined;
    return { hash: createHash('sha256').update(given).digest('hex'), expiresAt: exp * 1000 };
  };

  return {
    useInMemory: async ({ hash }) => (await count(`passkey ${hash}`, challengeLifetimeMs)).current === 1,

    obstacleAt: (address) => {
      const party = partyAt(address);
      return 'obstacle' in party ? party.obstacle : undefined;
    },

    async creationOptions(address, { id, email, name }, known) {
      const { generateRegistrationOptions } = await library();
      const options = await generateRegistrationOptions({
        rpName: wikiName(),
        rpID: usable(address).id,
        userName: email,
        userDisplayName: name,
        userID: handleOf(id),
        challenge: await challengeFor(String(id)),
        timeout: challengeLifetimeMs,
        attestationType: 'none',
        excludeCredentials: known.map((id) => ({ id })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: algorithms,
      });
      return { ...options };
    },

    async requestOptions(address) {
      const { generateAuthenticationOptions } = await library();
      const options = await generateAuthenticationOptions({
        rpID: usable(address).id,
        challenge: await challengeFor(''),
        timeout: challengeLifetimeMs,
        userVerification: 'required',
      });
      return { ...options };
    },

    async readCreation(address, answer, memberId) {
      if (!isBounded(answer)) return undefined;
      const { id: expectedRPID, origin: expectedOrigin } = usable(address);
      const response = answer as RegistrationResponseJSON;
      let challenge: AnsweredChallenge | undefined;
      const found = await unlessRefused(async () => {
        if (!(await isWithoutCertificates(response.response.attestationObject))) return undefined;
        return (await library()).verifyRegistrationResponse({
          response,
          expectedChallenge: async (given) => {
            challenge = await openChallenge(given, String(memberId));
            return challenge !== undefined;
          },
          expectedOrigin,
          expectedRPID,
          supportedAlgorithmIDs: algorithms,
        });
      });
      if (!found?.verified || !challenge) return undefined;
      const { credential, credentialBackedUp } = found.registrationInfo;
      return {
        credential: {
          credentialId: credential.id,
          publicKey: Buffer.from(credential.publicKey).toString('base64url'),
          counter: credential.counter,
          isSynced: credentialBackedUp,
        },
        challenge,
      };
    },

    credentialIdOf(answer) {
      const id: unknown = isBounded(answer) && 'id' in answer && answer.id;
      return typeof id === 'string' ? id : undefined;
    },

    async readRequest(address, answer, { memberId, credentialId, publicKey, counter }) {
      if (!isBounded(answer)) return undefined;
      const { id: expectedRPID, origin: expectedOrigin } = usable(address);
      const response = answer as AuthenticationResponseJSON;
      let challenge: AnsweredChallenge | undefined;
      const found = await unlessRefused(async () => {
        // WebAuthn §7.2, step 6: if no user was identified before, the response must contain the user handle.
        const handle = Buffer.from(handleOf(memberId)).toString('base64url');
        if (response.response.userHandle !== handle) return undefined;
        return (await library()).verifyAuthenticationResponse({
          response,
          expectedChallenge: async (given) => {
            challenge = await openChallenge(given, '');
            return challenge !== undefined;
          },
          expectedOrigin,
          expectedRPID,
          credential: {
            id: credentialId,
            publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
            counter,
          },
        });
      });
      if (!found?.verified || !challenge) return undefined;
      const { newCounter, credentialBackedUp } = found.authenticationInfo;
      return { counter: newCounter, isSynced: credentialBackedUp, challenge };
    },
  };
}

function partyAt(address: string): { id: string; origin: string } | { obstacle: LocalText } {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const name = url?.hostname ?? '';
  if (!url || isIP(name.replace(/^\[|\]$/g, '')) !== 0)
    return {
      obstacle: say('passkeys.needHostName'),
    };
  // Secure Contexts §3.1
  if (url.protocol !== 'https:' && !/(^|\.)localhost$/.test(name))
    return { obstacle: say('passkeys.needHttps') };
  return { id: name, origin: url.origin };
}

function usable(address: string): { id: string; origin: string } {
  const party = partyAt(address);
  if ('obstacle' in party) throw new Error(textOf(party.obstacle, 'en'));
  return party;
}

/** WebAuthn §5.4.3: bytes that identify the account without personal data. */
function handleOf(memberId: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(String(memberId)));
}

function isBounded(answer: unknown): answer is object {
  return typeof answer === 'object' && answer !== null && JSON.stringify(answer).length <= maxAnswerLength;
}

/** Attestation certificates are not requested, and verifying one would contact addresses in it to check revocation. */
async function isWithoutCertificates(attestation: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestation, 'base64url')));
  const format = decoded.get('fmt');
  // Self attestation (§6.5.4) is possible nevertheless.
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
}

/** The library throws for every invalid response. */
async function unlessRefused<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
