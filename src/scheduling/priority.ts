/**
 * Who goes first where processors are short: the thread that answers all requests, before those that work for one of them.
 * Linux alone gives each thread a priority of its own; elsewhere nothing is done.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** So much nicer than the process was started: a tenth of a processor that is shared with it, and all of one that nobody else wants. */
const behind = 10;
/** Some three times as nice as the others: nobody waits for a reader or a save behind what strangers try out. */
const farBehind = 15;
/** A command at work beside a server. */
const behindServers = 5;

/**
 * Our own threads but for those that have a name: passphrases, long texts, long bodies. Not libuv's pool: what it compresses,
 * reads and brings to the disk everybody waits for who reads a page or saves one.
 */
const helpers = /^WorkerThread/;
/** Of `name` in the options of such a thread. */
export const asideName = 'aside';

/** For the threads that there are, and for those that begin later. */
export function letHelpersGiveWay(): void {
  if (process.platform !== 'linux') return;
  giveWay();
  process.on('worker', (worker) => worker.once('online', giveWay));
}

function giveWay(): void {
  for (const thread of readdirSync('/proc/self/task')) {
    try {
      const name = readFileSync(`/proc/self/task/${thread}/comm`, 'latin1').trim();
      if (helpers.test(name)) setPriority(Number(thread), nicer(behind));
      else if (name === asideName) setPriority(Number(thread), nicer(farBehind));
    } catch {
      // It has ended, or the system does not let us: all that is lost is some time of others.
    }
  }
}

/** For commands, before they have threads. */
export function letServersGoFirst(): void {
  try {
    setPriority(nicer(behindServers));
  } catch {
    // As above.
  }
}

/** Never less than it is already, which only root may set. */
function nicer(by: number): number {
  return Math.min(19, getPriority() + by);
}
