/**
 * Memory for bytes on their way out, used again and again. Left to the collector, what was sent would stay for long: it is
 * still on its way in most minor collections, and then waits for a major one.
 */

/** Most lists fit. */
const mostListsBytes = 524_288;
/** Maximum idle buffers of each pool: at most 16 MB, of which the system provides what was ever written to. */
const maxIdle = 32;

export class BufferPool {
  readonly #bufferBytes: number;
  #idle: Buffer[] = [];

  constructor(bufferBytes = mostListsBytes) {
    this.#bufferBytes = bufferBytes;
  }

  /** At least `length` bytes, whatever is in them, until it is given back; what is lost on the way is collected. */
  take(length: number): Buffer {
    return length > this.#bufferBytes
      ? Buffer.allocUnsafeSlow(length)
      : (this.#idle.pop() ?? Buffer.allocUnsafeSlow(this.#bufferBytes));
  }

  /** Nobody may read it any more: not the system either, which still sends what is not finished. */
  release(buffer: Buffer): void {
    if (buffer.length === this.#bufferBytes && this.#idle.length < maxIdle) this.#idle.push(buffer);
    // Its memory goes at once, and not when it is found to be in use by nobody.
    else (buffer.buffer as ArrayBuffer).transfer(0);
  }

  /** For many small pieces that are done with together. */
  arena(): Arena {
    return new Arena(this);
  }
}

export class Arena implements Disposable {
  readonly #pool: BufferPool;
  #taken: Buffer[] = [];
  #left: Buffer = Buffer.alloc(0);

  constructor(pool: BufferPool) {
    this.#pool = pool;
  }

  take(length: number): Buffer {
    if (length > this.#left.length) {
      this.#left = this.#pool.take(length);
      this.#taken.push(this.#left);
    }
    const piece = this.#left.subarray(0, length);
    this.#left = this.#left.subarray(length);
    return piece;
  }

  [Symbol.dispose](): void {
    for (const buffer of this.#taken) this.#pool.release(buffer);
    this.#taken = [];
  }
}
