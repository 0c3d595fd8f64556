/** Limits for the expansion of one page: length, calls, time. Expansion stops at a limit and adds a notice. */
import { Deadline } from './deadline.ts';
import { limits } from './limits.ts';
import type { ExpandContext } from './options.ts';

export class Budget {
  /** Sentences that the host shows. */
  readonly notices = new Set<string>();
  /** Whether content was left out because of the limit on length or on calls. */
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

  /** Counts added text. Returns false once the text has reached its maximum length. */
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

  /** Counts a call. Returns false once the page has made too many or they have taken too long. */
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

  /** Counts an expensive call. Returns false once the page has made too many. */
  maySpend(): boolean {
    if (++this.#costly <= limits.costlyCalls) return true;
    this.notices.add(`The page makes more than ${limits.costlyCalls} costly calls; the rest is simplified.`);
    return false;
  }
}
