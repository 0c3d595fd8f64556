/**
 * Bodies of many parts, put together in memory that is used again and again: as strings, long ones would be garbage until a
 * major collection.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CachedBodies, longestInMemory, ownBuffer } from './bodies.ts';
import type { BufferPool } from './buffer-pool.ts';
import type { Body } from './entries.ts';

export class LongBodies {
  readonly #cache: CachedBodies;
  readonly #pool: BufferPool;

  constructor(cache: CachedBodies, pool: BufferPool) {
    this.#cache = cache;
    this.#pool = pool;
  }

  /**
   * Body to send; the response has its tag already. `fill` writes all of it. It lies in a pooled buffer until it is sent,
   * and on disk if it is cached: in memory it would evict others before anybody asks for it again.
   */
  of(request: FastifyRequest, reply: FastifyReply, length: number, fill: (body: Buffer) => void): Body {
    const isLong = length > longestInMemory;
    const isCacheable = request.revision !== undefined;
    const buffer = this.#pool.take(length);
    const body = buffer.subarray(0, length);
    fill(body);
    request.cachedBody = isLong || isCacheable ? this.#cache.putAside(body) : undefined;
    const stream = isLong && request.cachedBody && this.#cache.open(request.cachedBody);
    const own = stream || (isCacheable && !request.cachedBody && ownBuffer(body));
    if (own) this.#pool.release(buffer);
    // By then the system has it, or the connection is gone.
    else reply.raw.once('close', () => this.#pool.release(buffer));
    return own || body;
  }
}
