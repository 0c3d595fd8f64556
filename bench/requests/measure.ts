/**
 * Measures one operation on one or more servers and on their floor in turn, so that changes of the machine affect all of them.
 */
import { cpus } from 'node:os';
import { type Load, load, type Measured, type Request } from '../load/load.ts';
import { cpuMsOf, memoryOf, pin, type Running, writtenBytesOf } from '../processes/process.ts';
import { emailOf, passphrase } from '../world/fill.ts';
import { median } from '../world/random.ts';
import type { World } from '../world/world.ts';
import type { FloorRows } from './floor.ts';
import { type Operation, operations, requestsOf } from './operations.ts';

/** A server and the requests for it. */
export interface Side {
  name: string;
  server: Running;
  requests: Request[];
}

export interface SideResult {
  name: string;
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  cpuMsPerRequest: number | undefined;
  /** Written to disks by the server's processes. */
  writtenBytesPerRequest: number | undefined;
  errors: number;
  rssMb: number | undefined;
  /** Peak memory since the server started. */
  peakMb: number | undefined;
  /** Share of cache hits among the responses; undefined if the server does not report it. */
  cachedShare: number | undefined;
  /** Median of the rounds' ratios: requests per second of this side to those of the last side, which is the floor. */
  ratio: number;
  /** The same ratio for CPU time: the floor's divided by this side's. */
  cpuRatio: number | undefined;
}

export interface Effort {
  callers: number;
  seconds: number;
  rounds: number;
  /**
   * Runs server and load on one processor, so that a single caller does not measure the time for waking up the other processor.
   */
  isPinned: boolean;
}

export async function measure(
  sides: Side[],
  { callers, seconds, rounds, isPinned }: Effort,
): Promise<SideResult[]> {
  const all = `0-${cpus().length - 1}`;
  const results = sides.map((): Run[] => []);
  if (isPinned) for (const { server } of sides) pin(server.pid, '0');
  try {
    const begun = sides.map(() => 0);
    // Each run continues where the last one ended, so that a request is not repeated in every round.
    const next = async (i: number, seconds: number) => {
      const { requests, ...side } = sides[i] as Side;
      const at = (begun[i] ?? 0) % requests.length;
      const turned = [...requests.slice(at), ...requests.slice(0, at)];
      const run = await once({ ...side, requests: turned }, { callers, seconds, isPinned });
      begun[i] = at + run.requests + callers;
      return run;
    };
    const warm: Run[] = [];
    for (const i of sides.keys()) warm.push(await next(i, 1));
    // Slow operations need longer rounds, so that every caller gets a response within a round.
    const isSlow = warm.some(({ requests }) => requests < 4 * callers);
    const each = isSlow ? Math.max(seconds, slowSeconds) : seconds;
    for (let round = 0; round < rounds; round++) {
      const order = sides.map((_, i) => (i + round) % sides.length);
      for (const i of order) results[i]?.push(await next(i, each));
    }
  } finally {
    if (isPinned) for (const { server } of sides) pin(server.pid, all);
  }
  const floor = results.at(-1) ?? [];
  return sides.map(({ name, server }, i) => {
    const own = results[i] ?? [];
    const ratios = own.map((run, round) => rate(run) / rate(floor[round] as Measured));
    const cpu = own.map(({ cpuMs, requests }) => (cpuMs ?? Number.NaN) / requests);
    const cpuRatios = cpu.map((ms, round) => {
      const run = floor[round];
      return (run?.cpuMs ?? Number.NaN) / (run?.requests ?? Number.NaN) / ms;
    });
    return {
      name,
      perSecond: median(own.map(rate)),
      p50: median(own.map((run) => run.p50)),
      p99: median(own.map((run) => run.p99)),
      cpuMsPerRequest: own[0]?.cpuMs === undefined ? undefined : median(cpu),
      writtenBytesPerRequest:
        own[0]?.writtenBytes === undefined
          ? undefined
          : median(own.map(({ writtenBytes = Number.NaN, requests }) => writtenBytes / requests)),
      errors: own.reduce((sum, run) => sum + run.errors, 0),
      ...(memoryOf(server.pid) ?? { rssMb: undefined, peakMb: undefined }),
      cachedShare: own[0]?.hits === undefined ? undefined : median(own.map(cachedShareOf)),
      ratio: median(ratios),
      cpuRatio: own[0]?.cpuMs === undefined ? undefined : median(cpuRatios),
    };
  });
}

type Run = Measured & {
  cpuMs: number | undefined;
  writtenBytes: number | undefined;
  hits: number | undefined;
};

async function once(
  { server, requests }: Side,
  { callers, seconds, isPinned }: Omit<Effort, 'rounds'>,
): Promise<Run> {
  const hitsBefore = await cacheHits(server);
  const before = cpuMsOf(server.pid);
  const writtenBefore = writtenBytesOf(server.pid);
  const how: Load = { url: server.url, requests, callers, seconds, ...(isPinned ? { cpus: '0' } : {}) };
  const measured = await load(how);
  const after = cpuMsOf(server.pid);
  await settle(server);
  const writtenAfter = writtenBytesOf(server.pid);
  const hitsAfter = await cacheHits(server);
  return {
    ...measured,
    cpuMs: before === undefined || after === undefined ? undefined : after - before,
    writtenBytes:
      writtenBefore === undefined || writtenAfter === undefined ? undefined : writtenAfter - writtenBefore,
    hits: hitsBefore === undefined || hitsAfter === undefined ? undefined : hitsAfter - hitsBefore,
  };
}

/** Number of responses that the server has served from its cache so far. */
async function cacheHits({ url }: Running): Promise<number | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const kept = /^coppice_http_kept_answers_total (\d+)/m.exec(text)?.[1];
  return kept === undefined ? undefined : Number(kept);
}

