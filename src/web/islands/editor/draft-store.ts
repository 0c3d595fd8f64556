/**
 * Drafts stored in this browser: in IndexedDB, which can hold files, and while leaving, when there is no time for that, as text
 * in localStorage. Drafts belong to a member and a page; drafts open in another tab are left to it.
 */

import { forget, recall, recallKeys, remember } from '../remembered.ts';
import { say } from '../words.ts';

export interface Draft {
  /** ID of an editing session in a tab. */
  id: string;
  /** Page or section of the draft. */
  key: string;
  /** Title of the page, if it has one, and URL. */
  title: string;
  url: string;
  /** ID of the author: several members may share a browser. */
  author: string;
  at: number;
  /** ID of the base change; empty for a new page. */
  base: string;
  /** Fields of the form. */
  fields: [string, string][];
  files: File[];
}

const leavingPrefix = 'coppice:draft:';
const oldestMs = 60 * 24 * 60 * 60 * 1000;

export function openDrafts() {
  const opened = openDatabase();
  // Awaiting callers get the error; this prevents an unhandled rejection.
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
    /** Resolves to false if the files were left out for lack of space. */
    async keep(draft: Draft): Promise<boolean> {
      const database = await opened;
      let isWhole = true;
      try {
        await done(storeOf(database, 'readwrite').put(draft));
      } catch {
        isWhole = false;
        // Without its files if there is no space, because the text matters most.
        await done(storeOf(database, 'readwrite').put({ ...draft, files: [] }));
      }
      forget(leavingPrefix + draft.id);
      return isWhole;
    },
    /** Stores synchronously, without files. */
    keepNow(draft: Draft): void {
      // If there is no space, the draft from two seconds ago still exists.
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
    request.onerror = () =>
      reject(request.error ?? new Error(say('editorDraftStore.theBrowserRefusedToStoreIt')));
  });
}

/** Finds out which of these drafts are open in another tab. */
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
