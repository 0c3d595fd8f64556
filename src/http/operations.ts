/**
 * Transactions around unsuspecting handlers. While a request with an idempotency key runs, each of its commits also marks the
 * key; while an atomic batch runs, all operations share one transaction.
 *
 * Handlers receive `store` once, when routes are registered, so the store itself looks up the current operation
 * (`AsyncLocalStorage`). Writes that must not be part of it, such as the time of a token's use, go to the underlying store.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { DiskCache } from '#cache/disk-cache.ts';
import type { Renderer } from '#core/content/render.ts';
import { Problem } from '#core/model/problem.ts';
import type { Store } from '#core/ports/store.ts';

export interface Operations {
  /** The underlying store, or the transaction of the current operation. */
  store: Store;
  /** A renderer that caches nothing before the commit, because IDs that are rolled back are used again. */
  rendererFor(renderer: Renderer): Renderer;
  /** Runs this step at the end of each transaction that `work` starts; if it throws, the transaction is rolled back. */
  alongside<T>(step: (store: Store) => Promise<void>, work: () => T): T;
  /** Commits all writes of `work` together, or rolls them back if it throws. `work` may run more than once. */
  together<T>(work: () => Promise<T>, how?: { isTrial?: boolean }): Promise<T>;
  /** Whether `together` handles the error: it repeats the current work, or fails with that error. */
  handles(error: unknown): boolean;
}

interface Operation {
  transaction?: Transaction;
  steps: readonly ((store: Store) => Promise<void>)[];
}

interface Transaction {
  /** Undefined after the end: work that a handler started without awaiting it continues outside the transaction. */
  store: Store | undefined;
  /** Engine error that a handler turned into a response: the transaction fails with it, or is repeated. */
  failure?: unknown;
}

export function createOperations(beneath: Store): Operations {
  const current = new AsyncLocalStorage<Operation>();
  const transact: Store['transact'] = (work, how) => {
    const { transaction, steps = [] } = current.getStore() ?? {};
    if (transaction?.store)
      return transaction.store.transact(work).catch((error) => fail(transaction, error));
    if (steps.length === 0) return beneath.transact(work, how);
    return beneath.transact(async (store) => {
      const result = await work(store);
      // Runs last, so that a refused request has written nothing.
      for (const step of steps) await step(store);
      return result;
    }, how);
  };
  const store = {} as Store;
  for (const key of Reflect.ownKeys(beneath) as (keyof Store)[]) {
    Object.defineProperty(store, key, {
      enumerable: true,
      get() {
        if (key === 'transact') return transact;
        const { transaction } = current.getStore() ?? {};
        // Work that outlives its transaction may hold what was rolled back, so it must not fill caches.
        if (key === 'isTransaction') return transaction !== undefined || beneath.isTransaction;
        return (transaction?.store ?? beneath)[key];
      },
    });
  }
  const nothing: Renderer['cache'] = new DiskCache(0);
  return {
    store,
    rendererFor: (renderer) => ({
      ...renderer,
      get siteName() {
        return renderer.siteName;
      },
      get cache() {
        return current.getStore()?.transaction ? nothing : renderer.cache;
      },
    }),
    alongside(step, work) {
      const { steps = [], ...operation } = current.getStore() ?? {};
      return current.run({ ...operation, steps: [...steps, step] }, work);
    },
    together: (work, how) =>
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
      }, how),
    handles(error) {
      const failure = current.getStore()?.transaction?.failure;
      return failure !== undefined && failure === error;
    },
  };
}

function fail(transaction: Transaction, error: unknown): never {
  if (!(error instanceof Problem)) transaction.failure ??= error;
  throw error;
}
