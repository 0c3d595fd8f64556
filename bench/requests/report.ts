/** Writes results as a table for people and as JSON for later use. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { repository } from '../processes/checkout.ts';
import type { SideResult } from './measure.ts';
import type { Operation } from './operations.ts';

export interface OperationResult {
  operation: Operation;
  bytes: number;
  /** Number of different requests. */
  distinct: number;
  /** Results by number of callers; the last side is the floor. */
  sides: Record<number, SideResult[]>;
  /** Results with 32 callers if no response comes from the cache. */
  uncached?: SideResult[];
  /** Results with 32 callers while pages are edited. */
  edited?: SideResult[];
}

const resultsFolder = join(import.meta.dirname, '../results');

export function machine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  return `${cpus().length} × ${model}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, ${process.platform}`;
}

export function operationTable(results: OperationResult[]): string {
  const lines = [
    '| operation | answer | of different | req/s | p50 ms | p99 ms | floor req/s | **of floor** | wanted | CPU ms/req | CPU of floor | to disk/req | cached | uncached: CPU ms/req | CPU of floor | edited: req/s | p99 ms | **of floor** | CPU of floor | alone: p50 ms | floor p50 | of floor | RSS MB | most so far |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
  ];
  for (const { operation, bytes, distinct, sides, uncached, edited } of results) {
    const many = sides[32] ?? sides[Math.max(...Object.keys(sides).map(Number))] ?? [];
    const one = sides[1] ?? [];
    const floor = many.at(-1);
    for (const [i, side] of many.slice(0, -1).entries()) {
      const name = many.length > 2 ? `${operation.name} · ${side.name}` : operation.name;
      const alone = one[i];
      const made = uncached?.[i];
      const beside = edited?.[i];
      const cells = [
        name,
        size(bytes),
        String(distinct),
        amount(side.perSecond),
        ms(side.p50),
        ms(side.p99),
        amount(floor?.perSecond),
        `**${ratio(side.ratio)}**`,
        String(operation.target),
        ms(side.cpuMsPerRequest),
        ratio(side.cpuRatio),
        side.writtenBytesPerRequest === undefined ? '–' : size(side.writtenBytesPerRequest),
        share(side.cachedShare),
        ms(made?.cpuMsPerRequest),
        ratio(made?.cpuRatio),
        amount(beside?.perSecond),
        ms(beside?.p99),
        beside ? `**${ratio(beside.ratio)}**` : '–',
        ratio(beside?.cpuRatio),
        ms(alone?.p50),
        ms(one.at(-1)?.p50),
        ratio(alone?.ratio),
        amount(side.rssMb),
        amount(side.peakMb),
      ];
      const errors = side.errors + (alone?.errors ?? 0);
      lines.push(`| ${cells.join(' | ')} |${errors > 0 ? ` ${errors} errors!` : ''}`);
    }
  }
  return lines.join('\n');
}

export function save(name: string, table: string, data: unknown): string {
  mkdirSync(resultsFolder, { recursive: true });
  const stamp = new Date().toISOString().slice(0, 16).replace('T', '-').replace(':', '');
  const file = join(resultsFolder, `${stamp}-${name}`);
  writeFileSync(`${file}.md`, table);
  // Removes the path of the checkout on this machine from the results.
  const json = JSON.stringify(data, null, 1).replaceAll(repository, 'working tree');
  writeFileSync(`${file}.json`, `${json}\n`);
  return `${file}.md`;
}

export function amount(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '–';
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(2);
}

export function ms(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '–';
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3);
}

export function ratio(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '–';
  return value >= 0.1 ? value.toFixed(2) : value.toPrecision(2);
}

function share(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? '–' : `${Math.round(value * 100)} %`;
}

export function size(bytes: number): string {
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
