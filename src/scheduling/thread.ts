/** Runs work on a thread of its own, so that nobody else waits for it: each task gets one answer. */
import { type Transferable, Worker, type WorkerOptions } from 'node:worker_threads';

/** Idle time after which a thread ends and frees its 8 MB or more; starting it again is fast. */
const idleMs = 10_000;
/** Existing changes, oldest first: ID and fingerprint. */
const lookMs = 50;

/** Thrown when a task exceeds its CPU time. */
export class CpuLimitReached extends Error {}

/** Starts with its first task and ends when idle for a while; a failed thread is replaced at the next task. */
export class Thread<Task, Answer> implements AsyncDisposable {
  #script: URL;
  #options: WorkerOptions | undefined;
  #idleMs: number;
  #worker: Worker | undefined;
  #ending: NodeJS.Timeout | undefined;
  #waiting: PromiseWithResolvers<Answer>[] = [];

  /** `script` posts one answer for each message, in order. */
  constructor(script: URL, options?: WorkerOptions, endsAfterMs = idleMs) {
    this.#script = script;
    this.#options = options;
    this.#idleMs = endsAfterMs;
  }

  /** Number of tasks without an answer yet. */
  get tasks(): number {
    return this.#waiting.length;
  }

  /**
   * Queues a task behind the earlier ones. Objects in `transfer` become unusable here. If the thread fails or `signal` is
   * aborted, all its tasks reject with that reason, because the state of the thread is unknown. The same happens with
   * `CpuLimitReached` after `cpuLimitMs` of the thread's own CPU time, including the start of a new thread; this does not
   * depend on the load of the machine.
   */
  async run(task: Task, { transfer, signal, cpuLimitMs }: Run = {}): Promise<Answer> {
    signal?.throwIfAborted();
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const abort = () => this.#failed(worker, signal?.reason);
    worker.postMessage(task, transfer);
    const answer = Promise.withResolvers<Answer>();
    this.#waiting.push(answer);
    clearTimeout(this.#ending);
    worker.ref();
    signal?.addEventListener('abort', abort);
    const looking = cpuLimitMs === undefined ? undefined : this.#limitCpu(worker, cpuLimitMs);
    try {
      return await answer.promise;
    } finally {
      clearInterval(looking);
      signal?.removeEventListener('abort', abort);
    }
  }

  #start(): Worker {
    const worker = new Worker(this.#script, this.#options);
    // An idle thread must not keep the process alive.
    worker.unref();
    worker.on('message', (answer: Answer) => {
      if (worker !== this.#worker) return;
      this.#waiting.shift()?.resolve(answer);
      if (this.#waiting.length > 0) return;
      worker.unref();
      this.#ending = setTimeout(() => this[Symbol.asyncDispose](), this.#idleMs).unref();
    });
    worker.on('error', (error) => this.#failed(worker, error));
    return worker;
  }

  /** Polls the thread's CPU clock from the parent, because a busy thread does not receive messages. */
  #limitCpu(worker: Worker, limitMs: number): NodeJS.Timeout {
    let startMs: number | undefined;
    const look = async () => {
      const { user, system } = await worker.cpuUsage();
      const ms = (user + system) / 1000;
      startMs ??= ms;
      if (ms - startMs >= limitMs) this.#failed(worker, new CpuLimitReached());
    };
    // A thread that has not started cannot be polled, so its whole time counts.
    const ignore = () => {
      startMs ??= 0;
    };
    look().catch(ignore);
    return setInterval(() => look().catch(ignore), Math.min(lookMs, limitMs));
  }

  #failed(worker: Worker, reason: unknown): void {
    if (worker === this.#worker) void this.#end(reason);
  }

  /** Removes listeners, so that a late message is not taken for an answer of the next worker. */
  async #end(reason: unknown): Promise<void> {
    clearTimeout(this.#ending);
    const [worker, waiting] = [this.#worker, this.#waiting.splice(0)];
    this.#worker = undefined;
    await worker?.terminate();
    for (const answer of waiting) answer.reject(reason);
  }

  /** Rejects open tasks. The next task starts a new thread. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#end(new Error('The thread has ended.'));
  }
}

interface Run {
  transfer?: Transferable[];
  signal?: AbortSignal;
  /** Limit for threads that run one task at a time. */
  cpuLimitMs?: number;
}
