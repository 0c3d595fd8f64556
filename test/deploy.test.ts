/** The files of `deploy/` name settings that exist, and run Coppice with as few rights as it needs. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '#config/config.ts';
import { unknownSettings } from '#config/unknown-names.ts';
import { version } from '#run/version.ts';
import { startApp } from './support/http.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const folder = join(import.meta.dirname, '..');

test('the services of compose.yaml start with valid settings, without root and with a read-only file system', () => {
  const values: Record<string, string> = {
    WIKI_HOST: 'wiki.example.org',
    POSTGRES_PASSWORD: 'a'.repeat(64),
    COPPICE_KEY: 'b'.repeat(64),
    S3_KEY: 'coppice',
    S3_SECRET: 'c'.repeat(64),
  };
  const written = readFileSync(join(folder, 'deploy/compose.yaml'), 'utf8');
  const text = written.replace(/(?<!\$)\$\{(\w+):\?\}/g, (_, name) => {
    expect(values).toHaveProperty(name);
    return values[name] ?? '';
  });
  const { services, volumes } = parse(text);
  const { environment } = services.coppice;
  const config = readConfig(environment);
  expect(config).toMatchObject({
    url: 'https://wiki.example.org',
    trustProxy: 1,
    s3: { bucket: 'coppice' },
    scheduledBackups: { to: '/backups' },
  });
  expect(new URL(config.databaseUrl ?? '').hostname).toBe('postgres');
  expect(unknownSettings(environment)).toEqual([]);
  expect(services.coppice.user).toBeUndefined();
  expect(services.coppice).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  expect(services.coppice.volumes).toContain('backups:/backups');
  for (const { volumes: mounted = [], depends_on = {} } of Object.values<Record<string, string[]>>(
    services,
  )) {
    for (const mount of mounted) expect(volumes).toHaveProperty(mount.split(':')[0] ?? '');
    const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
    for (const other of needed) expect(services).toHaveProperty(other);
  }
  const docs = readFileSync(join(folder, 'docs/running.md'), 'utf8');
  for (const name of Object.keys(values)) expect(docs).toContain(name);
  expect(readFileSync(join(folder, 'Dockerfile'), 'utf8')).toContain('USER node');
});

test('alerts and dashboard name metrics that a server has, and each alert says what is wrong', async () => {
  const alerts = parse(readFileSync(join(folder, 'deploy/alerts.yml'), 'utf8')).groups.flatMap(
    ({ rules }: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }) => rules,
  );
  const dashboard = JSON.parse(readFileSync(join(folder, 'deploy/grafana-dashboard.json'), 'utf8'));
  const charts: string[] = dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.map(({ expr }) => expr),
  );
  for (const { annotations } of alerts) expect(annotations.summary).toMatch(/\w\.$/);
  const environment = {
    COPPICE_METRICS: 'open',
    COPPICE_EXPORT: 'jsonl',
    COPPICE_EXPORT_TO: await temporaryFolder(),
  };
  const wiki = await startApp(environment, { engine: 'PostgreSQL' });
  const root = await wiki.member('Root', { isAdmin: true });
  await wiki.app.service.store.webhooks.insert({
    ...{ memberId: root.id, url: 'https://example.org/hook', kinds: undefined, ancestorId: null },
    ...{ format: 'standard', disabled: undefined, position: 0, secret: 'whsec_a', createdAt: 1 },
  });
  await wiki.page(root.token, { title: 'Home' });
  const metrics = (await wiki.call('GET', '/metrics')).text;
  await wiki.close();
  expect(metrics).toContain(`coppice_build_info{version="${version}",node="${process.version}"} 1`);
  expect(metrics).toMatch(/^coppice_database_connections [1-9]/m);
  expect(metrics).toMatch(/^coppice_webhook_events_waiting 1$/m);
  const known = [...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  const named = [...alerts.map(({ expr }: { expr: string }) => expr), ...charts].flatMap(
    (expr: string) => expr.match(/\b(?:coppice|process|nodejs)_\w+/g) ?? [],
  );
  expect(named.length).toBeGreaterThan(30);
  for (const name of named) expect(known).toContain(name.replace(/_(bucket|count)$/, ''));
  // Everything of ours is watched or drawn.
  for (const name of known) if (name?.startsWith('coppice_')) expect(named.join(' ')).toContain(name);
});

test('each alert fires in a test of its own, and none in a healthy wiki', () => {
  const read = (name: string) => parse(readFileSync(join(folder, 'deploy', name), 'utf8'));
  const alerts: string[] = read('alerts.yml').groups.flatMap(({ rules }: { rules: { alert: string }[] }) =>
    rules.map(({ alert }) => alert),
  );
  const [healthy, ...firing] = read('alerts-test.yml').tests as {
    name: string;
    alert_rule_test: { alertname: string; exp_alerts: unknown[] }[];
  }[];
  expect(healthy?.alert_rule_test.map(({ alertname }) => alertname)).toEqual(alerts);
  expect(firing.map(({ name }) => name)).toEqual(alerts);
  for (const { name, alert_rule_test: tests } of firing)
    expect(tests).toEqual([expect.objectContaining({ alertname: name, exp_alerts: [expect.anything()] })]);
  // The program comes with Debian's package `prometheus`.
  const { error, status, stderr } = spawnSync('promtool', ['test', 'rules', 'alerts-test.yml'], {
    cwd: join(folder, 'deploy'),
    encoding: 'utf8',
  });
  if (error)
    process.stderr.write('promtool is not installed: the alerts were compared only by their names.\n');
  else expect(status, stderr).toBe(0);
});

test('the chart for Kubernetes names settings that exist and values that it has', () => {
  const chart = join(folder, 'deploy/helm');
  const values = parse(readFileSync(join(chart, 'values.yaml'), 'utf8'));
  const templates = readdirSync(join(chart, 'templates')).map((name) =>
    readFileSync(join(chart, 'templates', name), 'utf8'),
  );
  const all = templates.join('\n');
  const named = [...all.matchAll(/- name: ([A-Z][A-Z0-9_]+)/g)].map(([, name = '']) => [name, '']);
  expect(named.length).toBeGreaterThan(2);
  expect(unknownSettings(Object.fromEntries(named))).toEqual([]);
  const used = [...all.matchAll(/\.Values\.(\w+)(?:\.(\w+))?/g)];
  for (const [path, first = '', second] of used) {
    expect(values, path).toHaveProperty(first);
    if (second !== undefined) expect(values[first], path).toHaveProperty(second);
  }
  expect(Object.keys(values).filter((name) => !used.some(([, first]) => first === name))).toEqual([]);
  expect(all).toMatch(
    /runAsNonRoot: true[\s\S]*readOnlyRootFilesystem: true|readOnlyRootFilesystem: true[\s\S]*runAsNonRoot: true/,
  );
});

test('an update refuses a machine with changes of its own, before it touches anything', async () => {
  const code = join(await temporaryFolder(), 'code');
  const git = (...args: string[]) => spawnSync('git', ['-C', code, ...args], { encoding: 'utf8' });
  spawnSync('git', ['init', '-q', code]);
  writeFileSync(join(code, 'settings'), 'a');
  git('add', '-A');
  git('-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '-qm', 'first');
  const update = (...args: string[]) => {
    const env = { ...process.env, UPDATE_CODE: code };
    return spawnSync(join(folder, 'deploy/update'), args, { env, encoding: 'utf8' });
  };
  expect(update('--back')).toMatchObject({ status: 1, stderr: 'There is no update to undo.\n' });
  writeFileSync(join(code, 'settings'), 'b');
  expect(update()).toMatchObject({ status: 1, stderr: expect.stringContaining('has changes of its own') });
});

test('an update that is broken off while it makes its backup leaves a wiki that can be written', async () => {
  const base = await temporaryFolder();
  const [code, bin, log] = [join(base, 'code'), join(base, 'bin'), join(base, 'log')];
  const git = (folder: string, ...args: string[]) => {
    const name = ['-c', 'user.name=T', '-c', 'user.email=t@example.org'];
    return spawnSync('git', ['-C', folder, ...name, ...args], { encoding: 'utf8' });
  };
  spawnSync('git', ['init', '-q', join(base, 'origin')]);
  git(join(base, 'origin'), 'commit', '-q', '--allow-empty', '-m', 'first');
  spawnSync('git', ['clone', '-q', join(base, 'origin'), code]);
  git(join(base, 'origin'), 'commit', '-q', '--allow-empty', '-m', 'second');
  mkdirSync(bin);
  const program = (name: string, lines: string) =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  program('coppice', `echo "$@" >> ${log}\n[ "$1" != backup ] || kill -HUP $PPID`);
  program('npm', 'exit 0');
  program('systemctl', `echo "systemctl $@" >> ${log}`);
  const env = { ...process.env, UPDATE_CODE: code, COPPICE_DATA: base, PATH: `${bin}:${process.env.PATH}` };
  expect(spawnSync(join(folder, 'deploy/update'), [], { env, encoding: 'utf8' }).status).toBe(1);
  expect(
    readFileSync(log, 'utf8')
      .replace(/backup .*/, 'backup')
      .trim()
      .split('\n'),
  ).toEqual([...['read-only on', 'backup', 'read-only off']]);
});
