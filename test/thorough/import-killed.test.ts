/** An import whose process is killed continues when run again, without lost or duplicate pages. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Store } from '#core/ports/store.ts';
import { startWiki, type TestWiki } from '../support/cli.ts';

const notes = 1500;

test('a killed import continues without duplicates', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const vault = join(wiki.folder, 'vault');
  mkdirSync(vault);
  for (let number = 0; number < notes; number++)
    writeFileSync(
      join(vault, `Note ${number}.md`),
      `Text ${number}, see [[Note ${(number + 1) % notes}]].\n`,
    );

  const args = ['import', vault, '--from', 'obsidian'];
  await using open = await wiki.open();
  const written = await killed(args, wiki, open.store);

  const { code, out, err } = await wiki.coppice([...args, '--json']);
  expect(code, err).toBe(0);
  const certificate = JSON.parse(out);
  expect(certificate.pages).toMatchObject({ created: notes - written, unchanged: written });
  expect(certificate.links).toMatchObject({ resolved: notes, lost: 0 });
  expect(certificate.collisions).toEqual([]);
  expect((await open.store.maintenance.counts()).pages).toBe(notes);

  const lines = join(wiki.folder, 'all.jsonl');
  expect((await wiki.coppice(['export', '--format', 'jsonl', '--to', lines])).code).toBe(0);
  await expectLinesToGoOn(lines);
});

/** Same test for JSON lines: after the import is killed and resumed, its export equals the original. */
async function expectLinesToGoOn(lines: string): Promise<void> {
  await using wiki = await startWiki();
  await wiki.administrator();
  await using open = await wiki.open();
  await killed(['import', lines], wiki, open.store);
  const { code, err } = await wiki.coppice(['import', lines]);
  expect(code, err).toBe(0);
  const again = join(wiki.folder, 'again.jsonl');
  expect((await wiki.coppice(['export', '--format', 'jsonl', '--to', again])).code).toBe(0);
  expect(readFileSync(again, 'utf8') === readFileSync(lines, 'utf8')).toBe(true);
}

/** Kills the import after its first write; returns the number of pages then. */
async function killed(args: string[], wiki: TestWiki, store: Store): Promise<number> {
  const pages = async () => (await store.maintenance.counts()).pages;
  const child = spawn('bin/coppice', args, { env: { ...process.env, ...wiki.env }, stdio: 'ignore' });
  const exited = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
  while ((await pages()) === 0 && child.exitCode === null) await setTimeout(5);
  child.kill('SIGKILL');
  expect(await exited).toBe('SIGKILL');
  const written = await pages();
  expect(written).toBeGreaterThan(0);
  expect(written).toBeLessThan(notes);
  return written;
}
