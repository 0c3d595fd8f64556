/**
 * Proof of work by ALTCHA (version 2, PBKDF2): a browser searches for a number whose derived key begins with a zero byte, which
 * takes 256 derivations on average; verifying takes one. A challenge is signed and contains only random data and its expiry.
 */
import { hkdfSync } from 'node:crypto';
import { createChallenge, type Payload, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { type ProofsOfWork, proofLifetimeMs } from '#core/ports/credentials.ts';

const algorithm = 'PBKDF2/SHA-256';
/** Iterations of each derivation. A phone computes about 500,000 per second. */
const usualCost = 5000;
const maxProofLength = 4096;

/** `keys`: 32 bytes each. The first signs, all verify. `cost`: lower in tests. */
export function createProofsOfWork(keys: Uint8Array[], cost = usualCost): ProofsOfWork {
  const secrets = keys.map((key) =>
    Buffer.from(hkdfSync('sha256', key, '', 'coppice proof of work', 32)).toString('hex'),
  );
  const [newest = ''] = secrets;
  return {
    async challenge(now) {
      const data = { expires: now + proofLifetimeMs };
      const made = { algorithm, cost, data, deriveKey, keyPrefix: '00', hmacSignatureSecret: newest };
      const { parameters, signature = '' } = await createChallenge(made);
      return { parameters: { ...parameters }, signature };
    },
    async check(proof, now) {
      const payload = readPayload(proof);
      if (!payload) return undefined;
      for (const hmacSignatureSecret of secrets) {
        const { verified } = await verifySolution({ ...payload, deriveKey, hmacSignatureSecret });
        if (!verified) continue;
        const { nonce, data } = payload.challenge.parameters;
        const expiresAt = Number(data?.expires);
        return expiresAt > now ? { nonce, expiresAt } : undefined;
      }
      return undefined;
    },
  };
}

/** Base64 of JSON, as sent by ALTCHA's widget. Its parameters are not used before the signature is verified. */
function readPayload(text: string): Payload | undefined {
  if (text.length > maxProofLength) return undefined;
  try {
    const payload = JSON.parse(Buffer.from(text, 'base64').toString()) as Payload;
    const { challenge, solution } = payload;
    const isWhole =
      typeof challenge.signature === 'string' &&
      typeof challenge.parameters === 'object' &&
      solution !== null;
    return isWhole && challenge.parameters !== null ? { challenge, solution } : undefined;
  } catch {
    // Not JSON, or not of this form.
    return undefined;
  }
}
