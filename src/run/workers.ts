/**
 * Several worker processes on one port, among which the kernel distributes connections (SO_REUSEPORT), so no request passes
 * through the primary. The primary replaces workers that die and holds their shared state: counts of attempts, and access to
 * everybody's metrics. It also replaces all of them on request, without a gap.
 *
 * Primary and workers send each other requests over Node's IPC channel; a process that does not answer is skipped.
 */
import type { SendHandle } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { Problem } from '#core/model/problem.ts';
import type { Counted } from '#core/ports/credentials.ts';
import { createCounts } from '#http/limits.ts';
import { addedUp } from '#http/metrics.ts';
import type { Siblings } from '#http/service.ts';

const patienceMs = 2000;
/** A worker that ran longer than this is replaced at once; one that died earlier is replaced after a delay. */
const calmMs = 60_000;
const longestPauseMs = 30_000;

type Question =
  | { kind: 'serves' }
  | { kind: 'count'; key: string; windowMs: number; amount: number }
  | { kind: 'metrics' }
  | { kind: 'retire' }
  | { kind: 'socket' }
  | { kind: 'numbers' };
type Ask = (question: Question) => Promise<unknown>;
type Message = { asks: number; question: Question } | { answers: number; value: unknown };
/** The listening socket of a worker, as processes pass it to each other: each has a copy, and the last one to close it ends it. */
type ListeningSocket = SendHandle & { close(): void };

export interface Workers {
  /** Lets every worker finish its requests. Resolves to the exit code. */
  stop(): Promise<number>;
  /**
   * Replaces all workers, one after the other; each new one serves before the old one stops accepting. Returns whether all were
   * replaced: if a new one cannot serve, the old ones go on.
   */
  replace(): Promise<boolean>;
}

