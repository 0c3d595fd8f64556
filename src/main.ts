/**
 * The command line: `serve` and `openapi` are here, every other command is `cli/<command>.ts`, loaded when it is
 * called, so that none pays for what the others need.
 */
import { existsSync, readdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { Run, Terminal } from '#cli/command/parts.ts';
import { type App, addressOf, buildApp, commandParts, printOpenApi } from './app.ts';
import { BadSettings, type Config, readConfig } from './config.ts';
import { Problem } from './domain/problem.ts';

const drainMs = 10_000;
/** A terminal and npm each pass on the same Ctrl-C: only a signal later than this is a second one. */
const echoMs = 500;
const commandFolder = new URL('./cli/', import.meta.url);

/** Of the commands that are no file and take no arguments. */
const helpOf: Record<string, string | undefined> = {
  serve: `Usage: coppice serve

Serves the wiki until SIGTERM or SIGINT, then finishes what is under way. Settings are environment variables: see README.md.
`,
  openapi: `Usage: coppice openapi

Prints the OpenAPI document.
`,
};

if (import.meta.main) {
  const { stdin, stdout, stderr } = process;
  process.exitCode = await main(process.argv.slice(2), process.env, { stdin, stdout, stderr });
}

export async function main(
  args: string[],
  env: Readonly<Record<string, string | undefined>>,
  io: Terminal,
): Promise<number> {
  const [command = 'help', ...rest] = args;
  // `coppice openapi | head`: whoever reads has seen enough, which is no failure of the command.
  io.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  try {
    const help = helpOf[command];
    if (help !== undefined && rest.length > 0) return helpOrRefuse(command, help, rest[0] ?? '', io);
    if (command === 'serve') return await serve(readConfig(env), io);
    if (command === 'openapi') {
      io.stdout.write(await printOpenApi());
      return 0;
    }
    if (/^(help|-h|--help)$/.test(command)) {
      io.stdout.write(usage());
      return 0;
    }
    const run = await findCommand(command);
    if (run) return await run(rest, commandParts(readConfig(env)), io);
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

function helpOrRefuse(command: string, help: string, argument: string, io: Terminal): number {
  if (argument === '--help' || argument === '-h') {
    io.stdout.write(help);
    return 0;
  }
  io.stderr.write(
    `“${argument}” is one argument too many: ${command} takes none.\nSee: coppice ${command} --help\n`,
  );
  return 2;
}

async function findCommand(command: string): Promise<Run | undefined> {
  const file = new URL(`${command}.ts`, commandFolder);
  // The name is only ever that of a file in this one folder.
  if (!/^[a-z]+(-[a-z]+)*$/.test(command) || !existsSync(file)) return undefined;
  const { run } = (await import(file.href)) as { run?: Run };
  return run;
}

function usage(): string {
  const others = existsSync(commandFolder) ? readdirSync(commandFolder) : [];
  const commands = others.flatMap((file) => /^([a-z-]+)\.ts$/.exec(file)?.[1] ?? []);
  return `Usage: coppice <command>\n\nCommands: ${['serve', 'openapi', ...commands.sort()].join(', ')}\n`;
}

/** Resolves when the server has been told to stop and has. */
async function serve(config: Config, io: Terminal): Promise<number> {
  const app = await openApp(config, io);
  if (!app) return 1;
  const { log } = app.server;
  try {
    await app.server.listen({ host: config.host, port: config.port });
  } catch (error) {
    await app.close();
    io.stderr.write(`${sentenceOf(error as NodeJS.ErrnoException, config)}\n`);
    return 1;
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, event);
      process.exit(1);
    });
  }
  // Before the address is printed: whoever reads it may already be about to stop the process.
  const stopped = untilStopped(app);
  await printWelcome(app, config, io);
  return stopped;
}

function untilStopped(app: App): Promise<number> {
  const { log } = app.server;
  return new Promise((resolve) => {
    let stoppingSince: number | undefined;
    const stop = (signal: NodeJS.Signals) => {
      if (stoppingSince !== undefined) {
        if (Date.now() - stoppingSince > echoMs) process.exit(1);
        return;
      }
      stoppingSince = Date.now();
      log.info({ signal }, 'stopping');
      setTimeout(() => process.exit(1), drainMs * 1.5).unref();
      // Whoever is still sending or reading by then is cut off; what was acknowledged is on disk.
      const cut = setTimeout(() => app.server.server.closeAllConnections(), drainMs);
      app.close().then(
        () => {
          clearTimeout(cut);
          log.info('stopped');
          resolve(0);
        },
        (error: unknown) => {
          log.fatal({ err: error }, 'could not stop cleanly');
          resolve(1);
        },
      );
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });
}

/** Undefined after a sentence that says why not. */
async function openApp(config: Config, io: Terminal): Promise<App | undefined> {
  try {
    return await buildApp(config);
  } catch (error) {
    const sentence = reasonNotToOpen(error as NodeJS.ErrnoException, config);
    if (sentence === undefined) throw error;
    io.stderr.write(`${sentence}\n`);
    return undefined;
  }
}

/** Undefined for what is no matter of settings but a bug. */
function reasonNotToOpen(error: NodeJS.ErrnoException, config: Config): string | undefined {
  const { code = '', message, cause } = error;
  if (config.databaseUrl !== undefined && (error instanceof Problem || 'severity' in error)) {
    // The cause says whether it is the address, the user or the database; it never quotes the passphrase.
    return `DATABASE_URL: the database cannot be used (${(cause as Error | undefined)?.message || message}).`;
  }
  if (
    code === 'ERR_SQLITE_ERROR' ||
    /^(EACCES|EPERM|EROFS|ENOTDIR|EEXIST|ENOSPC|ENOENT|ELOOP|ENAMETOOLONG)$/.test(code)
  ) {
    return `COPPICE_DATA: ${config.dataFolder} cannot be used (${message}).`;
  }
  // Thrown by our own parts with a sentence for the person, such as that a key has the wrong length.
  return error.constructor === Error ? message : undefined;
}

async function printWelcome(app: App, config: Config, io: Terminal): Promise<void> {
  const { port } = app.server.server.address() as AddressInfo;
  const address = addressOf(config, port);
  io.stdout.write(`${config.name} is at ${address}\n`);
  const token = await app.ensureSetupInvitation();
  if (token === undefined) return;
  io.stdout.write(
    `\nNobody is a member yet. This link makes the first administrator, once, within seven days:\n\n` +
      `  ${address}/setup/${token}\n\n` +
      `Or without a browser:\n\n` +
      `  curl ${address}/v1/invitations/accept -H 'Content-Type: application/json' \\\n` +
      `    -d '{"token":"${token}","email":"you@example.org","name":"Your Name","pass":"a passphrase of 12 characters or more"}'\n\n`,
  );
}

function sentenceOf(error: NodeJS.ErrnoException, { host, port }: Config): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `PORT: something else already listens on port ${port} of ${host}. Stop it, or set PORT to another one.`;
    case 'EACCES':
      return `PORT: listening on port ${port} needs more rights than this process has. Set PORT to one from 1024.`;
    case 'EADDRNOTAVAIL':
      return `HOST: this machine has no address ${host}.`;
    case 'ENOTFOUND':
      return `HOST: the name ${host} leads nowhere.`;
    default:
      throw error;
  }
}
