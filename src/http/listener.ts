/** Handling of raw requests before Fastify: limits of Node's server, and rules about the request line and connection. */
import type { RequestListener, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { Store } from '#core/ports/store.ts';
import { isAnonymous } from './headers.ts';
import type { HttpSettings } from './service.ts';

/** Maximum size of request line and headers together; the path of a page takes at most 3 kB. */
export const maxHeaderBytes = 16 * 1024;
/** Longer than the keep-alive of common proxies, so that they never send a request on a connection that is being closed. */
const keepAliveMs = 72_000;
/** The maximum of a timer, for responses that end by themselves. */
export const untilItEnds = 2 ** 31 - 1;

export function connections({ requestTimeoutMs: requestTimeout }: HttpSettings): ServerOptions {
  const headersTimeout = Math.min(requestTimeout, 20_000);
  return { maxHeaderSize: maxHeaderBytes, headersTimeout, requestTimeout, keepAliveTimeout: keepAliveMs };
}

/** RFC 9112 §3.2.2: a target in absolute form is converted to origin form, and its host replaces the header's. */
export function inOriginForm(handler: RequestListener): RequestListener {
  return (request, response) => {
    const [, host, rest = ''] = /^https?:\/\/([^/?#]+)(.*)$/i.exec(request.url ?? '') ?? [];
    if (host !== undefined) {
      request.url = rest.startsWith('/') ? rest : `/${rest}`;
      request.headers.host = host;
    }
    handler(request, response);
  };
}

/**
 * Chooses the database server for a read: reads from one address use the same replica, so that its cached responses stay valid.
 * Callers with a token or cookie may have written before, through any process, and see their writes.
 */
export function readingFor(store: Pick<Store, 'reading'>, handler: RequestListener): RequestListener {
  const { reading } = store;
  if (typeof reading !== 'function') return handler;
  return (request, response) => {
    const { method, url = '', headers } = request;
    if (method !== 'GET' && method !== 'HEAD') return handler(request, response);
    reading({ key: url, isLatest: !isAnonymous(headers) }, () => handler(request, response));
  };
}

/**
 * Some clients disconnect while the freshness of their response is checked. The framework would wait for an event that never
 * comes, and its timer would keep the process alive.
 */
export function unlessDisconnected(handler: RequestListener): RequestListener {
  return (request, response) => {
    if (!request.socket.destroyed) handler(request, response);
  };
}

/** Malformed or oversized requests are answered on the raw connection. */
export function answerBadRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
  const [status, title, detail] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'Request Header Fields Too Large', `URL and headers can have at most ${maxHeaderBytes} bytes.`]
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'Request Timeout', 'The request did not arrive in time.']
        : [400, 'Bad Request', 'The request is malformed.'];
  const body = JSON.stringify({ type: '/v1/docs#problem-invalid', title, status, detail });
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
