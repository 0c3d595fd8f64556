/**
 * Loaded first into a profiled server: measures each SQL statement on SQLite, because a CPU profile shows one function for all
 * of them. Writes JSON to the file that COPPICE_BENCH_STATEMENTS names.
 */
import { writeFileSync } from 'node:fs';
import { StatementSync } from 'node:sqlite';

export interface StatementTime {
  sql: string;
  calls: number;
  ms: number;
  rows: number;
}

const file = process.env.COPPICE_BENCH_STATEMENTS;
if (file) {
  const times = new Map<string, StatementTime>();
  for (const method of ['all', 'get', 'run'] as const) {
    const original = StatementSync.prototype[method] as (this: StatementSync, ...values: never[]) => unknown;
    Object.defineProperty(StatementSync.prototype, method, {
      value(this: StatementSync, ...values: never[]) {
        const startedAt = performance.now();
        const result = original.apply(this, values);
        const ms = performance.now() - startedAt;
        const time = times.get(this.sourceSQL) ?? { sql: this.sourceSQL, calls: 0, ms: 0, rows: 0 };
        time.calls++;
        time.ms += ms;
        time.rows += Array.isArray(result) ? result.length : 1;
        times.set(this.sourceSQL, time);
        return result;
      },
    });
  }
  process.on('exit', () => writeFileSync(file, JSON.stringify([...times.values()])));
}

export function printStatements(times: StatementTime[]): string {
  const total = times.reduce((sum, { ms }) => sum + ms, 0);
  const top = [...times].sort((a, b) => b.ms - a.ms).slice(0, 12);
  return [
    'Statements:',
    '```',
    ...top.map(({ sql, calls, ms, rows }) => {
      const share = ((100 * ms) / total).toFixed(1).padStart(5);
      const each = `${((1000 * ms) / calls).toFixed(0).padStart(7)} µs × ${String(calls).padEnd(7)}`;
      const text = sql.replace(/\s+/g, ' ').slice(0, 700);
      return `${share} % ${each} ${(rows / calls).toFixed(1).padStart(6)} rows  ${text}`;
    }),
    '```',
    '',
  ].join('\n');
}
