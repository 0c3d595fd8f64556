/** Work on a thread of its own, so that nobody else waits for it: one task in, one answer out. */
import { type Transferable, Worker, type WorkerOptions } from 'node:worker_threads';

/** Then a thread gives its memory back, 8 MB and more: it is quickly there again. */
const idleMs = 10_000;
/** How often a task with a limit is looked at. */
const lookMs = 50;

/** A task took as much CPU time as it may. */
export class CpuLimitReached extends Error {}

/** Begins with its first task, ends when it has had none for a while; one that has failed is replaced with the next. */
export class Thread<Task, Answer> implements AsyncDisposable {
  #script: URL;
  #options: WorkerOptions | undefined;
  #idleMs: number;
  #worker: Worker | undefined;
  #ending: NodeJS.Timeout | undefined;
  #waiting: PromiseWithResolvers<Answer>[] = [];

  /** `script`: posts an answer for each message, in their order. */
  constructor(script: URL, options?: WorkerOptions, endsAfterMs = idleMs) {
    this.#script = script;
    this.#options = options;
    this.#idleMs = endsAfterMs;
  }

  /** Tasks without an answer yet. */
  get tasks(): number {
    return this.#waiting.length;
  }

  /**
   * After those before it. What is in `transfer` can be used no more. Once the thread fails, or `signal` is aborted, all tasks that
   * it has reject with the reason: in whatever state it is, it is no more of use. So they do with `CpuLimitReached` after
   * `cpuLimitMs` of the thread's own time, which does not depend on what else the processors do; a new thread's start counts.
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

  /** Asked from here, as a thread at work does not listen: Node interrupts it to look at its clock. */
  #limitCpu(worker: Worker, limitMs: number): NodeJS.Timeout {
    let startMs: number | undefined;
    const look = async () => {
      const { user, system } = await worker.cpuUsage();
      const ms = (user + system) / 1000;
      startMs ??= ms;
      if (ms - startMs >= limitMs) this.#failed(worker, new CpuLimitReached());
    };
    // One that has not begun cannot be asked: all of its time counts.
    const ignore = () => {
      startMs ??= 0;
    };
    look().catch(ignore);
    return setInterval(() => look().catch(ignore), Math.min(lookMs, limitMs));
  }

  #failed(worker: Worker, reason: unknown): void {
    if (worker === this.#worker) void this.#end(reason);
  }

  /** Nothing is left to be taken for an answer of the next worker's. */
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
  /** For threads that are given one task at a time. */
  cpuLimitMs?: number;
}
