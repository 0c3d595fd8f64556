/**
 * A process as a holder of leases: it keeps an empty file beside the database locked. The operating system releases the lock with
 * the process, whatever ends it, and shows it to every process and container that shares the file; a process ID would be used
 * again. SQLite itself takes the lock, because Node has no function for that.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A file that another process removes between being made and being locked is made again under another name. */
const maxAttempts = 3;

export class FileHolder implements Disposable {
  readonly #file: string;
  #held: { name: string; lock: DatabaseSync } | undefined;

  /** `file`: the database. */
  constructor(file: string) {
    this.#file = file;
  }

  get name(): string | null {
    return this.#held?.name ?? null;
  }

  /** Does nothing where no file can be made, such as on a read-only disk. */
  hold(): void {
    if (this.#held) return;
    for (let attempt = 1; attempt <= maxAttempts && !this.#held; attempt++) {
      const name = randomUUID();
      const lock = lockOf(this.#pathOf(name));
      if (lock && existsSync(this.#pathOf(name))) this.#held = { name, lock };
      else lock?.close();
    }
    if (this.#held) this.#sweep();
  }

  /** Without a lock of its own, a process cannot see the locks of others. */
  ended(names: readonly string[]): string[] {
    return this.#held ? names.filter((name) => name !== this.#held?.name && this.#hasEnded(name)) : [];
  }

  [Symbol.dispose](): void {
    if (!this.#held) return;
    // Removed first: nobody can mistake it for a file that somebody is about to lock.
    remove(this.#pathOf(this.#held.name));
    this.#held.lock.close();
    this.#held = undefined;
  }

  #pathOf(name: string): string {
    return `${this.#file}-holder-${name}`;
  }

  #hasEnded(name: string): boolean {
    const path = this.#pathOf(name);
    // Fails if that cannot be found out.
    if (!statSync(path, { throwIfNoEntry: false })) return true;
    const lock = lockOf(path);
    if (!lock) return false;
    remove(path);
    lock.close();
    return true;
  }

  /** Removes files of holders that have ended. The next process does what cannot be done now. */
  #sweep(): void {
    const prefix = basename(this.#pathOf(''));
    try {
      const files = readdirSync(dirname(this.#file)).filter((name) => name.startsWith(prefix));
      this.ended(files.map((name) => name.slice(prefix.length)));
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error;
    }
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The disk has become read-only. The next process that can write removes it.
  }
}

/** Makes the file and locks it. Returns undefined if another process holds it, or if it cannot be made. */
export function lockOf(path: string): DatabaseSync | undefined {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path, { timeout: 0 });
    lock.exec('pragma journal_mode = memory; begin exclusive');
    return lock;
  } catch {
    // Locked by another process, or there is no room or permission to make it.
    lock?.close();
    return undefined;
  }
}
