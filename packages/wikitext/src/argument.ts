/** Arguments of calls, each side of which is expanded when it is asked for, and once. */
import type { Part } from './braces.ts';
import { trimSpace } from './characters.ts';

/** One argument of a call, not expanded until it is asked for. */
export type Argument = {
  /** Undefined without `=`. */
  name(): string | undefined;
  value(): string;
  /** Name and value as they stand. */
  whole(): string;
};

/** Context in which a text is expanded: its arguments, and the templates around it. */
export type Frame = {
  /** Finds the argument of a name or position. Undefined on the page itself, where `{{{1}}}` stays as it is. */
  argument: ((name: string) => Argument | undefined) | undefined;
  chain: readonly string[];
  /** All arguments, where there are any. */
  given?: readonly Argument[];
};

/** An argument as it stands in a call; each side of it is expanded once. */
export class WrittenArgument implements Argument {
  readonly #part: Part;
  readonly #read: (start: number, end: number) => string;
  #name: string | undefined;
  #value: string | undefined;

  constructor(part: Part, read: (start: number, end: number) => string) {
    this.#part = part;
    this.#read = read;
  }

  name(): string | undefined {
    const { start, equals } = this.#part;
    if (equals >= 0) this.#name ??= this.#read(start, equals);
    return this.#name;
  }

  value(): string {
    const { start, equals, end } = this.#part;
    this.#value ??= this.#read(equals < 0 ? start : equals + 1, end);
    return this.#value;
  }

  whole(): string {
    return this.#part.equals < 0 ? this.value() : `${this.name()}=${this.value()}`;
  }
}

/** Names are read when the first is asked for; the last of equal names counts. */
export function finderOf(given: readonly Argument[]): (name: string) => Argument | undefined {
  let known: Map<string, Argument> | undefined;
  return (wanted) => {
    if (!known) {
      known = new Map();
      let position = 0;
      for (const argument of given) {
        const name = argument.name();
        known.set(name === undefined ? String(++position) : trimSpace(name), argument);
      }
    }
    return known.get(wanted);
  };
}
