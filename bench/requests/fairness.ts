/**
 * `--fairness`: latency of page reads during heavy work of others, relative to reads alone. Quiet and disturbed rounds
 * alternate. Reads come from 8 callers; the heavy work runs in another process.
 */
import { join } from 'node:path';
import { load, type Measured } from '../load/load.ts';
import { longestTicks, startOthers, startServer } from '../processes/process.ts';
import { median } from '../world/random.ts';
import { openWiki } from '../world/wiki.ts';
import { createWorld } from '../world/world.ts';
import { prepare, signIn } from './measure.ts';
import { operations } from './operations.ts';
import type { BenchOptions } from './options.ts';
import { amount, machine, ms, ratio, save } from './report.ts';

/** Each kind alone, then all at once. */
const disturbances = [
  'authenticate',
  'upload',
  'upload-json',
  'preview',
  'search',
  'move',
  'create',
  'import',
  'authenticate,upload,preview,move,import',
];
const readers = 8;
const most = 5;

export async function fairness(options: BenchOptions): Promise<void> {
  const { subject: checkout, engine, pages, seed, seconds, rounds, logLevel, workers } = options;
  const world = createWorld({ pages, seed });
  await using wiki = await openWiki({ checkout, engine, pages, seed, isWritten: true });
  const data = {
    dataFolder: wiki.dataFolder,
    ...(wiki.databaseUrl ? { databaseUrl: wiki.databaseUrl } : {}),
  };
  const ticksFile = join(wiki.dataFolder, 'ticks.json');
  await using server = await startServer({
    checkout,
    ...data,
    logLevel,
    ticksFile,
    ...(workers ? { workers } : {}),
  });
  const read = operations.find(({ name }) => name === 'read-any');
  const prepared = read && (await prepare(read, world, options, server, undefined));
  if (!prepared) throw new Error('There are no page reads to disturb.');
  const reads = { url: server.url, requests: prepared.requests, callers: readers };
  await load({ ...reads, seconds: 2 });

  const results = [];
  for (const kinds of disturbances) {
    const quiet: Measured[] = [];
    const disturbed: Measured[] = [];
    const ticks: number[] = [];
    let done = '';
    for (let round = 0; round < rounds; round++) {
      quiet.push(await load({ ...reads, seconds }));
      const token = await signIn(server.url);
      const others = startOthers([server.url, token, kinds, String(round), String(pages), String(seed)], {
        COPPICE_DATA: wiki.dataFolder,
        ...(wiki.databaseUrl ? { DATABASE_URL: wiki.databaseUrl } : {}),
      });
      await new Promise((resolve) => setTimeout(resolve, 1000));
      if (!workers) await longestTicks(server, ticksFile);
      try {
        disturbed.push(await load({ ...reads, seconds }));
      } finally {
        if (!workers) ticks.push((await longestTicks(server, ticksFile)).cpuMs[0] ?? 0);
        done = await others.end();
      }
      // Waits for requests that were still running when they were cut off.
      await new Promise((resolve) => setTimeout(resolve, 1500));
    }
    const ratios = disturbed.map((run, i) => run.p99 / (quiet[i]?.p99 ?? Number.NaN));
    const of = (runs: Measured[], field: 'p50' | 'p99' | 'max') => median(runs.map((run) => run[field]));
    results.push({
      kinds,
      quiet: { perSecond: median(quiet.map(rate)), p50: of(quiet, 'p50'), p99: of(quiet, 'p99') },
      disturbed: {
        perSecond: median(disturbed.map(rate)),
        p50: of(disturbed, 'p50'),
        p99: of(disturbed, 'p99'),
        max: of(disturbed, 'max'),
        errors: disturbed.reduce((sum, run) => sum + run.errors, 0),
      },
      ratio: median(ratios),
      longestTickMs: Math.max(...ticks),
      done,
    });
    console.log(
      `${kinds}: p99 ${ms(of(quiet, 'p99'))} → ${ms(of(disturbed, 'p99'))} ms, longest tick ${ms(results.at(-1)?.longestTickMs)} ms of CPU; ${done}`,
    );
  }
  const text = [
    `# Fairness at ${pages.toLocaleString('en-US')} pages on ${engine}, ${new Date().toISOString().slice(0, 10)}`,
    '',
    `${machine()}. Page reads by ${readers} callers, ${seconds} s × ${rounds}, alone and while others work, in alternation. ${checkout.name}.`,
    `Wanted: p99 at most ${most} times that without the others.`,
    '',
    '| meanwhile | reads/s alone | with | p50 alone | with | p99 alone | with | **p99, times** | longest ms | longest tick, ms of CPU | what the others got done |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|',
    ...results.map(({ kinds, quiet, disturbed, ratio: times, longestTickMs, done }) => {
      const cells = [
        kinds.includes(',') ? 'all at once' : kinds,
        amount(quiet.perSecond),
        amount(disturbed.perSecond),
        ms(quiet.p50),
        ms(disturbed.p50),
        ms(quiet.p99),
        ms(disturbed.p99),
        `**${ratio(times)}**`,
        ms(disturbed.max),
        ms(longestTickMs),
        done,
      ];
      return `| ${cells.join(' | ')} |${disturbed.errors > 0 ? ` ${disturbed.errors} errors!` : ''}`;
    }),
    '',
  ].join('\n');
  console.log(`\n${text}`);
  console.log(save(`fairness-${engine}-${pages}`, text, { machine: machine(), seconds, rounds, results }));
}

function rate({ requests, seconds }: Measured): number {
  return requests / seconds;
}