function cachedShareOf({ hits = Number.NaN, requests }: Run): number {
  return hits / requests;
}

/** Sends every request once before measuring, because floors know their rows as well. */
export async function askOnce({ server, requests }: Side): Promise<void> {
  const paths = new Set(requests.map(({ path }) => path)).values();
  const ask = async () => {
    for (const path of paths) await (await fetch(server.url + path)).arrayBuffer();
  };
  await Promise.all(Array.from({ length: 8 }, ask));
}

/** Returns the same requests from callers with different cookies, so that no cached response can be used. */
export function askedAnew(requests: Request[]): Request[] {
  return requests.map((request) => ({ ...request, headers: { ...request.headers, Cookie: 'told=apart' } }));
}

/** Waits until the server has finished requests whose callers hung up at the end of the last round. */
async function settle({ pid }: Running): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    const before = cpuMsOf(pid);
    await new Promise((resolve) => setTimeout(resolve, 200));
    if ((cpuMsOf(pid) ?? 0) - (before ?? 0) < 60) return;
  }
}

function rate({ requests, seconds }: Measured): number {
  return requests / seconds;
}

const slowSeconds = 8;
const sampled = 150;
const maxFloorRows = 2000;
const maxFloorBytes = 40_000_000;

export interface Prepared {
  requests: Request[];
  /** Number of different requests. */
  distinct: number;
  /** Requests to the floor that correspond to these. */
  floorRequests: Request[];
  /** Average length of a response in bytes. */
  bytes: number;
}

/**
 * Returns the requests of an operation for a server, and the wiki's own responses as the floor's rows. Returns undefined if the
 * server does not have the operation (404 to all requests).
 */
export async function prepare(
  operation: Operation,
  world: World,
  { seed, isCold }: { seed: number; isCold: boolean },
  server: Running,
  floor: FloorRows | undefined,
): Promise<Prepared | undefined> {
  let requests = requestsOf(operation, world, seed);
  if (isCold && operation.kind === 'read') requests = neverTwice(requests);
  if (operation.kind === 'write') requests = signed(requests, await signIn(server.url));
  const distinct = [...new Map(requests.map((request) => [request.path, request])).values()];
  const asked =
    operation.kind === 'fresh'
      ? distinct
      : operation.kind === 'write'
        ? distinct.slice(0, 20)
        : distinct.slice(0, sampled);
  const answers: { path: string; tag: string | null; body: string }[] = [];
  for (const [i, request] of asked.entries()) {
    const { method, path, headers, body } = request;
    const response = await fetch(server.url + path, {
      method,
      // Uses the same encoding as the load, because an encoded response has its own entity tag.
      headers: { 'Accept-Encoding': 'identity', ...headers },
      ...(body === undefined ? {} : { body: body.replaceAll('{{N}}', `sample ${Date.now()} ${i}`) }),
    });
    const text = await response.text();
    if (response.status === 404 && i === 0) return undefined;
    if (response.status !== 200)
      throw new Error(
        `${operation.name}: ${method} ${path} answers ${response.status}: ${text.slice(0, 500)}`,
      );
    answers.push({ path, tag: response.headers.get('etag'), body: text });
  }
  const bytes = answers.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0) / answers.length;

  const set = operations.indexOf(operation);
  const rowCount = Math.max(1, Math.min(distinct.length, maxFloorRows, Math.floor(maxFloorBytes / bytes)));
  await floor?.store(
    set,
    Array.from({ length: rowCount }, (_, i) => answers[i % answers.length] as (typeof answers)[number]),
  );
  const rows = new Map(distinct.map(({ path }, i) => [path, i % rowCount]));
  const tags = new Map(answers.map(({ path, tag }) => [path, tag]));
  if (operation.kind === 'fresh') {
    requests = requests.map((request) => ({
      ...request,
      headers: { 'If-None-Match': tags.get(request.path) ?? '' },
    }));
    const [{ path, headers } = { path: '', headers: {} }] = requests;
    const { status } = await fetch(server.url + path, {
      headers: { 'Accept-Encoding': 'identity', ...headers },
    });
    if (status !== 304)
      throw new Error(`${operation.name}: ${path} answers ${status} to who has it already.`);
  }
  const floorRequests = requests.map((request) => {
    const row = rows.get(request.path) ?? 0;
    // The floor compares with the entity tag stored in its row.
    const tag = operation.kind === 'fresh' ? { headers: { 'If-None-Match': answers[row]?.tag ?? '' } } : {};
    return { ...request, ...tag, path: `/${operation.kind}/${set * 100_000 + row}` };
  });
  return {
    requests,
    floorRequests,
    distinct: distinct.length,
    bytes: operation.kind === 'fresh' ? 0 : bytes,
  };
}

/** Adds a parameter that the server ignores, so that no URL is requested twice. */
function neverTwice(requests: Request[]): Request[] {
  return Array.from({ length: 60_000 }, (_, i) => {
    const request = requests[i % requests.length] as Request;
    return { ...request, path: `${request.path}${request.path.includes('?') ? '&' : '?'}_=${i}` };
  });
}

export async function signIn(url: string, member = 1): Promise<string> {
  const response = await fetch(`${url}/v1/members/auth`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: emailOf(member), pass: passphrase }),
  });
  if (!response.ok) throw new Error(`Signing in: ${response.status} ${await response.text()}`);
  return response.text();
}

function signed(requests: Request[], token: string): Request[] {
  return requests.map((request) => ({
    ...request,
    headers: { ...request.headers, Authorization: `Bearer ${token}` },
  }));
}
