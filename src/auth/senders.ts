/**
 * Keyed hashes of network addresses, by which submissions of people without an account are counted and refused together. Without
 * the key nobody can find out the address, although there are few addresses.
 */
import { createHmac, hkdfSync } from 'node:crypto';

/** `keys`: 32 bytes each. After a change of keys, addresses are counted anew. */
export function createSenders([newest = new Uint8Array()]: Uint8Array[]): (address: string) => string {
  const key = Buffer.from(hkdfSync('sha256', newest, '', 'coppice sender', 32));
  return (address) => createHmac('sha256', key).update(address).digest('base64url').slice(0, 22);
}
