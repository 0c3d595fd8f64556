/**
 * Serves cache hits from the Node listener, bypassing Fastify. Safe because the first response passed every hook. For requests
 * without token or cookie only: who these speak for is not known here.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { isFresh } from '../etag.ts';
import { isAnonymous } from '../headers.ts';
import type { RefuseHost } from '../host.ts';
import type { Service } from '../service.ts';
import { CachedBodyStream } from './bodies.ts';
import { encodingFor, type Representation } from './encodings.ts';
import type { CachedResponse, CachedResponses } from './entries.ts';

/** Bodies up to this are sent in one piece with their headers. */
const maxSmallBytes = 16_384;

/** Response served from the cache without Fastify, for metrics and logs. */
interface CacheHit {
  request: IncomingMessage;
  id: string;
  method: string;
  route: string;
  status: number;
  ms: number;
}

export interface FastPathOptions {
  /** All of a request that its answer depends on. */
  keyOf(request: IncomingMessage): string;
  /** Whether the request is one for another host. */
  refuseHost: RefuseHost;
  /** Request ID in the response. */
  idOf(request: IncomingMessage): string;
  onHit(hit: CacheHit): void;
}

export class FastPath {
  readonly #store: Service['store'];
  readonly #cache: CachedResponses;
  readonly #options: FastPathOptions;
  #revisionThisTick: string | undefined;
  #isClosing = false;

  constructor(store: Service['store'], cache: CachedResponses, options: FastPathOptions) {
    this.#store = store;
    this.#cache = cache;
    this.#options = options;
  }

  /** From now on `handler` answers everything: it tells connections to close. */
  close(): void {
    this.#isClosing = true;
  }

  /** Serves what is in the cache; lets `handler` answer everything else. */
  before(handler: RequestListener): RequestListener {
    return (request, response) => {
      const isEligible = !this.#isClosing && isAnybodys(request);
      const answer = isEligible && this.#cache.get(this.#options.keyOf(request));
      // Refused where everything is that is not served from here.
      if (!answer || this.#options.refuseHost(request)) return handler(request, response);
      const since = performance.now();
      // An error here occurs again in the handler, which reports it.
      const otherwise = () => (response.headersSent ? response.destroy() : handler(request, response));
      const serveRepresentation = (representation: Representation | undefined) =>
        (representation && this.#serve(request, response, answer, representation, since)) || otherwise();
      const serveAt = (revision: string) => {
        if (!this.#cache.isFresh(answer, revision)) return otherwise();
        const encoding = encodingFor(request, answer.representations.identity.length);
        after(this.#cache.representationOf(answer, encoding), serveRepresentation, otherwise);
      };
      try {
        after(this.#currentRevision(), serveAt, otherwise);
      } catch {
        otherwise();
      }
    };
  }

  /**
   * Requests that lay ready when the event loop looked for some ask once, if asking waits for nobody: none of them was sent after
   * a commit since then was acknowledged.
   */
  #currentRevision(): string | Promise<string> {
    if (this.#revisionThisTick !== undefined) return this.#revisionThisTick;
    const revision = this.#store.revision();
    if (typeof revision === 'string') {
      this.#revisionThisTick = revision;
      // After all that lay ready, and before it looks again.
      setImmediate(() => {
        this.#revisionThisTick = undefined;
      });
    }
    return revision;
  }

  /** False if its body is gone. */
  #serve(
    request: IncomingMessage,
    response: ServerResponse,
    answer: CachedResponse,
    representation: Representation,
    since: number,
  ): boolean {
    const { method = 'GET' } = request;
    const isSame = isFresh(request.headers['if-none-match'], representation.tag);
    const isSmall = representation.length <= maxSmallBytes;
    const isBare = isSame || method === 'HEAD';
    const body = isBare ? '' : this.#cache.bodyOf(representation);
    if (body === undefined) return false;
    const id = this.#options.idOf(request);
    const status = isSame ? 304 : 200;
    const own = ['x-request-id', id, 'etag', representation.tag].concat(answer.ownAlways);
    const headers = isSame
      ? answer.unchangedHeaders.concat(own)
      : answer.headers.concat(answer.ownHeaders, own, representation.headers);
    response.writeHead(status, headers);
    // A client that has gone, or got half of it, notices by the length.
    if (body instanceof CachedBodyStream) pipeline(body, response, () => {});
    // A string goes out together with the headers, a buffer in a piece of its own; latin1: each byte a character.
    else if (isSmall) response.end(body.toString('latin1'), 'latin1');
    else response.end(body);
    const ms = performance.now() - since;
    this.#options.onHit({ request, id, method, route: answer.route, status, ms });
    return true;
  }
}

/** Asked by nobody in particular. */
export function isAnybodys(request: IncomingMessage): boolean {
  return isAnonymous(request.headers) && isBareRead(request);
}

/** Without a body that nobody would read. HEAD has the headers of GET, and loses its content last. */
export function isBareRead({ method, headers }: IncomingMessage): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined
  );
}

/** At once if there is nothing to wait for. */
function after<T>(value: T | Promise<T>, next: (value: T) => void, otherwise: () => void): void {
  if (value instanceof Promise) value.then(next).catch(otherwise);
  else next(value);
}
