/** Reading a command's arguments: help, options, what must be there. Wrong ones are answered with what to do. */
import { type ParseArgsConfig, type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { parseId } from '#domain/id.ts';
import { Damage } from '#domain/maintenance/damage.ts';
import { Problem } from '#domain/problem.ts';
import type { CommandContext, Run, Terminal } from './context.ts';
import { printable } from './printable.ts';

/** The command was called wrongly: exit code 2. */
export class UsageError extends Error {}

/** The work of a command or of one of its subcommands; resolves to the exit code. */
export type Work = (args: string[], context: CommandContext, io: Terminal) => Promise<number>;

/** A command from its help text and its work: prints help when asked, and refusals as sentences. */
export function command(name: string, help: string, work: Work): Run {
  return async (args, context, io) => {
    const end = args.indexOf('--');
    const own = end < 0 ? args : args.slice(0, end);
    if (own.includes('--help') || own.includes('-h')) {
      io.stdout.write(help);
      return 0;
    }
    try {
      return await work(args, context, io);
    } catch (error) {
      if (error instanceof UsageError) {
        io.stderr.write(`${error.message}\nSee: coppice ${name} --help\n`);
        return 2;
      }
      if (error instanceof Problem || error instanceof Damage) {
        io.stderr.write(`${error.message.split('\n').map(printable).join('\n')}\n`);
        return 1;
      }
      throw error;
    }
  };
}

/** A command of subcommands, the first argument. */
export function commandOf(name: string, help: string, subcommands: Record<string, Work>): Run {
  return command(name, help, async ([what = '', ...args], context, io) =>
    oneOf(subcommands, what)(args, context, io),
  );
}

/** An ID as an argument; `list` is the command that shows them. */
export function idArgument(text = '', list: string): number {
  const id = parseId(text);
  if (id === undefined) throw new UsageError(`“${text}” is no ID: see coppice ${list}.`);
  return id;
}

/** The subcommand of that name; refuses others with the names that there are. */
export function oneOf<T>(subcommands: Record<string, T>, name: string): T {
  const found = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (found !== undefined) return found;
  const known = Object.keys(subcommands).join(', ');
  throw new UsageError(name === '' ? `Say what to do: ${known}.` : `“${name}” is not one of: ${known}.`);
}

/** Arguments by the names that they have in the help, and options. */
export interface Given<N extends readonly string[], O extends ParseArgsOptionsConfig> {
  positionals: { -readonly [I in keyof N]: string };
  values: ReturnType<typeof parse<O>>['values'];
}

/**
 * `parseArgs` with positionals that all must be there: `names` says how they are called in the help. The values come
 * in that order; missing and surplus ones are refused, as are unknown options.
 */
export function readArguments<const N extends readonly string[], O extends ParseArgsOptionsConfig>(
  args: string[],
  names: N,
  options: O,
): Given<N, O> {
  const { values, positionals } = parse(args, options);
  const missing = names[positionals.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing.`);
  const surplus = positionals[names.length];
  if (surplus !== undefined) throw new UsageError(`“${surplus}” is one argument too many.`);
  return { values, positionals: positionals as Given<N, O>['positionals'] };
}

function parse<O extends ParseArgsOptionsConfig>(args: string[], options: O) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true } satisfies ParseArgsConfig);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error;
    // Node explains at length how to write arguments that begin with a hyphen; its first sentence is ours.
    throw new UsageError(`${message.split(/\. |\n/)[0]?.replace(/\.$/, '')}.`);
  }
}
