/** Deleted pages from the command line. */
import { expect, test } from 'vitest';
import { createPage } from '#core/pages/create-page.ts';
import { deletePage } from '#core/pages/delete-page.ts';
import { engines, startWiki } from '../support/cli.ts';

const ada = { memberId: 1, name: 'Ada Lovelace', isAdmin: true };

test.each(engines)('deleted pages are listed, restored and deleted permanently: %s', async (engine) => {
  await using wiki = await startWiki(engine);
  await wiki.administrator();
  const ids: number[] = [];
  {
    await using open = await wiki.open();
    const create = (title: string, parent = '') =>
      createPage({ store: open.store, files: open.files, actor: ada, now: 5 }, { title, parent });
    const remove = async (path: string) =>
      ids.push(
        (await deletePage({ store: open.store, actor: ada, now: Date.now() }, path, { subtree: true })).id,
      );
    await create('Oak');
    await create('Acorn', '/oak');
    for (const title of ['Elm', 'Ash', 'Yew']) await create(title);
    for (const path of ['/oak', '/elm', '/ash', '/yew']) await remove(path);
  }
  const [oak, elm, ash] = ids.map(String) as [string, string, string];
  const listed = await wiki.coppice(['trash', 'list', '--json']);
  expect(
    JSON.parse(listed.out).map(({ path, pages }: { path: string; pages: number }) => [path, pages]),
  ).toEqual([
    ['/yew', 1],
    ['/ash', 1],
    ['/elm', 1],
    ['/oak', 2],
  ]);
  expect((await wiki.coppice(['trash', 'list'])).out).toMatch(/\t2 pages\t\/oak\tAda Lovelace\n$/);

  expect(await wiki.coppice(['trash', 'restore', oak])).toEqual({ code: 0, out: '/oak\n', err: '' });
  expect((await wiki.coppice(['trash', 'restore', elm, '--path', '/oak'])).err).toMatch(
    /\/oak already exists/,
  );
  expect((await wiki.coppice(['trash', 'restore', elm, '--path', '/oak/elm'])).out).toBe('/oak/elm\n');
  expect((await wiki.coppice(['trash', 'purge', ash])).code).toBe(0);
  expect((await wiki.coppice(['trash', 'purge', ash])).code).toBe(1);
  expect((await wiki.coppice(['trash', 'purge', 'ash'])).code).toBe(2);
  expect((await wiki.coppice(['trash', 'empty', '--days', '1'])).out).toContain('0 deletions');
  expect((await wiki.coppice(['trash', 'empty'])).out).toContain('1 deletion.');
  expect((await wiki.coppice(['trash', 'list'])).err).toContain('empty');
  expect((await wiki.coppice(['check'])).code).toBe(0);

  await using open = await wiki.open();
  expect((await open.store.readAsSystem().pages.findByPath('/oak/acorn'))?.title).toBe('Acorn');
});
