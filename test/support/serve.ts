/** The real server in processes of its own, as `npm start` runs it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseEnvironment } from './environment.ts';

const root = join(import.meta.dirname, '../..');

export interface Server extends AsyncDisposable {
  process: ChildProcess;
  address: string;
  /** All that it has written to its terminal so far. */
  said(): string;
  /** Its workers, one process ID each. */
  workers(): number[];
  /** Ends it and its workers without warning. */
  kill(): Promise<void>;
  /** Asks it to stop; its exit code. */
  stop(): Promise<number | null>;
}

/** Resolves when it serves. Fails with what it said if it ends before. */
export async function startServer(env: Record<string, string>): Promise<Server> {
  const child = spawn(process.execPath, ['src/main.ts', 'serve'], {
    cwd: root,
    env: { ...baseEnvironment, PORT: '0', COPPICE_RATE_LIMIT: 'off', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that a signal can reach the workers as well.
    detached: true,
  });
  const ended = once(child, 'exit');
  let said = '';
  const address = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        const found = / is at (http:\/\/\S+)\n/.exec(said)?.[1];
        if (found) resolve(found);
      });
    }
    child.on('exit', (code) => reject(new Error(`The server ended with ${code}:\n${said}`)));
  });
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL');
    await ended;
  };
  return {
    process: child,
    address,
    said: () => said,
    workers: () => childrenOf(child.pid ?? 0),
    kill,
    async stop() {
      child.kill('SIGTERM');
      const [code] = await ended;
      return code;
    },
    [Symbol.asyncDispose]: kill,
  };
}

/** A request whose body has arrived in part. */
export async function beginRequest(address: string): Promise<{ answer: Promise<Response>; finish(): void }> {
  let finish = () => {};
  const body = new ReadableStream({
    start(controller) {
      const send = (text: string) => controller.enqueue(new TextEncoder().encode(text));
      send('{"body":"');
      finish = () => {
        send('still here"}');
        controller.close();
      };
    },
  });
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', body, headers, duplex: 'half' } as RequestInit;
  const answer = fetch(`${address}/v1/preview`, init);
  await new Promise((resolve) => setTimeout(resolve, 300));
  return { answer, finish };
}

export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);
}

function parentOf(pid: string): number | undefined {
  try {
    // The name before it, in brackets, may hold anything.
    return Number(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    // It ended while the list was read.
    return undefined;
  }
}
