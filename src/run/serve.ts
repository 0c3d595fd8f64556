/**
 * Serves until a signal arrives, in one process or in several workers on one port, supervised by a primary. Prints the address
 * and, while there are no members, how to become the first administrator.
 */
import cluster from 'node:cluster';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { OpenWiki, Terminal } from '#cli/command/context.ts';
import { addressOf } from '#config/address.ts';
import type { Config } from '#config/config.ts';
import { loggedSettings } from '#config/logged-settings.ts';
import { ensureSetupInvitation } from '#core/joining/invite-member.ts';
import { buildApp } from './app.ts';
import { commandContext } from './command-context.ts';
import { openControlSocket } from './control-socket.ts';
import { startCopying } from './copy-loop.ts';
import { drain } from './drain.ts';
import { type Chores, finishPending, startHousekeeping, tidy } from './housekeeping.ts';
import { createLogger } from './logger.ts';
import { controlSocketOf } from './open-wiki.ts';
import { keepRenewing, renewPiece } from './search-renewal-loop.ts';
import { version } from './version.ts';
import { joinWorkers, startWorkers } from './workers.ts';

const drainMs = 10_000;
/** A terminal and npm both forward the same Ctrl-C, so a second signal counts only after this time. */
const echoMs = 500;

/** Resolves to the exit code after a signal has stopped the server. Throws `BadSettings` if the wiki cannot be opened. */
export async function serve(config: Config, io: Terminal): Promise<number> {
  if (config.workers > 1 && cluster.isPrimary) return serveByWorkers(config, io);
  const code = await serveAlone(config, io);
  // Otherwise the channel to the primary would keep a finished worker alive.
  if (cluster.isWorker) process.channel?.unref();
  return code;
}

async function serveByWorkers(config: Config, io: Terminal): Promise<number> {
  // Before the workers start: migrates the database once, and reports once what cannot be opened.
  const log = await createLogger(config);
  await using wiki = await commandContext(config, 'wiki', log).open({ mayCreate: true });
  logStart(log, config);
  const port = await freePort(config, io);
  const workers = port !== undefined && (await startWorkers(config.workers, port, log));
  if (!workers) return 1;
  // Each round opens the wiki anew, because the primary closes its own connections once all workers serve.
  const housekeeping = startHousekeeping(choresOf(config), log);
  const renewing = keepRenewing(async () => {
    await using wiki = await commandContext(config, 'wiki').open();
    let count: number | undefined;
    // Several pieces for each opening, which takes longer than a piece.
    for (let piece = 0; piece < 20; piece++) {
      const written = await renewPiece(wiki.store);
      if (typeof written !== 'number') return count ?? written;
      count = (count ?? 0) + written;
    }
    return count;
  }, log);
  // Installed before the address is printed, because a supervisor may stop the process as soon as it reads it.
  const control = await openControlSocket(controlSocketOf(config), async (asked) => {
    if (asked !== 'restart') return `The server does not know “${asked.slice(0, 20)}”.`;
    log.info('replacing workers');
    return (await workers.replace())
      ? 'done'
      : 'A new worker could not serve, so the old ones go on. The log says why.';
  }).catch((error: unknown) => void log.warn({ err: error }, 'coppice restart will not reach this server'));
  const copying = startCopying(config, log);
  const stopped = untilStopped(log, config, async () => {
    await control?.[Symbol.asyncDispose]();
    housekeeping[Symbol.dispose]();
    await renewing.stop();
    const code = await workers.stop();
    // Last, so that nothing is written afterwards.
    await copying?.stop();
    return code;
  });
  const token = await ensureSetupInvitation(wiki.store, wiki.secrets, Date.now());
  printWelcome(config, port, { name: wiki.store.settings.current().name, token }, io);
  return stopped;
}

/** Chores of a process that keeps no wiki open. */
export function choresOf(config: Config): Chores {
  const inWiki = async (chore: (wiki: OpenWiki) => Promise<number>) => {
    await using wiki = await commandContext(config, 'wiki').open();
    // Awaited before the wiki is closed.
    return await chore(wiki);
  };
  return {
    finishErasures: () => inWiki(finishPending),
    tidy: (now) => inWiki((wiki) => tidy(wiki, config, now)),
  };
}

