/** Worker thread of `passphrase.ts`. */
import { parentPort } from 'node:worker_threads';
import { hashSync, type Options, verifySync } from '@node-rs/argon2';
import { lowerThreadPriority } from '#scheduling/priority.ts';

/** Result: the hash, or whether the passphrase matches the hash. */
export type Task = { passphrase: string } & ({ parameters: Options } | { hash: string });

lowerThreadPriority('helper');
parentPort?.on('message', (task: Task) => {
  parentPort?.postMessage(
    'hash' in task ? verifySync(task.hash, task.passphrase) : hashSync(task.passphrase, task.parameters),
  );
});
