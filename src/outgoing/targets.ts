/**
 * Targets of requests: public addresses, and those that the operator has allowed. All special ranges are refused: private,
 * loopback, link-local (cloud metadata), shared, multicast and reserved ones, and IPv6 forms that embed IPv4 (mapped, NAT64,
 * 6to4, Teredo).
 */

import ipaddr from 'ipaddr.js';
import type { LocalText } from '#html/html.ts';
import { say } from '#words/say.ts';

export interface Target {
  hostname: string;
  port: number;
  isSecure: boolean;
}

/** One entry of COPPICE_OUTGOING_ALLOW: a name, an address or a range, optionally with a port. */
export interface AllowedTarget {
  /** Host name in lower case; undefined for a range. */
  name?: string;
  range?: [ipaddr.IPv4 | ipaddr.IPv6, number];
  port?: number;
}

/** Ports below 1024 that are allowed. The others belong to other protocols, such as mail and remote shells. */
const lowPorts = [80, 443];
/** Private ranges that a permitted name may resolve to. */
const privateRanges = ['private', 'loopback', 'uniqueLocal', 'carrierGradeNat'];
/** RFC 4291 §2.4: the range of all global unicast addresses assigned so far; the rest is special. */
const global = ipaddr.IPv6.parseCIDR('2000::/3');

/** Reads entries separated by commas; undefined if any of them is invalid. */
export function readAllowed(text: string): AllowedTarget[] | undefined {
  const entries = text.split(',').map((entry) => entry.trim().toLowerCase());
  const read = entries.filter((entry) => entry !== '').map(readEntry);
  return read.every((entry) => entry !== undefined) ? read : undefined;
}

function readEntry(entry: string): AllowedTarget | undefined {
  if (entry.includes('/')) return ipaddr.isValidCIDR(entry) ? { range: ipaddr.parseCIDR(entry) } : undefined;
  if (ipaddr.isValid(entry) && (entry.includes(':') || entry.split('.').length === 4)) {
    const address = ipaddr.parse(entry);
    return { range: [address, address.kind() === 'ipv4' ? 32 : 128] };
  }
  const [, name, port] =
    /^(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::(\d{1,5}))?$/.exec(entry) ?? [];
  if (name === undefined || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) return undefined;
  return { name, ...(port === undefined ? {} : { port: Number(port) }) };
}

/** Checks an address before its name is resolved. Returns the reason, as a sentence, if no request may ever go there. */
export function readTarget(url: string, allowed: readonly AllowedTarget[]): Target | LocalText {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return say('problem.thisIsNotAnAddressUseOne');
  }
  const { protocol, username, password, hostname } = parsed;
  if (protocol !== 'https:' && protocol !== 'http:') return say('problem.onlyHttpsAddressesArePossible');
  if (username !== '' || password !== '') return say('problem.anAddressCannotContainAUserName');
  const isSecure = protocol === 'https:';
  const target = { hostname, port: Number(parsed.port || (isSecure ? 443 : 80)), isSecure };
  if (isNamed(target, allowed)) return target;
  const literal = literalOf(hostname);
  if (literal && !isReachable(literal, target, allowed))
    return say('problem.isNotAPublicAddressTheWikis', { hostname });
  // An address in a permitted range counts as permitted by name.
  const isAllowedRange = literal !== undefined && isInRanges(ipaddr.parse(literal), allowed);
  if (!isSecure && !isAllowedRange) return say('problem.onlyHttpsAddressesArePossibleUnlessCoppice');
  if (target.port < 1024 && !lowPorts.includes(target.port) && !isAllowedRange)
    return say('problem.portIsNotPossibleUse443Or', { port: String(target.port) });
  return target;
}

/** Whether a request to the target may be sent to this address, which its name resolves to. */
export function isReachable(address: string, target: Target, allowed: readonly AllowedTarget[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (isInRanges(parsed, allowed)) return true;
  // A name that is permitted here does not lead to link-local addresses, where clouds keep their metadata.
  return isPublic(parsed) || (isNamed(target, allowed) && privateRanges.includes(parsed.range()));
}

function isNamed({ hostname, port }: Target, allowed: readonly AllowedTarget[]): boolean {
  return allowed.some(({ name, port: only }) => name === hostname && (only === undefined || only === port));
}

function isInRanges(address: ipaddr.IPv4 | ipaddr.IPv6, allowed: readonly AllowedTarget[]): boolean {
  return allowed.some(({ range }) => range?.[0].kind() === address.kind() && address.match(range));
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(global));
}

/** URLs have normalised forms like 0x7f.1 already; IPv6 stands in brackets. */
function literalOf(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? bare : undefined;
}
