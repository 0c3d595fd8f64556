/** `{{name:argument|…}}` → what it stands for. The language's functions on one screen; each group has its file. */
import type { Argument } from '../argument.ts';
import type { Expander, Frame } from '../expand.ts';
import { condition } from './condition.ts';
import { calculate } from './expression.ts';
import { page } from './page.ts';
import { statistics } from './statistics.ts';
import { string } from './string.ts';
import { time } from './time.ts';

/** A call of a function: arguments by position, trimmed, expanded when asked for. */
export type Call = {
  expander: Expander;
  frame: Frame;
  arguments: readonly Argument[];
  /** The argument at a position without white space around it; empty when there is none. */
  text(position: number): string;
};

export type Functions = Readonly<Record<string, (call: Call) => string | undefined>>;

const functions: Functions = { ...condition, ...calculate, ...string, ...page, ...statistics, ...time };

/** Whether there is a function of that name, in lower case. */
export function isFunction(name: string): boolean {
  return Object.hasOwn(functions, name);
}

/** Undefined when what is written is no call of a function. One that there is not leaves its name, where the rules want it. */
export function runFunction(
  expander: Expander,
  name: string,
  given: readonly Argument[],
  frame: Frame,
): string | undefined {
  const run = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (!run) return name.startsWith('#') ? expander.missing(name) : undefined;
  const call: Call = {
    expander,
    frame,
    arguments: given,
    text: (position) => given[position]?.whole().trim() ?? '',
  };
  return run(call);
}
