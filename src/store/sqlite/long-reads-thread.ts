/**
 * Thread of `long-reads.ts`: runs one statement per message and returns its rows. Its priority is not lowered, because searches
 * would take ten times as long under load.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Handle, openToRead } from './handle.ts';

export interface Task {
  sql: string;
  parameters: (string | number | null)[];
}

/** `error`: the part of an error that survives the transfer between threads. */
export type Outcome = { rows: unknown[]; error?: undefined } | { rows?: undefined; error: Failure };
interface Failure {
  message: string;
  errcode?: unknown;
}

const handle = new Handle(openToRead(workerData as string), {});

parentPort?.on('message', (task: Task) => {
  parentPort?.postMessage(outcomeOf(task));
});

function outcomeOf(task: Task): Outcome {
  try {
    return { rows: handle.rows(task) };
  } catch (error) {
    const { message, errcode } = error as Failure;
    return { error: { message, errcode } };
  }
}
