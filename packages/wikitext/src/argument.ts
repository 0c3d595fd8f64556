/** Arguments of calls. Name and value are each expanded on first use, at most once. */
import type { Part } from './braces.ts';
import { trimSpace } from './characters.ts';

/** One argument of a call, expanded on first use. */
export type Argument = {
  /** Undefined if the argument has no `=`. */
  name(): string | undefined;
  value(): string;
  /** Name and value together, as written. */
  whole(): string;
};

/** Context in which a text is expanded: its arguments, and the templates around it. */
export type Frame = {
  /** Finds the argument of a name or position. Undefined on the page itself, where `{{{1}}}` stays as it is. */
  argument: ((name: string) => Argument | undefined) | undefined;
  chain: readonly string[];
  /** All arguments; undefined on the page itself. */
  given?: readonly Argument[] | undefined;
  /** Full title of the page whose text this is; undefined on the page itself. */
  title?: string | undefined;
};

/** An argument as written in a call. Name and value are each expanded at most once. */
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

/** Returns the lookup of arguments by name. Names are expanded on the first lookup; the last of equal names wins. */
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

/** Full title of a template. Coppice's names of templates have no prefix; other titles are complete. */
export function titleOf(name: string): string {
  return /^\/|:/.test(name) ? name : `Template:${name}`;
}
