/**
 * A whole cluster on one machine, to try and to test: three "machines" (addresses of the loopback network) with etcd, Patroni with PostgreSQL,
 * haproxy and Coppice each, and one in front with Varnish and a storage that speaks S3. The files beside this one are the settings of one
 * machine each, in which `${…}` stands for its addresses and folders, and serve as models for real machines.
 *
 *     node deploy/cluster/cluster.ts FOLDER     begins or continues the cluster in the folder; Ctrl-C stops it
 *
 * A part that ends is started again after a second, as systemd does by `Restart=always`. FOLDER/run has the process ID of each part,
 * FOLDER/log its output.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const machines = ['alder', 'birch', 'cedar'] as const;
export type Machine = (typeof machines)[number];

const files = import.meta.dirname;
const root = join(files, '../..');
const restartAfterMs = 1000;
const stopWithinMs = 20_000;

/** Programs, and the Debian packages that have them. */
const needed = {
  etcd: 'etcd-server',
  patroni: 'patroni',
  haproxy: 'haproxy',
  varnishd: 'varnish',
  setpriv: 'util-linux',
};

/** A sentence if a program is not installed. */
export function missingProgram(): string | undefined {
  const folders = `${process.env.PATH}:/usr/sbin`.split(':');
  for (const [program, name] of Object.entries(needed))
    if (!folders.some((folder) => existsSync(join(folder, program))))
      return `${program} is not installed (Debian’s package “${name}”)`;
  return postgresFolder() ? undefined : 'PostgreSQL is not installed (Debian’s package “postgresql”)';
}

export interface Cluster extends AsyncDisposable {
  /** URL of the cache, by which readers and members come. */
  url: string;
  /** URL of the Coppice of a machine. */
  urlOf(machine: Machine): string;
  /** Settings of the Coppice of a machine, as for commands. */
  settingsOf(machine: Machine): Record<string, string>;
  /** Process ID of a part, such as `patroni-alder` or `varnish`; undefined while it is not running. */
  pidOf(part: string): number | undefined;
}

interface Part {
  name: string;
  command: string[];
  env?: Record<string, string>;
}

