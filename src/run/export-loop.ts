/** Checks every minute, in every serving process, whether a scheduled export is due. */
import type { Logger } from 'pino';
import { BadSettings, type Config } from '#config/config.ts';
import type { ExportTarget } from '#core/ports/export-target.ts';
import { exportWhatIsDue } from '#export/scheduled.ts';
import { exportFolder } from '#files/export-folder.ts';
import type { Service } from '#http/service.ts';

const lookEveryMs = 60_000;

export interface ExportLoop {
  /** Runs one round now. */
  look(): Promise<void>;
  /** Cancels the running export; it stays due. */
  stop(): Promise<void>;
}

type Settings = NonNullable<Config['scheduledExports']>;

export function startExportLoop(
  settings: Settings,
  target: ExportTarget,
  { store, exporter, clock }: Service,
  log: Logger,
): ExportLoop {
  const stopped = new AbortController();
  const exportLog = {
    done: (
      format: string,
      name: string,
      { pages, missing, damaged }: { pages: number; missing: unknown[]; damaged: unknown[] },
    ) => {
      const facts = { format, name, pages, missing: missing.length, damaged: damaged.length };
      log[missing.length + damaged.length > 0 ? 'warn' : 'info'](facts, 'exported');
    },
    failed(format: string, err: unknown, kept: string | undefined) {
      const isFull = ['ENOSPC', 'EDQUOT'].includes((err as NodeJS.ErrnoException).code ?? '');
      log.error({ format, err, kept }, `scheduled export failed${isFull ? ': its disk is full' : ''}`);
    },
  };
  let timer: NodeJS.Timeout | undefined;
  let round = Promise.resolve();
  const look = () => {
    const scheduling = { schedule: store.exportSchedule, target, exporter, clock, log: exportLog };
    round = exportWhatIsDue(scheduling, settings, stopped.signal).catch((err) => {
      if (!stopped.signal.aborted) log.error({ err }, 'cannot find out whether an export is due');
    });
    return round;
  };
  const next = () => {
    timer = setTimeout(async () => {
      await look();
      if (!stopped.signal.aborted) next();
    }, lookEveryMs).unref();
  };
  next();
  return {
    look,
    async stop() {
      stopped.abort(new Error('The server stops.'));
      clearTimeout(timer);
      await round;
    },
  };
}

/**
 * Throws `BadSettings` if the folder does not exist and cannot be created. A bucket, and a disk that is full or read-only for now,
 * is only checked by the first export.
 */
export async function openExportTarget(
  to: Settings['to'],
  setting = 'COPPICE_EXPORT_TO',
): Promise<ExportTarget> {
  if (typeof to !== 'string') return (await import('#files/s3.ts')).exportBucket(to);
  try {
    return exportFolder(to);
  } catch (error) {
    throw new BadSettings([`${setting}: the folder ${to} cannot be written (${(error as Error).message}).`]);
  }
}
