/** Priorities of threads and commands: where processors are short, the thread that answers requests goes first. */
import { getPriority, setPriority } from 'node:os';

/**
 * By how much each is nicer than the process was started (0 to 19). 10 leaves a tenth of a processor that is shared with the
 * answering thread, and all of one that nobody else wants; 15 a third of that.
 */
const niceness = {
  /** A command at work beside a server. */
  command: 5,
  /** A thread that works for one request: a passphrase, a long text. */
  helper: 10,
  /** A thread that tries out what strangers write: neither a reader nor a save waits for it. */
  aside: 15,
};

/**
 * Lowers the priority of the calling worker thread. On Linux each thread has a priority of its own (setpriority(2)); elsewhere
 * it would be that of the whole process, so nothing is done.
 */
export function lowerThreadPriority(kind: 'helper' | 'aside'): void {
  if (process.platform === 'linux') lower(kind);
}

/** Lowers the priority of a command, before it has threads: they inherit it. */
export function lowerCommandPriority(): void {
  lower('command');
}

/** Never raises it, which only root may do. */
function lower(kind: keyof typeof niceness): void {
  try {
    setPriority(Math.min(19, getPriority() + niceness[kind]));
  } catch {
    // A system that does not allow it only loses some time of others.
  }
}
