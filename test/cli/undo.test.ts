/** `coppice member undo`: what it reports, does and refuses. */
import { expect, test } from 'vitest';
import { getByEmail } from '#core/members/manage-members.ts';
import { createPage } from '#core/pages/create-page.ts';
import { saveEdit } from '#core/pages/edit-page.ts';
import { engines, startWiki } from '../support/cli.ts';

test.each(engines)('changes of a member are undone, after a preview, on %s', async (engine) => {
  await using wiki = await startWiki(engine);
  const { id } = await wiki.administrator();
  await wiki.coppice(['member', 'add', 'eve@example.org', '--name', 'Eve', '--no-passphrase']);
  await (async () => {
    await using open = await wiki.open();
    const [{ store }, files] = [open, open.files];
    const root = { memberId: id, name: 'Root', isAdmin: true };
    const eve = { memberId: (await getByEmail(store, 'eve@example.org')).id, name: 'Eve', isAdmin: false };
    await createPage({ store, files, actor: root, now: Date.now() }, { title: 'Roses', body: 'Red.' });
    await saveEdit({ store, files, actor: eve, now: Date.now() }, '/roses', { body: 'Buy!' });
  })();
  const undo = (...args: string[]) => wiki.coppice(['member', 'undo', 'eve@example.org', ...args]);
  const expected = { pages: [{ path: '/roses', changes: 1, outcome: 'undone' }], more: 0 };
  for (const args of [['--dry-run'], []]) {
    const done = await undo('--since', '2020-01-01T00:00:00Z', ...args);
    expect([done.code, done.err]).toEqual([0, '']);
    expect(JSON.parse(done.out)).toMatchObject(expected);
  }
  const again = await undo('--since', '2020-01-01T00:00:00Z');
  expect(JSON.parse(again.out).pages[0].outcome).toBe('left');
  expect((await wiki.coppice(['audit', '--kind', 'changes-undone'])).out).toContain('1 page');
  expect((await wiki.coppice(['check'])).code).toBe(0);

  expect((await undo()).code).toBe(2);
  const bad = await undo('--since', 'yesterday');
  expect([bad.code, bad.err.includes('Say since when')]).toEqual([1, true]);
});
