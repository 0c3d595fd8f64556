/** One operation, on one or more servers and on their floor, in alternation: what drifts, drifts for all. */
import { cpus } from 'node:os';
import { emailOf, passphrase } from './fill.ts';
import type { FloorRows } from './floor.ts';
import { type Load, load, type Measured, type Request } from './load.ts';
import { type Operation, operations, requestsOf } from './operations.ts';
import { cpuMsOf, memoryOf, pin, type Running } from './process.ts';
import { median } from './random.ts';
import type { World } from './world.ts';

/** A server and what it is asked. */
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
  errors: number;
  rssMb: number | undefined;
  /** The most since the server started. */
  peakMb: number | undefined;
  /** Share of cache hits among the responses; undefined if the server does not report it. */
  cachedShare: number | undefined;
  /** Median of the rounds' ratios: requests a second of this side to those of the last side, which is the floor. */
  ratio: number;
  /** The same for CPU time: how much of this side's is what the floor needs. */
  cpuRatio: number | undefined;
}

export interface Effort {
  callers: number;
  seconds: number;
  rounds: number;
  /** One processor for server and load, so that a lone caller does not measure how fast the other one wakes up. */
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
    // Each run goes on where the one before it ended, or what was asked for once would be asked for in every round.
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
    // Slow operations need longer rounds, or a round ends before a caller's first response.
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
      errors: own.reduce((sum, run) => sum + run.errors, 0),
      ...(memoryOf(server.pid) ?? { rssMb: undefined, peakMb: undefined }),
      cachedShare: own[0]?.hits === undefined ? undefined : median(own.map(cachedShareOf)),
      ratio: median(ratios),
      cpuRatio: own[0]?.cpuMs === undefined ? undefined : median(cpuRatios),
    };
  });
}

type Run = Measured & { cpuMs: number | undefined; hits: number | undefined };

async function once(
  { server, requests }: Side,
  { callers, seconds, isPinned }: Omit<Effort, 'rounds'>,
): Promise<Run> {
  const hitsBefore = await cacheHits(server);
  const before = cpuMsOf(server.pid);
  const how: Load = { url: server.url, requests, callers, seconds, ...(isPinned ? { cpus: '0' } : {}) };
  const measured = await load(how);
  const after = cpuMsOf(server.pid);
  await settle(server);
  const hitsAfter = await cacheHits(server);
  return {
    ...measured,
    cpuMs: before === undefined || after === undefined ? undefined : after - before,
    hits: hitsBefore === undefined || hitsAfter === undefined ? undefined : hitsAfter - hitsBefore,
  };
}

/** Responses that the server has served from its cache so far. */
async function cacheHits({ url }: Running): Promise<number | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const kept = /^coppice_http_kept_answers_total (\d+)/m.exec(text)?.[1];
  return kept === undefined ? undefined : Number(kept);
}

function cachedShareOf({ hits = Number.NaN, requests }: Run): number {
  return hits / requests;
}

/** So that what is measured afterwards was asked for before, as floors know their rows. */
export async function askOnce({ server, requests }: Side): Promise<void> {
  const paths = new Set(requests.map(({ path }) => path)).values();
  const ask = async () => {
    for (const path of paths) await (await fetch(server.url + path)).arrayBuffer();
  };
  await Promise.all(Array.from({ length: 8 }, ask));
}

/** The same, from callers who are told apart by a cookie: nothing that was given before is given to them. */
export function askedAnew(requests: Request[]): Request[] {
  return requests.map((request) => ({ ...request, headers: { ...request.headers, Cookie: 'told=apart' } }));
}

/** Callers hang up at the end of a round: what the server still does for them must not slow down the next one. */
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
  /** How many of them are different. */
  distinct: number;
  /** Requests for the floor instead of these. */
  floorRequests: Request[];
  /** Average length of a response. */
  bytes: number;
}

/**
 * The requests of an operation for a server, and the floor's rows for it: answers of the wiki itself. Undefined if
 * the server does not know the operation (404 to all).
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
      // The same encoding as in the load: an encoded response has a tag of its own.
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
    // The floor knows the tag that is stored in its row.
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

/** With a parameter that nobody looks at. */
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
