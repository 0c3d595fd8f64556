/** The worker side of `comparison-thread.ts`: compares the pages of each message, in order, and answers the last one with the outcome. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Config } from '#config/config.ts';
import { PageComparison } from '#import/comparison/compare-pages.ts';
import type { Comparison, ComparisonOptions, ExpectedPage } from '#import/comparison/comparer.ts';
import { lowerThreadPriority } from '#scheduling/priority.ts';
import { openDatabase } from './open-wiki.ts';

/** Without pages: the end. */
export interface ComparisonTask {
  pages?: ExpectedPage[];
}

export interface ComparisonAnswer {
  comparison?: Comparison;
  error?: unknown;
}

lowerThreadPriority('helper');
const { config, comparison } = workerData as { config: Config; comparison: ComparisonOptions };
const opening = openDatabase(config, { isReadOnly: true });
const comparing = opening.then(({ store }) => new PageComparison(store, comparison));
let earlier = Promise.resolve();

parentPort?.on('message', (task: ComparisonTask) => {
  earlier = earlier.then(async () => {
    const answer = await carryOut(task).catch((error: unknown) => ({ error }));
    parentPort?.postMessage(answer satisfies ComparisonAnswer);
  });
});

async function carryOut({ pages }: ComparisonTask): Promise<ComparisonAnswer> {
  const comparer = await comparing;
  if (!pages) return { comparison: await comparer.finish() };
  await comparer.add(pages);
  return {};
}
