/** Runs `{{name:argument|…}}`. */
import type { Argument, Frame } from '../argument.ts';
import { trimSpace } from '../characters.ts';
import { functions } from '../constructs.ts';
import type { Call, CallExpander } from './call.ts';

/** Whether a function of that name, in lower case, exists. */
export function isFunction(name: string): boolean {
  return Object.hasOwn(functions, name);
}

/** Returns undefined if the text is not a function call. An unknown function leaves its name, if the rules say so. */
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
