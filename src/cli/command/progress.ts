/** A progress bar on a terminal; silent in scripts. */
import { SingleBar } from 'cli-progress';
import type { Terminal } from './context.ts';

export interface Progress {
  step(): void;
  stop(): void;
}

export function progressOn(io: Terminal, what: string, total: number): Progress {
  if (!io.stderr.isTTY || total === 0) return { step: () => {}, stop: () => {} };
  const bar = new SingleBar({
    format: `${what} {bar} {value}/{total} · {eta_formatted} left`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    stream: io.stderr,
    hideCursor: true,
    clearOnComplete: true,
  });
  bar.start(total, 0);
  return { step: () => bar.increment(), stop: () => bar.stop() };
}
