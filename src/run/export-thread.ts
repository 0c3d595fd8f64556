/**
 * Exports on a thread of their own, which opens the wiki a second time to read it, so that rendering thousands of pages delays
 * nobody. All exports share the thread; it makes a piece of each when somebody is ready to read it.
 */

import type { Config } from '#config/config.ts';
import { Problem } from '#core/model/problem.ts';
import type { Exporter } from '#export/exporter.ts';
import { Thread } from '#scheduling/thread.ts';
import type { ExportAnswer, ExportTask } from './export-worker.ts';

/** Longer than any reader may take for one piece. */
const idleMs = 120_000;

export function createExporter(config: Config): Exporter & AsyncDisposable {
  const options = { workerData: config, resourceLimits: { maxOldGenerationSizeMb: 512 } };
  const thread = new Thread<ExportTask, ExportAnswer>(
    new URL('./export-worker.ts', import.meta.url),
    options,
    idleMs,
  );
  let lastId = 0;
  return {
    async *run(order, spend = () => {}) {
      const id = ++lastId;
      const ask = async (task: ExportTask) => {
        const answer = await thread.run(task);
        spend(answer.cpuMs);
        if (answer.problem) throw new Problem(answer.problem.code, answer.problem.message);
        if (answer.error) throw new Error('The export failed.', { cause: answer.error });
        return answer;
      };
      let isOver = false;
      try {
        let answer = await ask({ id, order });
        for (;;) {
          if (answer.piece) yield answer.piece;
          if (answer.counts) {
            isOver = true;
            return answer.counts;
          }
          answer = await ask({ id });
        }
      } finally {
        // The thread may have ended meanwhile, and the export with it.
        if (!isOver && thread.tasks >= 0) await thread.run({ id, isOver: true }).catch(() => {});
      }
    },
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
}
