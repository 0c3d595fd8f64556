/**
 * Imports over HTTP on a thread of their own, which opens the wiki a second time, so that reading and converting a large source
 * delays nobody.
 */
import type { Config } from '#config/config.ts';
import type { Origin } from '#core/model/audit-entry.ts';
import type { RunImport } from '#import/imports.ts';
import { Thread } from '#scheduling/thread.ts';
import type { ImportAnswer, ImportTask } from './import-worker.ts';

export function createImporter(
  config: Config,
  { clock, origin }: { clock: () => number; origin: () => Origin },
): { run: RunImport } & AsyncDisposable {
  const thread = new Thread<ImportTask, ImportAnswer>(new URL('./import-worker.ts', import.meta.url), {
    workerData: config,
  });
  let isOver = false;
  return {
    async run(id, request) {
      try {
        const answer = await thread.run({ id, request, now: clock(), origin: origin() });
        if ('error' in answer) throw new Error('The import failed.', { cause: answer.error });
        return answer.end;
      } catch (error) {
        // The upload is kept, and the next process records that this one has stopped.
        if (isOver) return 'cancelled';
        throw error;
      }
    },
    [Symbol.asyncDispose]() {
      isOver = true;
      return thread[Symbol.asyncDispose]();
    },
  };
}
