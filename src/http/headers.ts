/**
 * Security headers of every response: no sniffing, no framing, and no execution of anything that a page of this server does not
 * reference.
 */
import type { IncomingHttpHeaders } from 'node:http';

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
 * For shared caches. Public responses are fresh for a second, and may be served for ten more while they are revalidated (RFC
 * 5861 §3), so that a cache sends at most one request per second. Responses to a token or cookie are private.
 */
export function cacheControlOf(headers: IncomingHttpHeaders): string {
  return isAnonymous(headers) ? 'public, max-age=1, stale-while-revalidate=10' : 'private, no-store';
}

/**
 * Surrogate keys by which caches purge responses, in both common headers: `wiki` for all responses, `page-7` for those that
 * show page 7. Only pages that the response names may be given.
 */
export function surrogateKeys(pageIds: readonly number[]): Record<string, string> {
  const keys = ['wiki', ...[...new Set(pageIds)].slice(0, maxKeys).map((id) => `page-${id}`)];
  return { 'surrogate-key': keys.join(' '), 'cache-tag': keys.join(',') };
}
