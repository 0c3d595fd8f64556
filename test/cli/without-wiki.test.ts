/** Commands where the settings lead to no wiki, because a name is mistyped or a disk is not mounted. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { startWiki } from '../support/cli.ts';
import { commandNames } from '../support/commands.ts';
import { freshPostgres } from '../support/postgres.ts';

vi.setConfig({ testTimeout: 240_000 });

const root = join(import.meta.dirname, '../..');

const mail = {
  COPPICE_MAIL: 'smtp://127.0.0.1:1',
  COPPICE_MAIL_FROM: 'wiki@example.org',
  COPPICE_URL: 'https://wiki.example.org',
};
/** Commands that begin a wiki where there is none, and one that asks a running server. */
const beginning = ['demo', 'restore', 'restart', 'member add', 'member invite'];
/** Arguments that pass the checks made before anything is opened. */
const argumentsOf: Record<string, string[]> = {
  backup: ['BACKUP'],
  import: ['SOURCE'],
  export: ['--format', 'jsonl', '--to', 'TARGET'],
  protect: ['/oak', '--level', 'moderators'],
  erase: ['/oak', '--change', '1', '--reason', 'asked'],
  'read-only': ['on'],
  'group rename': ['Board', 'Council'],
  'group join': ['Board', 'ada@example.org'],
  'group leave': ['Board', 'ada@example.org'],
  'member passphrase': ['ada@example.org', '--passphrase-stdin'],
  'member role': ['ada@example.org', 'writer'],
  'member link': ['ada@example.org', 'github'],
};

test('every command that needs a wiki says what is missing in a sentence and creates nothing', async () => {
  await using postgres = await freshPostgres();
  for (const [engine, kind] of [
    ['SQLite', 'missing'],
    ['SQLite', 'empty'],
    ['PostgreSQL', 'missing'],
    ['PostgreSQL', 'empty database'],
  ] as const) {
    await using wiki = await startWiki('SQLite', {
      ...mail,
      ...(engine === 'PostgreSQL' ? { DATABASE_URL: postgres.url } : {}),
    });
    const data = wiki.env.COPPICE_DATA ?? '';
    if (kind === 'empty') mkdirSync(data, { mode: 0o700 });
    if (kind === 'empty database') mkdirSync(join(data, 'files'), { recursive: true, mode: 0o700 });
    const source = join(wiki.folder, 'source');
    mkdirSync(source);
    writeFileSync(join(source, 'oak.md'), '# Oak\n');
    const before = readdirSync(wiki.folder, { recursive: true });
    const names = await commands(wiki.coppice);
    expect(names.length).toBeGreaterThan(60);
    for (const name of names) {
      if (beginning.includes(name)) continue;
      const given = await argumentsFor(wiki.coppice, name);
      const args = [...name.split(' '), ...given].map((text) =>
        text === 'SOURCE' ? source : /^(BACKUP|TARGET)$/.test(text) ? join(wiki.folder, text) : text,
      );
      // The key lies in the folder, wherever the database is.
      const isInDatabase = kind === 'empty database' && name !== 'key rotate';
      const setting = isInDatabase ? 'DATABASE_URL' : 'COPPICE_DATA';
      const place = isInDatabase ? postgres.url.split('/').at(-1) : data;
      const { code, out, err } = await wiki.coppice(args, 'a passphrase of our own\n');
      expect({ args, code, out, err }).toEqual({
        ...{ args, code: 1, out: '' },
        err: expect.stringMatching(new RegExp(`^${setting}: [^\\n]*${place}[^\\n]*\\n$`)),
      });
    }
    expect(readdirSync(wiki.folder, { recursive: true })).toEqual(before);
  }
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const { rows } = await client.query(
    `select relname from pg_class where relnamespace = 'public'::regnamespace`,
  );
  await client.end();
  expect(rows).toEqual([]);
});

test('a lost database beside files and key is reported, and an empty file is not a wiki', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const data = wiki.env.COPPICE_DATA ?? '';
  rmSync(join(data, 'coppice.db'));
  expect((await wiki.coppice(['check'])).err).toContain(`${data}/key belongs to a wiki`);
  writeFileSync(join(data, 'coppice.db'), '');
  expect((await wiki.coppice(['check'])).code).toBe(1);
  expect(readFileSync(join(data, 'coppice.db'), 'utf8')).toBe('');
  expect(existsSync(join(data, 'coppice.db-wal'))).toBe(false);
});

test('the command for operators uses the user, the folder and the settings of the unit', () => {
  const unit = readFileSync(join(root, 'deploy/coppice.service'), 'utf8');
  const command = readFileSync(join(root, 'deploy/coppice'), 'utf8');
  for (const name of ['Environment', 'EnvironmentFile', 'UMask'])
    expect(command).toContain(new RegExp(`^${name}=.*$`, 'm').exec(unit)?.[0]);
  for (const [name, option] of [
    ['User', 'uid'],
    ['Group', 'gid'],
    ['WorkingDirectory', 'working-directory'],
  ])
    expect(command).toContain(`--${option}=${new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]}`);
});

type Coppice = (args: string[], stdin?: string) => Promise<{ code: number; out: string; err: string }>;

/** Every command, with its subcommands: `backup`, `member list`. */
async function commands(coppice: Coppice): Promise<string[]> {
  const names: string[] = [];
  for (const file of commandNames) {
    const { err } = await coppice([file, 'there-is-no-such-subcommand']);
    const subcommands = /is not one of: (.*)\.\n/.exec(err)?.[1]?.split(', ');
    names.push(
      ...(file === 'key' ? ['rotate'] : (subcommands ?? [''])).map((one) => `${file} ${one}`.trim()),
    );
  }
  return names;
}

/** Arguments by the names that refusals ask for. */
async function argumentsFor(coppice: Coppice, name: string): Promise<string[]> {
  const known = argumentsOf[name];
  if (known) return known;
  const values: Record<string, string> = {
    ID: '1',
    DELIVERY: '1',
    EMAIL: 'ada@example.org',
    PATH: '/oak',
    ADDRESS: 'ada@example.org',
    URL: 'https://hooks.example.org/',
  };
  const given: string[] = [];
  for (;;) {
    const { err } = await coppice([...name.split(' '), ...given], 'a passphrase of our own\n');
    const missing = /^([A-Z]+) is missing/m.exec(err)?.[1];
    const option = /^(--[a-z-]+)( [A-Z]+)? is missing/m.exec(err);
    if (missing) given.push(values[missing] ?? 'Board');
    else if (option?.[1]) given.push(option[1], 'read');
    else return given;
  }
}
