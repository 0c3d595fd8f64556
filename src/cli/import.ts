/** `coppice import`: pages from a folder of wikitext files, with their files attached and their links leading to each other. */
import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { readPath } from '#domain/pages/path.ts';
import { readPermissionCode } from '#domain/permission.ts';
import { Problem } from '#domain/problem.ts';
import { command, readArguments, UsageError } from './command/arguments.ts';
import { actorFor } from './command/first-administrator.ts';
import { printable } from './command/printable.ts';
import { progressOn } from './command/progress.ts';
import { openDocumentPool } from './import/document-pool.ts';
import { planImport } from './import/plan.ts';
import { runImport } from './import/run.ts';
import { summaryOf } from './import/summary.ts';
import { walk } from './import/walk.ts';

const help = `Usage: coppice import FOLDER [--parent /path] [--as EMAIL] [--permissions 774] [--dry-run] [--force]

Makes a page of each .wikitext, .mediawiki and .wiki file in the folder, attaches the other files to the page of
the folder that they lie in, and lets the links between them lead to the new pages and files.

  --parent /path       The page beneath which the folder's pages go. If it does not exist yet, it is made of the
                       folder's README or index. Default: the root.
  --as EMAIL           Who owns and edits the pages. Default: the first administrator.
  --permissions CODE   Three digits for owner, group and world, for new pages. Default: 774.
  --dry-run            Says what would be done and changes nothing.
  --force              Also overwrites pages that were edited in the wiki since they were imported.

A second run adds what is new, edits in what changed in the folder, and leaves everything else alone, so a run that
was interrupted is simply run again. Ends with 1 if anything was refused. Safe while the wiki runs.
`;

export const run = command('import', help, async (args, context, io) => {
  const { values, positionals } = readArguments(args, ['FOLDER'], {
    parent: { type: 'string', default: '/' },
    as: { type: 'string' },
    permissions: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    force: { type: 'boolean', default: false },
  });
  const parent = parentOf(values.parent);
  const { permissions } = values;
  if (permissions !== undefined && readPermissionCode(permissions) === undefined) {
    throw new UsageError(
      `--permissions: expected three digits from 0 to 7, such as 774, got “${permissions}”.`,
    );
  }
  const folder = await existing(positionals[0] ?? '');
  const tree = walk(folder);
  if (tree.documents.length === 0) {
    throw new Problem('not-found', `There is no .wikitext, .mediawiki or .wiki file in ${folder}.`);
  }

  await using open = await context.open();
  const actor = await actorFor(open.store, values.as);
  const reading = progressOn(io, 'Reading', tree.documents.length);
  const root = { folder, name: basename(folder) };
  await using pool = openDocumentPool(tree.documents.length);
  const plan = await planImport(open.store, pool, root, tree, parent, () => reading.step()).finally(() =>
    reading.stop(),
  );
  if (values['dry-run']) {
    for (const { source, path, title, existing } of plan.pages) {
      io.stdout.write(
        `${printable(`${existing ? 'known' : 'new  '}  ${path}  “${title}”  from ${source}`)}\n`,
      );
    }
  }
  const writing = progressOn(io, 'Importing', plan.pages.length);
  const result = await runImport(
    open,
    plan,
    {
      ...{ folder, actor, permissions, isDry: values['dry-run'], isForced: values.force },
      maxFileBytes: context.settings.maxUploadBytes,
      clock: context.clock,
    },
    pool,
    () => writing.step(),
  ).finally(() => writing.stop());
  io.stdout.write(summaryOf(result, values['dry-run']));
  return result.leftOut.some(({ isRefusal }) => isRefusal) || result.edited.length > 0 ? 1 : 0;
});

function parentOf(text: string): string | null {
  if (text.trim() === '' || text.trim() === '/') return null;
  const read = readPath(text);
  if ('problem' in read) throw new UsageError(`--parent: ${read.problem}`);
  return read.path;
}

async function existing(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Problem('not-found', `There is no folder ${folder}.`);
  }
}
