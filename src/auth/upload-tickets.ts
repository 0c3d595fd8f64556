/** Upload tickets: references to uploads, sealed, so that they say only to us what they refer to, and to nobody else's files. */
import { type UploadTickets, uploadTicketLifetimeMs } from '#domain/ports/upload-tickets.ts';
import { createSealedTokens } from './sealed-token.ts';

/** Room for the longest file name that browsers send. */
const maxReferenceLength = 8192;

/** `keys`: 32 bytes each. The first seals, all open. `clock`: milliseconds since the epoch. */
export function createUploadTickets(keys: Uint8Array[], clock: () => number): UploadTickets {
  const sealedTokens = createSealedTokens(keys, clock, {
    audience: 'coppice upload ticket',
    lifetimeMs: uploadTicketLifetimeMs,
    maxLength: maxReferenceLength,
  });
  return {
    issue: (memberId, { filename, blob: { hash, sizeBytes, md5 } }) =>
      sealedTokens.seal({ sub: String(memberId), filename, hash, sizeBytes, md5 }, clock()),
    async find(memberId, reference) {
      const { sub, filename, hash, sizeBytes, md5 } = (await sealedTokens.open(reference)) ?? {};
      if (sub !== String(memberId)) return undefined;
      if (typeof filename !== 'string' || typeof hash !== 'string') return undefined;
      if (typeof sizeBytes !== 'number' || typeof md5 !== 'string') return undefined;
      return { filename, blob: { hash, sizeBytes, md5 } };
    },
  };
}
