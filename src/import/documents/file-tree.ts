/**
 * Files of a source folder or zip. Nothing is unpacked to disk, so no name can escape the folder; symbolic links are not
 * followed, names that begin with a dot are skipped, and sizes are limited regardless of what the archive claims.
 */
import { isUtf8 } from 'node:buffer';
import { constants, createWriteStream } from 'node:fs';
import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, validateFileName, type ZipFile } from 'yauzl';
import { maxBodyBytes } from '#core/model/page-fields.ts';
import { Problem } from '#core/model/problem.ts';
import type { Shown } from '../comparison/shown.ts';
import type { Approximation, Omission } from '../source.ts';

export interface FileTree extends AsyncDisposable {
  /** Paths joined by `/`, sorted. */
  paths: readonly string[];
  leftOut: readonly Omission[];
  /** Passed over because their names begin with a dot: folders with a trailing slash, and settings of site generators. */
  hidden: readonly string[];
  open(path: string): AsyncIterable<Uint8Array>;
  /** Changes that were made when the files were written out from a source of another form, by path. */
  approximated?: ReadonlyMap<string, readonly Approximation[]>;
  /** Documents as readers of that source see them, by path. */
  shown?: ReadonlyMap<string, Shown>;
  /** Time of the last modification, in milliseconds. */
  changedAt(path: string): Promise<number>;
}

const maxFiles = { folder: 1_500_000, archive: 500_000 };
/** Archives within one, all of which stay open. */
const maxArchives = 1000;
const maxDepth = 60;
/** Maximum total size of an archive's files, uncompressed. */
const maxUnpackedBytes = 20_000_000_000;
/** GitBook keeps pictures in a folder that begins with a dot. */
const passedOver = /(?:^|\/)(?:\.(?!gitbook(?:\/|$))[^/]*|node_modules|__MACOSX)(?:\/|$)/;
/** Settings of site generators, and folders that name the program, among names that begin with a dot. */
const ofProgram =
  /^((?:[^/]+\/){0,2})(?:\.(?:vitepress|vuepress)\/config\.\w+$|\.(?:gitbook\.ya?ml|eleventy\.c?js)$|(\.(?:obsidian|foam|vitepress|vuepress))\/)/;
/** A file that each export of a Confluence holds once. */
const isOfExport = (path: string) => /^(?:[^/]+\/)?entities\.xml$/.test(path);
const symbolicLink = 0xa000;
const kindOfFile = 0xf000;

export async function openFolder(folder: string): Promise<FileTree> {
  const paths: string[] = [];
  const leftOut: Omission[] = [];
  const hidden: string[] = [];
  const walk = async (at: string, depth: number): Promise<void> => {
    const entries = await orRefuse(readdir(join(folder, at), { withFileTypes: true }));
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = `${at}${entry.name}`;
      if (passedOver.test(path)) {
        hidden.push(...toldBy(entry.isDirectory() ? `${path}/` : path));
        if (entry.isDirectory() && /^\.(?:vitepress|vuepress)$/.test(entry.name))
          for (const name of await readdir(join(folder, path))) hidden.push(...toldBy(`${path}/${name}`));
        continue;
      }
      if (path.includes('\ufffd')) leftOut.push({ source: path, why: 'its name is not UTF-8' });
      else if (entry.isSymbolicLink()) leftOut.push({ source: path, why: 'it is a symbolic link' });
      else if (entry.isDirectory() && depth < maxDepth) await walk(`${path}/`, depth + 1);
      else if (entry.isFile()) paths.push(path);
      else leftOut.push({ source: path, why: 'it is not a file, or lies too deep' });
      refuseMany(paths.length, maxFiles.folder);
    }
  };
  await walk('', 0);
  const tree = withComposedNames({
    paths,
    leftOut,
    hidden: [...new Set(hidden)],
    open: (path) => fileBytes(join(folder, path)),
    changedAt: async (path) => (await stat(join(folder, path))).mtimeMs,
    async [Symbol.asyncDispose]() {},
  });
  // A folder of exports, as they were downloaded.
  return areZips(paths) ? withoutTopFolder(await innerTree(tree)) : tree;
}

/**
 * Removes a single top folder, which downloads have, from the paths. Archives within archives, as in large exports, are opened
 * as well.
 */
