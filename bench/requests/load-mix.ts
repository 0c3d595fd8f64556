/**
 * Generator of mixed load, run as a separate process. Prints results as JSON, and progress on standard error.
 *
 *     node bench/requests/load-mix.ts URL PAGES SEED CALLERS SHARE SECONDS
 *
 * First and last, CALLERS that wait for each response measure the capacity. In between, SHARE of the first capacity is
 * requested at a fixed rate, whatever happens: request n is due n / rate seconds after the start, and its latency counts from
 * that time, even if it is sent later. A server that stops for a second is charged for all requests due in that second, not for
 * one.
 */
import { Agent, request as httpRequest } from 'node:http';
import { performance } from 'node:perf_hooks';
import { chance } from '../world/random.ts';
import { createWorld } from '../world/world.ts';
import { type BenchRequest, createMix, picker, signInAll } from './mix.ts';

export interface Latency {
  requests: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  max: number;
}

export interface Failure {
  /** Kind of request and of failure. */
  what: string;
  count: number;
  /** Sample of the first such failure. */
  sample: string;
}

export interface MixMeasured {
  /** Requests answered per second before the writes, and after all of them. */
  capacity: number;
  capacityAfter: number;
  /** Requests per second during the mixed part. */
  rate: number;
  /** Start of the mixed part in milliseconds since the epoch. */
  startedAt: number;
  requests: number;
  /** Number of requests that were due but never sent, because too many others waited for responses. */
  unsent: number;
  /** Failures, including those while capacity was measured. */
  failures: Failure[];
  mostInFlight: number;
  /** Number of processors that the generator itself kept busy. */
  generatorCpus: number;
  /** Latencies by the minute in which requests were due. */
  minutes: Latency[];
  thirds: Latency[];
  kinds: { name: string; requests: number; first: Latency; last: Latency }[];
}

/** Caches are mostly full after this time; a short run warms up for less. */
const mostWarmSeconds = 60;
/** The speed of a shared machine varies, so capacity is measured for this long. */
const capacitySeconds = 60;
const maxInFlight = 256;
const timeoutMs = 60_000;
const idleMs = 30_000;
const renewEveryMs = 4 * 60_000;
const members = 5;

const [url = '', pages = '1', seed = '1', callers = '1', share = '1', length = '1'] = process.argv.slice(2);
const seconds = Number(length);
const world = createWorld({ pages: Number(pages), seed: Number(seed) });
const sessions = await signInAll(url, members);
// Letters and digits only, because this becomes part of titles and paths.
const kinds = createMix(world, Number(seed), process.pid.toString(36) + Date.now().toString(36), sessions);
const pick = picker(kinds, chance(Number(seed), 3001));
const failures = new Map<string, Failure>();
// Closes idle connections before the server does, as browsers and proxies do, so that nothing is sent into a closed one.
const agent = new Agent({ keepAlive: true, maxSockets: maxInFlight, timeout: idleMs });
const renewal = setInterval(() => {
  sessions.renew().catch((error: Error) => fail('renewing a token', error.message));
}, renewEveryMs);

await askInTurn(Math.min(mostWarmSeconds, 10 + seconds / 20));
const capacity = await askInTurn(capacitySeconds);
const rate = capacity * Number(share);
process.stderr.write(`${Math.round(capacity)} requests a second at most; now ${Math.round(rate)}.\n`);
const measured = await askAtRate(rate);
const capacityAfter = await askInTurn(capacitySeconds);
clearInterval(renewal);
agent.destroy();
const all: MixMeasured = { ...measured, capacity, capacityAfter, failures: [...failures.values()] };
console.log(JSON.stringify(all));

