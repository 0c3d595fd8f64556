/** Limits of one page while it is expanded: length, calls, time. A page beyond them is cut, and a notice says so. */
import { Deadline } from './deadline.ts';
import { limits } from './limits.ts';
import type { ExpandContext } from './options.ts';

export class Budget {
  /** Sentences for the host to show. */
  readonly notices = new Set<string>();
  /** Whether something is left out for want of length or calls. */
  isCut = false;
  readonly #bounds: { expandedLength: number; calls: number };
  readonly #deadline: Deadline;
  #calls = 0;
  #costly = 0;
  #produced = 0;

  constructor({ bounds, clock }: Pick<ExpandContext, 'bounds' | 'clock'>) {
    this.#bounds = bounds ?? limits;
    this.#deadline = new Deadline(clock);
  }

  /** Notes that the text grew; false once it may grow no more. */
  grow(length: number): boolean {
    this.#produced += length;
    const { expandedLength } = this.#bounds;
    if (this.#produced <= expandedLength) return true;
    this.isCut = true;
    this.notices.add(
      `Templates make this page longer than ${expandedLength} characters; the rest is left out.`,
    );
    return false;
  }

  /** Counts a call; false once there were too many, or they took too long. */
  mayCall(): boolean {
    const { calls } = this.#bounds;
    if (++this.#calls <= calls && !this.#deadline.isOver()) return true;
    this.isCut ||= this.#calls > calls;
    this.notices.add(
      this.#calls > calls
        ? `The page makes more than ${calls} calls; the rest is left as written.`
        : `The page's calls take more than ${limits.milliseconds / 1000} seconds; the rest is left as written.`,
    );
    return false;
  }

  /** Counts a call that takes long; false once there were too many. */
  maySpend(): boolean {
    if (++this.#costly <= limits.costlyCalls) return true;
    this.notices.add(`The page makes more than ${limits.costlyCalls} costly calls; the rest is simplified.`);
    return false;
  }
}
