/**
 * Scheduled exports. Every serving process checks whether one is due, and a lock in the database lets one process make it. The
 * latest exports of each format are kept; older ones are removed after a newer one has been stored.
 */
import { Readable } from 'node:stream';
import type { ExportSchedule } from '#core/ports/export-schedule.ts';
import type { ExportTarget } from '#core/ports/export-target.ts';
import type { Exporter } from './exporter.ts';
import { type FormatName, fileTypes } from './format-names.ts';
import { type ExportCounts, newCounts } from './walk.ts';

export interface ScheduledExports {
  formats: readonly FormatName[];
  everyMs: number;
  /** Number of exports kept of each format. */
  keep: number;
}

export interface ExportLog {
  done(format: FormatName, name: string, counts: ExportCounts): void;
  /** `kept`: the latest export, which is still whole; undefined if there is none or the target cannot be read. */
  failed(format: FormatName, error: unknown, kept: string | undefined): void;
}

interface Scheduling {
  schedule: ExportSchedule;
  target: ExportTarget;
  exporter: Exporter;
  clock(): number;
  log: ExportLog;
}

const retryMs = 15 * 60 * 1000;
const silentMs = 2 * 60 * 1000;
const tellEveryMs = 15_000;

/**
 * Makes the exports that are due, one at a time. Stops early if `stopped` is aborted; the export is then started again later.
 */
export async function exportWhatIsDue(
  { schedule, target, exporter, clock, log }: Scheduling,
  { formats, everyMs, keep }: ScheduledExports,
  stopped: AbortSignal,
): Promise<void> {
  for (const format of formats) {
    if (stopped.aborted) return;
    const begunAt = clock();
    const due = {
      done: begunAt - everyMs,
      failed: begunAt - Math.min(retryMs, everyMs),
      dead: begunAt - silentMs,
    };
    if (!(await schedule.begin(format, begunAt, due))) continue;
    const lost = new AbortController();
    const timer = setInterval(() => {
      schedule.renew(format, begunAt, clock()).then(
        (isOurs) => isOurs || lost.abort(new Error('Another process makes this export.')),
        // If the database is unavailable, the export itself fails with that error.
        () => {},
      );
    }, tellEveryMs);
    let counts = newCounts();
    const name = nameOf(format, begunAt);
    try {
      const signal = AbortSignal.any([stopped, lost.signal]);
      const order = { format, reader: 'system', top: null, now: clock() } as const;
      const pieces = async function* () {
        counts = yield* exporter.run(order);
      };
      await target.put(name, Readable.from(pieces()), signal);
      for (const old of superfluous(await exportsIn(target, format), name, keep)) await target.remove(old);
      await schedule.end(format, begunAt, 'done', clock());
      log.done(format, name, counts);
    } catch (error) {
      await schedule
        .end(format, begunAt, stopped.aborted ? 'interrupted' : 'failed', clock())
        .catch(() => {});
      if (stopped.aborted) continue;
      const kept = await exportsIn(target, format).catch(() => []);
      log.failed(format, error, kept.at(-1));
    } finally {
      clearInterval(timer);
    }
  }
}

/**
 * Names beyond the `keep` latest ones, of which `made` is the last. Names of later times were made while the clock was ahead, so they
 * count as the oldest.
 */
export function superfluous(names: readonly string[], made: string, keep: number): string[] {
  const ahead = (name: string) => (name > made ? 0 : 1);
  const inOrder = names.toSorted((a, b) => ahead(a) - ahead(b) || (a < b ? -1 : 1));
  return inOrder.slice(0, Math.max(0, inOrder.length - keep));
}

/** Oldest first. */
async function exportsIn(target: ExportTarget, format: FormatName): Promise<string[]> {
  return (await target.list()).filter((one) => isOf(format, one)).toSorted();
}

/** Names sort in the order of time. */
function nameOf(format: FormatName, at: number): string {
  const time = new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');
  return `coppice-${time}.${format}.${fileTypes[format].ending}`;
}

function isOf(format: FormatName, name: string): boolean {
  return (
    /^coppice-\d{8}T\d{6}Z$/.test(name.split('.')[0] ?? '') && name.endsWith(nameOf(format, 0).slice(24))
  );
}
