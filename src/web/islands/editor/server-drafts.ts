/**
 * Drafts kept by the wiki besides those of this browser, so that work goes on at another device: sent at most every five seconds,
 * without files. Without an answer, such as offline, the browser still has them, and the next one is sent later.
 */
import type { Draft, openDrafts } from './draft-store.ts';

type Drafts = ReturnType<typeof openDrafts>;

const everyMs = 5000;
const afterFailureMs = 30_000;
/** Browsers send no longer bodies of requests that outlive their page (Fetch, `keepalive`). */
const maxLeavingBytes = 60_000;
const maxFound = 5;
const mostWaitMs = 2000;

interface Outline {
  id: string;
  key: string;
  title: string;
  url: string;
  updatedAt: string;
}

export function withServerDrafts(local: Drafts): Drafts {
  let waiting: Draft | undefined;
  let sending: Promise<void> = Promise.resolve();
  let timer = 0;
  let nextAt = 0;
  /** IDs of drafts that the wiki may have. */
  const sent = new Set<string>();
  const over = new Set<string>();

  function sendSoon(draft: Draft): void {
    waiting = draft;
    if (timer === 0) timer = window.setTimeout(sendNow, Math.max(0, nextAt - Date.now()));
  }

  function sendNow(): void {
    timer = 0;
    sending = sending.then(async () => {
      const draft = waiting;
      waiting = undefined;
      if (!draft || over.has(draft.id)) return;
      sent.add(draft.id);
      const isKept = await put(draft);
      nextAt = Date.now() + (isKept ? everyMs : afterFailureMs);
      if (!isKept && !waiting && !over.has(draft.id)) sendSoon(draft);
    });
  }

  async function outlines(key?: string): Promise<Outline[]> {
    const query = key === undefined ? '' : `?key=${encodeURIComponent(key)}`;
    const answer = await fetch(`/v1/drafts${query}`).catch(() => undefined);
    return answer?.ok ? ((await answer.json()) as Outline[]) : [];
  }

  async function found(outline: Outline, author: string): Promise<Draft[]> {
    const answer = await fetch(addressOf(outline.id)).catch(() => undefined);
    if (!answer?.ok) return [];
    const { fields, base } = (await answer.json()) as {
      fields: { name: string; value: string }[];
      base: string;
    };
    return [{ ...draftOf(outline, author), base, fields: fields.map(({ name, value }) => [name, value]) }];
  }

  return {
    async keep(draft) {
      sendSoon({ ...draft, files: [] });
      return local.keep(draft);
    },
    keepNow(draft) {
      local.keepNow(draft);
      sent.add(draft.id);
      void put(draft, true);
    },
    async find(key, author) {
      const [here, listed] = await Promise.all([local.find(key, author), outlines(key)]);
      // Drafts of this browser have their files.
      const elsewhere = listed.filter(({ id }) => !here.some((draft) => draft.id === id)).slice(0, maxFound);
      const loaded = await Promise.all(elsewhere.map((outline) => found(outline, author)));
      return [...here, ...loaded.flat()].sort((a, b) => b.at - a.at);
    },
    async list(author) {
      const [here, listed] = await Promise.all([local.list(author), outlines()]);
      const elsewhere = listed.filter(({ id }) => !here.some((draft) => draft.id === id));
      return [...here, ...elsewhere.map((outline) => draftOf(outline, author))].sort((a, b) => b.at - a.at);
    },
    async drop(id) {
      over.add(id);
      // A wiki that does not answer holds up nothing; the request outlives the page.
      await Promise.all([local.drop(id), Promise.race([dropThere(id), sleep(mostWaitMs)])]);
    },
  };

  /** After what is on its way, which would bring the draft back. */
  async function dropThere(id: string): Promise<void> {
    if (waiting?.id === id) waiting = undefined;
    await sending;
    await fetch(addressOf(id), { method: 'DELETE', keepalive: true }).catch(() => undefined);
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function addressOf(id: string): string {
  return `/v1/drafts/${encodeURIComponent(id)}`;
}

function draftOf({ id, key, title, url, updatedAt }: Outline, author: string): Draft {
  return { id, key, title, url, author, at: Date.parse(updatedAt), base: '', fields: [], files: [] };
}

/** Resolves to false if the wiki did not answer, or cannot keep anything now. */
async function put({ id, key, title, url, base, fields }: Draft, isLeaving = false): Promise<boolean> {
  const pageId = Number(/^page (\d+) /.exec(key)?.[1] ?? 0) || null;
  const named = fields.map(([name, value]) => ({ name, value }));
  const body = JSON.stringify({ key, pageId, title, url, base, fields: named });
  if (isLeaving && body.length > maxLeavingBytes) return false;
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(addressOf(id), { method: 'PUT', headers, body, keepalive: isLeaving }).catch(
    () => undefined,
  );
  return answer !== undefined && answer.status < 500;
}
