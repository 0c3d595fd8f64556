/** Runs commands as a terminal would, within this process, and captures their output. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { OpenWiki, Terminal } from '#cli/command/context.ts';
import { readConfig } from '#config/config.ts';
import { commandContext } from '#run/command-context.ts';
import { main } from '#src/main.ts';
import { type EngineName, emptiedPostgres } from './postgres.ts';

export interface Outcome {
  code: number;
  out: string;
  err: string;
}

/** A separate wiki without a running server. */
export interface TestWiki extends AsyncDisposable {
  folder: string;
  env: Record<string, string>;
  coppice(args: string[], stdin?: string): Promise<Outcome>;
  /** Makes the first administrator and returns what the command printed. */
  administrator(email?: string): Promise<{ id: number; email: string }>;
  /** Opens the wiki for inspection, or begins it. */
  open(): Promise<OpenWiki>;
}

export const engines: EngineName[] = ['SQLite', 'PostgreSQL'];
export const passphrase = 'correct horse battery staple';

/** On PostgreSQL, uses an emptied database that tests share, unless `database` gives another. */
export async function startWiki(
  engine: EngineName = 'SQLite',
  more: Record<string, string> = {},
  database = emptiedPostgres,
): Promise<TestWiki> {
  const folder = mkdtempSync(join(tmpdir(), 'coppice-cli-'));
  const postgres = engine === 'PostgreSQL' ? await database() : undefined;
  const env: Record<string, string> = {
    COPPICE_DATA: join(folder, 'data'),
    ...(postgres ? { DATABASE_URL: postgres.url } : {}),
    ...more,
  };
  const coppice = (args: string[], stdin?: string) => runCommand(args, env, stdin);
  return {
    folder,
    env,
    coppice,
    async administrator(email = 'ada@example.org') {
      const { out, err } = await coppice(
        ['member', 'add', email, '--name', 'Ada Lovelace', '--admin', '--passphrase-stdin'],
        `${passphrase}\n`,
      );
      if (out === '') throw new Error(err);
      return JSON.parse(out);
    },
    open: () => commandContext(readConfig(env)).open({ mayCreate: true }),
    async [Symbol.asyncDispose]() {
      await postgres?.[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function runCommand(args: string[], env: Record<string, string>, stdin = ''): Promise<Outcome> {
  const out: string[] = [];
  const err: string[] = [];
  const collect = (lines: string[]) =>
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    });
  const io = { stdin: Readable.from([stdin]), stdout: collect(out), stderr: collect(err) };
  const code = await main(args, env, io as unknown as Terminal);
  return { code, out: out.join(''), err: err.join('') };
}
