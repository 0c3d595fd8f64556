/**
 * Load generator, run as a separate process: `wrk` if it is installed, because it takes little CPU time from the server,
 * otherwise `autocannon`. Each caller sends its next request as soon as the last one is answered.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasTaskset, isInstalled, runToEnd } from '../processes/process.ts';

export interface Request {
  method: 'GET' | 'POST';
  /** Percent-encoded path with query. */
  path: string;
  headers?: Record<string, string>;
  /** Body on one line. `{{N}}` is replaced by a unique number. */
  body?: string;
}

export interface Measured {
  seconds: number;
  requests: number;
  bytes: number;
  /** Number of requests without a response or with a status of 400 or above. */
  errors: number;
  /** Latency in milliseconds. */
  p50: number;
  p99: number;
  max: number;
}

export interface Load {
  url: string;
  requests: Request[];
  callers: number;
  seconds: number;
  /** Processors that the generator may use, as a list for `taskset`. */
  cpus?: string;
}

export const generator: 'wrk' | 'autocannon' = isInstalled('wrk') ? 'wrk' : 'autocannon';
let runs = 0;

export async function load({ url, requests, callers, seconds, cpus }: Load): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'coppice-load-'));
  const file = join(folder, 'requests');
  // Unique to this run. Letters only, because it becomes part of titles.
  const tag = `r${process.pid.toString(36)}x${(runs++).toString(36)}n`;
  try {
    const lines = requests.map(({ method, path, headers = {}, body = '' }) => {
      const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      return [method, path, fields.join('\x1f'), body].join('\t');
    });
    writeFileSync(file, `${lines.join('\n')}\n`);
    const command =
      generator === 'wrk'
        ? [
            'wrk',
            '-t1',
            `-c${callers}`,
            `-d${seconds}s`,
            '--timeout',
            '60s',
            '-s',
            script('load.lua'),
            url,
            '--',
            file,
            tag,
          ]
        : [process.execPath, script('load-autocannon.ts'), url, String(callers), String(seconds), file, tag];
    const [program = '', ...args] = cpus && hasTaskset ? ['taskset', '-c', cpus, ...command] : command;
    const printed = await runToEnd(program, args);
    return JSON.parse(printed.slice(printed.indexOf('@@') + 2)) as Measured;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function script(name: string): string {
  return join(import.meta.dirname, name);
}