export async function openZip(file: string): Promise<FileTree> {
  const outer = await zipTree(file);
  return withoutTopFolder(areZips(outer.paths) ? await innerTree(outer) : outer);
}

function areZips(paths: readonly string[]): boolean {
  return paths.length > 0 && paths.every((path) => /\.zip$/i.test(path));
}

export function withoutTopFolder(tree: FileTree): FileTree {
  const prefix = commonFolder(tree.paths);
  return withComposedNames({
    ...tree,
    paths: tree.paths.map((path) => path.slice(prefix.length)),
    hidden: tree.hidden.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length)),
    open: (path) => tree.open(prefix + path),
    changedAt: (path) => tree.changedAt(prefix + path),
  });
}

/**
 * Gives names in NFC (UAX 15), in which links are compared: macOS and its archives store them decomposed. Two files whose names
 * differ in that only are both kept, the decomposed one under its own name.
 */
function withComposedNames(tree: FileTree): FileTree {
  const composed = (path: string) => path.normalize('NFC');
  const stored = new Map(tree.paths.filter((path) => path === composed(path)).map((path) => [path, path]));
  if (stored.size === tree.paths.length) return tree;
  for (const path of tree.paths) {
    if (path !== composed(path)) stored.set(stored.has(composed(path)) ? path : composed(path), path);
  }
  return {
    ...tree,
    paths: [...stored.keys()].sort(),
    open: (path) => tree.open(stored.get(path) ?? path),
    changedAt: (path) => tree.changedAt(stored.get(path) ?? path),
  };
}

/**
 * Opens the archives of a tree, one level deep. Archives that each hold an export of their own lie in folders of their names;
 * otherwise they are parts of one, and of several files with the same path, the first counts.
 */
