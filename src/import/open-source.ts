/** Opens a source of the given kind, or of the kind detected from its files. */
import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { Dialect } from '@coppice/wikitext/dialect';
import { Problem } from '#core/model/problem.ts';
import { entitiesFile } from './confluence/confluence.ts';
import { exportsIn, openConfluence } from './confluence/exports.ts';
import { detectDocuments, findMarker } from './documents/detect.ts';
import { DocumentSource } from './documents/documents.ts';
import { type FileTree, textOf } from './documents/file-tree.ts';
import { factsFile, factsIn } from './documents/page-facts.ts';
import { DokuWiki } from './dokuwiki/dokuwiki.ts';
import { dataFolderOf } from './dokuwiki/layout.ts';
import { packingOf } from './mediawiki/decode.ts';
import { openMediaWiki } from './mediawiki/mediawiki.ts';
import { openTree, readStart, unpackedBeginning } from './open-tree.ts';
import { refuseForeign, refusePackage } from './packed/foreign.ts';
import { type Kind, kinds, type Source } from './source.ts';
import { isDocument, WikitextFolder } from './wikitext/wikitext-folder.ts';

/** Programs whose exports list only the pages whose files cannot say everything. */
const listedInPart: readonly Kind[] = ['mkdocs', 'hugo'];

const ofArchive = /\.(?:zip|tar|tgz|tar\.\w+)$/i;

interface OpenOptions {
  kind: Exclude<Kind, 'jsonl'>;
  dialect: Dialect;
  /** Folder with the uploaded files of a MediaWiki. */
  filesFolder?: string | undefined;
  /** Name of the file where it comes from. */
  filename?: string | undefined;
  /** Path of the page beneath which everything goes. */
  parentPath: string | null;
  now: number;
}

/** Refuses `invalid`. */
export async function openSource(path: string, options: OpenOptions): Promise<Source> {
  const { kind, filename, dialect, parentPath, now } = options;
  if (!(await stat(path)).isDirectory()) refuseForeign(await readStart(path));
  if (kind === 'mediawiki') return openMediaWiki(path, options);
  const opened = await openTree(path, filename);
  if (!opened) throw new Problem('invalid', 'It is not a folder, an archive or a known kind of document.');
  const { tree } = opened;
  if (kind === 'confluence') return openConfluence(tree);
  if (kind === 'dokuwiki') return new DokuWiki(tree, dialect);
  // Exports of this wiki state what a folder of wikitext does not.
  const ofExport = kind === 'wikitext' || kind === 'markdown' ? await exportKind(tree) : undefined;
  if (kind === 'wikitext' && !ofExport)
    return new WikitextFolder(tree, dialect, {
      // Uploads may have no name.
      name: (filename ?? basename(path)).replace(ofArchive, '') || basename(parentPath ?? ''),
      isBeneath: parentPath !== null,
    });
  const own = ofExport?.kind ?? kind;
  const base = await baseOf(own, tree);
  return new DocumentSource(own, tree, { dialect, base, now });
}

export function readKind(text: string): Kind {
  const kind = kinds.find((kind) => kind === text);
  if (kind) return kind;
  throw new Problem('invalid', `The kind “${text}” does not exist. Expected one of ${kinds.join(', ')}.`);
}

/**
 * The given kind, or the one that is recognised by the source. Refuses `invalid` if it is of no supported kind.
 * `recognisedBy`: the end of a sentence. `filename`: of the file where it comes from.
 */
export async function kindOf(
  path: string,
  given: Kind | undefined,
  filename?: string,
): Promise<{ kind: Kind; recognisedBy: string | undefined }> {
  if (given !== undefined) return { kind: given, recognisedBy: undefined };
  const found = await detected(path, filename);
  if (found) return { kind: found.kind, recognisedBy: found.reason };
  throw new Problem(
    'invalid',
    `${filename === undefined ? path : 'The file'} is not a known kind of source. Give its kind with “from”, or --from on the command line (${kinds.join(', ')}).`,
  );
}

async function detected(
  path: string,
  filename = basename(path),
): Promise<{ kind: Kind; reason: string } | undefined> {
  {
    await using opened = await openTree(path, filename);
    if (opened) return opened.detected ?? (await treeKind(opened.tree));
  }
  const beginning = await readStart(path);
  refuseForeign(beginning);
  const packing = await packingOf(path);
  if (packing !== 'none') {
    const within = (await unpackedBeginning(path, packing)).replaceAll('\0', '');
    // A damaged file is refused by its reader.
    if (within !== '' && !/<mediawiki\b/.test(within) && !/\.xml\b/.test(filename)) refusePackage(packing);
    return { kind: 'mediawiki', reason: 'it is compressed like a dump' };
  }
  if (beginning.startsWith('{"kind":"export"')) return { kind: 'jsonl', reason: 'its first line says so' };
  const text = beginning.replaceAll('\0', '');
  if (/<mediawiki\b/.test(text)) return { kind: 'mediawiki', reason: 'it begins like a dump' };
  if (extname(filename) === '.xml' && text.includes('<'))
    return { kind: 'mediawiki', reason: 'its name ends with .xml' };
  return undefined;
}

async function treeKind(tree: FileTree): Promise<{ kind: Kind; reason: string } | undefined> {
  if (exportsIn(tree.paths).length > 0) return { kind: 'confluence', reason: `it holds ${entitiesFile}` };
  const ofExport = await exportKind(tree);
  if (ofExport) return ofExport;
  const number = (pattern: RegExp) => tree.paths.filter((path) => pattern.test(path)).length;
  if (number(isDocument) > number(/\.(?:md|mdx|markdown)$/i))
    return { kind: 'wikitext', reason: 'most of its documents are wikitext' };
  if (dataFolderOf(tree.paths) !== undefined)
    return { kind: 'dokuwiki', reason: 'it contains the folders of a DokuWiki' };
  // Awaited, so that the tree stays open until its documents are read.
  return await detectDocuments(tree, (path) => textOrNothing(tree, path));
}

/**
 * The kind of an export of this wiki that lists pages; undefined for other trees. Pages that are not in the list have their places
 * from the program for which they were written, and those of the list belong beside them.
 */
async function exportKind(tree: FileTree): Promise<{ kind: Kind; reason: string } | undefined> {
  const facts = await factsIn(tree);
  if (!facts) return undefined;
  for (const kind of listedInPart) {
    const marker = await findMarker(tree, (path) => textOrNothing(tree, path), kind);
    if (marker?.base === '') return marker;
  }
  // An export for Docusaurus goes into a project that has its settings already.
  const isInParts =
    facts.pages.length === 0 &&
    tree.paths.every((path) => path === factsFile || /^(?:docs|i18n)\//.test(path));
  const isOfDocs = facts.pages.some(
    ({ file, path }) =>
      file && /^(?:docs|i18n)\//.test(file) && !path.startsWith(`/${file.split('/', 1)[0]}/`),
  );
  return {
    kind: isInParts || isOfDocs ? 'docusaurus' : 'markdown',
    reason: `it contains ${factsFile} of an export`,
  };
}

async function baseOf(kind: Kind, tree: FileTree): Promise<string> {
  return (await findMarker(tree, (path) => textOrNothing(tree, path), kind))?.base ?? '';
}

/** Texts that cannot be read are refused when they are imported. */
async function textOrNothing(tree: FileTree, path: string): Promise<string> {
  try {
    return await textOf(tree, path);
  } catch (error) {
    if (error instanceof Problem) return '';
    throw error;
  }
}
