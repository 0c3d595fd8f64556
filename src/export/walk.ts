/** Reads pages, changes and files of an export in bounded batches, limited to what one reader may read. */
import type { Renderer } from '#core/content/render.ts';
import { DamagedChange } from '#core/model/damage.ts';
import type { AttachedFile, Change, PageOutline, WholePage } from '#core/model/page.ts';
import { type Actor, everything } from '#core/model/permission.ts';
import { Problem } from '#core/model/problem.ts';
import type { Settings } from '#core/model/settings.ts';
import type { Comment } from '#core/ports/comment-store.ts';
import type { FileStore } from '#core/ports/file-store.ts';
import type { TreePosition } from '#core/ports/list-reads.ts';
import type { Reader } from '#core/ports/reader.ts';
import type { Store } from '#core/ports/store.ts';

import { type ExportedProposal, proposalsAfter } from './proposals.ts';

export interface ExportSource {
  /** Makes a new reader for each batch, because a reader's trace grows with everything that it reads. */
  reader(): Reader;
  /** Reads as another actor: only for those who may read no more than the one who exports. */
  readerAs(actor: Actor): Reader;
  /** Comments on these pages, by ID from after this one on. Absent for exports without comments. */
  comments?(pageIds: readonly number[], after: number): Promise<Comment[]>;
  /** The next proposals by ID that the reader may see. Absent for exports without proposals. */
  proposals?(reader: Reader, after: number): Promise<ExportedProposal[]>;
  /** Names of groups by ID, for rules of approval. */
  groups?(ids: readonly number[]): Promise<ReadonlyMap<number, { name: string }>>;
  /** IDs of the groups that a member is in. */
  groupsOf(memberId: number): Promise<readonly number[]>;
  files: FileStore;
  renderer: Renderer;
  wiki: WikiFacts;
  /** Style sheet and fonts of the site with these settings, requested only by formats that show pages. */
  look(settings: Partial<Settings>): Look;
  /** Milliseconds since the epoch. */
  now: number;
}

const commentsAtOnce = 500;

/** Comments, proposals, rules and groups, for `ExportSource`. */
export function togetherOf(
  store: Pick<Store, 'comments' | 'proposals' | 'grants' | 'members'>,
): Pick<ExportSource, 'comments' | 'proposals' | 'groups' | 'groupsOf'> {
  /** Looked up once for each owner of a group's pages. */
  const groupsOf = new Map<number, Promise<readonly number[]>>();
  return {
    groupsOf(id) {
      const known = groupsOf.get(id) ?? store.members.findById(id).then((member) => member?.groupIds ?? []);
      groupsOf.set(id, known);
      return known;
    },
    comments: (pageIds, after) => commentsFor(store, pageIds, after),
    proposals: (reader, after) => proposalsAfter(store, reader, after),
    groups: async (ids) =>
      ids.length === 0 ? new Map() : (await store.grants.namesOf(ids.map((group) => ({ group })))).groups,
  };
}

/** Comments on pages that the exporting reader may read. */
async function commentsFor(
  store: Pick<Store, 'comments'>,
  pageIds: readonly number[],
  after: number,
): Promise<Comment[]> {
  return (await store.comments.list({ pageIds }, after, commentsAtOnce, everything)).comments;
}

export interface WikiFacts {
  name: string;
  /** Public address without a trailing slash, or empty. */
  url: string;
  /** Language as a BCP 47 tag. */
  language: string;
  /** Path of the home page. */
  home: string;
  /** For exports that can be read back. */
  settings: Partial<Settings>;
}

export interface Look {
  styleSheet: string;
  /** Fonts and pictures that the style sheet refers to, by name. */
  files: ReadonlyMap<string, Uint8Array>;
}

/**
 * Counts of what was written. `missing`: names of files without bytes. `damaged`: one sentence for each change that was left
 * out.
 */
export interface ExportCounts {
  pages: number;
  changes: number;
  files: number;
  missing: string[];
  damaged: string[];
}

