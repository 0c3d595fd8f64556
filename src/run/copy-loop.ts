/**
 * Copies the wiki continuously, on a thread of the one process of a server that does so, and has the copy checked every day by a
 * command, which runs at a lower priority.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Config } from '#config/config.ts';
import { checkedFile, copiedFile } from '#copies/names.ts';

export type CopyMessage =
  | { kind: 'began' | 'whole'; run: string }
  | { kind: 'failed'; what: string; reason: string };

const lookMs = 60_000;
const checkEveryMs = 24 * 60 * 60 * 1000;
/** Time for the last changes to be copied when the server stops. */
const lastMs = 5000;

interface CopyLoop {
  /** Copies what has been written so far, and stops. */
  stop(): Promise<void>;
}

/** Undefined if no copy is configured. */
export function startCopying(config: Config, log: Logger): CopyLoop | undefined {
  if (!config.copy) return undefined;
  const thread = new Worker(new URL('./copy-worker.ts', import.meta.url), {
    workerData: config,
    // Otherwise the end of the thread would close the database's descriptor, and with it locks of this process.
    trackUnmanagedFds: false,
  });
  const ended = once(thread, 'exit');
  let isWhole = false;
  let isStopping = false;
  let checking: ReturnType<typeof spawn> | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  const check = () => {
    const checkedAt = timeOf(config, checkedFile) ?? 0;
    const sinceMs = Date.now() - Math.max(checkedAt, failedAt);
    // A time ahead is one of a clock that was wrong.
    const isDue = sinceMs > checkEveryMs || sinceMs < 0;
    if (!isWhole || checking || !isDue) return;
    checking = spawn(
      process.execPath,
      [fileURLToPath(new URL('../main.ts', import.meta.url)), 'check', '--copy'],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let output = '';
    for (const stream of [checking.stdout, checking.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output = `${output}${text}`.slice(0, 10_000);
      });
    checking.on('error', (err) => log.error({ err }, 'the copy could not be checked'));
    checking.on('close', (code) => {
      checking = undefined;
      if (isStopping) return;
      if (code === 0) log.info('the copy has been checked');
      else {
        failedAt = Date.now();
        log.error({ code, output }, 'the copy has problems');
      }
    });
  };
  thread.on('message', (message: CopyMessage) => {
    if (message.kind === 'failed') return log.error({ reason: message.reason }, message.what);
    if (message.kind === 'began') return log.info({ run: message.run }, 'copying the database');
    log.info({ run: message.run }, 'the copy is complete');
    isWhole = true;
    check();
  });
  thread.on('error', (err) => log.error({ err }, 'copying has ended'));
  const timer = setInterval(check, lookMs).unref();
  return {
    async stop() {
      isStopping = true;
      clearInterval(timer);
      checking?.kill();
      thread.postMessage('stop');
      const patience = setTimeout(() => void thread.terminate(), lastMs);
      await ended;
      clearTimeout(patience);
    },
  };
}

/** See `Service.disk`. */
export function copyAges(
  config: Config,
  now: number,
): { ageSeconds: number; checkAgeSeconds: number } | undefined {
  if (!config.copy) return undefined;
  const age = (name: string) => (now - (timeOf(config, name) ?? Number.NEGATIVE_INFINITY)) / 1000;
  return { ageSeconds: age(copiedFile), checkAgeSeconds: age(checkedFile) };
}

function timeOf({ dataFolder }: Config, name: string): number | undefined {
  return statSync(join(dataFolder, name), { throwIfNoEntry: false })?.mtimeMs;
}
