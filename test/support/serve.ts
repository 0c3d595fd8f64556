/** The real server in processes of its own, started as by `npm start`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseEnvironment } from './environment.ts';

const root = join(import.meta.dirname, '../..');

export interface Server extends AsyncDisposable {
  process: ChildProcess;
  address: string;
  /** Terminal output so far. */
  said(): string;
  /** Process IDs of the workers. */
  workers(): number[];
  /** Kills the server and its workers without warning. */
  kill(): Promise<void>;
  /** Asks the server to stop and returns its exit code. */
  stop(): Promise<number | null>;
}

/** Resolves when the server is ready. Rejects with its output if it exits before. */
export async function startServer(env: Record<string, string>): Promise<Server> {
  const child = spawn(process.execPath, ['src/main.ts', 'serve'], {
    cwd: root,
    env: { ...baseEnvironment, PORT: '0', COPPICE_RATE_LIMIT: 'off', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, so that signals reach the workers, too.
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

/** Begins a request and sends only a part of its body. */
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
    // The process name, in brackets before these fields, may contain anything.
    return Number(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    // The process ended while the list was read.
    return undefined;
  }
}
