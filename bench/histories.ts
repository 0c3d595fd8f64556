/**
 * `--histories`: reads and edits of pages with histories of several lengths. A server for each length and one floor run side
 * by side and are asked in alternation. Each side is held against the floor with answers of the same bytes, and
 * edits that are answered without the history against those at the first length.
 */
import { openFloorRows } from './floor.ts';
import type { BenchOptions } from './main.ts';
import { measure, prepare, type Side, type SideResult } from './measure.ts';
import { operations } from './operations.ts';
import { type Running, startFloor, startServer } from './process.ts';
import { amount, machine, ms, ratio, save, size } from './report.ts';
import { openWiki } from './wiki.ts';
import { createWorld, type World } from './world.ts';

/** Those that write last: they make histories longer. */
const measured = ['search-path', 'read-any', 'edit-brief', 'edit'];

export async function histories(
  options: BenchOptions,
  lengths: number[],
  emptyDatabase: (engine: string, stack: AsyncDisposableStack) => Promise<string>,
): Promise<void> {
  const { subject: checkout, engine, pages, seed, seconds, rounds, logLevel } = options;
  await using stack = new AsyncDisposableStack();
  const wikis: { changes: number; world: World; server: Running }[] = [];
  for (const changes of lengths) {
    const world = createWorld({ pages, seed, changes });
    const wiki = stack.use(await openWiki({ checkout, engine, pages, seed, changes, isWritten: true }));
    const { dataFolder, databaseUrl } = wiki;
    const data = { dataFolder, ...(databaseUrl ? { databaseUrl } : {}) };
    wikis.push({ changes, world, server: stack.use(await startServer({ checkout, ...data, logLevel })) });
  }
  const target = await emptyDatabase(engine, stack);
  const rows = stack.use(await openFloorRows(engine, target));
  const floor = stack.use(await startFloor(engine, target));

  const lines: string[] = [];
  const results: { operation: string; changes: number; bytes: number; sides: SideResult[] }[] = [];
  for (const operation of operations.filter(({ name }) => measured.includes(name))) {
    let shortest: Side | undefined;
    for (const [i, { changes, world, server }] of wikis.entries()) {
      const set = i * operations.length + operations.indexOf(operation);
      const prepared = await prepare(operation, world, { seed, isCold: true }, server, rows, set);
      if (!prepared) continue;
      const side = { name: String(changes), server, requests: prepared.requests };
      shortest ??= side;
      const effort = { callers: 8, seconds, rounds, isPinned: false };
      const [own, first, plain] = await measure(
        [side, shortest, { name: 'floor', server: floor, requests: prepared.floorRequests }],
        effort,
      );
      if (!own || !first || !plain) continue;
      results.push({ operation: operation.name, changes, bytes: prepared.bytes, sides: [own, first, plain] });
      const times = (side: SideResult) =>
        (own.cpuMsPerRequest ?? Number.NaN) / (side.cpuMsPerRequest ?? Number.NaN);
      lines.push(
        `| ${operation.name} | ${changes} | ${size(prepared.bytes)} | ${amount(own.perSecond)} | ${ms(own.p99)} | ${ms(own.cpuMsPerRequest)} | **${ratio(times(plain))}** | ${ratio(1 / own.ratio)} | **${ratio(times(first))}** |`,
      );
      console.log(lines.at(-1));
    }
  }
  const text = [
    `# Histories on ${engine}, ${new Date().toISOString().slice(0, 10)}`,
    '',
    `${machine()}. ${pages} pages, ${seconds} s × ${rounds}, 8 callers, in alternation, medians. Nothing was asked for twice. ${checkout.name}.`,
    'Times the floor: what an answer costs, to what sending as many bytes from a plain look-up does (of a write: a bare transaction and that).',
    '',
    '| operation | changes a page | answer | req/s | p99 ms | CPU ms | **times the floor, CPU** | times the floor, time | **times the shortest, CPU** |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...lines,
  ].join('\n');
  console.log(`\n${text}`);
  console.log(save(`histories-${engine}`, text, { machine: machine(), seconds, rounds, results }));
}
