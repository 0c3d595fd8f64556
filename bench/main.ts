/**
 * `npm run bench`: starts servers, measures them and writes dated results. README.md describes the options.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { generator, load } from './load/load.ts';
import { type Checkout, openCheckout, repository } from './processes/checkout.ts';
import { openPostgresServer } from './processes/postgres.ts';
import {
  memoryOf,
  type Running,
  startFloor,
  startOthers,
  startServer,
  statementsFile,
} from './processes/process.ts';
import { printStatements, type StatementTime } from './processes/statements.ts';
import { type FloorRows, openFloorRows } from './requests/floor.ts';
import {
  askedAnew,
  askOnce,
  measure,
  type Prepared,
  prepare,
  type Side,
  signIn,
} from './requests/measure.ts';
import { type Operation, operations } from './requests/operations.ts';
import type { BenchOptions } from './requests/options.ts';
import { printSummary, summarise } from './requests/profile.ts';
import { machine, ms, type OperationResult, operationTable, save, size } from './requests/report.ts';
import { openWiki, type Wiki } from './world/wiki.ts';
import { createWorld, type World } from './world/world.ts';

const { values } = parseArgs({
  options: {
    pages: { type: 'string' },
    engine: { type: 'string', default: 'sqlite' },
    operations: { type: 'string' },
    callers: { type: 'string', default: '32,1' },
    quiet: { type: 'boolean', default: false },
    cold: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    subject: { type: 'string', default: repository },
    compare: { type: 'string' },
    workers: { type: 'string' },
    log: { type: 'string', default: 'error' },
    profile: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
    fairness: { type: 'boolean', default: false },
    endurance: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '30' },
    load: { type: 'string', default: '0.7' },
  },
});
if (values.engine !== 'sqlite' && values.engine !== 'postgres')
  throw new Error(`--engine: expected sqlite or postgres, got "${values.engine}".`);
const options: BenchOptions = {
  subject: openCheckout(values.subject),
  compare: values.compare === undefined ? undefined : openCheckout(values.compare),
  engine: values.engine,
  pages: Number((values.pages ?? '20000').split(',')[0]),
  seed: Number(values.seed),
  operations: chosen(values.operations),
  callers: values.callers.split(',').map(Number),
  isEdited: !values.quiet,
  isCold: values.cold,
  seconds: Number(values.seconds),
  rounds: Number(values.rounds),
  workers: values.workers === undefined ? undefined : Number(values.workers),
  logLevel: values.log,
};

if (values.growth) {
  const { growth } = await import('./requests/growth.ts');
  await growth(options, (values.pages ?? '10000,100000').split(',').map(Number));
} else if (values.fairness) {
  const { fairness } = await import('./requests/fairness.ts');
  await fairness(options);
} else if (values.endurance) {
  const { endurance } = await import('./requests/endurance.ts');
  await endurance(options, Number(values.minutes), Number(values.load));
} else if (values.profile) await profile(options);
else await table(options);

function chosen(names: string | undefined): Operation[] {
  if (names === undefined) return operations;
  const found = names.split(',').flatMap((name) => {
    // A name such as `search` selects all operations that begin with it.
    const found = operations.filter((one) => one.name === name || one.name.startsWith(`${name}-`));
    if (found.length > 0) return found;
    throw new Error(
      `--operations: there is no ${name}, only ${operations.map((one) => one.name).join(', ')}.`,
    );
  });
  return [...new Set(found)];
}

async function table(options: BenchOptions): Promise<void> {
  const { subject, compare, engine, pages, seed, seconds, rounds, workers, logLevel } = options;
  const world = createWorld({ pages, seed });
  const isWritten = options.isEdited || options.operations.some(({ kind }) => kind === 'write');
  await using stack = new AsyncDisposableStack();
  const servers: { checkout: Checkout; wiki: Wiki; server: Running }[] = [];
  for (const checkout of compare ? [subject, compare] : [subject]) {
    const wiki = stack.use(await openWiki({ checkout, engine, pages, seed, isWritten }));
    const server = stack.use(
      await startServer({ checkout, ...wikiOf(wiki), logLevel, ...(workers ? { workers } : {}) }),
    );
    servers.push({ checkout, wiki, server });
  }
  const floorTarget = await emptyDatabase(engine, stack);
  const rows = stack.use(await openFloorRows(engine, floorTarget));
  const floor = stack.use(await startFloor(engine, floorTarget));

  const results: OperationResult[] = [];
  const failures: string[] = [];
  for (const operation of options.operations) {
    try {
      const result = await measureOperation(operation, world, options, servers, rows, floor);
      if (result) results.push(result);
      console.log(result ? progressOf(result) : `${operation.name.padEnd(18)} is not there yet`);
    } catch (error) {
      // Goes on with the other operations, because a run takes long.
      failures.push(`${operation.name} failed: ${(error as Error).message}`);
      console.log(failures.at(-1));
    }
  }
  const text = [
    `# ${pages.toLocaleString('en-US')} pages on ${engine}, ${new Date().toISOString().slice(0, 10)}`,
    '',
    `${machine()}. Load by ${generator}, ${seconds} s × ${rounds}, medians; 32 callers unless it says alone; edited: with five edits a second beside.`,
    `Rate limits off, LOG_LEVEL=${logLevel}${options.isCold ? ', every URL asked for once' : ''}${workers ? `, ${workers} workers` : ''}. ${servers.map(({ checkout }) => checkout.name.replaceAll(repository, 'working tree')).join(' against ')}.`,
    '',
    operationTable(results),
    '',
    ...failures.flatMap((failure) => [failure, '']),
    ...servers.map(
      ({ checkout, wiki, server }) =>
        `${checkout.name.replaceAll(repository, 'Working tree')}: started in ${ms(server.startMs)} ms (${ms(server.startCpuMs)} ms of CPU); at most ${ms(memoryOf(server.pid)?.peakMb)} MB; ` +
        `database ${size(wiki.databaseBytes)}, ${(wiki.databaseBytes / wiki.textBytes).toFixed(2)} times the ${size(wiki.textBytes)} of text; ` +
        `filled at ${Math.round(pages / wiki.fillSeconds)} pages a second.`,
    ),
    '',
  ].join('\n');
  console.log(`\n${text}`);
  const name = `${engine}-${pages}${compare ? '-compared' : ''}${options.operations.length < operations.length ? '-some' : ''}${options.isCold ? '-cold' : ''}`;
  console.log(save(name, text, { machine: machine(), generator, seconds, rounds, results }));
}

async function measureOperation(
  operation: Operation,
  world: World,
  options: BenchOptions,
  servers: { checkout: Checkout; server: Running }[],
  rows: FloorRows,
  floor: Running,
): Promise<OperationResult | undefined> {
  const { pages, seed, seconds, rounds, workers } = options;
  const sides: Side[] = [];
  let last: Prepared | undefined;
  for (const { checkout, server } of servers) {
    const prepared = await prepare(operation, world, options, server, last ? undefined : rows);
    if (!prepared) continue;
    sides.push({ name: checkout.name, server, requests: prepared.requests });
    last ??= prepared;
  }
  if (!last) return undefined;
  sides.push({ name: 'floor', server: floor, requests: last.floorRequests });
  const result: OperationResult = { operation, bytes: last.bytes, distinct: last.distinct, sides: {} };
  const isAsked = operation.kind !== 'write' && !options.isCold;
  if (isAsked) for (const side of sides.slice(0, -1)) await askOnce(side);
  for (const callers of options.callers) {
    // Several processes cannot be measured on one processor.
    const isPinned = callers === 1 && !workers;
    result.sides[callers] = await measure(sides, { callers, seconds, rounds, isPinned });
  }
  if (isAsked) {
    const uncached = sides.map((side) =>
      side.server === floor ? side : { ...side, requests: askedAnew(side.requests) },
    );
    result.uncached = await measure(uncached, { callers: 32, seconds, rounds, isPinned: false });
  }
  if (options.isEdited && operation.kind !== 'write') {
    const others = [];
    for (const { server } of servers) {
      const token = await signIn(server.url);
      const run = String(options.operations.indexOf(operation));
      others.push(startOthers([server.url, token, 'trickle', run, String(pages), String(seed)]));
    }
    try {
      result.edited = await measure(sides, { callers: 32, seconds, rounds, isPinned: false });
    } finally {
      for (const one of others) await one.end();
    }
  }
  return result;
}

function progressOf({ operation, sides, uncached, edited }: OperationResult): string {
  const parts = Object.entries({
    ...sides,
    ...(uncached ? { uncached } : {}),
    ...(edited ? { edited } : {}),
  }).flatMap(([callers, all]) =>
    all
      .slice(0, -1)
      .map(
        (side) =>
          `${callers}: ${side.perSecond.toFixed(0)}/s, ${side.ratio.toFixed(3)} of floor (CPU ${(side.cpuRatio ?? Number.NaN).toFixed(3)})`,
      ),
  );
  return `${operation.name.padEnd(18)} ${parts.join('   ')}`;
}

/** Uses one server for each operation, so that each profile shows only one. */
async function profile(options: BenchOptions): Promise<void> {
  const { subject: checkout, engine, pages, seed, seconds, logLevel } = options;
  const world = createWorld({ pages, seed });
  const isWritten = options.operations.some(({ kind }) => kind === 'write');
  await using wiki = await openWiki({ checkout, engine, pages, seed, isWritten });
  const texts: string[] = [];
  for (const operation of options.operations) {
    const profileFolder = mkdtempSync(join(tmpdir(), 'coppice-profile-'));
    const server = await startServer({ checkout, ...wikiOf(wiki), logLevel, profileFolder });
    const prepared = await prepare(operation, world, options, server, undefined);
    const startedAt = performance.now();
    if (prepared)
      await load({ url: server.url, requests: prepared.requests, callers: 32, seconds: seconds + 2 });
    const loadMs = performance.now() - startedAt;
    await server[Symbol.asyncDispose]();
    const file = readdirSync(profileFolder).find((name) => name.endsWith('.cpuprofile'));
    if (prepared && file) {
      const summary = printSummary(operation.name, summarise(join(profileFolder, file), loadMs));
      const statements = readFileSync(join(profileFolder, statementsFile), 'utf8');
      texts.push(`${summary}${printStatements(JSON.parse(statements) as StatementTime[])}`);
    }
    console.log(texts.at(-1));
    rmSync(profileFolder, { recursive: true });
  }
  console.log(save(`profile-${engine}-${pages}`, texts.join('\n'), {}));
}

async function emptyDatabase(engine: string, stack: AsyncDisposableStack): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'coppice-floor-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  if (engine === 'sqlite') return join(folder, 'floor.db');
  const postgres = await openPostgresServer();
  const name = `floor_${process.pid}`;
  const client = new pg.Client({ connectionString: postgres.urlOf('postgres') });
  await client.connect();
  await client.query(`create database ${name}`);
  stack.defer(async () => {
    await client.query(`drop database ${name} with (force)`);
    await client.end();
    await postgres.release();
  });
  return postgres.urlOf(name);
}

function wikiOf({ dataFolder, databaseUrl }: Wiki) {
  return { dataFolder, ...(databaseUrl ? { databaseUrl } : {}) };
}
