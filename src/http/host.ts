/**
 * Checks the host that a request names. A page of another site whose name resolves to this machine (DNS rebinding) sends that
 * site's name; and a cache in front of the wiki could be poisoned with a forged host.
 */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { invalid, Problem } from '#core/model/problem.ts';

interface HostSettings {
  /** Public address without trailing slash; empty if unknown. */
  baseUrl: string;
  /** Whether the server can only be reached from this machine. */
  isLocal: boolean;
  /** Whether `X-Forwarded-Host` of this peer is trusted. */
  isTrustedProxy(address: string, hop: number): boolean;
}

/**
 * Returns `misdirected` (RFC 9110 §7.4) for a foreign host, `invalid` for several hosts (RFC 9112 §3.2), and otherwise
 * undefined. If the public address is unknown and the server can be reached from outside, any host is accepted.
 */
export type RefuseHost = (request: IncomingMessage) => Problem | undefined;

export function hostCheck({ baseUrl, isLocal, isTrustedProxy }: HostSettings): RefuseHost {
  const own = baseUrl && new URL(baseUrl).hostname.replace(/^\[|\]$/g, '');
  return (request) => {
    if (hasSeveralHosts(request)) return invalid('', 'Send one Host header.');
    if (own === '' && !isLocal) return undefined;
    // Supervisors may use an internal address.
    if (/^\/(healthz|readyz)(?![^?#])/.test(request.url ?? '')) return undefined;
    const name = nameOf(request, isTrustedProxy);
    if (own === '' ? isLocalName(name) || isIP(name) !== 0 : name === own) return undefined;
    if (isLoopback(request.socket.remoteAddress ?? '') && (isLocalName(name) || isLoopback(name)))
      return undefined;
    // A host name could be a foreign site's, but an IP address is a metrics collector in the internal network.
    if (/^\/metrics(?![^?#])/.test(request.url ?? '') && isIP(name) !== 0) return undefined;
    return new Problem(
      'misdirected',
      own === ''
        ? 'This wiki answers only to local names. Set COPPICE_URL to its public address.'
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

/** Host name without port; the brackets of an IPv6 address are removed. */
function nameOf(
  { headers, socket }: IncomingMessage,
  isTrustedProxy: HostSettings['isTrustedProxy'],
): string {
  const forwarded = headers['x-forwarded-host'];
  const isForwarded = forwarded !== undefined && isTrustedProxy(socket.remoteAddress ?? '', 0);
  // The last entry comes from the trusted proxy.
  const host = isForwarded ? (String(forwarded).split(',').at(-1) ?? '').trim() : (headers.host ?? '');
  return (/^(?:\[(.*)\]|([^:]*))(?::\d*)?$/.exec(host)?.slice(1).join('') ?? '').toLowerCase();
}

function isLocalName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/** Whether a listen address, a peer address or a host name is the loopback interface. */
export function isLoopback(address: string): boolean {
  return isLocalName(address) || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address) || address === '::1';
}
