/**
 * The command line: `serve` is in `serve.ts`, `openapi` is here, and every other command is in `cli/<command>.ts` or the folder of
 * its feature, imported when it is called, so that no command loads the others' dependencies.
 */
import cluster from 'node:cluster';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Run, Terminal } from '#cli/command/context.ts';
import { Problem } from '#core/model/problem.ts';
import { BadSettings, type Config, readConfig } from './config/config.ts';
import { unknownSettings } from './config/unknown-names.ts';
import { featureCommands } from './features.ts';
import { lowerCommandPriority } from './scheduling/priority.ts';

const commandFolder = new URL('./cli/', import.meta.url);

/** Help of the commands that have no file of their own and take no arguments. */
const helpOf: Record<string, string | undefined> = {
  serve: `Usage: coppice serve

Serves the wiki until SIGTERM or SIGINT, then finishes running requests. Settings are environment variables: see README.md.
`,
  openapi: `Usage: coppice openapi

Prints the OpenAPI document.
`,
};

/** Not in the system's temporary folder, where other users could plant files. */
const compiledFolder = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));
/** Without this, a killed server would leave no compiled code for the next start. */
const flushAfterMs = 5000;

if (import.meta.main) {
  // Enabled before any large import: stripping types and compiling take half of the start-up time. `npm start` enables it
  // earlier, for this file too, so that the type stripper (14 MB) is not loaded at all.
  enableCompileCache(compiledFolder);
  // Worker threads do not inherit the setting by themselves.
  process.env.NODE_COMPILE_CACHE ??= compiledFolder;
  setTimeout(flushCompileCache, flushAfterMs).unref();
  // All files are readable only by their owner, whether SQLite, a backup or the cache writes them.
  process.umask(0o077);
  if (process.argv[2] !== 'serve') lowerCommandPriority();
  const { stdin, stdout, stderr } = process;
  process.exitCode = await main(process.argv.slice(2), process.env, { stdin, stdout, stderr });
}

export async function main(
  args: string[],
  env: Readonly<Record<string, string | undefined>>,
  io: Terminal,
): Promise<number> {
  const [command = 'help', ...rest] = args;
  // A closed pipe, as in `coppice openapi | head`, is not a failure.
  io.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  try {
    const help = helpOf[command];
    if (help !== undefined && rest.length > 0) return helpOrRefuse(command, help, rest[0] ?? '', io);
    if (command === 'serve') return await (await import('./run/serve.ts')).serve(readSettings(env, io), io);
    if (command === 'openapi') {
      const { printOpenApi } = await import('./run/print-open-api.ts');
      io.stdout.write(await printOpenApi());
      return 0;
    }
    if (/^(help|-h|--help)$/.test(command)) {
      io.stdout.write(usage());
      return 0;
    }
    const run = await findCommand(command);
    if (run) {
      const { commandContext } = await import('./run/command-context.ts');
      return await run(rest, commandContext(readSettings(env, io)), io);
    }
    io.stderr.write(`There is no command “${command}”.\n\n${usage()}`);
    return 2;
  } catch (error) {
    if (error instanceof BadSettings) {
      for (const sentence of error.sentences) io.stderr.write(`${sentence}\n`);
      return 1;
    }
    if (error instanceof Problem) {
      io.stderr.write(`${error.message}\n`);
      return 1;
    }
    throw error;
  }
}

function readSettings(env: Readonly<Record<string, string | undefined>>, io: Terminal): Config {
  // Printed by the primary only, because workers have the same settings.
  const say = (sentence: string) => cluster.isPrimary && io.stderr.write(`${sentence}\n`);
  for (const sentence of unknownSettings(env)) say(sentence);
  const config = readConfig(env);
  const { mode = 0 } = statSync(config.dataFolder, { throwIfNoEntry: false }) ?? {};
  if (process.platform !== 'win32' && (mode & 0o007) !== 0) {
    say(
      `COPPICE_DATA: every user of this machine can read ${config.dataFolder}, including private data. Restrict it: chmod o= ${config.dataFolder}`,
    );
  }
  return config;
}

function helpOrRefuse(command: string, help: string, argument: string, io: Terminal): number {
  if (argument === '--help' || argument === '-h') {
    io.stdout.write(help);
    return 0;
  }
  io.stderr.write(
    `“${argument}” is one argument too many. ${command} takes no arguments.\nSee: coppice ${command} --help\n`,
  );
  return 2;
}

async function findCommand(command: string): Promise<Run | undefined> {
  const ofFeature = Object.hasOwn(featureCommands, command) ? featureCommands[command] : undefined;
  if (ofFeature) return (await ofFeature()).run;
  const file = new URL(`${command}.ts`, commandFolder);
  // The pattern ensures that the name is a file in this folder.
  if (!/^[a-z]+(-[a-z]+)*$/.test(command) || !existsSync(file)) return undefined;
  const { run } = (await import(file.href)) as { run?: Run };
  return run;
}

function usage(): string {
  const others = existsSync(commandFolder) ? readdirSync(commandFolder) : [];
  const commands = others.flatMap((file) => /^([a-z-]+)\.ts$/.exec(file)?.[1] ?? []);
  const all = [...commands, ...Object.keys(featureCommands)].sort();
  return `Usage: coppice <command>\n\nCommands: ${['serve', 'openapi', ...all].join(', ')}\n`;
}