async function innerTree(outer: FileTree): Promise<FileTree> {
  await using stack = new AsyncDisposableStack();
  stack.use(outer);
  const folder = await mkdtemp(join(tmpdir(), 'coppice-zip-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const parts: { tree: FileTree; folder: string }[] = [];
  let leftOut = outer.leftOut;
  const twice: Omission[] = [];
  refuseMany(outer.paths.length, maxArchives);
  for (const [number, path] of outer.paths.entries()) {
    const file = join(folder, String(number));
    await pipeline(outer.open(path), createWriteStream(file, { mode: 0o600 }));
    const tree = stack.use(await zipTree(file));
    leftOut = leftOut.concat(tree.leftOut);
    parts.push({ tree, folder: path.replace(/\.zip$/i, '/') });
  }
  const areExports = parts.length > 1 && parts.every(({ tree }) => tree.paths.some(isOfExport));
  const byPath = new Map<string, { tree: FileTree; path: string }>();
  for (const { tree, folder } of parts) {
    for (const path of tree.paths) {
      const own = areExports ? folder + path : path;
      if (!byPath.has(own)) byPath.set(own, { tree, path });
      else twice.push({ source: own, why: doubled });
    }
    refuseMany(byPath.size, maxFiles.archive);
  }
  leftOut = leftOut.concat(twice);
  const kept = stack.move();
  const at = (path: string) => byPath.get(path) ?? { tree: outer, path };
  return {
    paths: [...byPath.keys()].sort(),
    leftOut,
    hidden: [],
    open: (path) => at(path).tree.open(at(path).path),
    changedAt: (path) => at(path).tree.changedAt(at(path).path),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function zipTree(file: string): Promise<FileTree> {
  const zip = await reading(() => openPromise(file, { autoClose: false, strictFileNames: false }));
  const entries = new Map<string, Entry>();
  const leftOut: Omission[] = [];
  const hidden = new Set<string>();
  let bytes = 0;
  await reading(async () => {
    for await (const entry of zip.eachEntry()) {
      const path = nameOf(entry);
      if (passedOver.test(path)) {
        for (const name of toldBy(path)) hidden.add(name);
        if (!hidden.has(path)) continue;
      }
      if (path.endsWith('/')) continue;
      bytes += entry.uncompressedSize;
      if (((entry.externalFileAttributes >>> 16) & kindOfFile) === symbolicLink)
        leftOut.push({ source: path, why: 'it is a symbolic link' });
      else if (entry.generalPurposeBitFlag & 1)
        leftOut.push({ source: path, why: 'it is encrypted', isRefusal: true });
      else if (entries.has(path)) leftOut.push({ source: path, why: doubled });
      else entries.set(path, entry);
      refuseMany(entries.size + leftOut.length + hidden.size, maxFiles.archive);
      if (bytes > maxUnpackedBytes)
        throw new Problem(
          'too-large',
          `The archive contains more than ${maxUnpackedBytes} bytes. Import it in parts.`,
        );
    }
  });
  return {
    paths: [...entries.keys()].filter((path) => !passedOver.test(path)).sort(),
    leftOut,
    hidden: [...hidden],
    open: (path) => entryBytes(zip, entries.get(path)),
    changedAt: async (path) => entries.get(path)?.getLastModDate().getTime() ?? 0,
    async [Symbol.asyncDispose]() {
      zip.close();
    },
  };
}

/** Text of a document. Refuses invalid UTF-8 and texts that are too long for a page. */
export async function textOf(tree: FileTree, path: string): Promise<string> {
  return textIn(await bytesOf(tree, path, maxBodyBytes));
}

/** Refuses `too-large`. */
export async function bytesOf(tree: FileTree, path: string, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of tree.open(path)) {
    length += chunk.length;
    if (length > maxBytes) throw new Problem('too-large', `it has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Refuses `invalid` for what is neither UTF-8 nor UTF-16 with a byte order mark. */
export function textIn(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isSixteen = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const encoding = isSixteen ? (first === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes).replace(/\r\n?/g, '\n');
  } catch {
    throw new Problem('invalid', 'it is not UTF-8 text; save it as UTF-8, and import it again');
  }
}

/** Refuses a file that was replaced by a symbolic link since the folder was listed. */
async function* fileBytes(path: string): AsyncGenerator<Uint8Array> {
  const file = await orRefuse(open(path, constants.O_RDONLY | constants.O_NOFOLLOW));
  yield* file.createReadStream();
}

async function orRefuse<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES') throw new Problem('invalid', 'it cannot be read');
    if (error.code === 'ENOENT' || error.code === 'ELOOP')
      throw new Problem('invalid', 'it no longer exists');
    throw error;
  });
}

async function* entryBytes(zip: ZipFile, entry: Entry | undefined): AsyncGenerator<Uint8Array> {
  if (!entry) throw new Problem('invalid', 'it no longer exists');
  try {
    yield* await zip.openReadStreamPromise(entry);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall) throw error;
    throw new Problem('invalid', `it is damaged in the archive (${(error as Error).message})`, {
      cause: error,
    });
  }
}

const doubled = 'it is in the source twice; only the first is imported';
const unicodeFlag = 0x800;
const unicodeField = 0x7075;

/** Decodes names without declared encoding: UTF-8, Windows-1252, or DOS code page 437, which the library assumes. */
function nameOf({ fileName, fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
  const isSaid = generalPurposeBitFlag & unicodeFlag || extraFields.some(({ id }) => id === unicodeField);
  const special = fileNameRaw.filter((byte) => byte >= 0x80);
  if (isSaid || special.length === 0) return fileName;
  // Bytes of Windows letters are box drawing and Greek characters in DOS, except the sharp s.
  const isOfWindows = special.every((byte) => byte >= 0xc0) && special.some((byte) => byte !== 0xe1);
  const encoding = isUtf8(fileNameRaw) ? 'utf-8' : 'windows-1252';
  if (encoding !== 'utf-8' && !isOfWindows) return fileName;
  const name = new TextDecoder(encoding).decode(fileNameRaw).replaceAll('\\', '/');
  const problem = validateFileName(name);
  if (problem) throw new Error(problem);
  return name;
}

async function reading<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem || (error as NodeJS.ErrnoException).syscall) throw error;
    throw new Problem('invalid', `The archive is damaged or unsafe: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

function toldBy(path: string): string[] {
  const match = ofProgram.exec(path);
  if (!match) return [];
  const [, above = '', folder] = match;
  return folder === undefined ? [path] : [`${above}${folder}/`];
}

function refuseMany(count: number, most: number): void {
  if (count > most) throw new Problem('too-large', `There are more than ${most} files: import it in parts.`);
}

function commonFolder(paths: readonly string[]): string {
  const first = paths[0] ?? '';
  const folder = first.slice(0, first.indexOf('/') + 1);
  return folder !== '' && paths.every((path) => path.startsWith(folder)) ? folder : '';
}
