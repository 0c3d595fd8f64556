/** Lists the folder to import: documents that become pages, and files to attach. */
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Format } from '#core/model/page.ts';
import { maxBodyBytes, normaliseSource } from '#core/model/page-fields.ts';
import { Problem } from '#core/model/problem.ts';

export interface Source {
  /** Path in the folder, joined by `/` on every system: `bip-0341/tree.png`. */
  source: string;
  /** Set for documents. */
  format: Format | undefined;
}

/** Something that is not imported, with the reason. */
export interface LeftOut {
  source: string;
  why: string;
  /** Whether importing it failed. */
  isRefusal?: true;
}

export interface Tree {
  documents: Source[];
  files: Source[];
  /** Symbolic links, sockets and the like. */
  leftOut: LeftOut[];
}

const formats: Readonly<Record<string, Format>> = {
  '.wikitext': 'wikitext',
  '.mediawiki': 'wikitext',
  '.wiki': 'wikitext',
};

/** Larger folders would exhaust memory during planning. */
const maxSources = 1_500_000;
const maxDepth = 60;
const maxDocumentBytes = maxBodyBytes;

/** Sorted by name, so that the result is stable. Names that begin with a dot are skipped. */
export function walk(root: string): Tree {
  const tree: Tree = { documents: [], files: [], leftOut: [] };
  walkFolder(root, '', 0, tree);
  return tree;
}

function walkFolder(root: string, folder: string, depth: number, tree: Tree): void {
  const entries = list(root, folder);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const source = folder + entry.name;
    if (entry.name.startsWith('.')) continue;
    if (entry.name.includes('\ufffd')) tree.leftOut.push({ source, why: 'its name is not UTF-8' });
    // Symbolic links may lead out of the folder, or in a circle.
    else if (entry.isSymbolicLink()) tree.leftOut.push({ source, why: 'it is a symbolic link' });
    else if (entry.isDirectory()) {
      if (depth >= maxDepth) tree.leftOut.push({ source, why: `it lies more than ${maxDepth} folders deep` });
      else walkFolder(root, `${source}/`, depth + 1, tree);
    } else if (entry.isFile()) {
      const format = formats[extname(entry.name).toLowerCase()];
      (format ? tree.documents : tree.files).push({ source, format });
    } else tree.leftOut.push({ source, why: 'it is neither a file nor a folder' });
    if (tree.documents.length + tree.files.length > maxSources) {
      throw new Problem('too-large', `The folder holds more than ${maxSources} files: import it in parts.`);
    }
  }
}

function list(root: string, folder: string) {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const shown = join(root, folder);
    if (code === 'ENOENT') throw new Problem('not-found', `There is no folder ${shown}.`);
    if (code === 'ENOTDIR') throw new Problem('invalid', `${shown} is not a folder.`);
    if (code === 'EACCES') throw new Problem('invalid', `The folder ${shown} may not be read.`);
    throw error;
  }
}

/** Text of a document, without byte order mark and with `\n` line ends. Refuses invalid UTF-8 and excessive size. */
export function readDocument(root: string, source: string): { text: string; bytes: Uint8Array } {
  const descriptor = refusing(() => openSync(`${root}/${source}`, openFlags));
  try {
    const { size } = fstatSync(descriptor);
    if (size > maxDocumentBytes) {
      throw new Problem('too-large', `it has ${size} bytes; a document may have ${maxDocumentBytes}`);
    }
    // Read manually, because readFileSync would query the size again and read beyond it.
    const bytes = Buffer.allocUnsafe(size);
    let length = 0;
    for (let read = 1; read > 0 && length < size; length += read)
      read = readSync(descriptor, bytes, length, size - length, null);
    const whole = bytes.subarray(0, length);
    return { text: normaliseSource(decoded(whole)), bytes: whole };
  } finally {
    closeSync(descriptor);
  }
}

/** Fails if the file was replaced by a symbolic link since the walk. */
const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW;

export async function openSource(root: string, source: string) {
  return open(join(root, source), openFlags).catch(refuse);
}

function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return refuse(error);
  }
}

function refuse(error: unknown): never {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EACCES') throw new Problem('invalid', 'it may not be read');
  if (code === 'ENOENT' || code === 'ELOOP') throw new Problem('invalid', 'it is not there any more');
  throw error;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Problem('invalid', 'it is not UTF-8 text');
  }
}
