/** Implementation of commands within the open wiki, and printing of results. */
import type { ParseArgsOptionsConfig } from 'node:util';
import type { Range } from '#core/ports/list-reads.ts';
import { type Given, idArgument, readArguments, type Work } from './arguments.ts';
import type { CommandContext, HowToOpen, OpenWiki, Terminal } from './context.ts';
import { type Listed, print, printList } from './print.ts';

interface Surroundings {
  context: CommandContext;
  io: Terminal;
}

/** Result: text is printed as a line, an object as JSON; a number is the exit code of work that has printed itself. */
type Outcome = string | object | number;
type Task = (wiki: OpenWiki, now: number) => Promise<Outcome>;

/**
 * Builds work with `names` and `options` as its arguments. `begin` checks them before the wiki is opened. `how`: whether it
 * begins a new wiki, or only reads.
 */
export function inWiki<const N extends readonly string[], O extends ParseArgsOptionsConfig>(
  names: N,
  options: O,
  begin: (
    positionals: Given<N, O>['positionals'],
    values: Given<N, O>['values'],
    surroundings: Surroundings,
  ) => Task | Promise<Task>,
  how: HowToOpen = {},
): Work {
  return async (args, context, io) => {
    const { positionals, values } = readArguments(args, names, options);
    const task = await begin(positionals, values, { context, io });
    await using wiki = await context.open(how);
    const outcome = await task(wiki, context.clock());
    if (typeof outcome === 'number') return outcome;
    if (typeof outcome === 'string') io.stdout.write(`${outcome}\n`);
    else print(io, outcome);
    return 0;
  };
}

/** Work on an item given by ID; `list` is the command that shows IDs. */
export function withId(
  list: string,
  work: (wiki: OpenWiki, id: number, now: number, context: CommandContext) => Promise<Outcome>,
): Work {
  return inWiki(['ID'], {}, ([written], _, { context }) => {
    const id = idArgument(written, list);
    return (wiki, now) => work(wiki, id, now, context);
  });
}

/** Command that prints a list, as JSON if `--json` is given. */
export function listing<const N extends readonly string[], T>(
  names: N,
  read: (wiki: OpenWiki, now: number, ...positionals: Given<N, never>['positionals']) => Promise<T[]>,
  listed: Listed<T>,
): Work {
  const options = { json: { type: 'boolean', default: false } } as const;
  const begin = (
    positionals: Given<N, typeof options>['positionals'],
    { json }: Given<N, typeof options>['values'],
    { io }: Surroundings,
  ): Task => {
    return async (wiki, now) => {
      printList(io, json, await read(wiki, now, ...positionals), listed);
      return 0;
    };
  };
  return inWiki(names, options, begin, { isToBeRead: true });
}

const atOnce = 100;

/** All items of a paged list. */
export async function allOf<T>(read: (range: Range) => Promise<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const some = await read({ limit: atOnce, offset: all.length });
    all.push(...some);
    if (some.length < atOnce) return all;
  }
}
