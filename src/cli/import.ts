/** `coppice import`: imports dumps of other wikis and folders of documents, with history, files and links. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { isoTime } from '#core/model/iso-time.ts';
import { readPath } from '#core/model/path.ts';
import { readPermissionCode } from '#core/model/permission.ts';
import { Problem } from '#core/model/problem.ts';
import { readMembers } from '#import/authors.ts';
import { PageComparison } from '#import/comparison/compare-pages.ts';
import type { Comparer, ComparisonOptions } from '#import/comparison/comparer.ts';
import { TolerantComparer } from '#import/comparison/tolerant-comparer.ts';
import { openFolder } from '#import/documents/file-tree.ts';
import { factsIn } from '#import/documents/page-facts.ts';
import { dataFolderOf } from '#import/dokuwiki/layout.ts';
import { importFrom } from '#import/import-from.ts';
import { kindOf, readKind } from '#import/open-source.ts';
import { unclearOrigin } from '#import/origin.ts';
import { kinds } from '#import/source.ts';
import { comparisonLines, linesOf } from '#import/summary.ts';
import { command, type Given, readArguments, UsageError } from './command/arguments.ts';
import type { CommandContext, OpenWiki, Terminal } from './command/context.ts';
import { actorFor } from './command/first-administrator.ts';
import { print } from './command/print.ts';
import { printable } from './command/printable.ts';
import { type Progress, progressOn } from './command/progress.ts';
import { compareFolder } from './folder-import/compare.ts';
import { openDocumentPool } from './folder-import/document-pool.ts';
import { planImport } from './folder-import/plan.ts';
import { runImport } from './folder-import/run.ts';
import { certificateOf, summaryOf } from './folder-import/summary.ts';
import { walk } from './folder-import/walk.ts';

const help = `Usage: coppice import SOURCE [--from KIND] [--parent /path] [--prune] [--dry-run] [--json]

Brings another wiki, or a folder of documents, into this one: pages, history, authors, files, links. SOURCE is a dump
of a MediaWiki (.xml, also .bz2, .gz, .zst), an export of Coppice (.jsonl), a folder or .zip of a DokuWiki, of Notion,
of Confluence, of HTML or of Markdown (Obsidian, Logseq, Wiki.js, MkDocs, mdBook, GitBook, Docusaurus, VitePress, Hugo,
Zola, Jekyll and others), or a folder of .wikitext, .mediawiki and .wiki files;
or a document (.md, .html, .docx, .odt, .csv, .enex, .opml, TiddlyWiki), a .zip of BookStack, or a .tar.gz.

  --from KIND          What it is, where that is not told by itself: wikitext,
                       ${kinds.slice(0, 8).join(', ')},
                       ${kinds.slice(8, 17).join(', ')},
                       ${kinds.slice(17, 25).join(', ')},
                       ${kinds.slice(25).join(', ')}.
  --parent /path       The page beneath which everything goes; it is made if it does not exist. Default: the root.
  --as EMAIL           Who owns and edits what has no author. Default: the first administrator.
  --members FILE       Lines “Name in the source = address of a member here”. All other authors become members who
                       cannot sign in.
  --files FOLDER       Uploaded files of a MediaWiki: by name, or as it keeps them.
  --keep-urls          Lets /wiki/Title and /index.php?title=Title lead to the pages of a MediaWiki.
  --permissions CODE   Three digits for owner, group and world, for new pages. Default: 774.
  --dry-run            Shows the tree that would be made and changes nothing.
  --source NAME        Names the source, so that a later run with this name continues this import, wherever the
                       source lies then. Without a name, its place does.
  --prune              Deletes pages here (to the trash) that an earlier run made and the source does not have any more,
                       and moves those whose files were moved. Pages that were changed here stay.
  --force              Also overwrites pages that were edited in the wiki since they were imported, and brings back
                       pages that were deleted in the wiki.
  --json               Prints the certificate as JSON: every link, all that was adapted or left out, and why.

A second run adds what is new, applies what changed, and merges it with what was edited here. A run that was interrupted
is simply run again. Ends with 1 if anything was refused or could not be merged. Safe while the wiki runs.
`;

const options = {
  from: { type: 'string' },
  parent: { type: 'string', default: '/' },
  as: { type: 'string' },
  members: { type: 'string' },
  files: { type: 'string' },
  permissions: { type: 'string' },
  'keep-urls': { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
  source: { type: 'string' },
  prune: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

/** A thread starts in about the time in which this many pages are compared. */
const pagesForThread = 500;

export const run = command('import', help, async (args, context, io) => {
  const { values, positionals } = readArguments(args, ['SOURCE'], options);
  const { permissions, from } = values;
  if (permissions !== undefined && readPermissionCode(permissions) === undefined) {
    throw new UsageError(
      `--permissions: expected three digits from 0 to 7, such as 774, got “${permissions}”.`,
    );
  }
  const parent = parentOf(values.parent);
  const place = await existing(positionals[0]);
  const given = { ...values, parent, place };
  const isExport = (await stat(place)).isDirectory() && (await isOfExport(place));
  if (isExport && (from === undefined || from === 'wikitext'))
    return importOther({ ...given, from: 'markdown' }, context, io);
  const isWikitext = from === 'wikitext' || (from === undefined && (await isFolderOfWikitext(place)));
  return isWikitext ? importFolder(given, context, io) : importOther(given, context, io);
});

/** Folders that this wiki exported, whose texts may be in both languages. */
async function isOfExport(place: string): Promise<boolean> {
  await using tree = await openFolder(place);
  return (await factsIn(tree)) !== undefined;
}

