/** A source of another form, written out as a folder of Markdown that lives as long as it is read. */
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'yaml';
import { Problem } from '#core/model/problem.ts';
import type { Shown } from '../comparison/shown.ts';
import { type FileTree, openFolder } from '../documents/file-tree.ts';
import { withoutDots } from '../folder-paths.ts';
import type { Approximation, Omission } from '../source.ts';

export const maxUnpackedBytes = 20_000_000_000;
const maxFiles = 500_000;
const maxNameLength = 100;
const maxDepth = 60;
/** Paths that no folder can have: names that are too long, and files that are folders as well. */
const impossible = ['ENAMETOOLONG', 'ENOTDIR', 'EISDIR', 'EEXIST'];

export class Unpacking {
  readonly #folder: string;
  readonly #taken = new Set<string>();
  /** Number at which the search for a free path of this name goes on: thousands of notes may be “Untitled”. */
  readonly #nextNumber = new Map<string, number>();
  /** Parts that pages lost on the way, by path. */
  readonly approximated = new Map<string, readonly Approximation[]>();
  /** Pages as readers of the source see them, by path. */
  readonly shown = new Map<string, Shown>();
  readonly leftOut: Omission[] = [];
  #bytes = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A path that no file has yet, from a name of any form. */
  free(folder: string, name: string, ending: string): string {
    const bare = `${folder}${this.nameOf(name)}`;
    const key = `${bare}${ending}`.toLowerCase();
    for (let number = this.#nextNumber.get(key) ?? 1; ; number++) {
      const path = `${bare}${number === 1 ? '' : `-${number}`}${ending}`;
      if (this.#taken.has(path.toLowerCase())) continue;
      this.#nextNumber.set(key, number);
      return path;
    }
  }

  /** Name of the first file of this name, without its ending. */
  nameOf(name: string): string {
    const bare = [
      ...name
        .replace(/[\p{Cc}/\\:*?"<>|#^[\]]+/gu, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    ]
      .slice(0, maxNameLength)
      .join('')
      .replace(/^\.+|[. ]+$/g, '');
    return bare || 'page';
  }

  /** Refuses `too-large`, and `invalid` for paths that lead out of the folder. */
  async add(path: string, content: string | Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
    const inside = withoutDots(path);
    if (!inside || path.startsWith('/') || /[\0\\]/.test(path) || inside.split('/').length > maxDepth)
      throw unsafe(path);
    this.#taken.add(inside.toLowerCase());
    if (this.#taken.size > maxFiles)
      throw new Problem('too-large', `There are more than ${maxFiles} files. Import it in parts.`);
    const file = join(this.#folder, inside);
    try {
      await mkdir(dirname(file), { recursive: true });
      if (typeof content === 'string' || content instanceof Uint8Array) {
        this.count(content.length);
        await writeFile(file, content, { mode: 0o600 });
      } else await pipeline(this.#counted(content), createWriteStream(file, { mode: 0o600 }));
    } catch (error) {
      if (impossible.includes((error as NodeJS.ErrnoException).code ?? '')) throw unsafe(path);
      throw error;
    }
  }

  /** A page with front matter. Facts that are undefined are left out. */
  async addPage(
    path: string,
    facts: Record<string, unknown>,
    text: string,
    { approximated = [], shown }: { approximated?: readonly Approximation[]; shown?: Shown | undefined } = {},
  ): Promise<void> {
    if (shown) this.shown.set(path, shown);
    if (approximated.length > 0) this.approximated.set(path, approximated);
    const stated = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
    const front = Object.keys(stated).length === 0 ? '' : `---\n${stringify(stated)}---\n\n`;
    await this.add(path, `${front}${text.trim()}\n`);
  }

  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > maxUnpackedBytes)
      throw new Problem(
        'too-large',
        `The archive contains more than ${maxUnpackedBytes} bytes. Import it in parts.`,
      );
  }

  async *#counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.count(chunk.length);
      yield chunk;
    }
  }
}

function unsafe(path: string): Problem {
  return new Problem('invalid', `The archive is unsafe: it contains the path “${path.slice(0, 300)}”.`);
}

/** The folder is removed with the tree, or at once if `write` fails. */
export async function unpackedTree(write: (to: Unpacking) => Promise<void>): Promise<FileTree> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'coppice-import-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const unpacking = new Unpacking(folder);
  await write(unpacking);
  const tree = await openFolder(folder);
  const kept = stack.move();
  const leftOut = [...tree.leftOut, ...unpacking.leftOut];
  return {
    ...tree,
    leftOut,
    approximated: unpacking.approximated,
    shown: unpacking.shown,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
