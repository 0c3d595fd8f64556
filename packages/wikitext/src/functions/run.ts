/** `{{name:argument|…}}` → what it stands for. */
import type { Argument, Frame } from '../argument.ts';
import { trimSpace } from '../characters.ts';
import { functions } from '../constructs.ts';
import type { Call, CallExpander } from './call.ts';

/** Whether there is a function of that name, in lower case. */
export function isFunction(name: string): boolean {
  return Object.hasOwn(functions, name);
}

/** Undefined when what is written is no call of a function. One that there is not leaves its name, where the rules want it. */
export function runFunction(
  expander: CallExpander,
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
    text: (position) => trimSpace(given[position]?.whole() ?? ''),
  };
  return run(call);
}
