/** Time limit for one page. Checks are cheap because only one in many reads the clock. */
import { limits } from './limits.ts';

const questionsPerLook = 256;

export class Deadline {
  readonly #clock: () => number;
  readonly #end: number;
  #questions = 0;
  #isOver = false;

  /** `clock` is monotonic, in milliseconds. */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
    this.#end = clock() + limits.milliseconds;
  }

  isOver(): boolean {
    if (++this.#questions % questionsPerLook === 0 && !this.#isOver) this.#isOver = this.#clock() > this.#end;
    return this.#isOver;
  }
}
