/** Preferences stored by the browser. If storage is full or disabled, everything works but is forgotten. */

export function recall(key: string): string | null {
  return withStorage((storage) => storage.getItem(key)) ?? null;
}

export function remember(key: string, value: string): void {
  withStorage((storage) => storage.setItem(key, value));
}

export function forget(key: string): void {
  withStorage((storage) => storage.removeItem(key));
}

/** Stored keys with this prefix. */
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
