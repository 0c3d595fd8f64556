/**
 * Load that slows down other requests, until stopped: `node bench/requests/disturb.ts URL TOKEN KINDS RUN PAGES SEED`. Prints how often
 * each kind got a response, by status.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emailOf, passphrase, signingMembers } from '../world/fill.ts';
import { chance } from '../world/random.ts';
import { words } from '../world/words.ts';
import { createWorld, someBody } from '../world/world.ts';
import { urlPath } from './operations.ts';

const [url = '', token = '', kinds = '', run = '0', pages = '1', seed = '1'] = process.argv.slice(2);
const world = createWorld({ pages: Number(pages), seed: Number(seed) });
const movedPath = world.path(crowdedRoot());
const choice = chance(Number(seed), 2000, Number(run));
const statuses = new Map<string, number>();
const importedPages = 10_000;
/** Distinguishes the titles of this run from those of others. */
const started = Date.now().toString(36);
let isOver = false;
let isAway = false;
const cut = new AbortController();

type Work = (caller: number, count: number) => Promise<Response | undefined>;

const works: Record<string, { callers: number; work: Work }> = {
  authenticate: {
    callers: 8,
    work: (caller) =>
      post('/v1/members/auth', { email: emailOf(1 + (caller % signingMembers)), pass: passphrase }),
  },
  upload: { callers: 4, work: (caller, count) => upload(`${run} ${caller} ${count}`) },
  /** The same bytes as base64 in JSON. */
  'upload-json': {
    callers: 4,
    work: (caller, count) =>
      post('/v1/pages', {
        title: `Upload of JSON ${started} ${caller} ${count}`,
        files: { file: { name: 'long.txt', data: inBase64 } },
      }),
  },
  /**
   * Searches for words that nearly all pages have, each time for another part of the list, so that no response comes from the
   * cache.
   */
  search: {
    callers: 8,
    work: (caller, count) =>
      fetch(`${url}/v1/pages?text=${words[caller]}&offset=${(count * 8 + caller) * 10}`, {
        headers: { Authorization: `Bearer ${token}` },
        signal: cut.signal,
      }),
  },
  preview: { callers: 1, work: () => post('/v1/preview', { body: hostile }) },
  // Moves a subtree to another slug and back. A run that was interrupted may have left it at the other slug.
  move: {
    callers: 1,
    work: async () => {
      const away = `${movedPath}-moved`;
      const [from, to] = isAway ? [away, movedPath] : [movedPath, away];
      isAway = !isAway;
      return post(`/v1/pages${urlPath(from)}`, { path: to });
    },
  },
  /** Five edits a second, spread over all pages: about as many as a busy wiki sees. */
  trickle: {
    callers: 1,
    work: async (_, count) => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      const path = urlPath(world.path(choice.integer(world.size)));
      return post(`/v1/pages${path}`, { body: someBody(chance(count), 1700) });
    },
  },
  /** Runs `coppice import` with 10,000 documents on the wiki that COPPICE_DATA or DATABASE_URL name. */
  import: { callers: 1, work: (_, count) => importFolder(count) },
  create: {
    callers: 1,
    work: (caller, count) =>
      post('/v1/pages', { title: `Imported ${run} ${caller} ${count}`, body: someBody(chance(count), 1700) }),
  },
};

/** One megabyte of constructs that nest or stay open. */
const hostile = [
  '[['.repeat(40_000),
  '{{'.repeat(40_000),
  "'''''".repeat(20_000),
  '{|\n|\n'.repeat(20_000),
  '<div><b>'.repeat(12_000),
  `${'*#:;'.repeat(200)} x\n`.repeat(150),
  '[[a|b]] {{c|d}} == e ==\n'.repeat(6000),
]
  .join('\n')
  .slice(0, 1_000_000);
const twentyMegabytes = Buffer.alloc(20_000_000, 'All work and no play makes a dull text file. ');
const inBase64 = twentyMegabytes.toString('base64');

process.on('SIGTERM', () => {
  isOver = true;
  cut.abort();
});
await Promise.all(
  kinds.split(',').flatMap((kind) => {
    const { callers, work } = works[kind] ?? { callers: 0, work: () => Promise.reject(new Error(kind)) };
    return Array.from({ length: callers }, (_, caller) => repeat(kind, caller, work));
  }),
);
console.log([...statuses].map(([what, count]) => `${what}: ${count}`).join(', '));

async function repeat(kind: string, caller: number, work: Work): Promise<void> {
  for (let count = 0; !isOver; count++) {
    let outcome: string;
    try {
      const response = await work(caller, count);
      await response?.arrayBuffer();
      outcome = String(response?.status ?? 'done');
    } catch (error) {
      if (isOver) return;
      outcome = (error as Error).message;
    }
    const what = `${kind} ${outcome}`;
    statuses.set(what, (statuses.get(what) ?? 0) + 1);
  }
}

function post(path: string, body: object): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
    signal: cut.signal,
  });
}

function upload(name: string): Promise<Response> {
  const form = new FormData();
  form.set('title', `Upload ${name}`);
  form.set('file', new Blob([twentyMegabytes], { type: 'text/plain' }), 'long.txt');
  return fetch(`${url}/v1/pages`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: form,
    signal: cut.signal,
  });
}

async function importFolder(count: number): Promise<undefined> {
  const folder = mkdtempSync(join(tmpdir(), `coppice-import-${run}-${count}-`));
  try {
    for (let i = 0; i < importedPages; i++)
      writeFileSync(join(folder, `Imported ${started} ${count} ${i}.wiki`), someBody(chance(i), 1700));
    const main = join(import.meta.dirname, '../../src/main.ts');
    const child = spawn(process.execPath, [main, 'import', folder], { stdio: 'ignore' });
    const stop = () => child.kill('SIGKILL');
    cut.signal.addEventListener('abort', stop);
    if (cut.signal.aborted) stop();
    const [code] = await once(child, 'exit');
    cut.signal.removeEventListener('abort', stop);
    if (code !== 0) throw new Error(`ended with ${code}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the root page with most descendants. */
function crowdedRoot(): number {
  const beneath = new Map<number, number>();
  for (let page = 0; page < world.size; page++) {
    let root = page;
    while (world.parent(root) >= 0) root = world.parent(root);
    beneath.set(root, (beneath.get(root) ?? 0) + 1);
  }
  return [...beneath].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}
