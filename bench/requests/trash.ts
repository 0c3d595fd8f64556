/**
 * Deletes and restores a subtree while pages are read in the same process. Prints how long both take, the longest block of the
 * event loop and the slowest read during that time, and the cost of a page read with and without the subtree. `node
 * bench/requests/trash.ts 10000`, or with the URL of an empty PostgreSQL database after the number.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRenderer } from '#core/content/render.ts';
import { addMember } from '#core/members/manage-members.ts';
import { createPage } from '#core/pages/create-page.ts';
import { createPages, draftOf } from '#core/pages/create-pages.ts';
import { deletePage } from '#core/pages/delete-page.ts';
import { viewPage } from '#core/pages/view-page.ts';
import type { Store } from '#core/ports/store.ts';
import { restorePage } from '../../src/features/trash/restore-page.ts';
import { openDisk } from '../../src/files/disk.ts';
import { createProbe } from '../../src/files/probe.ts';
import { openStore } from '../../src/run/open-store.ts';

const size = Number(process.argv[2] ?? 10_000);
const batchSize = 100;
const cycles = 3;
const folder = mkdtempSync(join(tmpdir(), 'coppice-trash-'));
const url = process.argv[3];
await using store = await openStore(
  url === undefined ? { kind: 'sqlite', file: join(folder, 'wiki.db') } : { kind: 'postgres', url },
);
const files = { store: await openDisk(join(folder, 'files')), probe: createProbe() };
const passphrases = { hash: async () => 'x', verify: async () => false, isCommon: () => false, wikiName: '' };
const email = 'ada@example.org';
const ada = await addMember(store, passphrases, { email, name: 'Ada', passphrase: null, isAdmin: true }, 1);
const actor = { memberId: ada.id, name: 'Ada', isAdmin: true };

const text = 'Oaks and birches grow here, beside [[Page 7]] and [[Nowhere]]. '.repeat(25);
for (const parent of ['kept', 'binned']) {
  await createPage({ store, files, actor, now: 2 }, { title: parent });
  for (let from = 0; from < size; from += batchSize) {
    const drafts = Array.from({ length: Math.min(batchSize, size - from) }, (_, i) =>
      draftOf(
        { title: `Page ${from + i}`, parent: `/${parent}`, body: `${text} [[kind:tree]]` },
        store.dialect,
      ),
    );
    await createPages({ store, files, actor, now: 3 }, drafts);
  }
}

// Repeats, to tell effects of earlier deletions from noise of the machine.
for (let cycle = 0; cycle < cycles; cycle++) {
  await measureReads('with the subtree');
  await measured('nothing besides', () => sleep(3000));
  const { id } = await measured('deletion', () =>
    deletePage({ store, actor, now: 4 }, '/binned', { subtree: true }),
  );
  await measureReads('without it');
  await measured('restoration', () => restorePage(store, actor, { id }, 5));
}
await measureReads('with the subtree');
rmSync(folder, { recursive: true });

/** Meanwhile reads a page every few milliseconds, like another user. */
async function measured<T>(what: string, work: () => Promise<T>): Promise<T> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let isOver = false;
  const readsMs: number[] = [];
  const reading = (async () => {
    while (!isOver) {
      const begun = performance.now();
      await store.readAs(null).pages.loadByPath('/kept/page-1', 'all');
      readsMs.push(performance.now() - begun);
      await sleep(2);
    }
  })();
  const begun = performance.now();
  const result = await work().finally(() => {
    isOver = true;
  });
  const tookMs = performance.now() - begun;
  await reading;
  delay.disable();
  readsMs.sort((a, b) => a - b);
  print(what, {
    'took ms': tookMs,
    'longest pause ms': delay.max / 1e6,
    'median read ms': readsMs[readsMs.length >> 1] ?? 0,
    'slowest read ms': readsMs.at(-1) ?? 0,
  });
  return result;
}

async function measureReads(when: string): Promise<void> {
  const rounds: number[] = [];
  for (let round = 0; round < 7; round++) rounds.push(await cpuOfRead(store));
  print(`CPU of a page read, microseconds, ${when}`, { median: rounds.toSorted((a, b) => a - b)[3] ?? 0 });
}

/** CPU time of this thread for each page in microseconds. Uncached, because each call has its own renderer. */
async function cpuOfRead(store: Store): Promise<number> {
  const renderer = createRenderer('Bench');
  const count = 300;
  const begun = process.threadCpuUsage();
  for (let i = 0; i < count; i++)
    await viewPage({ reader: store.readAs(null), renderer, now: 5 }, `/kept/page-${(i * 31) % size}`, {
      history: 'all',
    });
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / count;
}

function print(what: string, figures: Record<string, number>): void {
  const shown = Object.entries(figures).map(([name, value]) => `${name} ${value.toFixed(1)}`);
  process.stdout.write(`${what}: ${shown.join(', ')}\n`);
}
