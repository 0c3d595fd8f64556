/** Watches of a member as they see them: with the watched pages that they may read now. */
import type { PageName } from '../model/page.ts';
import { everything } from '../model/permission.ts';
import type { Range } from '../ports/list-reads.ts';
import type { Reader } from '../ports/reader.ts';
import type { Store } from '../ports/store.ts';
import type { Watch, WatchStore } from '../ports/watch-store.ts';

export interface ListedWatch extends Watch {
  /** Watched page, if the member may read it now. Null also for other kinds and for the whole wiki. */
  page: PageName | null;
}

/** Watches of the reader's member, newest first. */
export async function listWatches(
  watches: WatchStore,
  reader: Reader,
  memberId: number,
  range: Range,
): Promise<{ items: ListedWatch[]; total: number }> {
  const found = await watches.listOf(memberId, range);
  return { items: await withPages(reader, found.watches), total: found.total };
}

async function withPages(reader: Reader, watches: Watch[]): Promise<ListedWatch[]> {
  const ids = watches.flatMap(({ kind, target }) =>
    (kind === 'page' || kind === 'subtree') && target !== '0' ? Number(target) : [],
  );
  const pages = ids.length === 0 ? [] : await reader.pages.outlines([...new Set(ids)]);
  const byId = new Map(pages.map(({ id, title, path }) => [String(id), { id, title, path }]));
  return watches.map((watch) => {
    const isPage = watch.kind === 'page' || watch.kind === 'subtree';
    return { ...watch, page: (isPage && byId.get(watch.target)) || null };
  });
}

/** Matching of events starts with the first watch of the wiki: earlier events notify nobody. */
export async function beginMatching(store: Pick<Store, 'events' | 'watches'>): Promise<void> {
  if (await store.watches.isUsed()) return;
  const last = await store.events.last(everything);
  await store.watches.moveTo(last?.position ?? 0);
}