/** Serves in the only process, or in a worker, whose primary prints the messages. */
async function serveAlone(config: Config, io: Terminal): Promise<number> {
  const siblings = cluster.isWorker ? joinWorkers() : undefined;
  const app = await buildApp(config, {}, siblings);
  const { server } = app;
  try {
    const handle = await siblings?.inheritSocket();
    const socket = handle ? { handle } : { reusePort: siblings !== undefined };
    await server.listen({ host: config.host, port: config.port, ...socket });
    siblings?.passSocket(listeningSocketOf(server.server, config.host));
  } catch (error) {
    await app.close();
    io.stderr.write(`${sentenceOf(error as NodeJS.ErrnoException, config)}\n`);
    return 1;
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      server.log.fatal({ err: error }, event);
      process.exit(1);
    });
  }
  // With several workers, the primary does the housekeeping.
  const housekeeping = siblings
    ? undefined
    : startHousekeeping(
        { finishErasures: () => finishPending(app.service), tidy: (now) => tidy(app.service, config, now) },
        server.log as Logger,
      );
  const renewing = siblings
    ? undefined
    : keepRenewing(() => renewPiece(app.service.store), server.log as Logger);
  let isReplaced = false;
  const close = async () => {
    app.service.isStopping = true;
    if (isReplaced) await drain(server.server);
    else await sleep(config.stopDelaySeconds * 1000);
    housekeeping?.[Symbol.dispose]();
    await renewing?.stop();
    // Connections that are still active by then are closed; acknowledged writes are on disk.
    const cut = setTimeout(() => server.server.closeAllConnections(), drainMs);
    // A connection that became idle during shutdown waits for another request, which would not be accepted.
    const idle = setInterval(() => server.server.closeIdleConnections(), 100);
    await app.close();
    await copying?.stop();
    clearInterval(idle);
    clearTimeout(cut);
    return 0;
  };
  if (!siblings) logStart(server.log as Logger, config);
  await app.startMail();
  app.startWebhooks();
  app.startNotifying();
  app.startReporting();
  await app.startPublishing();
  app.startReadingFiles();
  app.startExports();
  app.startBackups();
  app.startPurging();
  const copying = siblings ? undefined : startCopying(config, server.log as Logger);
  const stopped = untilStopped(server.log as Logger, config, close);
  siblings?.onRetire(() => {
    isReplaced = true;
    process.emit('SIGTERM', 'SIGTERM');
  });
  if (siblings) await siblings.serve();
  else {
    const { port } = server.server.address() as AddressInfo;
    const { name } = app.service.store.settings.current();
    printWelcome(config, port, { name, token: await app.ensureSetupInvitation() }, io);
  }
  return stopped;
}

/** None for `localhost`, which may be several addresses with a socket each. */
function listeningSocketOf(server: Server, host: string): object | null {
  return host === 'localhost' ? null : (server as unknown as { _handle: object | null })._handle;
}

/**
 * Returns the configured port, or a free one. Checked here, because workers would share the port even with an unrelated process
 * that permits it.
 */
async function freePort(config: Config, io: Terminal): Promise<number | undefined> {
  const { host, port } = config;
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    const { port: found } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return found;
  } catch (error) {
    io.stderr.write(`${sentenceOf(error as NodeJS.ErrnoException, config)}\n`);
    return undefined;
  }
}

function logStart(log: Logger, config: Config): void {
  const database = config.databaseUrl === undefined ? 'SQLite' : 'PostgreSQL';
  log.info({ version, node: process.version, database, settings: loggedSettings(config) }, 'starting');
}

function untilStopped(
  log: Logger,
  { stopDelaySeconds }: Config,
  close: () => Promise<number>,
): Promise<number> {
  return new Promise((resolve) => {
    let stoppingSince: number | undefined;
    const stop = (signal: NodeJS.Signals) => {
      if (stoppingSince !== undefined) {
        if (performance.now() - stoppingSince > echoMs) process.exit(1);
        return;
      }
      stoppingSince = performance.now();
      log.info({ signal }, 'stopping');
      setTimeout(() => process.exit(1), drainMs * 1.5 + stopDelaySeconds * 1000).unref();
      close().then(
        (code) => {
          log.info('stopped');
          resolve(code);
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

/** `token` belongs to the first administrator's invitation, while there are no members. */
function printWelcome(
  config: Config,
  port: number,
  { name, token }: { name: string; token: string | undefined },
  io: Terminal,
): void {
  const address = addressOf(config, port);
  io.stdout.write(`${name} is at ${address}\n`);
  if (token === undefined) return;
  io.stdout.write(
    `\nThere are no members yet. This link creates the account of the first administrator. It works once, within seven days:\n\n` +
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
    case 'ENOTSUP':
      return 'COPPICE_WORKERS: on this system processes cannot share a port. Set it to 1.';
    case 'ENOTFOUND':
      return `HOST: the name ${host} leads nowhere.`;
    default:
      throw error;
  }
}
