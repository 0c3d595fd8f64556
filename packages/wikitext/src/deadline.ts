/** An end to the time that one page may take, cheap to ask for: the clock is looked at once in many questions. */
import { limits } from './limits.ts';

const questionsPerLook = 256;

export class Deadline {
  readonly #clock: () => number;
  readonly #end: number;
  #questions = 0;
  #isOver = false;

  /** `clock` tells milliseconds that never go back. */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
    this.#end = clock() + limits.milliseconds;
  }

  isOver(): boolean {
    if (++this.#questions % questionsPerLook === 0 && !this.#isOver) this.#isOver = this.#clock() > this.#end;
    return this.#isOver;
  }
}
