/**
 * `--growth`: measures each read at several sizes of the wiki. The servers of all sizes run side by side and are asked in turn,
 * so that only the size differs.
 */

import { memoryOf, type Running, startServer } from '../processes/process.ts';
import { openWiki, type Wiki } from '../world/wiki.ts';
import { createWorld, type World } from '../world/world.ts';
import { askOnce, measure, prepare, type Side, type SideResult } from './measure.ts';
import type { Operation } from './operations.ts';
import type { BenchOptions } from './options.ts';
import { amount, machine, ms, ratio, save, size } from './report.ts';

/** Wanted at the largest size: at most this many times the median at the smallest. */
const most = { read: 1.5, fresh: 1.5, write: 2 };

export async function growth(options: BenchOptions, sizes: number[]): Promise<void> {
  const { subject: checkout, engine, seed, seconds, rounds, logLevel, isCold } = options;
  const isWritten = options.operations.some(({ kind }) => kind === 'write');
  await using stack = new AsyncDisposableStack();
  const wikis: { pages: number; world: World; wiki: Wiki; server: Running }[] = [];
  // The smallest last, where `measure` has the side that the others are held against.
  for (const pages of [...sizes].sort((a, b) => b - a)) {
    const world = createWorld({ pages, seed });
    const wiki = stack.use(await openWiki({ checkout, engine, pages, seed, isWritten }));
    const data = {
      dataFolder: wiki.dataFolder,
      ...(wiki.databaseUrl ? { databaseUrl: wiki.databaseUrl } : {}),
    };
    wikis.push({ pages, world, wiki, server: stack.use(await startServer({ checkout, ...data, logLevel })) });
  }

  const results: { operation: Operation; sides: SideResult[]; bytes: number[] }[] = [];
  for (const operation of options.operations) {
    const sides: Side[] = [];
    const bytes: number[] = [];
    for (const { pages, world, server } of wikis) {
      const prepared = await prepare(operation, world, options, server, undefined);
      if (!prepared) break;
      sides.push({ name: String(pages), server, requests: prepared.requests });
      bytes.push(prepared.bytes);
    }
    if (sides.length < wikis.length) continue;
    if (operation.kind === 'read' && !isCold) for (const side of sides) await askOnce(side);
    const measured = await measure(sides, { callers: 32, seconds, rounds, isPinned: false });
    results.push({ operation, sides: measured.reverse(), bytes: bytes.reverse() });
    console.log(operation.name, measured.map((side) => `${side.name}: ${side.p50} ms`).join('   '));
  }
  wikis.reverse();
  const asked = isCold ? 'Nothing was asked for twice.' : 'All that is read was asked for once before.';
  const heads = wikis.map(({ pages }) => `${pages.toLocaleString('en-US')}: req/s | p50 ms | answer`);
  const text = [
    `# Growth on ${engine}, ${new Date().toISOString().slice(0, 10)}`,
    '',
    `${machine()}. ${seconds} s × ${rounds}, 32 callers, all sizes in alternation, medians. ${asked} ${checkout.name}.`,
    'Grown: the median time of an answer at the largest size to that at the smallest.',
    '',
    `| operation | ${heads.join(' | ')} | **grown** | at most |`,
    `|---|${'--:|'.repeat(3 * sizes.length + 2)}`,
    ...results.map(({ operation, sides, bytes }) => {
      const cells = sides.flatMap((side, i) => [amount(side.perSecond), ms(side.p50), size(bytes[i] ?? 0)]);
      const grown = (sides.at(-1)?.p50 ?? Number.NaN) / (sides[0]?.p50 ?? Number.NaN);
      return `| ${operation.name} | ${cells.join(' | ')} | **${ratio(grown)}** | ${most[operation.kind]} |`;
    }),
    '',
    ...wikis.map(
      ({ pages, wiki, server }) =>
        `${pages.toLocaleString('en-US')} pages: started in ${ms(server.startMs)} ms (${ms(server.startCpuMs)} ms of CPU), at most ${ms(memoryOf(server.pid)?.peakMb)} MB, ` +
        `database ${size(wiki.databaseBytes)}, ${(wiki.databaseBytes / wiki.textBytes).toFixed(2)} times its text, filled at ${Math.round(pages / wiki.fillSeconds)} pages a second.\n`,
    ),
  ].join('\n');
  console.log(`\n${text}`);
  console.log(save(`growth-${engine}`, text, { machine: machine(), seconds, rounds, results }));
}
