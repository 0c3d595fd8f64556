/** Everything that may hold erased content. */
import type { FileStore } from './file-store.ts';
import type { Store } from './store.ts';

export interface Backup {
  at: number;
  place: string;
}

export interface Erasing {
  store: Store;
  files: FileStore;
  /** Empties the disk caches of this process before it returns. */
  emptyCaches(): void;
  backups(): readonly Backup[];
}
