/** The files of `deploy/` name settings that exist, and run Coppice with as few rights as it needs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '#config/config.ts';
import { unknownSettings } from '#config/unknown-names.ts';

const root = join(import.meta.dirname, '..');

test('the services of compose.yaml start with valid settings, without root and with a read-only file system', () => {
  const values: Record<string, string> = {
    WIKI_HOST: 'wiki.example.org',
    POSTGRES_PASSWORD: 'a'.repeat(64),
    COPPICE_KEY: 'b'.repeat(64),
    S3_KEY: 'coppice',
    S3_SECRET: 'c'.repeat(64),
  };
  const written = readFileSync(join(root, 'deploy/compose.yaml'), 'utf8');
  const text = written.replace(/(?<!\$)\$\{(\w+):\?\}/g, (_, name) => {
    expect(values).toHaveProperty(name);
    return values[name] ?? '';
  });
  const { services, volumes } = parse(text, { merge: true });
  for (const name of ['coppice', 'backup']) {
    const { environment } = services[name];
    const config = readConfig(environment);
    expect(config).toMatchObject({
      url: 'https://wiki.example.org',
      trustProxy: 1,
      s3: { bucket: 'coppice' },
    });
    expect(new URL(config.databaseUrl ?? '').hostname).toBe('postgres');
    expect(unknownSettings(environment)).toEqual([]);
    expect(services[name].user).toBeUndefined();
  }
  expect(services.coppice).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  for (const { volumes: mounted = [], depends_on = {} } of Object.values<Record<string, string[]>>(
    services,
  )) {
    for (const mount of mounted) expect(volumes).toHaveProperty(mount.split(':')[0] ?? '');
    const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
    for (const other of needed) expect(services).toHaveProperty(other);
  }
  const docs = readFileSync(join(root, 'docs/running.md'), 'utf8');
  for (const name of Object.keys(values)) expect(docs).toContain(name);
  expect(readFileSync(join(root, 'Dockerfile'), 'utf8')).toContain('USER node');
});
