/** Parsing of command arguments: help, options, required arguments. Errors say what to do. */
import { type ParseArgsConfig, type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { Damage } from '#core/model/damage.ts';
import { parseId } from '#core/model/id.ts';
import { Problem } from '#core/model/problem.ts';
import type { CommandContext, Run, Terminal } from './context.ts';
import { printable } from './printable.ts';

/** Thrown for wrong usage; exit code 2. */
export class UsageError extends Error {}

/** Implementation of a command or subcommand; resolves to the exit code. */
export type Work = (args: string[], context: CommandContext, io: Terminal) => Promise<number>;

/** Builds a command from help text and implementation: prints help on request, and refusals as sentences. */
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

/** Builds a command whose first argument is a subcommand. */
export function commandOf(name: string, help: string, subcommands: Record<string, Work>): Run {
  return command(name, help, async ([what = '', ...args], context, io) =>
    oneOf(subcommands, what)(args, context, io),
  );
}

/** Parses an ID argument; `list` is the command that shows IDs. */
export function idArgument(text = '', list: string): number {
  const id = parseId(text);
  if (id === undefined) throw new UsageError(`“${text}” is not an ID. See coppice ${list}.`);
  return id;
}

/** Returns the subcommand with that name; refuses others and lists the valid names. */
export function oneOf<T>(subcommands: Record<string, T>, name: string): T {
  const found = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (found !== undefined) return found;
  const known = Object.keys(subcommands).join(', ');
  throw new UsageError(name === '' ? `Say what to do: ${known}.` : `“${name}” is not one of: ${known}.`);
}

/** Arguments by their names in the help, and options. */
export interface Given<N extends readonly string[], O extends ParseArgsOptionsConfig> {
  positionals: { -readonly [I in keyof N]: string };
  values: ReturnType<typeof parse<O>>['values'];
}

/**
 * `parseArgs` with required positional arguments: `names` are their names in the help. Returns them in order; refuses missing
 * and surplus ones, and unknown options.
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
    // Node's message continues with advice on arguments that begin with a hyphen; only its first sentence is used.
    throw new UsageError(`${message.split(/\. |\n/)[0]?.replace(/\.$/, '')}.`);
  }
}
