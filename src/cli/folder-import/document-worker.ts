/** Thread of `document-pool.ts`: one result for each task. */
import { parentPort } from 'node:worker_threads';
import { DocumentWorker, type Task } from './document-pool.ts';

const worker = new DocumentWorker();
parentPort?.on('message', (task: Task) => parentPort?.postMessage(worker.run(task)));
