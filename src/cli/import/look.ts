/**
 * What an import works out of documents, for many at once and, where there are thousands, in threads beside the one that
 * writes: first the title and hash of each, then, once it is known which pages there will be, the new pages.
 */
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { sectionsOf } from '#domain/page-sections.ts';
import { Problem } from '#domain/problem.ts';
import type { PlannedPage } from './plan.ts';
import { Reading, type ReadingOptions, type ReadPage, type ToRead } from './read.ts';
import type { Target } from './targets.ts';
import { nameOf, titleOf } from './title.ts';
import { readPage } from './walk.ts';

export interface Asked {
  source: string;
  name: string;
  isDocument: boolean;
}

/** Why it cannot be read. */
interface Refused {
  refusal: string;
}

export type Looked = { title: string; sha256: string } | Refused;
export type Read = ReadPage | Refused;

export type Task =
  | { step: 'look'; root: string; asked: Asked[] }
  | { step: 'targets'; targets: Target[] }
  | { step: 'read'; options: ReadingOptions; pages: ToRead[] };

export interface Looking extends AsyncDisposable {
  look(root: string, asked: Asked[]): Promise<Looked[]>;
  /** All pages in their order, each with what it was read as, some of which are read ahead. */
  read(pages: PlannedPage[], options: ReadingOptions): AsyncIterable<[PlannedPage, Read]>;
}

const documentsForThreads = 2000;
/** One that writes keeps no more of them busy, and each holds all targets. */
const mostThreads = 2;
/** Of one message. */
const pagesAtOnce = 250;
const targetsAtOnce = 10_000;
/** Messages that each thread may be ahead: about what they read while a transaction is carried out. */
const ahead = 4;

export function openLooking(documents: number): Looking {
  const count = documents < documentsForThreads ? 0 : Math.min(mostThreads, availableParallelism());
  if (count === 0) {
    const workshop = new Workshop();
    return lookingBy([{ run: async (task) => workshop.carryOut(task) }], async () => {});
  }
  const threads = Array.from({ length: count }, () => new Thread());
  return lookingBy(threads, async () => {
    await Promise.all(threads.map((thread) => thread.end()));
  });
}

interface Hand {
  run(task: Task): Promise<unknown>;
}

function lookingBy(hands: Hand[], end: () => Promise<void>): Looking {
  let next = 0;
  const run = (task: Task) => (hands[next++ % hands.length] as Hand).run(task);
  return {
    look: (root, asked) => run({ step: 'look', root, asked }) as Promise<Looked[]>,
    async *read(pages, options) {
      for (const some of slices(pages, targetsAtOnce)) {
        const targets = some.map(({ source, path, title, format, files }) => ({
          ...{ source, path, title, format, files },
        }));
        await Promise.all(hands.map((hand) => hand.run({ step: 'targets', targets })));
      }
      const under: { some: PlannedPage[]; read: Promise<unknown> }[] = [];
      const takeFirst = async function* () {
        const { some, read } = under.shift() as (typeof under)[number];
        const all = (await read) as Read[];
        for (const [i, page] of some.entries()) yield [page, all[i] as Read] as [PlannedPage, Read];
      };
      for (const some of slices(pages, pagesAtOnce)) {
        // What was made of it by an earlier run is no concern of the thread's.
        const read = run({ step: 'read', options, pages: some.map(({ existing, files, ...page }) => page) });
        // It is told to whoever takes it.
        read.catch(() => {});
        under.push({ some, read });
        if (under.length > ahead * hands.length) yield* takeFirst();
      }
      while (under.length > 0) yield* takeFirst();
    },
    [Symbol.asyncDispose]: end,
  };
}

function* slices<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}

/** What stands behind a thread's messages, or is called without one. */
export class Workshop {
  #targets: Target[] = [];
  #reading: Reading | undefined;

  carryOut(task: Task): Looked[] | Read[] | undefined {
    switch (task.step) {
      case 'look':
        return task.asked.map((one) => refusalOr(() => lookAt(task.root, one)));
      case 'targets':
        for (const target of task.targets) this.#targets.push(target);
        return undefined;
      case 'read': {
        this.#reading ??= new Reading(this.#targets, task.options);
        const reading = this.#reading;
        return task.pages.map((page) => refusalOr(() => reading.read(page)));
      }
    }
  }
}

/** A problem would not stay one on its way between threads. */
function refusalOr<T>(work: () => T): T | Refused {
  try {
    return work();
  } catch (error) {
    if (error instanceof Problem) return { refusal: error.message };
    throw error;
  }
}

function lookAt(root: string, asked: Asked): { title: string; sha256: string } {
  const { text, bytes } = readPage(root, asked);
  const title = titleOf(text, (body) => sectionsOf({ body, path: '/' }), nameOf(asked.name));
  return { title, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** One thread, which answers in the order in which it was asked. */
class Thread {
  #worker = new Worker(new URL('./look-worker.ts', import.meta.url));
  #waiting: PromiseWithResolvers<unknown>[] = [];

  constructor() {
    this.#worker.on('message', (answer) => this.#waiting.shift()?.resolve(answer));
    this.#worker.on('error', (error) => {
      for (const one of this.#waiting.splice(0)) one.reject(error);
    });
  }

  run(task: Task): Promise<unknown> {
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.push(answer);
    this.#worker.postMessage(task);
    return answer.promise;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
