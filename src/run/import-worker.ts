/** The worker side of `import-thread.ts`: carries out one import for each message, in order. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Config } from '#config/config.ts';
import type { Origin } from '#core/model/audit-entry.ts';
import { type JobEnd, type JobRequest, runJob } from '#import/job.ts';
import { lowerThreadPriority } from '#scheduling/priority.ts';
import { createComparerOn } from './comparison-thread.ts';
import { openDatabase, openFiles } from './open-wiki.ts';
import { createWebhookSender } from './webhook-sender.ts';

export interface ImportTask {
  id: number;
  request: JobRequest;
  /** Time of the server, in milliseconds. */
  now: number;
  /** Sender of the request, for the audit log. */
  origin: Origin;
}

export type ImportAnswer = { end: JobEnd } | { error: unknown };

lowerThreadPriority('helper');
const config = workerData as Config;
let earlier = Promise.resolve();

parentPort?.on('message', (task: ImportTask) => {
  earlier = earlier.then(async () => {
    const answer: ImportAnswer = await carryOut(task).then(
      (end) => ({ end }),
      (error: unknown) => ({ error }),
    );
    parentPort?.postMessage(answer);
  });
});

async function carryOut({ id, request, now, origin }: ImportTask): Promise<JobEnd> {
  const begun = performance.now();
  const clock = () => Math.floor(now + performance.now() - begun);
  const { store } = await openDatabase(config, {
    mayBegin: false,
    obeysReadOnly: true,
    audit: { origin: () => origin, clock },
  });
  await using _ = store;
  using outgoing = createWebhookSender(config, clock).outgoing;
  const wiki = {
    store,
    files: await openFiles(config),
    createComparer: createComparerOn(config),
    outgoing,
    maxFileBytes: config.maxUploadBytes,
    clock,
  };
  return await runJob(wiki, id, request);
}
