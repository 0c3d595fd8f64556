/** Implements `HostFrame` on the expander, so that functions of the host can expand wikitext. */
import { type Argument, type Frame, finderOf } from './argument.ts';
import type { CallExpander } from './functions/call.ts';
import type { HostArgument, HostFrame } from './options.ts';

export type PlaceExpander = CallExpander & {
  /** Expands the calls in a text. */
  text(text: string, frame: Frame): string;
  /** Runs `{{name:first|…}}`. Returns undefined if no such function exists. */
  callFunction(name: string, first: string, given: readonly Argument[], frame: Frame): string | undefined;
};

export class HostPlace implements HostFrame {
  readonly title: string;
  readonly #expander: PlaceExpander;
  readonly #frame: Frame;
  #arguments: Map<string, string> | undefined;

  constructor(expander: PlaceExpander, frame: Frame) {
    this.#expander = expander;
    this.#frame = frame;
    this.title = frame.title ?? expander.context.page.title;
  }

  arguments(): ReadonlyMap<string, string> {
    if (!this.#arguments) {
      this.#arguments = new Map();
      let position = 0;
      for (const argument of this.#frame.given ?? []) {
        const name = argument.name()?.trim();
        const value = argument.value();
        this.#arguments.set(name ?? String(++position), name === undefined ? value : value.trim());
      }
    }
    return this.#arguments;
  }

  expand(text: string): string {
    return this.#expander.budget.grow(text.length) ? this.#expander.text(text, this.#frame) : '';
  }

  include(name: string, given: readonly HostArgument[]): string | undefined {
    if (!this.#expander.budget.mayCall()) return '';
    const page = this.#expander.rules.template(name, this.#expander.path);
    if (page === undefined || this.#expander.data.source(page) === null) return undefined;
    const title = name.trimStart().startsWith(':') ? page : undefined;
    return this.#expander.include({ name: page, title }, given.map(argumentOf), this.#frame);
  }

  call(name: string, given: readonly HostArgument[]): string | undefined {
    if (!this.#expander.budget.mayCall()) return '';
    const { rules } = this.#expander;
    const [first, ...others] = given.map(argumentOf);
    const written = rules.word?.(`${name}:`).slice(0, -1) ?? name;
    return this.#expander.callFunction(written, first?.whole().trim() ?? '', others, this.#frame);
  }

  child(given: readonly HostArgument[]): HostFrame {
    const written = given.map(argumentOf);
    const { chain, title } = this.#frame;
    return new HostPlace(this.#expander, { argument: finderOf(written), chain, given: written, title });
  }

  source(name: string): string | null | undefined {
    const page = this.#expander.rules.template(name, this.#expander.path);
    return page === undefined ? null : this.#expander.data.source(page);
  }

  exists(title: string): boolean {
    return this.#expander.data.exists(title);
  }
}

function argumentOf({ name, value }: HostArgument): Argument {
  return {
    name: () => name,
    value: () => value,
    whole: () => (name === undefined ? value : `${name}=${value}`),
  };
}
