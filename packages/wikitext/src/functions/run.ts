/** `{{name:argument|…}}` → what it stands for. The language's functions on one screen; each group has its file. */
import type { Argument } from '../argument.ts';
import type { Expander, Frame } from '../expand.ts';
import { condition } from './condition.ts';
import { calculate } from './expression.ts';
import { page } from './page.ts';
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

const functions: Functions = { ...condition, ...calculate, ...string, ...page, ...time };

/** Undefined when there is no such function. */
export function runFunction(
  expander: Expander,
  name: string,
  given: readonly Argument[],
  frame: Frame,
): string | undefined {
  const run = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (!run) return undefined;
  const call: Call = {
    expander,
    frame,
    arguments: given,
    text: (position) => given[position]?.whole().trim() ?? '',
  };
  return run(call);
}
