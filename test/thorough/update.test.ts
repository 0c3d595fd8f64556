/** `deploy/update`: to a version with a migration, back again, and to one that does not start. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isThorough } from '../support/effort.ts';
import { freePort } from '../support/free-ports.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

vi.setConfig({ testTimeout: 600_000 });

const root = join(import.meta.dirname, '../..');

interface Machine {
  code: string;
  data: string;
  address: string;
  /** Makes a version in the repository that the machine updates from. */
  release(change: (folder: string) => void): void;
  update(...args: string[]): { code: number | null; said: string };
  coppice(...args: string[]): string;
  systemctl(verb: string): void;
}

/** A folder with the parts of a machine with systemd that the script uses. */
async function startMachine(): Promise<Machine> {
  const folder = await temporaryFolder();
  const [origin, code, data, bin] = ['origin', 'code', 'data', 'bin'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const made of [data, bin, origin]) mkdirSync(made, { mode: 0o700 });
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], {
      cwd,
      encoding: 'utf8',
    });
  for (const name of ['src', 'bin', 'packages', 'deploy', 'package.json', 'package-lock.json'])
    execFileSync('cp', ['-a', join(root, name), origin]);
  writeFileSync(join(origin, '.gitignore'), 'node_modules\n');
  git(origin, 'init', '-qb', 'main');
  git(origin, 'add', '-A');
  git(origin, 'commit', '-qm', 'first');
  git(folder, 'clone', '-q', origin, code);
  symlinkSync(join(root, 'node_modules'), join(code, 'node_modules'));
  const port = await freePort();
  const stub = (name: string, text: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  stub('npm', `ln -s ${join(root, 'node_modules')} node_modules`);
  stub('coppice', `exec ${code}/bin/coppice "$@"`);
  stub(
    'systemctl',
    `pid=$(cat ${folder}/pid 2>/dev/null)
case $1 in
stop) [ -z "$pid" ] || { kill $pid; while kill -0 $pid 2>/dev/null; do sleep 0.1; done; } ;;
start) setsid ${code}/bin/coppice serve > ${folder}/log 2>&1 < /dev/null & echo $! > ${folder}/pid ;;
esac`,
  );
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: folder,
    UPDATE_CODE: code,
    COPPICE_DATA: data,
    UPDATE_READY: `http://127.0.0.1:${port}/readyz`,
    UPDATE_PATIENCE: '40',
    HOST: '127.0.0.1',
    PORT: String(port),
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
  };
  const run = (...args: [string, ...string[]]) =>
    execFileSync(join(bin, args[0]), args.slice(1), {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  onTestFinished(() => void run('systemctl', 'stop'));
  return {
    ...{ code, data, address: `http://127.0.0.1:${port}` },
    release(change) {
      change(origin);
      git(origin, 'add', '-A');
      git(origin, 'commit', '-qm', 'next');
    },
    update(...args) {
      const { status, stdout, stderr } = spawnSync(join(code, 'deploy/update'), args, {
        env,
        encoding: 'utf8',
      });
      return { code: status, said: stdout + stderr };
    },
    coppice: (...args) => run('coppice', ...args),
    systemctl: (verb) => void run('systemctl', verb),
  };
}

/** Adds a migration after the last one. */
function migrateFurther(folder: string): void {
  const file = join(folder, 'src/store/migrate.ts');
  const migration = `const later = { name: '9999-later', statements: () => ['create table later (id integer primary key)'] };\n`;
  const text = readFileSync(file, 'utf8')
    .replace('const migrations: Migration[]', `${migration}const migrations: Migration[]`)
    .replace(/^\];$/m, '  later,\n];');
  writeFileSync(file, text);
  writeFileSync(join(folder, 'src/store/migrations/9999-later.ts'), '// The folder tells of it.\n');
}

test.runIf(isThorough)('a machine is updated with a backup before, and brought back', async () => {
  const machine = await startMachine();
  const { address, data } = machine;
  machine.coppice('demo');
  machine.systemctl('start');
  const get = (path: string) => fetch(address + path, { headers: { connection: 'close' } });
  // Servers learn of the setting within a second or so.
  const becomesWritable = () =>
    vi.waitUntil(async () => (await (await get('/readyz')).json()).writes === 'ok', 30_000);
  await vi.waitUntil(async () => (await get('/readyz').catch(() => undefined))?.ok, 60_000);
  const pages = await (await get('/v1/pages?limit=1')).json();

  expect(machine.update()).toEqual({ code: 1, said: 'This version runs already.\n' });
  expect(machine.update('v9')).toEqual({
    code: 1,
    said: 'There is no version v9. Name a tag or a commit.\n',
  });
  expect(machine.update('--back')).toEqual({ code: 1, said: 'There is no update to undo.\n' });

  machine.release(migrateFurther);
  const updated = machine.update();
  expect(updated.said).toMatch(/Updated to \w+\. The backup is \S+before-update-\S+\.tar\.gz\. To undo: /);
  expect(updated.code).toBe(0);
  await becomesWritable();
  expect(await (await get('/v1/pages?limit=1')).json()).toEqual(pages);

  const undone = machine.update('--back');
  expect(undone.said).toMatch(/The former version serves again/);
  expect(undone.code).toBe(0);
  await becomesWritable();
  expect(await (await get('/v1/pages?limit=1')).json()).toEqual(pages);
  expect(readdirSync(data).filter((name) => name.startsWith('undone-'))).toHaveLength(1);

  // It migrates and does not serve.
  machine.release((folder) => {
    const file = join(folder, 'src/run/serve.ts');
    const text = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      text.replace(/export async function serve\(/, 'setTimeout(() => process.exit(1), 3000);\n$&'),
    );
  });
  const failed = machine.update();
  expect(failed.said).toMatch(/The new version does not serve/);
  expect(failed.said).toMatch(/The former version serves again/);
  expect(failed.code).toBe(1);
  await becomesWritable();
  expect(await (await get('/v1/pages?limit=1')).json()).toEqual(pages);
});
