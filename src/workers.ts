/**
 * Several processes that serve on one port, which the kernel shares out among them (SO_REUSEPORT): the primary is not in
 * the way of any request. It starts another worker in the place of one that dies, and holds what they have in common:
 * counts of attempts, and the way to everybody's metrics.
 *
 * Questions go both ways over the channel that Node keeps between the two; a process that does not answer is left out.
 */
import cluster, { type Worker } from 'node:cluster';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { createCounts } from '#http/limits.ts';
import { addedUp } from '#http/metrics.ts';
import type { Counted, Siblings } from '#http/service.ts';
import { Problem } from './domain/problem.ts';

const patienceMs = 2000;
/** A worker that lived this long died of something new: the next one starts at once. */
const calmMs = 60_000;
const longestPauseMs = 30_000;

type Question =
  | { kind: 'serves' }
  | { kind: 'count'; key: string; windowMs: number; amount: number }
  | { kind: 'metrics' }
  | { kind: 'numbers' };
type Ask = (question: Question) => Promise<unknown>;
type Message = { asks: number; question: Question } | { answers: number; value: unknown };

export interface Workers {
  /** Lets every worker finish what is under way. Resolves to the exit code. */
  stop(): Promise<number>;
}

/** Resolves when all serve; to undefined, once it has ended, if the first could not, which has said why. */
export async function startWorkers(count: number, port: number, log: Logger): Promise<Workers | undefined> {
  const running = new Set<Worker>();
  /** Workers that can be asked. */
  const serving = new Map<Worker, Ask>();
  const countAttempt = createCounts(Date.now);
  let isStopping = false;

  const answerTo =
    (worker: Worker): Ask =>
    async (question) => {
      if (question.kind === 'serves') return void worker.emit('serves');
      if (question.kind === 'count') return countAttempt(question.key, question.windowMs, question.amount);
      const asked = [...serving.values()].map((ask) => ask({ kind: 'numbers' }));
      const answers = await Promise.allSettled(asked);
      return addedUp(answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
    };
  const start = (failures: number): Worker => {
    const worker = cluster.fork({ PORT: String(port) });
    const startedAt = Date.now();
    running.add(worker);
    const ask = converse(worker, answerTo(worker));
    worker.on('serves', () => serving.set(worker, ask));
    worker.on('error', (error) => log.error({ err: error }, 'a worker cannot be reached'));
    worker.on('exit', (code, signal) => {
      running.delete(worker);
      serving.delete(worker);
      if (isStopping) return;
      const again = Date.now() - startedAt > calmMs ? 0 : failures + 1;
      const pauseMs = again === 0 ? 0 : Math.min(1000 * 2 ** (again - 1), longestPauseMs);
      log.error({ died: worker.id, code, signal, pauseMs }, 'a worker ended and is started again');
      setTimeout(() => isStopping || start(again), pauseMs);
    });
    return worker;
  };

  cluster.setupPrimary({ exec: fileURLToPath(new URL('./main.ts', import.meta.url)), args: ['serve'] });
  isStopping = true;
  // One first: what keeps it from serving would keep all of them, and is said once.
  if (!(await whetherServes(start(0)))) return undefined;
  isStopping = false;
  await Promise.all(Array.from({ length: count - 1 }, () => whetherServes(start(0))));
  return {
    async stop() {
      isStopping = true;
      const ends = [...running].map(ending);
      for (const worker of running) worker.process.kill('SIGTERM');
      return (await Promise.all(ends)).every((hasFinished) => hasFinished) ? 0 : 1;
    },
  };
}

/** In a worker: the others, by way of the primary, and how to tell it that requests are answered from now on. */
export function joinWorkers(): Siblings & { serve(): Promise<unknown> } {
  let share = async (): Promise<unknown> => [];
  const ask = converse(process as Channel, () => share());
  return {
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
  on(event: 'message', listener: (message: Message) => void): unknown;
}

/** Answers what the other side asks, and asks it. Refuses `unavailable` when no answer comes. */
function converse(channel: Channel, answer: Ask): Ask {
  const waiting = new Map<number, (value: unknown) => void>();
  let asked = 0;
  channel.on('message', (message) => {
    if ('answers' in message) waiting.get(message.answers)?.(message.value);
    // Who asked and was not answered gives up by itself.
    else if ('asks' in message)
      answer(message.question).then(
        (value) => channel.send({ answers: message.asks, value }, () => {}),
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

/** Whether it had nothing left to do: one that was only starting ends by the signal. */
function ending(worker: Worker): Promise<boolean> {
  return new Promise((resolve) => {
    worker.once('exit', (code, signal) => resolve(code === 0 || signal === 'SIGTERM'));
  });
}
