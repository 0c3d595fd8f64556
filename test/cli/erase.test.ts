/** `coppice erase`: what it erases, reports and refuses. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPage } from '#core/pages/create-page.ts';
import { saveEdit } from '#core/pages/edit-page.ts';
import { engines, startWiki } from '../support/cli.ts';

test.each(engines)(
  'versions and members are erased, and backups that contain them are named, on %s',
  async (engine) => {
    await using wiki = await startWiki(engine);
    const { id } = await wiki.administrator();
    const file = join(wiki.folder, 'backup.tar.gz');
    await wiki.coppice(['member', 'add', 'eve@example.org', '--name', 'Eve', '--no-passphrase']);
    const bad = await (async () => {
      await using open = await wiki.open();
      const [{ store }, files] = [open, open.files];
      const root = { memberId: id, name: 'Root', isAdmin: true };
      const page = await createPage(
        { store, files, actor: root, now: Date.now() },
        { title: 'Roses', body: 'Something secret.' },
      );
      await saveEdit({ store, files, actor: root, now: Date.now() }, page.path, { body: 'Clean.' });
      return page.changeId;
    })();
    expect((await wiki.coppice(['backup', file])).code).toBe(0);
    const done = await wiki.coppice(['erase', '/roses', '--change', String(bad), '--reason', 'A name']);
    expect([done.code, done.err]).toEqual([0, '']);
    expect(JSON.parse(done.out)).toMatchObject({
      erased: { changes: [bad], files: [], member: null },
      backups: [{ place: file }],
    });
    const member = await wiki.coppice(['erase', '--member', 'eve@example.org', '--reason', 'Asked']);
    expect(JSON.parse(member.out).erased.member).toBeGreaterThan(0);
    expect((await wiki.coppice(['member', 'list'])).out).not.toContain('Eve');
    expect((await wiki.coppice(['audit', '--kind', 'content-erased'])).out).toContain('A name');
    expect((await wiki.coppice(['check'])).code).toBe(0);

    expect((await wiki.coppice(['erase', '/roses', '--change', String(bad)])).code).toBe(2);
    expect((await wiki.coppice(['erase', '/roses', '--change', 'x', '--reason', 'x'])).code).toBe(2);
    expect((await wiki.coppice(['erase', '/nowhere', '--change', '1', '--reason', 'x'])).code).toBe(1);
    expect((await wiki.coppice(['erase', '--reason', 'x'])).err).toContain('Name what to erase');
    // A restored wiki lacks what was erased before the backup, and keeps the mark of the erasure.
    expect((await wiki.coppice(['backup', `${file}.2`])).code).toBe(0);
    await using other = await startWiki(engine);
    expect((await other.coppice(['restore', `${file}.2`])).code).toBe(0);
    expect((await other.coppice(['check'])).code).toBe(0);
  },
);
