/** The worker side of `export-thread.ts`: makes the next piece of an export for each message, in order. */

import { parentPort, workerData } from 'node:worker_threads';
import { Modules } from '@coppice/scribunto';
import type { Config } from '#config/config.ts';
import { createLanguage } from '#core/content/language.ts';
import { createRenderer } from '#core/content/render.ts';
import { Problem, type ProblemCode } from '#core/model/problem.ts';
import { chosenSettings } from '#core/model/settings.ts';
import type { ExportOrder } from '#export/exporter.ts';
import { exportAs } from '#export/formats.ts';
import { type ExportCounts, newCounts, togetherOf } from '#export/walk.ts';
import { threadCpuMs } from '#markup/cpu-clock.ts';
import { hooksThere } from '#markup/hooks.ts';
import { lowerThreadPriority } from '#scheduling/priority.ts';
import { readLook } from '#web/look.ts';
import { openDatabase, openFiles } from './open-wiki.ts';

/** Begins an export, makes its next piece, or ends it early. */
export type ExportTask = { id: number; order?: ExportOrder; isOver?: true };

export interface ExportAnswer {
  piece?: Uint8Array;
  /** With the last piece. */
  counts?: ExportCounts;
  problem?: { code: ProblemCode; message: string };
  error?: unknown;
  cpuMs: number;
}

interface Running {
  pieces: AsyncIterator<string | Uint8Array>;
  counts: ExportCounts;
}

/** Size of a piece, and time after which a smaller one is sent. */
const pieceBytes = 65_536;
const pieceMs = 200;
/** Milliseconds for code and formulas of one page. */
const patienceMs = 2000;

lowerThreadPriority('helper');
const config = workerData as Config;
const modules = new Modules({ clock: threadCpuMs });
const opening = open();
const running = new Map<number, Running>();
let earlier = Promise.resolve();

parentPort?.on('message', (task: ExportTask) => {
  earlier = earlier.then(async () => {
    const since = threadCpuMs();
    const answer = await carryOut(task).catch((error: unknown) => {
      running.delete(task.id);
      if (!(error instanceof Problem)) return { error };
      return { problem: { code: error.code, message: error.message } };
    });
    parentPort?.postMessage({ ...answer, cpuMs: threadCpuMs() - since } satisfies ExportAnswer);
  });
});

async function open() {
  const { store } = await openDatabase(config, { isReadOnly: true });
  const { store: files } = await openFiles(config, undefined, true);
  const language = createLanguage(() => hooksThere(patienceMs), threadCpuMs, modules);
  return { store, files, renderer: createRenderer(() => store.settings.current().name, language) };
}

async function carryOut({ id, order, isOver }: ExportTask): Promise<Omit<ExportAnswer, 'cpuMs'>> {
  // Settings decide who may read.
  await (await opening).store.settings.refresh();
  if (order) running.set(id, await begin(order));
  const one = running.get(id);
  if (isOver || !one) {
    running.delete(id);
    await one?.pieces.return?.();
    return {};
  }
  const parts: Uint8Array[] = [];
  const until = performance.now() + pieceMs;
  for (let bytes = 0; bytes < pieceBytes && performance.now() < until; bytes += parts.at(-1)?.length ?? 0) {
    const { value, done } = await one.pieces.next();
    if (done) {
      running.delete(id);
      return { piece: Buffer.concat(parts), counts: one.counts };
    }
    parts.push(typeof value === 'string' ? Buffer.from(value) : value);
  }
  return { piece: Buffer.concat(parts) };
}

async function begin({ format, reader, top, now }: ExportOrder): Promise<Running> {
  const { store, files, renderer } = await opening;
  const settings = store.settings.current();
  const { name, language, home } = settings;
  const wiki = { name, url: config.url, language, home, settings: chosenSettings(settings) };
  const source = {
    files,
    renderer,
    now,
    look: readLook,
    wiki,
    readerAs: store.readAs,
    ...togetherOf(store),
    reader: () => (reader === 'system' ? store.readAsSystem() : store.readAs(reader)),
  };
  const counts = newCounts();
  return { pieces: exportAs(format, source, top, counts)[Symbol.asyncIterator](), counts };
}
