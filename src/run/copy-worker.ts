/** The worker side of `copy-loop.ts`. */
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { Config } from '#config/config.ts';
import { keepCopying } from '#copies/copier.ts';
import { openDisk } from '#files/disk.ts';
import type { CopyMessage } from './copy-loop.ts';
import { openCopyPlace } from './open-copy.ts';
import { databaseFileOf, keyFileOf } from './open-wiki.ts';

const config = workerData as Config;
const { copy, dataFolder } = config;
const stopped = new AbortController();
const say = (message: CopyMessage) => parentPort?.postMessage(message);

// The priority is not lowered: the log grows, and the copy lags, as long as this waits.
parentPort?.once('message', () => stopped.abort());
if (copy)
  await keepCopying(
    {
      dataFolder,
      database: databaseFileOf(config),
      files: config.s3 ? undefined : await openDisk(join(dataFolder, 'files'), undefined, true),
      keyFile: config.key === undefined ? keyFileOf(config) : undefined,
      recipient: config.backupRecipient,
      keptDays: copy.keptDays,
    },
    await openCopyPlace(copy.to),
    {
      began: (run) => say({ kind: 'began', run }),
      whole: (run) => say({ kind: 'whole', run }),
      failed: (what, error) =>
        say({ kind: 'failed', what, reason: String((error as Error).message ?? error) }),
    },
    stopped.signal,
  );
parentPort?.close();
