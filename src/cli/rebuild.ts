/** `coppice rebuild`: derives everything anew from the changes, and removes stored bytes that no page names. */
import { rebuild } from '#domain/rebuild.ts';
import { sweepFiles } from '#domain/sweep-files.ts';
import { command, readArguments } from './command/arguments.ts';
import { progressOn } from './command/progress.ts';

const help = `Usage: coppice rebuild

Derives links, tags, places, descriptions, search text and counts anew from the pages' current contents, and
removes stored files that no page names any more (those of the last 24 hours are left alone). Safe while the wiki runs.
`;

export const run = command('rebuild', help, async (args, parts, io) => {
  readArguments(args, [], {});
  await using open = await parts.open();
  const { pages } = await open.store.upkeep.counts();
  const progress = progressOn(io, 'Rebuilding', pages);
  const rebuilt = await rebuild(open.store, () => progress.step()).finally(() => progress.stop());
  const removed = await sweepFiles(open.store, open.files.store, parts.clock());
  io.stdout.write(`Pages rebuilt: ${rebuilt}, unused files removed: ${removed}.\n`);
  return 0;
});
