/** The other thread of `look.ts`: one task in, one answer out. */
import { parentPort } from 'node:worker_threads';
import { type Task, Workshop } from './look.ts';

const workshop = new Workshop();
parentPort?.on('message', (task: Task) => parentPort?.postMessage(workshop.carryOut(task)));
