/** Processes that the bench starts (the wiki, the floor, fillers), their cost and the processors they run on. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import type { Checkout } from './checkout.ts';
import type { LongestTicks } from './ticks.ts';

export interface Running extends AsyncDisposable {
  url: string;
  pid: number;
  /** Time from the start until the first response. */
  startMs: number;
  /** CPU time of the start, which varies less on a busy machine. */
  startCpuMs: number | undefined;
}

/** Written beside the CPU profile. */
export const statementsFile = 'statements.json';

export interface ServerOptions {
  checkout: Checkout;
  /** Folder with the database, files and key. */
  dataFolder: string;
  databaseUrl?: string;
  workers?: number;
  logLevel: string;
  /** Folder for a CPU profile, written when the server ends. */
  profileFolder?: string;
  /** File for the longest ticks of the server's event loop, written on SIGUSR2. */
  ticksFile?: string;
}

/** Starts the wiki as users do (`npm start`), but without rate limits and request log. */
export async function startServer(options: ServerOptions): Promise<Running> {
  const { checkout, dataFolder, databaseUrl, workers, logLevel, profileFolder, ticksFile } = options;
  mkdirSync(dataFolder, { recursive: true });
  const hook = (name: string) => ['--import', pathToFileURL(join(import.meta.dirname, name)).href];
  const profiling = profileFolder
    ? ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`, ...hook('statements.ts')]
    : [];
  const watching = ticksFile ? hook('ticks.ts') : [];
  const shipped = shippedStart(checkout);
  const args = [...profiling, ...watching, ...shipped.flags, 'src/main.ts', 'serve'];
  return start(args, checkout.folder, '/readyz', {
    ...shipped.env,
    COPPICE_DATA: dataFolder,
    COPPICE_RATE_LIMIT: 'off',
    LOG_LEVEL: logLevel,
    HOST: '127.0.0.1',
    PORT: '0',
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    ...(profileFolder ? { COPPICE_BENCH_STATEMENTS: join(profileFolder, statementsFile) } : {}),
    ...(ticksFile ? { COPPICE_BENCH_TICKS: ticksFile } : {}),
    ...(workers ? { COPPICE_WORKERS: String(workers) } : {}),
  });
}

/** Reads flags and environment from `bin/coppice`, or from package.json in older checkouts. */
function shippedStart({ folder }: Checkout): { flags: string[]; env: Record<string, string> } {
  const file = join(folder, 'bin', 'coppice');
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const script = (existsSync(file) ? readFileSync(file, 'utf8') : String(scripts.start)).replace(
    /^#.*$/gm,
    '',
  );
  const compiled = join(folder, 'node_modules', '.cache', 'compiled');
  const settings = script.matchAll(/\b((?:UV|MALLOC)_\w+)="?(?:\$\{\w+:-)?(\d+)/g);
  return {
    flags: script.match(/(?<= )--[a-z][\w-]*(?:=\d+)?/g) ?? [],
    env: {
      NODE_COMPILE_CACHE: compiled,
      ...Object.fromEntries([...settings].map(([, name, value]) => [name, value])),
    },
  };
}

export function startFloor(engine: string, target: string): Promise<Running> {
  return start(
    [join(import.meta.dirname, '../requests/floor.ts'), engine, target],
    import.meta.dirname,
    '/ready',
    {},
  );
}

/** Every process started here is killed when the bench ends, for whatever reason. */
const started = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    process.stderr.write(`Ended by ${signal}.\n`);
    process.exit(1);
  });
}

function keepTrackOf(child: ChildProcess): void {
  started.add(child);
  child.once('exit', () => started.delete(child));
}

async function start(
  args: string[],
  cwd: string,
  readyPath: string,
  env: Record<string, string>,
): Promise<Running> {
  const startedAt = performance.now();
  // The title keeps the process safe from others on a shared machine who kill their servers by name.
  const child = spawn(process.execPath, ['--title=coppice-measured', ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  keepTrackOf(child);
  let isWanted = true;
  const ended = new Promise<void>((resolve) =>
    child.once('exit', (code, signal) => {
      if (isWanted)
        process.stderr.write(`${args.join(' ')} ended by itself (${code ?? signal}):\n${output}\n`);
      resolve();
    }),
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-20_000);
    });
  }
  const port = await until(
    () => /http:\/\/[\w.[\]:-]+?:(\d+)/.exec(output)?.[1],
    child,
    () => output,
  );
  const url = `http://127.0.0.1:${port}`;
  await until(
    async () => (await fetch(url + readyPath).catch(() => undefined))?.ok || undefined,
    child,
    () => output,
  );
  return {
    url,
    pid: child.pid ?? 0,
    startMs: performance.now() - startedAt,
    startCpuMs: cpuMsOf(child.pid ?? 0),
    async [Symbol.asyncDispose]() {
      isWanted = false;
      child.kill('SIGTERM');
      const cut = setTimeout(() => child.kill('SIGKILL'), 15_000);
      await ended;
      clearTimeout(cut);
    },
  };
}

