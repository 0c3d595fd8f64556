/** `coppice import`: imports dumps of other wikis and folders of documents, with history, files and links. */
import { readFile, realpath } from 'node:fs/promises';
import { readPath } from '#core/model/path.ts';
import { readPermissionCode } from '#core/model/permission.ts';
import { Problem } from '#core/model/problem.ts';
import { readMembers } from '#import/authors.ts';
import { PageComparison } from '#import/comparison/compare-pages.ts';
import type { Comparer, ComparisonOptions } from '#import/comparison/comparer.ts';
import { importFrom } from '#import/import-from.ts';
import { kindOf, readKind } from '#import/open-source.ts';
import { kinds } from '#import/source.ts';
import { linesOf } from '#import/summary.ts';
import { textOf } from '#words/say.ts';
import { command, readArguments, UsageError } from './command/arguments.ts';
import type { CommandContext, OpenWiki } from './command/context.ts';
import { actorFor } from './command/first-administrator.ts';
import { print } from './command/print.ts';
import { printable } from './command/printable.ts';
import { type Progress, progressOn } from './command/progress.ts';

const help = `Usage: coppice import SOURCE [--from KIND] [--parent /path] [--prune] [--dry-run] [--json]

Imports another wiki, or a folder of documents: pages, history, authors, files, links. SOURCE is a dump
of a MediaWiki (.xml, also .bz2, .gz, .zst), an export of Coppice (.jsonl), a folder or .zip of a DokuWiki, of Notion,
of Confluence, of HTML or of Markdown (Obsidian, Logseq, Wiki.js, MkDocs, mdBook, GitBook, Docusaurus, VitePress, Hugo,
Zola, Jekyll and others), or a folder of .wikitext, .mediawiki and .wiki files;
or a document (.md, .html, .docx, .odt, .csv, .enex, .opml, TiddlyWiki), a .zip of BookStack, or a .tar.gz.

  --from KIND          Kind of the source, if it is not recognised:
                       ${kinds.slice(0, 8).join(', ')},
                       ${kinds.slice(8, 17).join(', ')},
                       ${kinds.slice(17, 25).join(', ')},
                       ${kinds.slice(25).join(', ')}.
  --parent /path       Page beneath which all pages are imported; created if it does not exist. Default: the root.
  --as EMAIL           Owner and editor of pages without an author. Default: the first administrator.
  --members FILE       Lines “Name in the source = address of a member here”. All other authors become members who
                       cannot sign in.
  --files FOLDER       Uploaded files of a MediaWiki: by name, or in MediaWiki's own folders.
  --keep-urls          Makes /wiki/Title and /index.php?title=Title redirect to the pages of a MediaWiki.
  --permissions CODE   Three digits for owner, group and world, for new pages. Default: 774.
  --fetch              Fetches pictures of other sites that texts in Markdown show, and attaches them to the pages:
                       at most 1,000, for at most ten minutes, from public addresses only.
  --dry-run            Prints the pages that the import would create, and changes nothing.
  --source NAME        Name of the source. A later run with this name continues this import, wherever the
                       source is then. Without a name, the path of the source identifies it.
  --prune              Moves pages to the trash that an earlier run made and the source no longer has, and moves
                       those whose files were moved. Pages that were changed in the wiki stay.
  --force              Also overwrites pages that were edited in the wiki since they were imported, and restores
                       pages that were deleted in the wiki.
  --json               Prints the certificate as JSON: every link, everything that was adapted or left out, and why.

A second run adds new pages, applies changes, and merges them with edits made in the wiki. If a run was interrupted,
start it again. Ends with 1 if anything was refused or could not be merged. Safe while the wiki runs.
`;

const options = {
  from: { type: 'string' },
  parent: { type: 'string', default: '/' },
  as: { type: 'string' },
  members: { type: 'string' },
  files: { type: 'string' },
  permissions: { type: 'string' },
  'keep-urls': { type: 'boolean', default: false },
  fetch: { type: 'boolean', default: false },
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
  const { from, members, source } = values;
  const permissions = values.permissions === undefined ? undefined : readPermissionCode(values.permissions);
  if (values.permissions !== undefined && permissions === undefined) {
    throw new UsageError(
      `--permissions: expected three digits from 0 to 7, such as 774, got “${values.permissions}”.`,
    );
  }
  const parentPath = parentOf(values.parent);
  const place = await existing(positionals[0]);
  const known = await kindOf(place, from === undefined ? undefined : readKind(from));
  await using open = await context.open();
  const actor = await actorFor(open.store, values.as);
  const mapped =
    members === undefined ? new Map() : await readMembers(open.store, await readFile(members, 'utf8'));
  using outgoing = values.fetch ? await context.openOutgoing() : undefined;
  let bar: Progress | undefined;
  let written = 0;
  const now = context.clock();
  const certificate = await importFrom(open, place, {
    ...known,
    filesFolder: values.files,
    actor,
    now,
    parentPath,
    permissions,
    members: mapped,
    clock: context.clock,
    mayBulkLoad: true,
    outgoing,
    isDry: values['dry-run'],
    isForced: values.force,
    keepsAddresses: values['keep-urls'],
    prunes: values.prune,
    origin: { given: source, place },
    maxFileBytes: context.settings.maxUploadBytes,
    createComparer: (how) => comparerFor(open, context, how),
    onPlanned(plan) {
      if (!values['dry-run'] || values.json) return;
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
  if (values.json) print(io, certificate);
  else for (const line of linesOf(certificate)) io.stdout.write(`${printable(line)}\n`);
  const { leftOut, edited } = certificate;
  return leftOut.list.some(({ isRefusal }) => isRefusal) || edited.some(({ outcome }) => outcome === 'kept')
    ? 1
    : 0;
});

function comparerFor({ store }: OpenWiki, context: CommandContext, how: ComparisonOptions): Comparer {
  return how.pages < pagesForThread ? new PageComparison(store, how) : context.createComparer(how);
}

function parentOf(text: string): string | null {
  if (text.trim() === '' || text.trim() === '/') return null;
  const read = readPath(text);
  if ('problem' in read) throw new UsageError(`--parent: ${textOf(read.problem, 'en')}`);
  return read.path;
}

async function existing(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Problem('not-found', `The file or folder ${folder} does not exist.`);
  }
}