/** Resolves when all workers serve. Resolves to undefined if the first one fails to start, after it has reported the reason. */
export async function startWorkers(count: number, port: number, log: Logger): Promise<Workers | undefined> {
  const running = new Set<Worker>();
  /** Workers that answer requests over IPC. */
  const serving = new Map<Worker, Ask>();
  const countAttempt = createCounts(Date.now);
  /** Workers that nobody starts again when they end: those that are replaced, and new ones that do not serve yet. */
  const retiring = new Set<Worker>();
  let isStopping = false;

  const answerTo =
    (worker: Worker, socket: ListeningSocket | undefined): Ask =>
    async (question) => {
      if (question.kind === 'socket') return socket;
      if (question.kind === 'serves') return void worker.emit('serves');
      if (question.kind === 'count') return countAttempt(question.key, question.windowMs, question.amount);
      const asked = [...serving.values()].map((ask) => ask({ kind: 'numbers' }));
      const answers = await Promise.allSettled(asked);
      return addedUp(answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
    };
  const start = (failures: number, socket?: ListeningSocket): Worker => {
    const worker = cluster.fork({ PORT: String(port) });
    const startedAt = performance.now();
    running.add(worker);
    const ask = converse(worker, answerTo(worker, socket));
    worker.on('serves', () => serving.set(worker, ask));
    worker.on('error', (error) => log.error({ err: error }, 'a worker cannot be reached'));
    worker.on('exit', (code, signal) => {
      running.delete(worker);
      serving.delete(worker);
      if (isStopping) return;
      if (retiring.delete(worker)) {
        if (code !== 0) log.error({ died: worker.id, code, signal }, 'a worker ended while it was replaced');
        return;
      }
      const again = performance.now() - startedAt > calmMs ? 0 : failures + 1;
      const pauseMs = again === 0 ? 0 : Math.min(1000 * 2 ** (again - 1), longestPauseMs);
      log.error({ died: worker.id, code, signal, pauseMs }, 'a worker ended and is started again');
      setTimeout(() => isStopping || start(again), pauseMs);
    });
    return worker;
  };

  cluster.setupPrimary({ exec: fileURLToPath(new URL('../main.ts', import.meta.url)), args: ['serve'] });
  isStopping = true;
  // Starts one worker first: an error that prevents serving affects all of them and is reported once.
  if (!(await whetherServes(start(0)))) return undefined;
  isStopping = false;
  await Promise.all(Array.from({ length: count - 1 }, () => whetherServes(start(0))));
  /** Returns false if the new worker cannot serve, or all workers are being stopped. */
  const replaceOne = async (old: Worker): Promise<boolean> => {
    // It died while another one was replaced, so its successor is new already.
    if (!running.has(old)) return !isStopping;
    retiring.add(old);
    // The new worker accepts from the same socket, so that connections that wait in its queue survive the old one.
    const socket = (await serving
      .get(old)?.({ kind: 'socket' })
      .catch(() => undefined)) as ListeningSocket | undefined;
    const next = start(0, socket);
    retiring.add(next);
    const isServing = await whetherServes(next);
    // While this process had a copy, connections would wait for a worker that died.
    socket?.close();
    retiring.delete(isServing ? next : old);
    const hasDied = !running.has(old);
    if (!isServing && hasDied && !isStopping) start(0);
    if (!isServing || hasDied || isStopping) return isServing && !isStopping;
    const ended = ending(old);
    await serving
      .get(old)?.({ kind: 'retire' })
      .catch(() => old.process.kill('SIGTERM'));
    serving.delete(old);
    await ended;
    return true;
  };
  let replacing: Promise<boolean> | undefined;
  const replaceAll = async () => {
    for (const worker of [...running]) if (!(await replaceOne(worker))) return false;
    return true;
  };
  return {
    replace() {
      replacing ??= replaceAll().finally(() => {
        replacing = undefined;
      });
      return replacing;
    },
    async stop() {
      isStopping = true;
      const ends = [...running].map(ending);
      for (const worker of running) worker.process.kill('SIGTERM');
      return (await Promise.all(ends)).every((hasFinished) => hasFinished) ? 0 : 1;
    },
  };
}

interface Joined extends Siblings {
  /** The socket of the worker that this one replaces, if any. */
  inheritSocket(): Promise<object | undefined>;
  /** Offers the socket on which this worker listens to the one that will replace it. */
  passSocket(listening: object | null): void;
  serve(): Promise<unknown>;
  onRetire(retire: () => void): void;
}

/** For a worker: access to the other workers through the primary, and a way to announce that it serves. */
export function joinWorkers(): Joined {
  let share = async (): Promise<unknown> => [];
  let retire = () => {};
  let socket: object | null = null;
  const ask = converse(process as Channel, async ({ kind }) => {
    if (kind === 'socket') return socket;
    return kind === 'retire' ? retire() : share();
  });
  return {
    inheritSocket: () => ask({ kind: 'socket' }) as Promise<object | undefined>,
    passSocket(listening) {
      socket = listening;
    },
    onRetire(listener) {
      retire = listener;
    },
    serve: () => ask({ kind: 'serves' }),
    shareMetrics(numbers) {
      share = numbers;
    },
    count: (key, windowMs, amount = 1) => ask({ kind: 'count', key, windowMs, amount }) as Promise<Counted>,
    metrics: () => ask({ kind: 'metrics' }) as Promise<string>,
  };
}

interface Channel {
  send(message: Message, sent: (error: Error | null) => void): boolean;
  send(message: Message, handle: SendHandle, sent: (error: Error | null) => void): boolean;
  on(event: 'message', listener: (message: Message, handle: unknown) => void): unknown;
}

/** Answers requests over the channel and sends own ones. Rejects with `unavailable` if no answer comes. */
function converse(channel: Channel, answer: Ask): Ask {
  const waiting = new Map<number, (value: unknown) => void>();
  let asked = 0;
  channel.on('message', (message, handle) => {
    if ('answers' in message) waiting.get(message.answers)?.(handle ?? message.value);
    // No answer is sent if the handler fails; the other side times out.
    else if ('asks' in message)
      answer(message.question).then(
        (value) =>
          message.question.kind === 'socket' && value
            ? channel.send({ answers: message.asks, value: null }, value as SendHandle, () => {})
            : channel.send({ answers: message.asks, value }, () => {}),
        () => {},
      );
  });
  return (question) =>
    new Promise((resolve, reject) => {
      const id = asked++;
      const settle = (finish: () => void) => {
        clearTimeout(timer);
        waiting.delete(id);
        finish();
      };
      const giveUp = () =>
        settle(() =>
          reject(new Problem('unavailable', 'The server is starting again. Please try in a moment.')),
        );
      const timer = setTimeout(giveUp, patienceMs);
      waiting.set(id, (value) => settle(() => resolve(value)));
      channel.send({ asks: id, question }, (error) => error && giveUp());
    });
}

function whetherServes(worker: Worker): Promise<boolean> {
  return new Promise((resolve) => {
    worker.once('serves', () => resolve(true));
    worker.once('exit', () => resolve(false));
  });
}

/** Resolves to whether the worker ended cleanly. A worker that was still starting is ended by the signal. */
function ending(worker: Worker): Promise<boolean> {
  return new Promise((resolve) => {
    worker.once('exit', (code, signal) => resolve(code === 0 || signal === 'SIGTERM'));
  });
}
