/** Makes exports elsewhere than on the thread that answers requests. */
import type { Actor } from '#core/model/permission.ts';
import type { TreePosition } from '#core/ports/list-reads.ts';
import type { FormatName } from './format-names.ts';
import type { ExportCounts } from './walk.ts';

export interface ExportOrder {
  format: FormatName;
  /** Exports what this actor may read; `system` for everything. */
  reader: Actor | 'system';
  /** Root of the exported subtree; null for the whole wiki. */
  top: TreePosition | null;
  /** Milliseconds since the epoch. */
  now: number;
}

export interface Exporter {
  /**
   * Yields the export in pieces of some 64 kB, each of which is made when it is asked for. `spend` receives the CPU time of
   * each piece. Returns what was exported.
   */
  run(order: ExportOrder, spend?: (cpuMs: number) => void): AsyncGenerator<Uint8Array, ExportCounts, void>;
}
