/** Upload tickets: sealed references to uploads, which only this server can read and which give no access to other files. */
import { type UploadTickets, uploadTicketLifetimeMs } from '#core/ports/upload-tickets.ts';
import { createSealedTokens } from './sealed-token.ts';

/** Room for the longest file name that browsers send. */
const maxReferenceLength = 8192;

/** `keys`: 32 bytes each. The first seals, all open. `clock`: milliseconds since 1970. */
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