/** Limits on memory: this many pages without contents, changes of at most 16 MB, or one piece of a file at a time. */
const pagesAtATime = 50;
const wholePagesAtATime = 20;
const changesAtATime = 100;
/** A multiple of three, so that base64 of the pieces can be concatenated. */
const pieceBytes = 196_608;

export function newCounts(): ExportCounts {
  return { pages: 0, changes: 0, files: 0, missing: [], damaged: [] };
}

/** Yields page IDs, parents before children. `top`: root of the exported subtree; null for the whole wiki. */
export async function* batches({ reader }: ExportSource, top: TreePosition | null): AsyncGenerator<number[]> {
  if (top) yield [top.id];
  let after: TreePosition | null = null;
  while (true) {
    const found: TreePosition[] = await reader().lists.inTreeOrder(top, after, pagesAtATime);
    const last = found.at(-1);
    if (!last) return;
    yield found.map(({ id }) => id);
    after = last;
  }
}

export async function* outlinesOf(
  source: ExportSource,
  top: TreePosition | null,
): AsyncGenerator<PageOutline> {
  for await (const ids of batches(source, top)) yield* await source.reader().pages.outlines(ids);
}

/** Yields pages with their contents but without history, a few at a time. */
export async function* wholePages(
  source: ExportSource,
  ids: Iterable<number>,
): AsyncGenerator<{ reader: Reader; pages: WholePage[] }> {
  const waiting = [...ids];
  while (waiting.length > 0) {
    const some = waiting.splice(0, wholePagesAtATime);
    const reader = source.reader();
    const pages = await loaded(reader, some);
    if (pages) yield { reader, pages };
    // Together they exceed the limit, so they are read one at a time.
    else
      for (const id of some) {
        const reader = source.reader();
        yield { reader, pages: await reader.pages.load([id], 'none') };
      }
  }
}

async function loaded(reader: Reader, ids: number[]): Promise<WholePage[] | undefined> {
  try {
    return await reader.pages.load(ids, 'none');
  } catch (error) {
    if (error instanceof Problem && error.code === 'too-long') return undefined;
    throw error;
  }
}

/**
 * Yields changes by page ID, oldest first, as many at a time as fit into memory. A damaged change is yielded as the error that
 * names it, and counted.
 */
export async function* changesOf(
  reader: Reader,
  pages: PageOutline[],
  counts: ExportCounts,
): AsyncGenerator<Change | DamagedChange> {
  let after: Pick<Change, 'id' | 'pageId'> | null = null;
  let limit = changesAtATime;
  while (true) {
    const found: Change[] | DamagedChange = await reader.changes
      .listOfPages(pages, after, limit)
      .catch((error) => {
        if (error instanceof DamagedChange) return error;
        throw error;
      });
    if (!(found instanceof DamagedChange)) {
      yield* found;
      after = found.at(-1) ?? null;
      if (!after) return;
    } else if (limit > 1) {
      // From here on, changes are read one at a time until the damaged one has been passed.
      limit = 1;
    } else {
      counts.damaged.push(found.message);
      yield found;
      after = found.change;
      limit = changesAtATime;
    }
  }
}

/** Sorts by page and name, so that the order does not depend on the engine. */
export async function filesNamed(reader: Reader, names: string[]): Promise<AttachedFile[]> {
  const files = names.length === 0 ? [] : await reader.files.named(names);
  return files.sort((a, b) => a.pageId - b.pageId || (a.name < b.name ? -1 : 1));
}

/** Yields pieces of equal size, except for the last one. */
export async function* piecesOf(bytes: AsyncIterable<Uint8Array> | Uint8Array[]): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    held = Buffer.concat([held, chunk]);
    for (; held.length >= pieceBytes; held = held.subarray(pieceBytes)) yield held.subarray(0, pieceBytes);
  }
  if (held.length > 0) yield held;
}

/** Adds the file to `missing` if it has no bytes. */
export async function bytesOf(
  store: FileStore,
  file: Pick<AttachedFile, 'name' | 'hash'>,
  counts: ExportCounts,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const bytes = await store.open(file.hash);
  counts.files++;
  if (!bytes) counts.missing.push(file.name);
  return bytes;
}
