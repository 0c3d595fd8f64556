/**
 * Cookies of browsers that have signed in before, sealed like tokens: see `Devices`. A browser remembers the last few accounts
 * that signed in with it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type Devices, deviceLifetimeMs } from '#core/ports/credentials.ts';
import { createSealedTokens } from './sealed-token.ts';

const maxAccounts = 5;
const maxLength = 2048;

/** Keys and clock as for tokens. */
export function createDevices(keys: Uint8Array[], clock: () => number): Devices {
  const sealedTokens = createSealedTokens(keys, clock, {
    audience: 'coppice device',
    lifetimeMs: deviceLifetimeMs,
    maxLength,
  });
  const devicesIn = async (cookie: string | undefined): Promise<[string, string][]> => {
    const known = cookie ? (await sealedTokens.open(cookie))?.known : undefined;
    return Array.isArray(known) ? known : [];
  };
  return {
    async find(cookie, account) {
      const hash = hashOf(account);
      return (await devicesIn(cookie)).find(([of]) => of === hash)?.[1];
    },
    async remember(cookie, account) {
      const hash = hashOf(account);
      const devices = await devicesIn(cookie);
      const id = devices.find(([of]) => of === hash)?.[1] ?? randomBytes(16).toString('base64url');
      const known = [[hash, id], ...devices.filter(([of]) => of !== hash)].slice(0, maxAccounts);
      return { cookie: await sealedTokens.seal({ known }, clock()), id };
    },
  };
}

function hashOf(account: string): string {
  return createHash('sha256').update(account.toWellFormed()).digest('base64url');
}
