/** Headers that every answer carries: nothing is sniffed, framed, or run that a page of this server does not name. */
import type { IncomingHttpHeaders } from 'node:http';

export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'cross-origin-opener-policy': 'same-origin',
  // No page uses any of these, so scripts must not request them either.
  'permissions-policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()',
} as const;

/**
 * Headers that describe content. A client that gets a 304 has them from before, and RFC 9110 §15.4.5 asks not to repeat
 * them.
 */
export const saidOfContent: ReadonlySet<string> = new Set([
  ...Object.keys(securityHeaders),
  'cache-tag',
  'content-length',
  'content-type',
  'cross-origin-resource-policy',
  'link',
  'surrogate-key',
  'x-total-count',
]);

/** Any origin, never with credentials: a cookie does not count across origins. */
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
  // OPTIONS also answers those who only ask which methods there are.
  strictPreflight: false,
};

/** More would push other headers out of what proxies take. */
const maxKeys = 200;

/** Without credentials: the response is the same for everybody. */
export function isAnonymous({ authorization, cookie }: IncomingHttpHeaders): boolean {
  return authorization === undefined && cookie === undefined;
}

/**
 * For caches on the way. What anyone may see is good for a second, and for ten more while it is revalidated
 * (RFC 5861 §3), so that a cache asks once a second however many it answers. What came with a token or a cookie is nobody
 * else's.
 */
export function cacheControlOf(headers: IncomingHttpHeaders): string {
  return isAnonymous(headers) ? 'public, max-age=1, stale-while-revalidate=10' : 'private, no-store';
}

/**
 * Surrogate keys, by which caches purge responses, in the two spellings that they read: `wiki` for all of them,
 * `page-7` for those that show something of page 7. Only pages that the answer itself names may be given.
 */
export function surrogateKeys(pageIds: readonly number[]): Record<string, string> {
  const keys = ['wiki', ...[...new Set(pageIds)].slice(0, maxKeys).map((id) => `page-${id}`)];
  return { 'surrogate-key': keys.join(' '), 'cache-tag': keys.join(',') };
}
