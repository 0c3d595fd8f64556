/** The other thread of `look.ts`: one task in, one answer out. */
import { parentPort } from 'node:worker_threads';
import { derive } from '#domain/derive.ts';
import { lookAt, type Task } from './look.ts';

parentPort?.on('message', (task: Task) => {
  parentPort?.postMessage(
    task.step === 'look' ? task.asked.map((one) => lookAt(task.root, one)) : task.contents.map(derive),
  );
});
