/** Lines of an export one by one, of which the bytes of a file can be taken as a stream. */
import { type Line, linesOf } from './records.ts';

/** Iterates over lines, and streams the bytes of files. */
export class Lines {
  readonly #lines: AsyncIterator<Line>;
  #held: Line | undefined;

  constructor(path: string) {
    this.#lines = linesOf(path)[Symbol.asyncIterator]();
  }

  async next(): Promise<Line | undefined> {
    const held = this.#held;
    this.#held = undefined;
    return held ?? (await this.#lines.next()).value;
  }

  async *bytes(name: string): AsyncGenerator<Buffer> {
    for (let line = await this.next(); line; line = await this.next()) {
      if (line.kind !== 'bytes' || line.file !== name) {
        this.#held = line;
        return;
      }
      yield Buffer.from(line.base64, 'base64');
    }
  }
}
