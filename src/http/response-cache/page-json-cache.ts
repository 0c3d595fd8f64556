/**
 * Cached JSON of pages, except for caller-specific fields of a list: made once, and served to all readers of the page until
 * something in it changes. If it shows an ancestor that not everyone may read, it is made for each kind of reader.
 */
import { BoundedCache } from '#cache/bounded-cache.ts';
import { factsOf } from '#cache/dependency.ts';
import type { RecordedTrace } from '#cache/read-trace.ts';
import type { WholePage } from '#core/model/page.ts';
import { mayRead, type PageAccess } from '#core/model/page-access.ts';
import { isAlikeForKind, kindOf, type ReaderKind } from '#core/model/permission.ts';
import { maxAnswerBytes } from '#core/pages/response-limits.ts';
import type { HistoryWanted, Reader } from '#core/ports/reader.ts';
import type { Store } from '#core/ports/store.ts';
import { inTimeSlices } from '#scheduling/time-slices.ts';
import { digestOf } from '../etag.ts';
import { commonJson } from '../page-json.ts';
import { type BytesPart, type CachedBodies, type CachedBody, ownBuffer } from './bodies.ts';

/** Memory for metadata of texts, in bytes. */
const maxKnownBytes = 12_000_000;
const knownBytes = 600;
/** Longer texts are on disk only: in memory, they would be garbage that only a major collection finds. */
const longTextBytes = 32_000;
/** Longer ones are not stored. */
const maxTextBytes = 1_000_000;

/** JSON of one page. */
export interface PageJson extends PageAccess {
  id: number;
  /** A JSON object without its closing brace. */
  json: BytesPart;
  /** Differs if the bytes differ. */
  digest: string;
  /** Its reads, which are recorded again whenever the text is served again. */
  trace: RecordedTrace;
}

type Known = Omit<PageJson, 'json'> & CachedBody & { revision: string };

export class PageJsonCache {
  readonly #store: Store;
  readonly #bytes: CachedBodies;
  readonly #baseUrl: string;
  readonly #known: BoundedCache<Known>;
  /** Long texts are written here first, one at a time. */
  readonly #draft = Buffer.allocUnsafeSlow(maxTextBytes + 1);

  constructor(store: Store, bytes: CachedBodies, baseUrl: string) {
    this.#store = store;
    this.#bytes = bytes;
    this.#baseUrl = baseUrl;
    this.#known = new BoundedCache(maxKnownBytes, (known) => bytes.delete(known));
  }

  /**
   * In the order of `ids`, without pages that the actor may not read. `revision`: from before the pages were searched. Each
   * text is from some time since then at which the actor could read the page.
   */
  async of(reader: Reader, ids: number[], history: HistoryWanted, revision: string): Promise<PageJson[]> {
    const kind = kindOf(reader.actor);
    const texts = new Map<number, PageJson>();
    const find = (key: string) => (this.#store.isTransaction ? undefined : this.#find(reader, key, revision));
    for (const id of ids) {
      const text = find(keyOf(id, history)) ?? find(keyOf(id, history, kind));
      if (text) texts.set(id, text);
    }
    // Loaded pages are limited as if there were no stored texts, so these are, too.
    if (texts.values().reduce((sum, { json }) => sum + json.length, 0) > maxAnswerBytes / 2) texts.clear();
    const missing = ids.filter((id) => !texts.has(id));
    await reader.pages.loadInParts(missing, history, async (pages) => {
      for await (const some of inTimeSlices(pages))
        for (const page of some) texts.set(page.id, this.#make(reader, page, history, revision));
    });
    return ids.flatMap((id) => texts.get(id) ?? []);
  }

  #find(reader: Reader, key: string, revision: string): PageJson | undefined {
    const known = this.#known.get(key);
    if (!known || !mayRead(reader.actor, known, reader)) return undefined;
    if (
      known.revision !== revision &&
      !this.#store.isUnchanged(known.revision, known.trace.dependencies ?? [])
    )
      return undefined;
    const json = this.#bytes.part(known);
    if (!json) return undefined;
    known.revision = revision;
    reader.trace.replay(known.trace);
    return { ...known, json };
  }

  #make(reader: Reader, page: WholePage, history: HistoryWanted, revision: string): PageJson {
    const { language } = reader.dialect;
    const bytes = this.#draftOf(JSON.stringify(commonJson(page, { baseUrl: this.#baseUrl, language })));
    const { id, permissions, owner, group, granted, original } = page;
    const text: Omit<PageJson, 'json'> = {
      id,
      permissions,
      owner: { id: owner.id },
      group: group && { id: group.id },
      ...(granted ? { granted } : {}),
      digest: digestOf([bytes]),
      // Same as `reader.pages.load` records.
      trace: {
        dependencies: [id, ...page.trail.map(factsOf), ...(original ? [factsOf(original.id)] : [])],
        sharedWith: undefined,
        shows: [id],
      },
    };
    const audiences = [...page.lineage, ...(original ? [original] : [])].map(({ audience }) => audience);
    // A page that its owner may read is visible to one reader of a kind and not to others.
    const isAlike = audiences.every((audience) => isAlikeForKind(reader.actor, audience, reader));
    const isShort = bytes.length <= maxTextBytes;
    if (!isAlike || this.#store.isTransaction || page.isHistoryCut || !isShort)
      return { ...text, json: ownBuffer(bytes) };
    const kind = audiences.every((audience) => audience === 0) ? undefined : kindOf(reader.actor);
    return { ...text, json: this.#keep(keyOf(id, history, kind), text, bytes, revision) };
  }

  /** Bytes without the closing brace, until the next call. */
  #draftOf(json: string): Buffer {
    const length = Buffer.byteLength(json) - 1;
    const draft = length < this.#draft.length ? this.#draft : Buffer.allocUnsafeSlow(length + 1);
    draft.write(json);
    return draft.subarray(0, length);
  }

  /** Returns the bytes that are kept, or a copy. */
  #keep(key: string, text: Omit<PageJson, 'json'>, bytes: Buffer, revision: string): BytesPart {
    const before = this.#known.get(key);
    if (before) this.#bytes.delete(before);
    const known: Known = { ...text, revision, length: bytes.length, place: undefined, readsFromDisk: 0 };
    this.#known.set(key, known, knownBytes + 8 * (text.trace.dependencies?.length ?? 0));
    if (bytes.length > longTextBytes && this.#bytes.setOnDisk(known, bytes))
      return this.#bytes.part(known) ?? ownBuffer(bytes);
    const own = ownBuffer(bytes);
    this.#bytes.set(known, own);
    return own;
  }
}

/** `kind`: restricts the entry to readers of that kind. */
function keyOf(id: number, history: HistoryWanted, kind?: ReaderKind): string {
  return kind ? `${history} ${id} ${kind}` : `${history} ${id}`;
}
