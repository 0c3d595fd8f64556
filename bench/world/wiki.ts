/** Filled databases, kept between runs: one for each engine, size, seed, schema and version of the generator. */
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type Checkout, cacheFolder } from '../processes/checkout.ts';
import { openPostgresServer } from '../processes/postgres.ts';
import { runToEnd } from '../processes/process.ts';

export interface Wiki extends AsyncDisposable {
  engine: 'sqlite' | 'postgres';
  /** Value for COPPICE_DATA. */
  dataFolder: string;
  databaseUrl?: string;
  textBytes: number;
  databaseBytes: number;
  fillSeconds: number;
}

interface Filled {
  textBytes: number;
  seconds: number;
  databaseBytes: number;
}

export interface WikiOptions {
  checkout: Checkout;
  engine: 'sqlite' | 'postgres';
  pages: number;
  seed: number;
  /** Whether the database is a copy that is thrown away afterwards. Otherwise it must not be written to. */
  isWritten: boolean;
}

export async function openWiki(options: WikiOptions): Promise<Wiki> {
  return options.engine === 'sqlite' ? openSqliteWiki(options) : openPostgresWiki(options);
}

async function openSqliteWiki({ checkout, pages, seed, isWritten }: WikiOptions): Promise<Wiki> {
  const folder = join(cacheFolder, 'filled', keyOf('sqlite', checkout, pages, seed));
  if (!existsSync(folder)) {
    const making = `${folder}.${process.pid}`;
    mkdirSync(making, { recursive: true });
    const file = join(making, 'coppice.db');
    const filled = await fill(checkout, 'sqlite', file, pages, seed);
    write(making, { ...filled, databaseBytes: statSync(file).size });
    renameSync(making, folder);
  }
  const filled = read(folder);
  const dataFolder = mkdtempSync(join(cacheFolder, 'run-'));
  const file = join(dataFolder, 'coppice.db');
  // Databases that are only read are opened in place, because copying a large one takes longer than the measurement.
  if (isWritten) copyFileSync(join(folder, 'coppice.db'), file);
  return {
    engine: 'sqlite' as const,
    dataFolder: isWritten ? dataFolder : folder,
    textBytes: filled.textBytes,
    databaseBytes: filled.databaseBytes,
    fillSeconds: filled.seconds,
    async [Symbol.asyncDispose]() {
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

async function openPostgresWiki({ checkout, pages, seed, isWritten }: WikiOptions): Promise<Wiki> {
  const server = await openPostgresServer();
  const name = keyOf('postgres', checkout, pages, seed).replaceAll('-', '_');
  const folder = join(cacheFolder, 'filled', name);
  const client = new pg.Client({ connectionString: server.urlOf('postgres') });
  await client.connect();
  if (!existsSync(folder)) {
    await client.query(`drop database if exists ${name}`);
    await client.query(`create database ${name}`);
    // After a crash the database is filled again, so commits do not wait for the disk.
    const quickly = `${server.urlOf(name)}?options=${encodeURIComponent('-c synchronous_commit=off')}`;
    const filled = await fill(checkout, 'postgres', quickly, pages, seed);
    const filler = new pg.Client({ connectionString: server.urlOf(name) });
    await filler.connect();
    await filler.query('vacuum analyze');
    await filler.end();
    const size = await client.query('select pg_database_size($1) as bytes', [name]);
    mkdirSync(folder, { recursive: true });
    write(folder, { ...filled, databaseBytes: Number(size.rows[0]?.bytes) });
  }
  const filled = read(folder);
  const used = isWritten ? `run_${process.pid}_${Date.now()}` : name;
  // Copies by file. The default strategy would write a large database twice, because it also logs it.
  if (isWritten) await client.query(`create database ${used} template ${name} strategy file_copy`);
  const dataFolder = mkdtempSync(join(cacheFolder, 'run-'));
  return {
    engine: 'postgres' as const,
    dataFolder,
    databaseUrl: server.urlOf(used),
    textBytes: filled.textBytes,
    databaseBytes: filled.databaseBytes,
    fillSeconds: filled.seconds,
    async [Symbol.asyncDispose]() {
      if (isWritten) await client.query(`drop database if exists ${used} with (force)`);
      await client.end();
      await server.release();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

async function fill(checkout: Checkout, engine: string, target: string, pages: number, seed: number) {
  process.stderr.write(`Filling a wiki of ${pages} pages by ${checkout.name} …\n`);
  const script = join(import.meta.dirname, 'fill.ts');
  const args = [script, checkout.folder, engine, target, String(pages), String(seed)];
  return JSON.parse(await runToEnd(process.execPath, args)) as { textBytes: number; seconds: number };
}

function keyOf(engine: string, checkout: Checkout, pages: number, seed: number): string {
  const generator = createHash('sha256');
  for (const file of ['world.ts', 'words.ts', 'random.ts', 'fill.ts'])
    generator.update(readFileSync(join(import.meta.dirname, file)));
  return `${engine}-${pages}-${seed}-${checkout.schema}-${generator.digest('hex').slice(0, 6)}`;
}

function write(folder: string, filled: Filled): void {
  writeFileSync(join(folder, 'filled.json'), JSON.stringify(filled));
}

function read(folder: string): Filled {
  return JSON.parse(readFileSync(join(folder, 'filled.json'), 'utf8')) as Filled;
}
