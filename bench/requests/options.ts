/** Options shared by all kinds of benchmark runs. */
import type { Checkout } from '../processes/checkout.ts';
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
  /** Whether no URL is requested twice, so that no response can come from the cache. */
  isCold: boolean;
  seconds: number;
  rounds: number;
  workers: number | undefined;
  logLevel: string;
}
