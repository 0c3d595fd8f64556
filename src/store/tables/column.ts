/** Kinds of columns, by which the files beside this one declare tables. */
import type { Generated } from 'kysely';

/** SQLite keeps booleans as 0 and 1: write either, read through `Boolean`. */
export type Truth = boolean | 0 | 1;

export interface Column<Value> {
  meaning: string;
  isTruth?: boolean;
  /** Never set; only carries the type of the column's values. */
  type?: Value;
}

export const column = <Value>(meaning: string): Column<Value> => ({ meaning });
export const id = column<Generated<number>>;
export const text = column<string>;
export const textOrNull = column<string | null>;
export const integer = column<number>;
export const integerOrNull = column<number | null>;
export const realOrNull = column<number | null>;
export const truth = (meaning: string): Column<Truth> => ({ meaning, isTruth: true });
/** Optional in a new row. */
export const withDefault = <Value>(column: Column<Value>): Column<Generated<Value>> =>
  column as Column<Generated<Value>>;
export const holder = () =>
  withDefault(
    textOrNull('Process that holds the lease, where other processes can see when it ends: see `leases.ts`.'),
  );

export type TableDefinitions = Record<
  string,
  {
    meaning: string;
    columns: Record<string, Column<unknown>>;
    /** Credentials, counts and short-lived data, which must not be restored from an old backup. */
    isLeftOutOfBackups?: true;
  }
>;
