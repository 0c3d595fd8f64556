/** Priorities of threads and commands: when CPU is scarce, the thread that answers requests goes first. */
import { getPriority, setPriority } from 'node:os';

/**
 * Niceness added to that of the process (0 to 19). A thread at 10 gets a tenth of a core that it shares with the answering
 * thread, and all of an idle one; 15 gets a third of that.
 */
const niceness = {
  /** A command that runs beside a server. */
  command: 5,
  /** A thread that works for one request, such as hashing a passphrase or rendering a long text. */
  helper: 10,
  /** A thread that renders previews for strangers, which must not delay readers or saves. */
  aside: 15,
};

/**
 * Lowers the priority of the calling worker thread. On Linux each thread has its own priority (setpriority(2)); elsewhere it
 * would be that of the whole process, so nothing is done.
 */
export function lowerThreadPriority(kind: 'helper' | 'aside'): void {
  if (process.platform === 'linux') lower(kind);
}

/** Lowers the priority of a command before it creates threads, which inherit it. */
export function lowerCommandPriority(): void {
  lower('command');
}

/** Never raises the priority, which only root may do. */
function lower(kind: keyof typeof niceness): void {
  try {
    setPriority(Math.min(19, getPriority() + niceness[kind]));
  } catch {
    // If the system does not permit it, the work only competes with others.
  }
}
