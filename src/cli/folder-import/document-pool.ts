/**
 * Parses documents for an import in batches and, if there are thousands, in threads beside the writer: first titles and hashes,
 * then, once all pages are planned, the new pages.
 */
import { hash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { defaultDialect } from '#core/content/dialect.ts';
import { sectionsOf } from '#core/content/page-sections.ts';
import { Problem } from '#core/model/problem.ts';
import type { PlannedPage } from './planned-page.ts';
import { type DocumentToRead, PageReader, type PageReaderOptions, type ReadPage } from './read.ts';
import type { Target } from './targets.ts';
import { type DocumentTitle, titleIn } from './title.ts';
import { readDocument, type Source } from './walk.ts';

/** Reason why it cannot be read. */
interface Refused {
  refusal: string;
}

/** `sha256`, `sizeBytes`: of its bytes. */
export type ParsedDocument = { title: DocumentTitle; sha256: string; sizeBytes: number } | Refused;
export type Read = ReadPage | Refused;

export type Task =
  | { step: 'parse'; root: string; sources: string[] }
  | { step: 'targets'; targets: Target[] }
  | { step: 'read'; options: PageReaderOptions; pages: DocumentToRead[] };

export interface DocumentPool extends AsyncDisposable {
  /** Results in the order of the documents, like `read`. `root`: the folder to which sources are relative. */
  parse(root: string, documents: Source[]): AsyncIterable<[Source, ParsedDocument]>;
  /** All pages in order, each with its parsed content; some are read ahead. */
  read(pages: PlannedPage[], options: PageReaderOptions): AsyncIterable<[PlannedPage, Read]>;
}

const documentsForThreads = 2000;
/** A single writer cannot keep more threads busy, and each holds all targets. */
const mostThreads = 2;
/** Documents per message; fewer if they are long, because everything read ahead is in memory. */
const atOnce = 250;
const bytesAtOnce = 4_000_000;
const targetsAtOnce = 10_000;
/** Messages that threads may be ahead: about what they parse during one transaction. */
const ahead = 8;

export function openDocumentPool(documents: number): DocumentPool {
  // The writer needs a core for itself: on two cores, a second thread cost more than it gained.
  const count =
    documents < documentsForThreads ? 0 : Math.max(1, Math.min(mostThreads, availableParallelism() - 1));
  if (count === 0) {
    const worker = new DocumentWorker();
    return poolOf([{ run: async (task) => worker.run(task) }], async () => {});
  }
  const threads = Array.from({ length: count }, () => new Thread());
  return poolOf(threads, async () => {
    await Promise.all(threads.map((thread) => thread.end()));
  });
}

interface WorkerHandle {
  run(task: Task): Promise<unknown>;
}

function poolOf(workers: WorkerHandle[], end: () => Promise<void>): DocumentPool {
  let next = 0;
  async function* inOrder<T, R>(parts: Iterable<T[]>, taskFor: (some: T[]) => Task): AsyncIterable<[T, R]> {
    const under: { some: T[]; answers: Promise<unknown> }[] = [];
    const takeFirst = async function* () {
      const { some, answers } = under.shift() as (typeof under)[number];
      const each = (await answers) as R[];
      for (const [i, one] of some.entries()) yield [one, each[i] as R] as [T, R];
    };
    for (const some of parts) {
      const answers = (workers[next++ % workers.length] as WorkerHandle).run(taskFor(some));
      // Prevents an unhandled rejection; the consumer receives the error.
      answers.catch(() => {});
      under.push({ some, answers });
      if (under.length > ahead) yield* takeFirst();
    }
    while (under.length > 0) yield* takeFirst();
  }
  return {
    parse: (root, documents) =>
      inOrder<Source, ParsedDocument>(slices(documents, atOnce), (some) => ({
        ...{ step: 'parse', root, sources: some.map(({ source }) => source) },
      })),
    async *read(pages, options) {
      for (const some of slices(pages, targetsAtOnce)) {
        const targets = some.map(({ source, path, title, format, files }) => ({
          ...{ source, path, title, format, files },
        }));
        await Promise.all(workers.map((worker) => worker.run({ step: 'targets', targets })));
      }
      yield* inOrder<PlannedPage, Read>(slices(pages, atOnce, sizeOf), (some) => ({
        ...{ step: 'read', options },
        // The thread does not need the results of an earlier run.
        pages: some.map(({ existing, files, sizeBytes, ...page }) => page),
      }));
    },
    [Symbol.asyncDispose]: end,
  };
}

/** Slices with at most `most` items and, unless it is a single item, `bytesAtOnce`. */
function* slices<T>(all: readonly T[], most: number, bytesOf = (_: T) => 0): Generator<T[]> {
  let from = 0;
  let bytes = 0;
  for (const [at, one] of all.entries()) {
    bytes += bytesOf(one);
    if (at === from || (at - from < most && bytes <= bytesAtOnce)) continue;
    yield all.slice(from, at);
    from = at;
    bytes = bytesOf(one);
  }
  if (from < all.length) yield all.slice(from);
}

function sizeOf({ sizeBytes }: PlannedPage): number {
  return sizeBytes;
}

/** Runs tasks: called by messages in a thread, or directly without one. */
export class DocumentWorker {
  #targets: Target[] = [];
  #reader: PageReader | undefined;

  run(task: Task): ParsedDocument[] | Read[] | undefined {
    switch (task.step) {
      case 'parse':
        return task.sources.map((source) => refusalOr(() => parseDocument(task.root, source)));
      case 'targets':
        for (const target of task.targets) this.#targets.push(target);
        return undefined;
      case 'read': {
        this.#reader ??= new PageReader(this.#targets, task.options);
        const reader = this.#reader;
        return task.pages.map((page) => refusalOr(() => reader.read(page)));
      }
    }
  }
}

/** A `Problem` would lose its class in a message between threads. */
function refusalOr<T>(work: () => T): T | Refused {
  try {
    return work();
  } catch (error) {
    if (error instanceof Problem) return { refusal: error.message };
    throw error;
  }
}

function parseDocument(root: string, source: string): ParsedDocument {
  const { text, bytes } = readDocument(root, source);
  const title = titleIn(text, (body) => sectionsOf({ body, format: 'wikitext', path: '/' }, defaultDialect));
  return { title, sha256: hash('sha256', bytes), sizeBytes: bytes.length };
}

/**
 * A thread that answers in order. Unlike those for requests, it is given work ahead, so that it continues during writes, and is
 * never restarted, because it would lose the targets.
 */
class Thread {
  #worker = new Worker(new URL('./document-worker.ts', import.meta.url));
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
