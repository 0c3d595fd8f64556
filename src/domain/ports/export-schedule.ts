/** The part of the port to the database by which one process at a time makes a scheduled export. The rules on top of `store.ts` hold. */

export interface ScheduledExport {
  format: string;
  /** When the last one was finished; null: none was. */
  succeededAt: number | null;
  failures: number;
}

export interface ExportSchedule {
  /**
   * Whether the caller is to make it now. It is due once its last one was begun before `due.done`, or failed and was begun before
   * `due.failed`, or its process has told nothing since `due.dead`.
   */
  begin(format: string, at: number, due: { done: number; failed: number; dead: number }): Promise<boolean>;
  /** Renews the sign of life of the one that was begun then. Returns whether it is still the caller's. */
  renew(format: string, begunAt: number, at: number): Promise<boolean>;
  /** `interrupted`: due again at once. */
  end(format: string, begunAt: number, how: 'done' | 'failed' | 'interrupted', at: number): Promise<void>;
  list(): Promise<ScheduledExport[]>;
}
