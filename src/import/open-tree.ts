/** Opens a source as a tree of files, whatever its form: folder, archive, or one file that becomes a tree. */
import { createReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { Problem } from '#core/model/problem.ts';
import {
  type FileTree,
  openFolder,
  openZip,
  textIn,
  textOf,
  withoutTopFolder,
} from './documents/file-tree.ts';
import { type Packing, packingOf, unpackedBytes } from './mediawiki/decode.ts';
import { unpackTar } from './packed/archive.ts';
import { isOfBookStack, unpackBookStack } from './packed/bookstack.ts';
import { unpackEvernote } from './packed/evernote.ts';
import { unpackOdt } from './packed/open-document.ts';
import { unpackOpml } from './packed/opml.ts';
import { tiddlerOf, tiddlersIn, unpackTiddlers } from './packed/tiddlywiki.ts';
import { unpackedTree } from './packed/unpacked-tree.ts';
import { unpackDocx } from './packed/word.ts';
import type { Kind } from './source.ts';

interface OpenedTree extends AsyncDisposable {
  tree: FileTree;
  /** The kind that the form itself tells, with the reason. */
  detected: { kind: Kind; reason: string } | undefined;
}

/** Documents of Office that cannot be imported, by a file that only they hold. */
const officeParts = [
  ['xl/workbook.xml', 'a spreadsheet. Save its sheets as .csv'],
  ['ppt/presentation.xml', 'a presentation. Save it as .docx, .odt or .html'],
] as const;

/** Longest file that is read as a whole. */
const maxWholeBytes = 400_000_000;
const headBytes = 4096;

/** `name`: of the file, as it was called where it comes from. Undefined if it is no form of a tree. */
export async function openTree(path: string, name = basename(path)): Promise<OpenedTree | undefined> {
  if ((await stat(path)).isDirectory()) return ofTree(await openFolder(path), name);
  const beginning = await readStart(path);
  if (beginning.startsWith('PK')) return ofTree(await openZip(path), name, path);
  const packing = await packingOf(path);
  if (isTar(packing === 'none' ? beginning : await unpackedBeginning(path, packing)))
    return archive(path, packing);
  return ofText(path, name, beginning);
}

async function ofTree(tree: FileTree, name: string, file?: string): Promise<OpenedTree> {
  const { paths } = tree;
  for (const [part, name] of officeParts)
    if (paths.includes(part)) throw new Problem('invalid', `The file is ${name}, and import the result.`);
  const bare = withoutEnding(name);
  const converted = async (kind: Kind, reason: string, made: Promise<FileTree>) => {
    await using _ = tree;
    return await detected(kind, reason, made);
  };
  if (file !== undefined && paths.includes('word/document.xml'))
    return converted(
      'office',
      'it is a document of a word processor',
      unpackedTree((to) => unpackDocx(tree, bare, to)),
    );
  if (
    paths.includes('mimetype') &&
    paths.includes('content.xml') &&
    (await textOf(tree, 'mimetype')).includes('opendocument.text')
  )
    return converted(
      'office',
      'it is a document of a word processor',
      unpackedTree((to) => unpackOdt(tree, bare, to)),
    );
  if (await isOfOutline(tree))
    throw new Problem(
      'invalid',
      'The file is an export of Outline in JSON. Export it as Markdown or HTML, and import the result.',
    );
  if (isOfBookStack(tree))
    return converted(
      'bookstack',
      'it contains data.json of BookStack',
      unpackedTree((to) => unpackBookStack(tree, to)),
    );
  if (paths.includes('tiddlywiki.info')) {
    const tids = paths.filter((path) => path.endsWith('.tid'));
    const make = unpackedTree(async (to) => {
      const tiddlers = [];
      for (const path of tids) tiddlers.push(tiddlerOf(await textOf(tree, path)));
      await unpackTiddlers(tiddlers, to);
    });
    return converted('tiddlywiki', 'it contains tiddlywiki.info', make);
  }
  return opened(tree, undefined);
}

/** An export of Outline in JSON: its version, and a file for each collection. */
async function isOfOutline(tree: FileTree): Promise<boolean> {
  const { paths } = tree;
  const isJson = paths.some((path) => /^[^/]+\.json$/.test(path) && path !== 'metadata.json');
  return (
    paths.includes('metadata.json') &&
    isJson &&
    (await textOf(tree, 'metadata.json')).includes('"exportVersion"')
  );
}

async function archive(path: string, packing: Packing): Promise<OpenedTree> {
  return opened(withoutTopFolder(await unpackedTree((to) => unpackTar(path, packing, to))), undefined);
}

async function ofText(path: string, name: string, beginning: string): Promise<OpenedTree | undefined> {
  const head = beginning.replace(/^\u00ef\u00bb\u00bf/, '').replaceAll('\0', '');
  const bare = withoutEnding(name);
  if (/<en-export\b/.test(head))
    return detected(
      'evernote',
      'it begins like an export of Evernote',
      unpackedTree((to) => unpackEvernote(path, to)),
    );
  if (/<opml\b/i.test(head))
    return detected(
      'opml',
      'it begins like an outline in OPML',
      unpackedTree(async (to) => unpackOpml(textIn(await wholeOf(path)), bare, to)),
    );
  const ending = extname(name).toLowerCase();
  if (ending === '.tid' || ending === '.json' || /tiddlywiki/i.test(head)) {
    const text = textIn(await wholeOf(path));
    const tiddlers = ending === '.tid' ? [tiddlerOf(text)] : tiddlersIn(text);
    if (tiddlers)
      return detected(
        'tiddlywiki',
        'it contains tiddlers',
        unpackedTree((to) => unpackTiddlers(tiddlers, to)),
      );
  }
  const isMarkdown = /^\.(?:md|mdx|markdown)$/.test(ending);
  const isHtml = /^\.html?$/.test(ending) || /^\s*<(?:!doctype html|html)\b/i.test(head);
  // Dumps may be called like documents.
  const isWikitext =
    /^\.(?:wikitext|mediawiki|wiki)$/.test(ending) && !/^\s*<(?:\?xml|mediawiki)\b/.test(head);
  if (!isMarkdown && !isHtml && !isWikitext && ending !== '.csv') return undefined;
  const kind = isMarkdown ? 'markdown' : isWikitext ? 'wikitext' : isHtml ? 'html' : 'csv';
  const shown = isHtml && !/^\.html?$/.test(ending) ? `${bare}.html` : name;
  const reason = isHtml && !ending ? 'it begins like HTML' : `its name ends with ${ending}`;
  return detected(
    kind,
    reason,
    unpackedTree((to) => to.add(basename(shown), createReadStream(path))),
  );
}

async function detected(kind: Kind, reason: string, made: Promise<FileTree>): Promise<OpenedTree> {
  return opened(await made, { kind, reason });
}

function opened(tree: FileTree, detected: OpenedTree['detected']): OpenedTree {
  return { tree, detected, [Symbol.asyncDispose]: () => tree[Symbol.asyncDispose]() };
}

function withoutEnding(name: string): string {
  return basename(name, extname(name)) || 'page';
}

async function wholeOf(path: string): Promise<Buffer> {
  const { size } = await stat(path);
  if (size > maxWholeBytes)
    throw new Problem('too-large', `The file has more than ${maxWholeBytes} bytes. Import it in parts.`);
  return readFile(path);
}

export async function readStart(path: string): Promise<string> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  return buffer.toString('latin1', 0, bytesRead);
}

function isTar(beginning: string): boolean {
  return beginning.slice(257, 262) === 'ustar';
}

/** First bytes of what is packed, as Latin-1; empty if it is damaged, which its reader says. */
export async function unpackedBeginning(path: string, packing: Packing): Promise<string> {
  let head = '';
  try {
    for await (const chunk of unpackedBytes(path, packing)) {
      head += chunk.toString('latin1');
      if (head.length >= headBytes) break;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall) throw error;
    return '';
  }
  return head.slice(0, headBytes);
}
