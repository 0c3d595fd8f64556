/**
 * `--endurance`: reads and writes for a long time at a share of the server's capacity. Expects no error, and at the end the
 * same memory and latency as at the beginning.
 */
import { join } from 'node:path';
import { cpuMsOf, memoryOf, runToEnd, startServer, stolenMs } from '../processes/process.ts';
import { openWiki } from '../world/wiki.ts';
import type { Latency, MixMeasured } from './load-mix.ts';
import type { BenchOptions } from './options.ts';
import { amount, machine, ms, ratio, save } from './report.ts';

const callers = 32;
const sampleEveryMs = 2000;
const mostGrowth = 1.05;
const mostSlower = 1.25;

interface Sample {
  /** Milliseconds since the epoch. */
  at: number;
  rssMb: number;
  /** CPU time of the server and its children since it started. */
  cpuMs: number;
  /** CPU time of all processors that the machine's host gave to others. */
  stolenMs: number;
  /** CPU time of a constant piece of work. */
  yardstickMs: number;
}

/** `share`: share of the capacity, which is measured first. Sets the exit status to 1 after any error. */
export async function endurance(options: BenchOptions, minutes: number, share: number): Promise<void> {
  const { subject: checkout, engine, pages, seed, workers, logLevel } = options;
  await using wiki = await openWiki({ checkout, engine, pages, seed, isWritten: true });
  await using server = await startServer({
    checkout,
    dataFolder: wiki.dataFolder,
    logLevel,
    ...(wiki.databaseUrl ? { databaseUrl: wiki.databaseUrl } : {}),
    ...(workers ? { workers } : {}),
  });
  const samples: Sample[] = [];
  const sampling = setInterval(() => {
    const [memory, cpuMs] = [memoryOf(server.pid), cpuMsOf(server.pid)];
    if (memory && cpuMs !== undefined)
      samples.push({
        at: Date.now(),
        rssMb: memory.rssMb,
        cpuMs,
        stolenMs: stolenMs(),
        yardstickMs: yardstickMs(),
      });
  }, sampleEveryMs);
  const script = join(import.meta.dirname, 'load-mix.ts');
  const args = [script, server.url, pages, seed, callers, share, minutes * 60].map(String);
  const printed = await runToEnd(process.execPath, args).finally(() => clearInterval(sampling));
  const endured = JSON.parse(printed) as MixMeasured;
  const { capacity, capacityAfter, rate, failures } = endured;

  /** Server CPU time between two seconds of the run. */
  const cost = (from: number, to: number, { requests }: Latency) => {
    const since = (second: number) => endured.startedAt + second * 1000;
    const own = samples.filter(({ at }) => at >= since(from) && at < since(to));
    const [first, last] = [own[0], own.at(-1)];
    const share = first && last ? (last.at - first.at) / ((to - from) * 1000) : Number.NaN;
    return {
      rssMb: own.reduce((sum, { rssMb }) => sum + rssMb, 0) / own.length,
      cpuMsPerRequest: first && last ? (last.cpuMs - first.cpuMs) / share / requests : Number.NaN,
      stolen: first && last ? (last.stolenMs - first.stolenMs) / (last.at - first.at) : Number.NaN,
      yardstickMs: own.reduce((sum, { yardstickMs }) => sum + yardstickMs, 0) / own.length,
    };
  };
  const all = minutes * 60;
  const thirds = endured.thirds.map((latency, i) => ({
    ...latency,
    ...cost((i * all) / 3, ((i + 1) * all) / 3, latency),
  }));
  const each = endured.minutes.map((latency, i) => ({
    ...latency,
    ...cost(i * 60, Math.min(all, (i + 1) * 60), latency),
  }));
  const [first, , last] = thirds as [Spent, Spent, Spent];
  const errors = failures.reduce((sum, { count }) => sum + count, 0) + endured.unsent;
  const compared = (name: string, of: (spent: Spent) => number) =>
    `| ${name} | ${ms(of(first))} | ${ms(of(last))} | **${ratio(of(last) / of(first))}** |`;

  const isMet = errors === 0 && last.rssMb <= mostGrowth * first.rssMb && last.p99 <= mostSlower * first.p99;

  const text = [
    `# ${minutes} minutes of reading and writing at ${pages.toLocaleString('en-US')} pages on ${engine}, ${new Date().toISOString().slice(0, 10)}`,
    '',
    `${machine()}. ${checkout.name}${workers ? `, ${workers} workers` : ''}, started as \`npm start\` does; rate limits off, LOG_LEVEL=${logLevel}.`,
    `Capacity: ${amount(capacity)} requests a second of the mix by ${callers} callers, afterwards ${amount(capacityAfter)}. Between ${amount(rate)} a second (${share} of it) whatever happens, latency from when a request was due; ${endured.requests.toLocaleString('en-US')} in all, at most ${endured.mostInFlight} in flight, the generator kept ${endured.generatorCpus.toFixed(2)} processors busy.`,
    '',
    `**${isMet ? 'Met' : 'Not met'}**: ${errors} errors${endured.unsent > 0 ? `, of these ${endured.unsent} that were due and could not be sent` : ''}. Wanted: none, the last third's memory at most ${mostGrowth} times the first's, its p99 at most ${mostSlower} times.`,
    '',
    '| | first third | last third | **times** |',
    '|---|--:|--:|--:|',
    compared('RSS MB (mean)', ({ rssMb }) => rssMb),
    compared('p50 ms', ({ p50 }) => p50),
    compared('p99 ms', ({ p99 }) => p99),
    compared('CPU ms/req', ({ cpuMsPerRequest }) => cpuMsPerRequest),
    compared('stolen processors', ({ stolen }) => stolen),
    compared('CPU ms of the yardstick', ({ yardstickMs }) => yardstickMs),
    '',
    ...failures.map(({ what, count, sample }) => `${count} × ${what}: \`${sample.replaceAll('`', "'")}\`\n`),
    '| minute | answered | p50 ms | p99 ms | longest ms | RSS MB | CPU ms/req | stolen processors | yardstick ms |',
    '|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...each.map(({ requests, p50, p99, max, rssMb, cpuMsPerRequest, stolen, yardstickMs }, i) => {
      const costs = [p50, p99, max, rssMb, cpuMsPerRequest, stolen, yardstickMs];
      const cells = [i + 1, requests, ...costs.map(ms)];
      return `| ${cells.join(' | ')} |`;
    }),
    '',
    '| asked for | times | p50 ms, first third | last | p99 ms, first third | last |',
    '|---|--:|--:|--:|--:|--:|',
    ...endured.kinds.map(
      ({ name, requests, first, last }) =>
        `| ${name} | ${requests} | ${first.requests ? ms(first.p50) : '–'} | ${last.requests ? ms(last.p50) : '–'} | ${first.requests ? ms(first.p99) : '–'} | ${last.requests ? ms(last.p99) : '–'} |`,
    ),
    '',
  ].join('\n');
  console.log(`\n${text}`);
  const result = {
    capacity,
    capacityAfter,
    share,
    rate,
    errors,
    failures,
    thirds,
    minutes: each,
    kinds: endured.kinds,
  };
  const name = `endurance-${engine}-${pages}${workers ? `-${workers}-workers` : ''}`;
  console.log(save(name, text, { machine: machine(), ...result }));
  if (errors > 0) process.exitCode = 1;
}

type Spent = Latency & { rssMb: number; cpuMsPerRequest: number; stolen: number; yardstickMs: number };

/** Work like a server's: reads and writes of memory, and garbage collection. */
const yardstick = JSON.stringify(
  Array.from({ length: 5000 }, (_, i) => ({ id: i, title: `Page ${i}`, tags: [i] })),
);

/** CPU time of constant work. It rises when other programs on the machine or its host slow everything down. */
function yardstickMs(): number {
  const before = process.cpuUsage();
  for (let i = 0; i < 5; i++) JSON.stringify(JSON.parse(yardstick));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
