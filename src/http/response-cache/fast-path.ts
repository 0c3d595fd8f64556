/**
 * Gives kept answers on the bare connection, before routes and hooks: each has passed them all when it was made. Only to those
 * who ask as nobody in particular: who a token or a cookie speaks for is not known here.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { isFresh } from '../etag.ts';
import { isAnonymous } from '../headers.ts';
import type { RefuseHost } from '../host.ts';
import type { Service } from '../service.ts';
import { KeptStream } from './bodies.ts';
import type { BufferPool } from './buffer-pool.ts';
import { encodingFor, type Form } from './encodings.ts';
import type { Answer, KeptAnswers } from './entries.ts';

/** Bodies up to this are sent in one piece with their headers. */
const maxSmallBytes = 16_384;

/** Response served without Fastify, for metrics and logs. */
interface Given {
  request: IncomingMessage;
  id: string;
  method: string;
  route: string;
  status: number;
  ms: number;
}

export interface EarlyAnswersOptions {
  /** All of a request that its answer depends on. */
  keyOf(request: IncomingMessage): string;
  /** Whether the request is one for another host. */
  refuseHost: RefuseHost;
  /** Request ID in the response. */
  idOf(request: IncomingMessage): string;
  onGiven(given: Given): void;
}

export class EarlyAnswers {
  readonly #store: Service['store'];
  readonly #kept: KeptAnswers;
  readonly #pool: BufferPool;
  readonly #options: EarlyAnswersOptions;
  readonly #smallBody = Buffer.allocUnsafeSlow(maxSmallBytes);
  #revisionThisTick: string | undefined;
  #isClosing = false;

  constructor(store: Service['store'], kept: KeptAnswers, pool: BufferPool, options: EarlyAnswersOptions) {
    this.#store = store;
    this.#kept = kept;
    this.#pool = pool;
    this.#options = options;
  }

  /** From now on `handler` answers everything: it tells connections to close. */
  close(): void {
    this.#isClosing = true;
  }

  /** Gives what is kept; lets `handler` answer everything else. */
  before(handler: RequestListener): RequestListener {
    return (request, response) => {
      const isAsked = !this.#isClosing && isAnybodys(request);
      const answer = isAsked && this.#kept.get(this.#options.keyOf(request));
      // Refused where everything is that is not given from here.
      if (!answer || this.#options.refuseHost(request)) return handler(request, response);
      const since = performance.now();
      // An error here occurs again in the handler, which reports it.
      const otherwise = () => (response.headersSent ? response.destroy() : handler(request, response));
      const giveForm = (form: Form | undefined) =>
        (form && this.#give(request, response, answer, form, since)) || otherwise();
      const giveAt = (revision: string) => {
        if (!this.#kept.isTrue(answer, revision)) return otherwise();
        const encoding = encodingFor(request, answer.forms.identity.length);
        after(this.#kept.formOf(answer, encoding), giveForm, otherwise);
      };
      try {
        after(this.#currentRevision(), giveAt, otherwise);
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
  #give(
    request: IncomingMessage,
    response: ServerResponse,
    answer: Answer,
    form: Form,
    since: number,
  ): boolean {
    const { method = 'GET' } = request;
    const isSame = isFresh(request.headers['if-none-match'], form.tag);
    const isSmall = form.length <= maxSmallBytes;
    let buffer: Buffer | undefined;
    const allocate = (length: number) => {
      if (isSmall) return this.#smallBody;
      buffer = this.#pool.take(length);
      return buffer;
    };
    const isBare = isSame || method === 'HEAD';
    const body = isBare ? '' : this.#kept.bodyOf(form, allocate);
    if (body === undefined) return false;
    const id = this.#options.idOf(request);
    const status = isSame ? 304 : 200;
    const own = ['x-request-id', id, 'etag', form.tag].concat(answer.ownAlways);
    const headers = isSame
      ? answer.unchangedHeaders.concat(own)
      : answer.headers.concat(answer.ownHeaders, own, form.headers);
    response.writeHead(status, headers);
    // A client that has gone, or got half of it, notices by the length.
    if (body instanceof KeptStream) {
      body.releaseAfter(response);
      pipeline(body, response, () => {});
    }
    // A string goes out together with the headers, a buffer in a piece of its own; latin1: each byte a character.
    else if (isSmall) response.end(body.toString('latin1'), 'latin1');
    else response.end(body, () => buffer && this.#pool.release(buffer));
    const ms = performance.now() - since;
    this.#options.onGiven({ request, id, method, route: answer.route, status, ms });
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
