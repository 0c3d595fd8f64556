/** Headers that every answer carries: nothing is sniffed, framed, or run that a page of this server does not name. */
import type { IncomingHttpHeaders } from 'node:http';

export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'cross-origin-opener-policy': 'same-origin',
} as const;

/** Any origin, never with credentials: a cookie does not count across origins. */
export const corsOptions = {
  origin: '*',
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'],
  allowedHeaders: [
    'Authorization',
    'Content-Type',
    'If-Match',
    'If-None-Match',
    'If-Range',
    'Range',
    'X-Request-Id',
  ],
  exposedHeaders: [
    'Authorization',
    'ETag',
    'Link',
    'X-Total-Count',
    'Retry-After',
    'WWW-Authenticate',
    'Location',
    'Allow',
    'Content-Range',
    'X-Request-Id',
  ],
  maxAge: 7200,
  // OPTIONS also answers those who only ask which methods there are.
  strictPreflight: false,
};

/** What anyone may see may be kept and asked after; what a token was sent with is nobody else's. */
export function cacheControlOf(headers: IncomingHttpHeaders): string {
  return headers.authorization === undefined ? 'public, max-age=0, must-revalidate' : 'private, no-store';
}
