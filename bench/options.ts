/** Options of a benchmark, as every kind of run takes them. */
import type { Checkout } from './checkout.ts';
import type { Operation } from './operations.ts';

export interface BenchOptions {
  subject: Checkout;
  compare: Checkout | undefined;
  engine: 'sqlite' | 'postgres';
  pages: number;
  seed: number;
  operations: Operation[];
  callers: number[];
  /** Whether reads are measured once more while pages are edited. */
  isEdited: boolean;
  /** No URL is asked for twice, so that no response can come from the cache. */
  isCold: boolean;
  seconds: number;
  rounds: number;
  workers: number | undefined;
  logLevel: string;
}
