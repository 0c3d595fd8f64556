/** Printing of results: JSON for programs, columns for people. */
import type { Terminal } from './context.ts';

export function print(io: Terminal, value: unknown): void {
  io.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** A list and its printed forms. */
export interface Listed<T> {
  shown(one: T): unknown;
  row(one: T): string[];
  layout?: (rows: string[][]) => string;
  /** Printed for people if the list is empty; otherwise nothing. */
  none?: string;
}

export function printList<T>(
  io: Terminal,
  isJson: boolean,
  all: readonly T[],
  { shown, row, layout = table, none }: Listed<T>,
): void {
  if (isJson) print(io, all.map(shown));
  else if (all.length > 0) io.stdout.write(layout(all.map(row)));
  else if (none !== undefined) io.stderr.write(`${none}\n`);
}

/** Lines with columns of equal width. */
export function table(rows: string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

/** Lines with tab-separated columns. */
export function tabbed(rows: string[][]): string {
  return rows.map((row) => `${row.join('\t')}\n`).join('');
}
