/** Opens the store with the rows of every feature. */
import type { Store } from '#core/ports/store.ts';
import { loadStores } from '#src/features.ts';
import { openStoreWith, type StoreConfig, type StoreOptions } from '#store/store.ts';

export async function openStore(config: StoreConfig, options?: StoreOptions): Promise<Store> {
  return openStoreWith(await loadStores(), config, options);
}