async function askAtRate(
  perSecond: number,
): Promise<Omit<MixMeasured, 'capacity' | 'capacityAfter' | 'failures'>> {
  const total = Math.floor(perSecond * seconds);
  // Latency by number of the request; NaN if it was not answered as expected.
  const latencies = new Float32Array(total).fill(Number.NaN);
  const kindOf = new Uint8Array(total);
  const { timeOrigin } = performance;
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  let sent = 0;
  let inFlight = 0;
  let mostInFlight = 0;
  let minute = 1;
  const elapsed = () => (performance.now() - startedAt) / 1000;

  const fire = async (number: number) => {
    inFlight++;
    mostInFlight = Math.max(mostInFlight, inFlight);
    const kind = pick();
    kindOf[number] = kind;
    if (await isAnswered(kind)) latencies[number] = (elapsed() - number / perSecond) * 1000;
    inFlight--;
  };
  // Gives up on requests that cannot be sent within a minute after the end.
  while (sent < total && elapsed() < seconds + 60) {
    const due = Math.min(total, Math.floor(elapsed() * perSecond) + 1);
    while (sent < due && inFlight < maxInFlight) void fire(sent++);
    if (elapsed() > minute * 60) progress(minute++);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const generatorCpus = cpusSince(cpu, elapsed());
  while (inFlight > 0) await new Promise((resolve) => setTimeout(resolve, 10));

  function progress(minute: number) {
    const { p50, p99 } = latencyOf(between(minute - 1, minute, 60));
    const failed = [...failures.values()].reduce((sum, { count }) => sum + count, 0);
    const behind = Math.max(0, Math.floor(elapsed() * perSecond) - sent);
    process.stderr.write(
      `minute ${minute}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${failed} errors so far, ${inFlight} in flight, ${behind} behind\n`,
    );
  }
  /** Latencies in steps of `unit` seconds. */
  function between(from: number, to: number, unit: number, kind?: number): Float32Array {
    const [first, end] = [Math.round(from * unit * perSecond), Math.round(to * unit * perSecond)];
    const all = latencies.subarray(first, end);
    return kind === undefined ? all : all.filter((_, i) => kindOf[first + i] === kind);
  }
  const third = (number: number, kind?: number) => latencyOf(between(number, number + 1, seconds / 3, kind));

  return {
    rate,
    startedAt: timeOrigin + startedAt,
    requests: sent,
    unsent: total - sent,
    mostInFlight,
    generatorCpus,
    minutes: Array.from({ length: Math.ceil(seconds / 60) }, (_, i) => latencyOf(between(i, i + 1, 60))),
    thirds: [third(0), third(1), third(2)],
    kinds: kinds.map(({ name }, kind) => {
      const requests = kindOf.subarray(0, sent).reduce((sum, one) => sum + Number(one === kind), 0);
      return { name, requests, first: third(0, kind), last: third(2, kind) };
    }),
  };
}

/** Runs callers that send the next request when the last one is answered. Returns answered requests per second. */
async function askInTurn(seconds: number): Promise<number> {
  const startedAt = performance.now();
  let requests = 0;
  const caller = async () => {
    for (; performance.now() < startedAt + seconds * 1000; requests++) await isAnswered(pick());
  };
  await Promise.all(Array.from({ length: Number(callers) }, caller));
  return requests / ((performance.now() - startedAt) / 1000);
}

/** Sends a request of the kind and returns whether the response was as expected. */
async function isAnswered(kind: number): Promise<boolean> {
  const { name, next } = kinds[kind] as (typeof kinds)[number];
  const asked = next();
  try {
    const { status, text } = await ask(asked);
    if (asked.isExpected(status, text)) {
      if (status === 200) asked.learn?.(text);
      return true;
    }
    fail(`${name} ${status}`, `${asked.method} ${asked.path}: ${text.slice(0, 500)}`);
  } catch (error) {
    fail(`${name} ${(error as Error).message}`, `${asked.method} ${asked.path}`);
  }
  return false;
}

function ask({ method, path, headers, body }: BenchRequest): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const request = httpRequest(
      url + path,
      { method, agent, headers: { ...headers, ...length }, signal: AbortSignal.timeout(timeoutMs) },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          // The content of reads is not checked.
          const isRead = method === 'GET' && (response.statusCode ?? 0) < 400;
          resolve({
            status: response.statusCode ?? 0,
            text: isRead ? '' : Buffer.concat(chunks).toString(),
          });
        });
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

function fail(what: string, sample: string): void {
  const failure = failures.get(what) ?? { what, count: 0, sample };
  failure.count++;
  failures.set(what, failure);
}

function latencyOf(all: Float32Array): Latency {
  const answered = all.filter((latency) => !Number.isNaN(latency)).sort();
  const at = (share: number) =>
    answered[Math.min(answered.length - 1, Math.floor(share * answered.length))] ?? 0;
  return { requests: answered.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}

function cpusSince(before: NodeJS.CpuUsage, seconds: number): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6 / seconds;
}
