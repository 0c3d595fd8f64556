/** Groups addresses by subscriber (an IPv6 subscriber has a whole /64, an IPv4 subscriber a single address) and by network. */
import { isIPv4, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** Key under which a caller's open connections are counted: the member, or a stranger's address group. */
export function callerOf({ actor, ip }: Pick<FastifyRequest, 'actor' | 'ip'>): string {
  return actor ? `member ${actor.memberId}` : addressGroup(ip);
}

/**
 * The address itself, or the first 64 bits of an IPv6 address. An IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2) counts as IPv4.
 */
export function addressGroup(address: string): string {
  const groups = groupsOf(address);
  return typeof groups === 'string' ? groups : `${groups.slice(0, 4).join(':')}::/64`;
}

/** The network of a customer of a provider: a /24, or a /48 of IPv6. */
export function networkOf(address: string): string {
  const groups = groupsOf(address);
  if (typeof groups !== 'string') return `${groups.slice(0, 3).join(':')}::/48`;
  return isIPv4(groups) ? `${groups.slice(0, groups.lastIndexOf('.'))}.0/24` : groups;
}

/**
 * The first four of the eight groups of an IPv6 address; any other address as it is. `undefined` if the client has closed the
 * connection meanwhile, whatever the types of requests say.
 */
function groupsOf(address: string | undefined = ''): string | string[] {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return address;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const missing = tail === undefined ? 0 : 8 - first.length - last.length - (plain.includes('.') ? 1 : 0);
  const groups = [...first, ...Array<string>(Math.max(0, missing)).fill('0'), ...last];
  return groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
}
