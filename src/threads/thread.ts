/** Work on a thread of its own, so that nobody else waits for it: one task in, one answer out. */
import { once } from 'node:events';
import { type Transferable, Worker, type WorkerOptions } from 'node:worker_threads';

/** Then a thread gives its memory back, 8 MB and more: it is quickly there again. */
const idleMs = 10_000;

/** Begins with its first task, ends when it has had none for a while; one that has failed is replaced with the next. */
export class Thread<Task, Answer> implements AsyncDisposable {
  #script: URL;
  #options: WorkerOptions | undefined;
  #idleMs: number;
  #worker: Worker | undefined;
  #ending: NodeJS.Timeout | undefined;

  /** `script`: posts an answer for each message. */
  constructor(script: URL, options?: WorkerOptions, endsAfterMs = idleMs) {
    this.#script = script;
    this.#options = options;
    this.#idleMs = endsAfterMs;
  }

  /** One at a time. What is in `transfer` can be used no more. Rejects with what the thread failed of, or once `signal` is aborted. */
  async run(task: Task, { transfer, signal }: Run = {}): Promise<Answer> {
    clearTimeout(this.#ending);
    this.#worker ??= new Worker(this.#script, this.#options);
    const worker = this.#worker;
    worker.ref();
    try {
      worker.postMessage(task, transfer);
      const [answer] = await once(worker, 'message', { signal });
      return answer as Answer;
    } catch (error) {
      // Whatever state it is in, it is no more of use.
      this.#worker = undefined;
      await worker.terminate();
      throw error;
    } finally {
      // An idle thread must not keep the process alive.
      worker.unref();
      this.#ending = setTimeout(() => this[Symbol.asyncDispose](), this.#idleMs).unref();
    }
  }

  /** It begins anew with the next task. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#ending);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

interface Run {
  transfer?: Transferable[];
  signal?: AbortSignal;
}
