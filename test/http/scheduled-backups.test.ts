/** Scheduled backups: by one process of several, to a folder or bucket, encrypted, the latest ones kept, damage and failures reported. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { expect, test, vi } from 'vitest';
import { decryptWith } from '#copies/encryption.ts';
import { exportBucket } from '#files/s3.ts';
import { startWiki } from '../support/cli.ts';
import { baseEnvironment } from '../support/environment.ts';
import { startApp } from '../support/http.ts';
import { meddle } from '../support/rows.ts';
import { startStorage } from '../support/s3.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

vi.setConfig({ testTimeout: 120_000 });

test('a backup is made when due, by one process, encrypted, and the last one is kept beside a damaged one', async () => {
  let now = Date.parse('2026-05-01T10:00:00Z');
  const identity = await generateX25519Identity();
  const folder = join(await temporaryFolder(), 'to/be/made');
  await using source = await startWiki();
  await source.administrator();
  const env = {
    ...source.env,
    COPPICE_BACKUP_TO: folder,
    COPPICE_BACKUP_HOURS: '6',
    COPPICE_BACKUP_KEEP: '1',
    COPPICE_BACKUP_RECIPIENT: await identityToRecipient(identity),
  };
  const wiki = await startApp(env, { clock: () => now });
  const root = await wiki.member('Root', { isAdmin: true });
  await wiki.page(root.token, { title: 'Mill' });
  const loops = [1, 2, 3].map(() => wiki.app.startBackups({ ...baseEnvironment, ...env }));
  const look = () => Promise.all(loops.map((loop) => loop?.look()));
  try {
    await look();
    await look();
    const [first = '', ...others] = readdirSync(folder);
    expect([first, ...others]).toEqual(['coppice-20260501T100000Z.backup.tar.gz.age']);
    const archive = join(source.folder, 'decrypted.tar.gz');
    writeFileSync(archive, await decryptWith(identity, readFileSync(join(folder, first))));
    await using restored = await startWiki();
    expect(await restored.coppice(['restore', archive])).toMatchObject({ code: 0, err: '' });
    expect(wiki.app.service.disk.backups().map(({ place }) => place)).toEqual([join(folder, first)]);
    writeFileSync(join(folder, 'notes.txt'), 'of somebody else');
    const database = { kind: 'sqlite' as const, file: join(source.env.COPPICE_DATA ?? '', 'coppice.db') };
    for (const damage of ['', `update changes set content = '{'`]) {
      await meddle(database, damage);
      now += 6 * 60 * 60 * 1000;
      await look();
    }
    expect(readdirSync(folder).sort()).toEqual([
      'coppice-20260501T160000Z.backup.tar.gz.age',
      'coppice-20260501T220000Z.damaged.backup.tar.gz.age',
      'notes.txt',
    ]);
    expect(wiki.logged.filter((line) => line.includes('some of the data is damaged'))).toHaveLength(1);
    expect(readdirSync(join(source.env.COPPICE_DATA ?? '', 'tmp'))).toEqual([]);

    // A folder that cannot be written: reported, nothing recorded, and tried again.
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'a file');
    now += 6 * 60 * 60 * 1000;
    await look();
    expect(wiki.logged.filter((line) => line.includes('scheduled backup failed'))).toHaveLength(1);
    expect(wiki.app.service.disk.backups()).toHaveLength(3);
    rmSync(folder);
    now += 15 * 60 * 1000;
    await look();
    expect(readdirSync(folder)).toHaveLength(1);
  } finally {
    await Promise.all(loops.map((loop) => loop?.stop()));
    await wiki.close();
  }
});

test('a backup is stored in a bucket', async () => {
  await using storage = await startStorage();
  const { FILES: _, ...bucket } = storage.env;
  await using source = await startWiki();
  await source.administrator();
  const env = { ...source.env, ...bucket, COPPICE_BACKUP_TO: 's3:files/backups' };
  const wiki = await startApp(env);
  await wiki.app.startBackups({ ...baseEnvironment, ...env })?.look();
  const names = await exportBucket({ ...storage.settings, prefix: 'backups' }).list();
  expect(names).toEqual([expect.stringMatching(/^coppice-\d{8}T\d{6}Z\.backup\.tar\.gz$/)]);
  expect(wiki.app.service.disk.backups().map(({ place }) => place)).toEqual([`s3:files/backups/${names[0]}`]);
  await wiki.close();
});
