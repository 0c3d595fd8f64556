/** Store port by which only one process at a time makes a scheduled export. The rules in `store.ts` apply. */

export interface ScheduledExport {
  format: string;
  /** When the last export finished; null if none has. */
  succeededAt: number | null;
  failures: number;
}

export interface ExportSchedule {
  /**
   * Claims the export if it is due. Returns whether the caller is to make it. It is due if the last one began before
   * `due.done`, failed and began before `due.failed`, its process has not renewed its claim since `due.dead`, or
   * it began in the future, by a clock that was wrong.
   */
  begin(format: string, at: number, due: { done: number; failed: number; dead: number }): Promise<boolean>;
  /** Renews the claim on the export begun then. Returns whether it is still the caller's. */
  renew(format: string, begunAt: number, at: number): Promise<boolean>;
  /** Ends the export. `interrupted`: it is due again at once. */
  end(format: string, begunAt: number, how: 'done' | 'failed' | 'interrupted', at: number): Promise<void>;
  list(): Promise<ScheduledExport[]>;
}
