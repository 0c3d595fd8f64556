/**
 * Transactions around handlers that know nothing of them. While a request with an idempotency key is carried out, whatever it commits
 * also says that it was; while an atomic batch is, all that its operations write is one transaction.
 *
 * Handlers are given `store` once, when routes are registered, so it is the store that looks for the operation that it is asked
 * in (`AsyncLocalStorage`). What may not be part of an operation, such as noting when a token was used, keeps to the store beneath.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { DiskCache } from '#cache/disk-cache.ts';
import type { Renderer } from '#domain/content/render.ts';
import type { Store } from '#domain/ports/store.ts';
import { Problem } from '#domain/problem.ts';

export interface Operations {
  /** The store beneath, or the transaction of the operation that is going on. */
  store: Store;
  /** Caches nothing before it is committed: IDs of what is rolled back are used again. */
  rendererFor(renderer: Renderer): Renderer;
  /** Each transaction that `work` begins ends with this step, and is rolled back if that throws. */
  alongside<T>(step: (store: Store) => Promise<void>, work: () => T): T;
  /** All that `work` writes is committed together, or rolled back if it throws. It may run more than once. */
  together<T>(work: () => Promise<T>): Promise<T>;
}

interface Operation {
  transaction?: Transaction;
  steps: readonly ((store: Store) => Promise<void>)[];
}

interface Transaction {
  /** Undefined once it has ended: what a handler began and nobody waited for goes on without it. */
  store: Store | undefined;
  /** Error of the engine that a handler turned into an answer: the transaction ends with it, or is tried again because of it. */
  failure?: unknown;
}

export function createOperations(beneath: Store): Operations {
  const current = new AsyncLocalStorage<Operation>();
  const transact: Store['transact'] = (work) => {
    const { transaction, steps = [] } = current.getStore() ?? {};
    if (transaction?.store)
      return transaction.store.transact(work).catch((error) => fail(transaction, error));
    if (steps.length === 0) return beneath.transact(work);
    return beneath.transact(async (store) => {
      const result = await work(store);
      // Last, so that what is refused has written nothing.
      for (const step of steps) await step(store);
      return result;
    });
  };
  const store = {} as Store;
  for (const key of Reflect.ownKeys(beneath) as (keyof Store)[]) {
    Object.defineProperty(store, key, {
      enumerable: true,
      get: () => (key === 'transact' ? transact : (current.getStore()?.transaction?.store ?? beneath)[key]),
    });
  }
  const nothing: Renderer['cache'] = new DiskCache(0);
  return {
    store,
    rendererFor: (renderer) => ({
      ...renderer,
      get cache() {
        return current.getStore()?.transaction?.store ? nothing : renderer.cache;
      },
    }),
    alongside(step, work) {
      const { steps = [], ...operation } = current.getStore() ?? {};
      return current.run({ ...operation, steps: [...steps, step] }, work);
    },
    together: (work) =>
      transact(async (store) => {
        const transaction: Transaction = { store };
        try {
          const result = await current.run({ steps: [], ...current.getStore(), transaction }, work);
          if (transaction.failure !== undefined) throw transaction.failure;
          return result;
        } catch (error) {
          throw transaction.failure ?? error;
        } finally {
          transaction.store = undefined;
        }
      }),
  };
}

function fail(transaction: Transaction, error: unknown): never {
  if (!(error instanceof Problem)) transaction.failure ??= error;
  throw error;
}