async function until<T>(
  look: () => T | undefined | Promise<T | undefined>,
  child: ChildProcess,
  output: () => string,
): Promise<T> {
  for (const deadline = Date.now() + 60_000; ; ) {
    const found = await look();
    if (found !== undefined) return found;
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`${child.spawnargs.join(' ')} did not start:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Returns the longest ticks since the last call, or since the start. */
export async function longestTicks(server: Running, ticksFile: string): Promise<LongestTicks> {
  rmSync(ticksFile, { force: true });
  process.kill(server.pid, 'SIGUSR2');
  while (!existsSync(ticksFile)) await new Promise((resolve) => setTimeout(resolve, 10));
  return JSON.parse(readFileSync(ticksFile, 'utf8')) as LongestTicks;
}

/** Starts the load of `disturb.ts`. `end` stops it and returns how often each kind got a response. */
export function startOthers(args: string[], env: Record<string, string> = {}): { end(): Promise<string> } {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../requests/disturb.ts'), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  keepTrackOf(child);
  let done = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    done += text;
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    async end() {
      child.kill('SIGTERM');
      await ended;
      return done.trim();
    },
  };
}

/** Runs a program to its end and returns its standard output. */
export async function runToEnd(command: string, args: string[], cwd?: string): Promise<string> {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  keepTrackOf(child);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${command} ${args.slice(0, 3).join(' ')} … ended with ${code}.`);
  return printed;
}

/** CPU time of a process and its children so far. Undefined if the system does not report it (not Linux). */
export function cpuMsOf(pid: number): number | undefined {
  if (!existsSync('/proc/self/stat')) return undefined;
  let ticks = 0;
  for (const id of treeOf(pid)) {
    // The name may contain anything, so fields are counted from its closing bracket (proc(5)).
    const fields = read(`/proc/${id}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ');
    ticks += Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  }
  return ticks * (1000 / ticksPerSecond);
}

/**
 * Bytes that a process and its children have caused to be written to disks so far. Undefined if the system does not report it; always
 * 0 on a file system in memory.
 */
export function writtenBytesOf(pid: number): number | undefined {
  if (!existsSync('/proc/self/io')) return undefined;
  return treeOf(pid)
    .map((id) => Number(/^write_bytes: (\d+)$/m.exec(read(`/proc/${id}/io`))?.[1] ?? 0))
    .reduce((a, b) => a + b, 0);
}

/**
 * CPU time since boot that the machine's host gave to others (https://man7.org/linux/man-pages/man5/proc_stat.5.html). 0 if it
 * is not reported.
 */
export function stolenMs(): number {
  if (process.platform !== 'linux') return 0;
  const [cpu = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  return Number(cpu.split(/ +/)[8] ?? 0) * 10;
}

/** Resident and peak memory of a process and its children. */
export function memoryOf(pid: number): { rssMb: number; peakMb: number } | undefined {
  if (!existsSync('/proc/self/status')) return undefined;
  const sum = (field: string) =>
    treeOf(pid)
      .map((id) => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(read(`/proc/${id}/status`))?.[1] ?? 0))
      .reduce((a, b) => a + b, 0);
  return { rssMb: sum('VmRSS') / 1024, peakMb: sum('VmHWM') / 1024 };
}

/** Sets the processors that a process and its threads may use. Does nothing if `taskset` is missing. */
export function pin(pid: number, cpus: string): void {
  if (!hasTaskset) return;
  for (const id of treeOf(pid))
    spawnSync('taskset', ['-a', '-c', '-p', cpus, String(id)], { stdio: 'ignore' });
}

export function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;
}

export const hasTaskset = isInstalled('taskset');
const ticksPerSecond = hasTaskset ? Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : 100;

function treeOf(pid: number): number[] {
  const children = existsSync(`/proc/${pid}/task`)
    ? readdirSync(`/proc/${pid}/task`).flatMap((task) =>
        read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
      )
    : [];
  return [pid, ...children.flatMap(treeOf)];
}

/** A thread or process may end between being listed and being read. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}