/** `network`: the first three numbers of all addresses. `settings` of Coppice come before those of the file. */
export function startCluster(
  folder: string,
  { network = '127.77.0', settings = {} }: { network?: string; settings?: Record<string, string> } = {},
): Cluster {
  const missing = missingProgram();
  if (missing) throw new Error(`The cluster cannot start: ${missing}.`);
  const all = resolve(folder);
  const owner = ownerOfDatabase();
  for (const name of ['', 'run', 'log', 'front', ...machines])
    mkdirSync(join(all, name), { recursive: true });
  if (owner) execFileSync('chown', [`${owner}:`, all, ...machines.map((name) => join(all, name))]);

  const addresses: Record<string, string> = { FRONT: `${network}.10` };
  for (const [i, name] of machines.entries()) addresses[name.toUpperCase()] = `${network}.${11 + i}`;
  /** Writes a settings file for a machine, and returns its path. */
  const write = (file: string, name: string) => {
    const values: Record<string, string> = {
      ...addresses,
      NAME: name,
      ADDRESS: addresses[name.toUpperCase()] ?? '',
      DATA: join(all, name),
      FILES: files,
      NETWORK: '127.0.0.0/8',
      POSTGRES: postgresFolder() ?? '',
    };
    const text = readFileSync(join(files, file), 'utf8').replace(
      /\$\{([A-Z]+)\}/g,
      (_, key) => values[key] ?? '',
    );
    writeFileSync(join(all, name, file), text);
    return join(all, name, file);
  };
  const keyFile = join(all, 'front', 'key');
  if (!existsSync(keyFile)) writeFileSync(keyFile, randomBytes(32).toString('hex'), { mode: 0o600 });
  const settingsOf = (name: Machine): Record<string, string> => ({
    ...Object.fromEntries(
      readFileSync(write('coppice.env', name), 'utf8')
        .split('\n')
        .filter((line) => /^\w+=/.test(line))
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    ),
    COPPICE_KEY: readFileSync(keyFile, 'utf8'),
    ...settings,
  });

  // PostgreSQL refuses to run as root.
  const asOwner = owner
    ? ['setpriv', `--reuid=${owner}`, `--regid=${owner}`, '--init-groups', '--inh-caps=-all']
    : [];
  const front = join(all, 'front');
  const parts: Part[] = [
    ...machines.map((name) => ({
      name: `etcd-${name}`,
      command: [...asOwner, 'etcd', '--config-file', write('etcd.yml', name)],
    })),
    ...machines.map((name) => ({
      name: `patroni-${name}`,
      command: [...asOwner, 'patroni', write('patroni.yml', name)],
    })),
    ...machines.map((name) => ({
      name: `haproxy-${name}`,
      command: ['haproxy', '-db', '-f', write('haproxy.cfg', name)],
    })),
    {
      name: 's3',
      command: [
        process.execPath,
        join(files, 's3.ts'),
        addresses.FRONT ?? '',
        '9000',
        join(front, 's3'),
        'wiki',
      ],
    },
    ...machines.map((name) => ({
      name: `coppice-${name}`,
      command: [join(root, 'bin/coppice'), 'serve'],
      env: settingsOf(name),
    })),
    {
      name: 'varnish',
      // In the foreground, and in one process group with what it starts.
      command: [
        'varnishd',
        '-F',
        '-j',
        'none',
        '-f',
        write('cache.vcl', 'front'),
        '-a',
        `${addresses.FRONT}:6081`,
        '-n',
        join(front, 'varnish'),
        '-s',
        'malloc,256m',
        '-p',
        'vcc_err_unref=off',
      ],
    },
  ];
  if (isAlive(readPid('cluster'))) throw new Error(`A cluster is running in ${all} already.`);
  // Left where this program was killed.
  const killAll = () => {
    for (const { name } of parts) if (isWithin(all, readPid(name))) signal(readPid(name), 'SIGKILL');
    killDatabases();
  };
  killAll();
  writeFileSync(pidFile('cluster'), String(process.pid));
  process.once('exit', killAll);

  const running = new Map<string, ChildProcess>();
  let isStopping = false;
  for (const part of parts) start(part);

  function start(part: Part): void {
    const log = openSync(join(all, 'log', part.name), 'a');
    const [program = '', ...args] = part.command;
    const child = spawn(program, args, {
      cwd: all,
      env: { PATH: `${process.env.PATH}:/usr/sbin`, ...part.env },
      stdio: ['ignore', log, log],
      // A process group of its own, so that what it started is stopped with it.
      detached: true,
    });
    closeSync(log);
    running.set(part.name, child);
    writeFileSync(pidFile(part.name), String(child.pid));
    child.once('exit', async () => {
      // Ends the processes that the part started, as systemd does. PostgreSQL is in a process group of its own and goes on.
      signal(child.pid, 'SIGKILL');
      rmSync(pidFile(part.name), { force: true });
      await sleep(restartAfterMs);
      if (!isStopping) start(part);
    });
  }

  function pidFile(name: string): string {
    return join(all, 'run', `${name}.pid`);
  }

  function readPid(name: string): number | undefined {
    return existsSync(pidFile(name)) ? Number(readFileSync(pidFile(name), 'utf8')) : undefined;
  }

  /** Stops in the reverse order of the start; what does not end in time is killed. */
  async function stop(): Promise<void> {
    isStopping = true;
    for (const kind of ['varnish', 'coppice', 'haproxy', 'patroni', 'etcd', 's3']) {
      const children = [...running].filter(([name]) => name.split('-')[0] === kind).map(([, child]) => child);
      for (const child of children) {
        signal(child.pid, 'SIGCONT');
        signal(child.pid, 'SIGTERM');
      }
      for (const end = Date.now() + stopWithinMs; children.some(isRunning) && Date.now() < end; )
        await sleep(50);
      for (const child of children) if (isRunning(child)) signal(child.pid, 'SIGKILL');
    }
    killDatabases();
    process.off('exit', killAll);
    rmSync(pidFile('cluster'));
  }

  /** Ends each PostgreSQL that a killed Patroni has left. */
  function killDatabases(): void {
    for (const name of machines) {
      const file = join(all, name, 'postgres/postmaster.pid');
      const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
      if (isWithin(all, pid)) process.kill(pid as number, 'SIGKILL');
    }
  }

  return {
    url: `http://${addresses.FRONT}:6081`,
    urlOf: (name) => `http://${addresses[name.toUpperCase()]}:8080`,
    settingsOf,
    pidOf: readPid,
    [Symbol.asyncDispose]: stop,
  };
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

function isAlive(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Whether the process works in the folder: another program may have been given the ID since. */
function isWithin(folder: string, pid: number | undefined): boolean {
  try {
    return pid !== undefined && `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${folder}/`);
  } catch {
    return false;
  }
}

/** Signals a process group; nothing happens if it has ended. */
function signal(pid: number | undefined, name: NodeJS.Signals): void {
  try {
    if (pid) process.kill(-pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The user whom Debian's package made, if this runs as root. */
function ownerOfDatabase(): string | undefined {
  return process.getuid?.() === 0 ? 'postgres' : undefined;
}

/** Folder of the newest version of PostgreSQL that Debian's packages have installed. */
function postgresFolder(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  return versions
    .map((version) => join(debian, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'postgres')));
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (!folder) {
    console.error('Usage: node deploy/cluster/cluster.ts FOLDER');
    process.exit(1);
  }
  const cluster = startCluster(folder);
  console.log(`The wiki will be at ${cluster.url} in half a minute. Ctrl-C stops it.`);
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, async () => {
      await cluster[Symbol.asyncDispose]();
      process.exit();
    });
}
