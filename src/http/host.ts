/**
 * The host that a request names, and whether it is this wiki's. A page of another site whose name leads to this machine (DNS
 * rebinding) sends that site's name; a cache before the wiki could be made to keep addresses under a forged one.
 */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { invalid, Problem } from '#domain/problem.ts';

export interface HostSettings {
  /** Public address without trailing slash; empty: not known. */
  baseUrl: string;
  /** Whether only programs on this machine reach the server. */
  isLocal: boolean;
  /** Whether a peer's `X-Forwarded-Host` counts. */
  isTrustedProxy(address: string, hop: number): boolean;
}

/**
 * Refuses `misdirected` (RFC 9110 §7.4) for a host that is not this wiki's, `invalid` for more than one (RFC 9112 §3.2);
 * undefined for everybody else. Where the public address is not known and others reach the server, any host may be its own.
 */
export type RefuseHost = (request: IncomingMessage) => Problem | undefined;

export function hostCheck({ baseUrl, isLocal, isTrustedProxy }: HostSettings): RefuseHost {
  const own = baseUrl && new URL(baseUrl).hostname.replace(/^\[|\]$/g, '');
  return (request) => {
    if (hasSeveralHosts(request)) return invalid('', 'Send one Host header.');
    if (own === '' && !isLocal) return undefined;
    // Whatever watches over the server knows it by an address of its own.
    if (/^\/(healthz|readyz)(?![^?#])/.test(request.url ?? '')) return undefined;
    const name = nameOf(request, isTrustedProxy);
    if (own === '' ? isLocalName(name) || isIpAddress(name) : name === own) return undefined;
    if (isLoopback(request.socket.remoteAddress ?? '') && (isLocalName(name) || isLoopback(name)))
      return undefined;
    // By name it could be another site's; by number it is a collector of figures inside the network.
    if (/^\/metrics(?![^?#])/.test(request.url ?? '') && isIpAddress(name)) return undefined;
    return new Problem(
      'misdirected',
      own === ''
        ? 'This wiki answers to local names alone. Set COPPICE_URL to the address that people reach it under.'
        : `This wiki is at ${baseUrl}.`,
    );
  };
}

function hasSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

/** Without port, as URLs have it; brackets of an IPv6 address are left out. */
function nameOf(
  { headers, socket }: IncomingMessage,
  isTrustedProxy: HostSettings['isTrustedProxy'],
): string {
  const forwarded = headers['x-forwarded-host'];
  const isForwarded = forwarded !== undefined && isTrustedProxy(socket.remoteAddress ?? '', 0);
  // The last proxy is the one that is trusted.
  const host = isForwarded ? (String(forwarded).split(',').at(-1) ?? '').trim() : (headers.host ?? '');
  return (/^(?:\[(.*)\]|([^:]*))(?::\d*)?$/.exec(host)?.slice(1).join('') ?? '').toLowerCase();
}

function isLocalName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

function isIpAddress(name: string): boolean {
  return isIP(name) !== 0;
}

/** Tells whether an address to listen at or to come from, or a host's name, is the loopback interface. */
export function isLoopback(address: string): boolean {
  return isLocalName(address) || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address) || address === '::1';
}
