/**
 * Security headers of every response: no sniffing, no framing, and no execution of anything that a page of this server does not
 * reference.
 */

import type { IncomingHttpHeaders } from 'node:http';
import type { Dependency } from '#cache/dependency.ts';

export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'cross-origin-opener-policy': 'same-origin',
  // No page uses any of these, so scripts must not be able to request them.
  'permissions-policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()',
} as const;

/**
 * Content headers. A client that gets a 304 has them already, and RFC 9110 §15.4.5 asks not to repeat them.
 */
export const saidOfContent: ReadonlySet<string> = new Set([
  ...Object.keys(securityHeaders),
  'cache-tag',
  'content-length',
  'content-type',
  'cross-origin-resource-policy',
  'link',
  'surrogate-key',
  'x-did-you-mean',
  'x-total-count',
]);

/** Any origin, but without credentials: cookies are not accepted across origins. */
export const corsOptions = {
  origin: '*',
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'],
  allowedHeaders: [
    'Authorization',
    'Content-Type',
    'Idempotency-Key',
    'If-Match',
    'If-None-Match',
    'If-Range',
    'MCP-Protocol-Version',
    'Mcp-Method',
    'Mcp-Name',
    'Range',
    'X-Request-Id',
    'Failed-Sign-Ins',
    'Passphrase-Resets',
  ],
  exposedHeaders: [
    'Authorization',
    'ETag',
    'Idempotency-Replayed',
    'Link',
    'X-Did-You-Mean',
    'X-Total-Count',
    'RateLimit',
    'RateLimit-Policy',
    'Deprecation',
    'Sunset',
    'Retry-After',
    'WWW-Authenticate',
    'Location',
    'Allow',
    'Content-Range',
    'Coppice-Ignored-Parameters',
    'X-Request-Id',
  ],
  maxAge: 7200,
  // OPTIONS without CORS headers lists the methods.
  strictPreflight: false,
};

/** More keys would exceed the header size that proxies accept. */
const maxKeys = 200;

/** Whether the request has no credentials, so that the response is the same for everybody. */
export function isAnonymous({ authorization, cookie }: IncomingHttpHeaders): boolean {
  return authorization === undefined && cookie === undefined;
}

/**
 * For shared caches. Public responses are fresh for a second, so that a cache sends at most one request per second for each
 * address; caches that would serve them longer by themselves are told not to (RFC 5861 §3). Responses to a token or cookie are
 * private.
 */
export function cacheControlOf(headers: IncomingHttpHeaders): string {
  return isAnonymous(headers) ? 'public, max-age=1, stale-while-revalidate=0' : 'private, no-store';
}

const longestEdgeSeconds = 24 * 60 * 60;

/**
 * For an edge that is told what became stale: RFC 9213, and the header that others read. `maxAgeMs`: time after which the response
 * says something else although nothing was written, such as how long ago a page was changed.
 */
export function edgeControl(maxAgeMs: number): Record<string, string> {
  const control = `max-age=${Math.max(1, Math.min(longestEdgeSeconds, Math.floor(maxAgeMs / 1000)))}`;
  return { 'cdn-cache-control': control, 'surrogate-control': control };
}

/** More would make a header too long; such a response is purged with every commit. */
const maxDependencies = 150;

/** Surrogate key of a response that a commit may make stale in any case. */
export const anyKey = 'd-any';

/** Surrogate keys of what a response depends on. Dependencies that share a key cause extra purges, never stale responses. */
export function dependencyKeys(dependencies: Iterable<Dependency> | undefined): string[] {
  if (dependencies === undefined) return [anyKey];
  const keys = new Set<string>();
  for (const dependency of dependencies) keys.add(`d${(Math.abs(dependency) % 2 ** 24).toString(36)}`);
  return keys.size > maxDependencies ? [anyKey] : [...keys];
}

/**
 * Surrogate keys by which caches purge responses, in both common headers: `wiki` for all responses, `page-7` for those that
 * show page 7. Only pages that the response names may be given.
 */
export function surrogateKeys(
  pageIds: readonly number[],
  others: readonly string[] = [],
): Record<string, string> {
  const pages = [...new Set(pageIds)].slice(0, maxKeys - others.length).map((id) => `page-${id}`);
  const keys = ['wiki', ...pages, ...others];
  return { 'surrogate-key': keys.join(' '), 'cache-tag': keys.join(',') };
}
