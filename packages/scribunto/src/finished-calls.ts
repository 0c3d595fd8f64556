/**
 * Results of finished calls, so that a page that is drawn again runs only what may say something else.
 *
 * A program is a function of its name, its arguments and the answers that the host gave it. Each call records these answers in
 * order. Its result is used again only after the host has been asked the same again and has answered the same, for the
 * present reader: what it includes, whether pages exist, the time, the sources of all its modules. So counts, dependencies and
 * notices of the page are those of a real run, and nobody gets what their own answers would not have led to.
 */
import { createHash } from 'node:crypto';
import type { Value } from './machine.ts';

/** An answer of the host. Frames are numbered from the first frame of the call. Sources are kept as digests. */
export interface Answer {
  operation: string;
  given: readonly Value[];
  result: Value;
}

/** Answers that one call got. `data`: those that a module of shared data got when it was loaded for the page. */
export class Trace {
  readonly entries: (Answer | { data: Trace })[] = [];
  /** Index of the first frame of the call. */
  readonly base: number;
  /** False if the host refused an answer: then the call has to run again. */
  isWhole = true;
  /** Characters that the trace takes. */
  length = 0;

  constructor(base: number) {
    this.base = base;
  }

  add(answer: Answer): void {
    this.entries.push(answer);
    this.length += lengthOf(answer.given) + lengthOf(answer.result) + 50;
  }

  addData(data: Trace): void {
    this.entries.push({ data });
    this.length += 50;
    if (!data.isWhole) this.isWhole = false;
  }
}

export interface Finished {
  trace: Trace;
  text: string;
}

const maxCallLength = 200_000;
const maxTotalLength = 6_000_000;

export class FinishedCalls {
  readonly #calls = new Map<string, Finished>();
  /** Whether calls of a key read the arguments of the template around them. */
  readonly #readsParent = new Map<string, boolean>();
  #length = 0;

  /** `parentArguments` is called only if earlier calls read them, because expanding them may ask for more pages. */
  find(key: string, parentArguments: () => string): Finished | undefined {
    const readsParent = this.#readsParent.get(key);
    if (readsParent === undefined) return undefined;
    const whole = readsParent ? `${key}\0${parentArguments()}` : key;
    const found = this.#calls.get(whole);
    if (!found) return undefined;
    // The least recently used call comes first.
    this.#calls.delete(whole);
    this.#calls.set(whole, found);
    return found;
  }

  add(key: string, parentArguments: () => string, finished: Finished, readsParent: boolean): void {
    const { trace, text } = finished;
    if (!trace.isWhole || trace.length + text.length > maxCallLength) return;
    const whole = readsParent ? `${key}\0${parentArguments()}` : key;
    this.#remove(whole);
    this.#readsParent.set(key, readsParent);
    this.#calls.set(whole, finished);
    this.#length += whole.length + trace.length + text.length;
    for (const oldest of this.#calls.keys()) {
      if (this.#length <= maxTotalLength) break;
      this.#remove(oldest);
    }
    if (this.#readsParent.size > this.#calls.size * 2 + 1000) this.#readsParent.clear();
  }

  #remove(whole: string): void {
    const found = this.#calls.get(whole);
    if (!found) return;
    this.#calls.delete(whole);
    this.#length -= whole.length + found.trace.length + found.text.length;
  }
}

export function digestOf(source: string): string {
  return createHash('sha256').update(source).digest('base64');
}

export function isSame(left: Value, right: Value): boolean {
  if (typeof left !== 'object' || typeof right !== 'object') return Object.is(left, right);
  return left.length === right.length && left.every((one, at) => isSame(one, right[at]));
}

export function lengthOf(value: Value | readonly Value[]): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object') return 1;
  let length = 1;
  for (const item of value) length += lengthOf(item);
  return length;
}
