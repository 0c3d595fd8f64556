/**
 * Memory for bytes on their way out, used again and again. Left to the collector, what was sent would stay for long: it is
 * still on its way in most minor collections, and then waits for a major one.
 */

/** Most lists fit. */
const roomBytes = 524_288;
/** 16 MB, of which the system gives what was ever written to. */
const maxIdle = 32;

export class Rooms {
  #idle: Buffer[] = [];

  /** At least `length` bytes, whatever is in them, until it is given back; what is lost on the way is collected. */
  take(length: number): Buffer {
    return length > roomBytes
      ? Buffer.allocUnsafeSlow(length)
      : (this.#idle.pop() ?? Buffer.allocUnsafeSlow(roomBytes));
  }

  /** Nobody may read it any more: not the system either, which still sends what is not finished. */
  giveBack(room: Buffer): void {
    if (room.length === roomBytes && this.#idle.length < maxIdle) this.#idle.push(room);
    // Its memory goes at once, and not when it is found to be in use by nobody.
    else (room.buffer as ArrayBuffer).transfer(0);
  }

  /** For many small pieces that are done with together. */
  open(): Pieces {
    return new Pieces(this);
  }
}

export class Pieces implements Disposable {
  readonly #rooms: Rooms;
  #taken: Buffer[] = [];
  #left: Buffer = Buffer.alloc(0);

  constructor(rooms: Rooms) {
    this.#rooms = rooms;
  }

  take(length: number): Buffer {
    if (length > this.#left.length) {
      this.#left = this.#rooms.take(length);
      this.#taken.push(this.#left);
    }
    const piece = this.#left.subarray(0, length);
    this.#left = this.#left.subarray(length);
    return piece;
  }

  [Symbol.dispose](): void {
    for (const room of this.#taken) this.#rooms.giveBack(room);
    this.#taken = [];
  }
}
