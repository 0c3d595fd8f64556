/**
 * What an import works out of documents, for many at once and, where there are thousands, in threads beside the one that
 * writes: the title and hash of each document, and what follows from the contents of new pages.
 */
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { DerivedContent } from '#domain/create-pages.ts';
import { derive } from '#domain/derive.ts';
import type { Content } from '#domain/page.ts';
import { sectionsOf } from '#domain/page-sections.ts';
import { Problem } from '#domain/problem.ts';
import { nameOf, titleOf } from './title.ts';
import { readDocument } from './walk.ts';

export interface Asked {
  source: string;
  name: string;
  isDocument: boolean;
}

/** `refusal`: why it cannot be read. */
export type Looked = { title: string; sha256: string } | { refusal: string };

export type Task = { step: 'look'; root: string; asked: Asked[] } | { step: 'derive'; contents: Content[] };

export interface Looking extends AsyncDisposable {
  look(root: string, asked: Asked[]): Promise<Looked[]>;
  derive(contents: Content[]): Promise<DerivedContent[]>;
}

const documentsForThreads = 2000;

export function openLooking(documents: number): Looking {
  if (documents < documentsForThreads) {
    return {
      look: async (root, asked) => asked.map((one) => lookAt(root, one)),
      derive: async (contents) => contents.map(derive),
      [Symbol.asyncDispose]: async () => {},
    };
  }
  const threads = Array.from({ length: Math.max(1, availableParallelism() - 1) }, () => new Thread());
  let next = 0;
  const run = (task: Task) => (threads[next++ % threads.length] as Thread).run(task);
  return {
    look: (root, asked) => run({ step: 'look', root, asked }) as Promise<Looked[]>,
    derive: (contents) => run({ step: 'derive', contents }) as Promise<DerivedContent[]>,
    async [Symbol.asyncDispose]() {
      await Promise.all(threads.map((thread) => thread.end()));
    },
  };
}

/** The text of a page; folders without a document list what lies beneath them. */
export function readPage(root: string, { source, isDocument }: Pick<Asked, 'source' | 'isDocument'>) {
  return isDocument ? readDocument(root, source) : { text: '{{Children}}\n', bytes: new Uint8Array() };
}

export function lookAt(root: string, asked: Asked): Looked {
  try {
    const { text, bytes } = readPage(root, asked);
    const title = titleOf(text, (body) => sectionsOf({ body, path: '/' }), nameOf(asked.name));
    return { title, sha256: createHash('sha256').update(bytes).digest('hex') };
  } catch (error) {
    if (error instanceof Problem) return { refusal: error.message };
    throw error;
  }
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
