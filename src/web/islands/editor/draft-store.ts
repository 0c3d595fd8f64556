/**
 * Unsaved writing, kept in this browser: in IndexedDB, which takes files, too, and for the moment of leaving, when there is no
 * time for that, as text in localStorage. Drafts are told apart by who writes and what; another tab's are left to it.
 */

import { forget, recall, recallKeys, remember } from '../remembered.ts';

export interface Draft {
  /** ID of one writing session in one tab. */
  id: string;
  /** Which page or section it is of. */
  key: string;
  /** Title of the page, if it has one, and its URL. */
  title: string;
  url: string;
  /** ID of the member who wrote it: a browser may be shared by two of one name. */
  author: string;
  at: number;
  /** The change that it started from, `''` for a new page. */
  base: string;
  /** The form's fields as they stood. */
  fields: [string, string][];
  files: File[];
}

const leavingPrefix = 'coppice:draft:';
const oldestMs = 60 * 24 * 60 * 60 * 1000;

export function openDrafts() {
  const opened = openDatabase();
  // Users of the promise get the error; without users it is not one.
  opened.catch(() => {});

  /** Newest first. */
  async function list(author: string): Promise<Draft[]> {
    const stored = await opened.then(
      (database) => done(storeOf(database).getAll()) as Promise<Draft[]>,
      () => [],
    );
    const drafts = new Map(stored.map((draft) => [draft.id, draft]));
    for (const late of lateDrafts()) {
      const known = drafts.get(late.id);
      if (!known || known.at < late.at) drafts.set(late.id, { ...late, files: known?.files ?? [] });
    }
    return [...drafts.values()]
      .filter((draft) => draft.author === author && Date.now() - draft.at < oldestMs)
      .sort((a, b) => b.at - a.at);
  }

  return {
    /** False: without its files, which the browser has no room for. */
    async keep(draft: Draft): Promise<boolean> {
      const database = await opened;
      let isWhole = true;
      try {
        await done(storeOf(database, 'readwrite').put(draft));
      } catch {
        isWhole = false;
        // Files that the browser has no room for: the text is what matters.
        await done(storeOf(database, 'readwrite').put({ ...draft, files: [] }));
      }
      forget(leavingPrefix + draft.id);
      return isWhole;
    },
    /** At once, without files. */
    keepNow(draft: Draft): void {
      // If there is no room, what was kept two seconds ago is still there.
      remember(leavingPrefix + draft.id, JSON.stringify({ ...draft, files: [] }));
    },
    find: async (key: string, author: string) => (await list(author)).filter((draft) => draft.key === key),
    list,
    async drop(id: string): Promise<void> {
      forget(leavingPrefix + id);
      const database = await opened.catch(() => undefined);
      if (database) await done(storeOf(database, 'readwrite').delete(id));
    },
  };
}

function storeOf(database: IDBDatabase, mode?: IDBTransactionMode): IDBObjectStore {
  return database.transaction('drafts', mode).objectStore('drafts');
}

function lateDrafts(): Draft[] {
  return recallKeys(leavingPrefix).flatMap((name) => {
    try {
      return [JSON.parse(recall(name) ?? '') as Draft];
    } catch {
      return [];
    }
  });
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open('coppice', 1);
  request.onupgradeneeded = () => void request.result.createObjectStore('drafts', { keyPath: 'id' });
  return done(request);
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser refused to keep it.'));
  });
}

/** Tells which of these drafts are being written in another tab right now. */
export function liveElsewhere(ownId: string): { ask(): Promise<Set<string>>; close(): void } {
  const channel = new BroadcastChannel('coppice:drafts');
  const live = new Set<string>();
  channel.addEventListener('message', ({ data }: MessageEvent<{ ask?: true; id?: string }>) => {
    if (data.ask) channel.postMessage({ id: ownId });
    if (data.id) live.add(data.id);
  });
  return {
    async ask() {
      channel.postMessage({ ask: true });
      await new Promise((resolve) => setTimeout(resolve, 120));
      return live;
    },
    close: () => channel.close(),
  };
}
