/** `coppice rebuild`: recomputes all derived data from the changes, and deletes stored bytes that no change names. */

import { sweepFiles } from '#core/files/sweep-files.ts';
import { rebuild } from '#core/maintenance/rebuild.ts';
import { Damage } from '#core/model/damage.ts';
import type { Store } from '#core/ports/store.ts';
import { command, readArguments } from './command/arguments.ts';
import { progressOn } from './command/progress.ts';

const help = `Usage: coppice rebuild

Derives links, tags, places, descriptions, search text and counts again from the pages' current contents, and removes
stored bytes that no change of a page names (except those of the last 24 hours). Safe while the wiki runs.
`;

export const run = command('rebuild', help, async (args, context, io) => {
  readArguments(args, [], {});
  await using open = await context.open();
  const pages = await pagesIn(open.store);
  const progress = progressOn(io, 'Rebuilding', pages);
  const damages: string[] = [];
  const rebuilt = await rebuild(
    open.store,
    () => progress.step(),
    (sentence) => damages.push(sentence),
  ).finally(() => progress.stop());
  const removed = await sweepFiles(open.store, open.files.store, context.clock()).catch((error: unknown) => {
    if (!(error instanceof Damage)) throw error;
    damages.push(`No unused files are removed, because it is unknown which files are used: ${error.message}`);
    return 0;
  });
  for (const sentence of damages) io.stdout.write(`${sentence}\n`);
  io.stdout.write(`Pages rebuilt: ${rebuilt}, unused files removed: ${removed}.\n`);
  if (damages.length === 0) return 0;
  io.stderr.write(
    `${damages.length} ${damages.length === 1 ? 'thing is' : 'things are'} damaged. See \`coppice check\`, and restore from a backup.\n`,
  );
  return 1;
});

/** Number of pages, for the progress bar. */
async function pagesIn(store: Store): Promise<number> {
  try {
    return (await store.maintenance.counts()).pages;
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    return 0;
  }
}
