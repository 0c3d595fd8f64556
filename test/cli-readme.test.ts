/** README.md for a newcomer: every command of the first minute runs as written, every setting and command is listed. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { settings } from '#config/settings.ts';
import { startWiki } from './support/cli.ts';
import { commandNames } from './support/commands.ts';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

test('the settings match those in the code', () => {
  const rows = settings.map(({ name, default: value, meaning }) => {
    return `| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${meaning.replaceAll('|', '\\|')} |`;
  });
  const table = ['| setting | default | meaning |', '|---|---|---|', ...rows].join('\n');
  expect(readme.includes(table), `README.md should say:\n\n${table}\n`).toBe(true);
});

test('every command is listed, with every subcommand', async () => {
  for (const command of ['serve', 'openapi', ...commandNames]) expect(readme).toContain(`| \`${command}`);
  await using wiki = await startWiki();
  const { err } = await wiki.coppice(['member']);
  const words = /Say what to do: (.*)\./.exec(err)?.[1]?.split(', ') ?? [];
  expect(words.length).toBeGreaterThan(5);
  for (const word of words) expect(readme).toMatch(new RegExp(`\`member ([a-z]+\\\\\\|)?${word}\\b`));
});

test('the commands for the first page work as written', async () => {
  const section = readme.slice(readme.indexOf('## A first page'), readme.indexOf('## Bringing content'));
  const script = [...section.matchAll(/```sh\n([\s\S]*?)```/g)]
    .map(([, commands]) => commands)
    .join('\necho\n');
  await using wiki = await startWiki();
  const env = { ...process.env, ...wiki.env, LOG_LEVEL: 'error' };
  const server = spawn('npm', ['start', '-s'], { cwd: root, env: { ...env, PORT: '0' }, detached: true });
  const exited = once(server, 'exit');
  try {
    const address = await new Promise<string>((resolve) => {
      let said = '';
      server.stdout.on('data', (chunk) => {
        said += chunk;
        const found = /is at (http:\/\/\S+)/.exec(said)?.[1];
        if (found) resolve(found);
      });
    });
    const here = script.replaceAll('http://localhost:8080', address);
    expect(here).not.toContain('8080');
    // Runs npm in the repository, but writes files to a temporary folder.
    const inFolder = `npm() { command npm --prefix '${root}' "$@"; }\ncd '${wiki.folder}'\n${here}`;
    const { stdout, stderr } = await promisify(execFile)(
      'bash',
      ['--norc', '-euo', 'pipefail', '-c', inFolder],
      {
        env,
        maxBuffer: 10_000_000,
      },
    );
    expect(stderr).toBe('');
    expect(stdout).not.toMatch(/"(status|errors)":/);
    for (const expected of [
      '"email": "ada@example.org"',
      '"path":"/oak"',
      '"path":"/oak/galls"',
      '"msg":"Measured again"',
      '"tags":{"height":["20 m"]}',
      '"title":"Acorn","links":',
      '"lat":51.7',
      'leaf.svg',
    ]) {
      expect(stdout).toContain(expected);
    }
  } finally {
    // Signals the process group, as some shells that npm starts do not forward signals.
    if (server.pid) process.kill(-server.pid, 'SIGTERM');
    await exited;
  }
});
