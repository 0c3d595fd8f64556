/** A real server whose event loop is watched while it carries out requests. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { startServer } from './serve.ts';

export interface Call {
  method: string;
  path: string;
  json?: unknown;
  /** A body of another kind than JSON. */
  body?: { type: string; text: string };
  isAnonymous?: boolean;
}

export interface Answer {
  status: number;
  text: string;
}

export interface Cost {
  /** CPU time of the longest stretch of the event loop. */
  longestMs: number;
  /** Growth of the process. */
  megabytes: number;
  /** CPU time of the process, threads included. */
  cpuMs: number;
}

const probe = pathToFileURL(join(import.meta.dirname, 'loop-probe.ts')).href;

/** Each request has its own connection: one that is kept may end in the moment in which a busy client uses it again. */
const headers = { connection: 'close' };

export async function startWatched(env: Record<string, string>, token: string) {
  const folder = mkdtempSync(join(tmpdir(), 'coppice-probe-'));
  const file = join(folder, 'port');
  const server = await startServer({
    ...env,
    LOOP_PROBE: file,
    NODE_OPTIONS: `--expose-gc --import ${probe}`,
  });
  const look = async (path = '/') =>
    (await fetch(`http://127.0.0.1:${readFileSync(file, 'utf8')}${path}`, { headers })).json() as Promise<{
      longestMs: number;
      mostBytes: number;
      cpuMs: number;
    }>;
  const ask = async ({ method, path, json, body, isAnonymous }: Call): Promise<Answer> => {
    const response = await fetch(server.address + path, {
      method,
      redirect: 'manual',
      headers: {
        ...headers,
        ...(isAnonymous
          ? {}
          : path.startsWith('/v1/')
            ? { authorization: `Bearer ${token}` }
            : { cookie: `coppice=${token}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(body === undefined ? {} : { 'content-type': body.type }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      ...(body === undefined ? {} : { body: body.text }),
    });
    return { status: response.status, text: await response.text() };
  };
  return {
    ask,
    /**
     * Carries out the call while another client reads these pages again and again, each of which has to answer. `goesOn`: whether
     * work in the background has not ended yet.
     */
    async watch(
      call: Call,
      others: readonly string[],
      goesOn: (answer: Answer) => Promise<boolean> = async () => false,
    ): Promise<Answer & { cost: Cost; refused: string[] }> {
      await look('/clean');
      await sleep(20);
      const { mostBytes: before } = await look();
      let isOver = false;
      const refused: string[] = [];
      const reading = (async () => {
        for (let i = 0; !isOver; i++) {
          const path = others[i % others.length] ?? '';
          const { status } = await ask({ method: 'GET', path, isAnonymous: true });
          if (status !== 200) refused.push(`${path}: ${status}`);
          await sleep(10);
        }
      })();
      const answer = await ask(call);
      while (await goesOn(answer)) await sleep(100);
      isOver = true;
      await reading;
      const { longestMs, mostBytes, cpuMs } = await look();
      return { ...answer, refused, cost: { longestMs, cpuMs, megabytes: (mostBytes - before) / 1e6 } };
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
