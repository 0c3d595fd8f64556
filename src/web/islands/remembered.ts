/** A reader's choices, remembered by the browser. If storage is full or switched off everything works, and is forgotten. */

export function recall(key: string): string | null {
  return withStorage((storage) => storage.getItem(key)) ?? null;
}

export function remember(key: string, value: string): void {
  withStorage((storage) => storage.setItem(key, value));
}

export function forget(key: string): void {
  withStorage((storage) => storage.removeItem(key));
}

/** Keys that begin with `prefix`. */
export function recallKeys(prefix: string): string[] {
  return withStorage((storage) => Object.keys(storage).filter((key) => key.startsWith(prefix))) ?? [];
}

function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}