/** True for folders with mostly wikitext or without Markdown, except those of a DokuWiki. */
async function isFolderOfWikitext(place: string): Promise<boolean> {
  if (!(await stat(place)).isDirectory()) return false;
  const { documents, files } = walk(place);
  if (documents.length === 0 && dataFolderOf(files.map(({ source }) => source)) !== undefined) return false;
  if (
    documents.length === 0 &&
    files.some(({ source }) => /\.html?$|\.zip$|(?:^|\/)entities\.xml$/i.test(source))
  )
    return false;
  const inMarkdown = files.filter(({ source }) => /\.(?:md|mdx|markdown)$/i.test(source)).length;
  return inMarkdown === 0 || documents.length > inMarkdown;
}

type Options = Omit<Given<[], typeof options>['values'], 'parent'> & {
  parent: string | null;
  /** Path of the source. */
  place: string;
};

/** Imports all kinds except folders of wikitext. */
async function importOther(options: Options, context: CommandContext, io: Terminal): Promise<number> {
  const { place, parent, from, members } = options;
  const known = await kindOf(place, from === undefined ? undefined : readKind(from));
  await using open = await context.open();
  const actor = await actorFor(open.store, options.as);
  const mapped =
    members === undefined ? undefined : await readMembers(open.store, await readFile(members, 'utf8'));
  let bar: Progress | undefined;
  let written = 0;
  const now = context.clock();
  const certificate = await importFrom(open, place, {
    ...{ ...known, filesFolder: options.files },
    ...{ actor, now, parentPath: parent, members: mapped ?? new Map(), clock: context.clock },
    ...{
      permissions: options.permissions === undefined ? undefined : readPermissionCode(options.permissions),
    },
    ...{ isDry: options['dry-run'], isForced: options.force, keepsAddresses: options['keep-urls'] },
    ...{ prunes: options.prune, origin: { given: options.source, place } },
    maxFileBytes: context.settings.maxUploadBytes,
    createComparer: (how) => comparerFor(open, context, how),
    onPlanned(plan) {
      if (!options['dry-run'] || options.json) return;
      for (const { path, title, existing } of plan.pages())
        io.stdout.write(`${printable(`${existing ? 'known' : 'new  '}  ${path}  “${title}”`)}\n`);
    },
    onProgress: (done, total) => {
      if (done === 0) bar = progressOn(io, 'Importing', total);
      // While the pages are compared with their sources, nothing more is written.
      else if (done > written) bar?.step();
      written = done;
    },
  }).finally(() => bar?.stop());
  if (options.json) print(io, certificate);
  else for (const line of linesOf(certificate)) io.stdout.write(`${printable(line)}\n`);
  const { leftOut, edited } = certificate;
  return leftOut.list.some(({ isRefusal }) => isRefusal) || edited.some(({ outcome }) => outcome === 'kept')
    ? 1
    : 0;
}

async function importFolder(options: Options, context: CommandContext, io: Terminal): Promise<number> {
  const { place: folder, permissions, parent } = options;
  if (options.prune) throw new UsageError('--prune: a folder of wikitext cannot be pruned.');
  const tree = walk(folder);
  if (tree.documents.length === 0) {
    throw new Problem('not-found', `There is no .wikitext, .mediawiki or .wiki file in ${folder}.`);
  }

  const now = context.clock();
  await using open = await context.open();
  const actor = await actorFor(open.store, options.as);
  const reading = progressOn(io, 'Reading', tree.documents.length);
  const root = { folder, name: basename(folder), source: options.source };
  await using pool = openDocumentPool(tree.documents.length);
  const plan = await planImport(open.store, pool, root, tree, parent, () => reading.step()).finally(() =>
    reading.stop(),
  );
  if (plan.unclear.length > 0 && !options['dry-run']) throw unclearOrigin(parent, plan.unclear);
  if (options['dry-run'] && !options.json) {
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
      ...{ folder, actor, permissions, isDry: options['dry-run'], isForced: options.force },
      maxFileBytes: context.settings.maxUploadBytes,
      clock: context.clock,
    },
    pool,
    () => writing.step(),
  ).finally(() => writing.stop());
  await using comparer = options['dry-run']
    ? undefined
    : new TolerantComparer(comparerFor(open, context, { actor, now, pages: plan.pages.length }));
  const comparison = comparer && (await compareFolder(comparer, folder, plan.pages));
  const told = {
    ...{ source: root.name, origin: plan.origin, parent: parent ?? '/', isDryRun: options['dry-run'] },
    ...(plan.unclear.length > 0 ? { unclear: plan.unclear } : {}),
    ...{ startedAt: isoTime(now), finishedAt: isoTime(context.clock()) },
  };
  if (options.json) print(io, { ...certificateOf(result, told), ...(comparison ? { comparison } : {}) });
  else {
    io.stdout.write(summaryOf(result, options['dry-run']));
    for (const line of comparison ? comparisonLines(comparison) : []) io.stdout.write(`${printable(line)}\n`);
  }
  return result.leftOut.some(({ isRefusal }) => isRefusal) || result.edited.length > 0 ? 1 : 0;
}

function comparerFor({ store }: OpenWiki, context: CommandContext, how: ComparisonOptions): Comparer {
  return how.pages < pagesForThread ? new PageComparison(store, how) : context.createComparer(how);
}

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
    throw new Problem('not-found', `There is no file or folder ${folder}.`);
  }
}
