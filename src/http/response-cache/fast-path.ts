/**
 * Serves cache hits from the Node listener, bypassing Fastify. Safe because the first response passed every hook. Only for
 * requests without credentials, which are not verified here.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { isFresh } from '../etag.ts';
import { isAnonymous } from '../headers.ts';
import type { RefuseHost } from '../host.ts';
import type { Pressure } from '../pressure.ts';
import type { Service } from '../service.ts';
import { CachedBodyStream } from './bodies.ts';
import { encodingFor, type Representation } from './encodings.ts';
import type { CachedResponse, CachedResponses } from './entries.ts';

/** Bodies up to this size are sent in one write with their headers. */
const maxSmallBytes = 16_384;

/** A response served without Fastify, for metrics and logs. */
interface CacheHit {
  request: IncomingMessage;
  id: string;
  method: string;
  route: string;
  status: number;
  ms: number;
}

interface FastPathOptions {
  /** Cache key: everything in a request on which its response depends. */
  keyOf(request: IncomingMessage): string;
  pressure: Pick<Pressure, 'isHigh'>;
  /** Whether the request names a foreign host. */
  refuseHost: RefuseHost;
  /** Request ID for the response. */
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

  /** Passes all requests to `handler` from now on, which closes connections. */
  close(): void {
    this.#isClosing = true;
  }

  /** Serves cached responses, and passes all other requests to `handler`. */
  before(handler: RequestListener): RequestListener {
    return (request, response) => {
      const isEligible = !this.#isClosing && isAnybodys(request);
      const answer = isEligible && this.#cache.get(this.#options.keyOf(request));
      // Refusals are made by the handler.
      if (!answer || this.#options.refuseHost(request)) return handler(request, response);
      const since = performance.now();
      // The handler will meet the same error and report it.
      const otherwise = () => (response.headersSent ? response.destroy() : handler(request, response));
      const serveRepresentation = (representation: Representation | undefined) =>
        (representation && this.#serve(request, response, { answer, representation, since })) || otherwise();
      const serveAt = (revision: string) => {
        // RFC 9111 §4.2: caches may do the same, because responses say `max-age=1`.
        const isTrue = this.#cache.isFresh(answer, revision);
        if (!isTrue && !(this.#cache.wasFreshNow(answer) && this.#options.pressure.isHigh()))
          return otherwise();
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
   * Requests that were ready in the same iteration of the event loop share one check if it is synchronous: none of them was
   * sent after a later commit was acknowledged.
   */
  #currentRevision(): string | Promise<string> {
    if (this.#revisionThisTick !== undefined) return this.#revisionThisTick;
    const revision = this.#store.revision();
    if (typeof revision === 'string') {
      this.#revisionThisTick = revision;
      // Runs after all ready requests and before the next poll.
      setImmediate(() => {
        this.#revisionThisTick = undefined;
      });
    }
    return revision;
  }

  /** Returns false if the body is gone. */
  #serve(
    request: IncomingMessage,
    response: ServerResponse,
    {
      answer,
      representation,
      since,
    }: { answer: CachedResponse; representation: Representation; since: number },
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
    // A client that received only a part notices by the length.
    if (body instanceof CachedBodyStream) pipeline(body, response, () => {});
    // A string is sent together with the headers, a buffer in its own packet; latin1 keeps each byte.
    else if (isSmall) response.end(body.toString('latin1'), 'latin1');
    else response.end(body);
    const ms = performance.now() - since;
    this.#options.onHit({ request, id, method, route: answer.route, status, ms });
    return true;
  }
}

/** Whether the request has no credentials. */
export function isAnybodys(request: IncomingMessage): boolean {
  return isAnonymous(request.headers) && isBareRead(request);
}

/** Returns whether the request is a read without a body. HEAD gets the headers of GET, and its content is dropped last. */
export function isBareRead({ method, headers }: IncomingMessage): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined
  );
}

/** Continues synchronously if the value is available. */
function after<T>(value: T | Promise<T>, next: (value: T) => void, otherwise: () => void): void {
  if (value instanceof Promise) value.then(next).catch(otherwise);
  else next(value);
}
