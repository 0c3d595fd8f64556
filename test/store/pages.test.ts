/** Contract of both engines: pages with their changes and files, and moves. */
import { expect, test } from 'vitest';
import { forEachEngine } from '../support/postgres.ts';
import {
  addPage,
  administrator,
  all,
  anyone,
  codeOf,
  editPage,
  memberWith,
  movePage,
  pageWith,
  withMembers,
} from '../support/write-pages.ts';

forEachEngine((open) => {
  test('a page is found by path and ID with the content of its latest change', async () => {
    await using store = await open();
    await withMembers(store);
    const id = await addPage(store, {
      title: 'Old Mill',
      body: 'wheel',
      location: { lat: 0, lon: -0.5 },
      at: 50,
    });
    const page = await store.readAsSystem().pages.findByPath('/old-mill');
    expect(page).toMatchObject({
      id,
      title: 'Old Mill',
      location: { lat: 0, lon: -0.5 },
      parentId: null,
      depth: 0,
      trail: [],
      permissions: 774,
      audience: 0,
      owner: { id: 1, name: 'Ann' },
      createdAt: 50,
      updatedAt: 50,
      content: { body: 'wheel' },
    });
    expect(await store.readAsSystem().pages.findById(id)).toEqual(page);
    expect(await store.readAsSystem().pages.findByPath('/Old-Mill')).toBeUndefined();
    const changeId = await editPage(store, id, { body: 'sail', editorId: 2, at: 60 });
    expect(await store.readAsSystem().pages.findById(id)).toMatchObject({
      changeId,
      updatedAt: 60,
      content: { body: 'sail' },
    });
  });

  test('update times of a page never decrease', async () => {
    await using store = await open();
    await withMembers(store);
    const id = await addPage(store, { title: 'A', at: 100 });
    await editPage(store, id, { body: 'x', at: 40 });
    expect((await store.readAsSystem().pages.findById(id))?.updatedAt).toBe(100);
    expect((await store.readAsSystem().changes.list(pageWith(id), all)).changes.map(({ at }) => at)).toEqual([
      100, 100,
    ]);
  });

  test('changes are listed newest first, and each is found by its ID, also with the change before it', async () => {
    await using store = await open();
    await withMembers(store);
    const id = await addPage(store, { title: 'A', body: 'one' });
    const other = await addPage(store, { title: 'B' });
    const second = await editPage(store, id, { body: 'two', editorId: 2 });
    const third = await editPage(store, id, { body: 'three' });
    const { changes, total } = await store.readAsSystem().changes.list(pageWith(id), { limit: 2, offset: 0 });
    expect(total).toBe(3);
    expect(changes.map((change) => [change.id, change.content.body, change.editor.name])).toEqual([
      [third, 'three', 'Ann'],
      [second, 'two', 'Bob'],
    ]);
    expect((await store.readAsSystem().changes.find(pageWith(id), second))?.content.body).toBe('two');
    expect(await store.readAsSystem().changes.find(pageWith(other), second)).toBeUndefined();
    expect((await store.readAsSystem().changes.findBefore(pageWith(id), third))?.id).toBe(second);
    expect((await store.readAsSystem().changes.findBefore(pageWith(id), second))?.content.body).toBe('one');
    expect(await store.readAsSystem().changes.findBefore(pageWith(other), second)).toMatchObject({
      pageId: other,
    });
  });

  test('a page loads whole: tags, likes, files, history, ancestors; unknown IDs are left out', async () => {
    await using store = await open();
    await withMembers(store);
    const top = await addPage(store, { title: 'Top' });
    const middle = await addPage(store, { title: 'Middle', parentId: top });
    const leaf = await addPage(store, {
      title: 'Leaf',
      parentId: middle,
      tags: [
        ['__proto__', 'x'],
        ['kind', 'b'],
        ['kind', 'a'],
      ],
    });
    await editPage(store, leaf, { body: 'again' });
    await store.transact((store) => store.pages.addLike(leaf, 2, 10));
    await store.transact((store) => store.pages.addLike(leaf, 1, 20));
    await store.transact((store) => store.pages.addLike(leaf, 2, 30));
    const file = {
      name: 'n1',
      pageId: leaf,
      filename: 'a.png',
      hash: 'h1',
      mime: 'image/png',
      sizeBytes: 5,
      width: 2,
      height: 3,
      thumbnail: 't1',
      thumbnailHash: 'h2',
      thumbnailMime: 'image/webp',
      uploadedAt: 9,
      uploaderId: 1,
    };
    await store.transact((store) => store.files.keep(leaf, ['n1'], [file]));
    const [first, second] = await store.readAsSystem().pages.load([leaf, 999, top], 'all');
    expect(first).toMatchObject({ id: leaf, likes: [2, 1], files: [file] });
    expect(Object.entries(first?.tags ?? {})).toEqual([
      ['__proto__', ['x']],
      ['kind', ['b', 'a']],
    ]);
    expect(first?.history.map(({ content }) => content.body)).toEqual(['', 'again']);
    expect(first?.lineage.map(({ title }) => title)).toEqual(['Top', 'Middle']);
    expect(second).toMatchObject({ id: top, lineage: [], likes: [], files: [], tags: {} });
    const [latest] = await store.readAsSystem().pages.load([leaf], 'latest');
    expect(latest?.history.map(({ content }) => content.body)).toEqual(['again']);
    expect((await store.readAsSystem().pages.load([leaf], 'none'))[0]?.history).toEqual([]);
    await store.transact((store) => store.pages.removeLike(leaf, 2));
    expect((await store.readAsSystem().pages.load([leaf], 'none'))[0]?.likes).toEqual([1]);
  });

  test('a file of the same name replaces the older one, which stays; files are found by either name', async () => {
    await using store = await open();
    await withMembers(store);
    const pageId = await addPage(store, { title: 'A', permissions: 700 });
    const file = {
      name: 'n1',
      pageId,
      filename: 'a.txt',
      hash: 'h1',
      mime: 'text/plain',
      sizeBytes: 5,
      width: null,
      height: null,
      thumbnail: null,
      thumbnailHash: null,
      thumbnailMime: null,
      uploadedAt: 9,
      uploaderId: 1,
    };
    await store.transact((store) => store.files.keep(pageId, ['n1'], [file]));
    const newer = { ...file, name: 'n2', hash: 'h2', thumbnail: 't2', thumbnailHash: 'h3' };
    const changeId = await editPage(store, pageId, { body: 'two' });
    await store.transact((store) => store.files.keep(pageId, ['n2'], [newer]));
    const page = {
      id: pageId,
      trail: [],
      permissions: 700,
      ownerId: 1,
      audience: 2,
      path: '/a',
      group: null,
      historyFrom: 0,
    };
    expect(await store.readAsSystem().files.find('n1')).toEqual({ file, untilChangeId: changeId, page });
    const found = { file: newer, untilChangeId: null, page };
    expect(await store.readAsSystem().files.find('n2')).toEqual(found);
    expect(await store.readAsSystem().files.find('t2')).toEqual(found);
    const names = ['a.txt', '/a/a.txt', '/b/a.txt', 'b.txt'];
    expect([...(await store.readAs(administrator).links.files(pageId, names)).keys()].sort()).toEqual([
      '/a/a.txt',
      'a.txt',
    ]);
    expect([...(await store.readAs(anyone).links.files(null, names)).keys()]).toEqual([]);
    const hashes: string[] = [];
    for await (const hash of store.maintenance.fileHashes()) hashes.push(hash);
    expect(hashes).toEqual(['h1', 'h2', 'h3']);
    expect((await store.readAsSystem().pages.load([pageId], 'none'))[0]?.files).toEqual([newer]);
    await store.transact((store) => store.files.keep(pageId, ['n1'], []));
    expect((await store.readAsSystem().pages.load([pageId], 'none'))[0]?.files).toEqual([file]);
    expect(await store.readAsSystem().files.named(['n2', 'n1', 'n3'])).toEqual([file, newer]);
  });

  test('moving a page moves its subtree and leaves the old paths as aliases', async () => {
    await using store = await open();
    await withMembers(store);
    const home = await addPage(store, { title: 'Home' });
    const a = await addPage(store, { title: 'A' });
    const b = await addPage(store, { title: 'B', parentId: a });
    const far = await addPage(store, { title: 'Far', parentId: b, path: '/elsewhere' });
    const c = await addPage(store, { title: 'C', parentId: far, path: '/a/b/c' });
    const moved = await movePage(store, a, '/home/a2', home);
    expect(moved[0]).toMatchObject({ id: a, from: '/a', to: '/home/a2' });
    expect(new Set(moved.slice(1).map(({ to }) => to))).toEqual(new Set(['/home/a2/b', '/home/a2/b/c']));
    expect(await store.readAsSystem().pages.findById(a)).toMatchObject({
      path: '/home/a2',
      parentId: home,
      depth: 1,
      trail: [home],
    });
    expect(await store.readAsSystem().pages.findById(far)).toMatchObject({
      path: '/elsewhere',
      depth: 3,
      trail: [home, a, b],
    });
    expect(await store.readAsSystem().pages.findById(c)).toMatchObject({
      path: '/home/a2/b/c',
      depth: 4,
      trail: [home, a, b, far],
    });
    expect((await store.readAs(anyone).pages.findByAlias('/a/b/c'))?.id).toBe(c);
    expect(await store.readAs(anyone).pages.findByAlias('/elsewhere')).toBeUndefined();
    await movePage(store, b, '/Home/Upper', home);
    expect((await store.readAs(anyone).pages.complete('/home/up', 10)).map(({ id }) => id)).toEqual([b, c]);
    expect(await store.maintenance.violations(10)).toEqual([]);
  });

  test('a page can move to the path of a page beneath it', async () => {
    await using store = await open();
    await withMembers(store);
    const a = await addPage(store, { title: 'A' });
    const b = await addPage(store, { title: 'B', parentId: a, path: '/ab' });
    const c = await addPage(store, { title: 'C', parentId: a, path: '/a/b' });
    // /a → /ab: the child there does not follow its parent's path.
    expect(await codeOf(movePage(store, a, '/ab', null))).toBe('path-taken');
    // /a → /a/b, /a/b → /a/b/b: one frees the path that the other takes.
    await movePage(store, a, '/a/b', null);
    expect((await store.readAsSystem().pages.findById(a))?.path).toBe('/a/b');
    expect((await store.readAsSystem().pages.findById(c))?.path).toBe('/a/b/b');
    expect((await store.readAsSystem().pages.findById(b))?.path).toBe('/ab');
    expect((await store.readAs(anyone).pages.findByAlias('/a/b'))?.id).toBe(c);
    expect(await store.maintenance.violations(10)).toEqual([]);
  });

  test('a move onto a page outside the subtree is refused and changes nothing', async () => {
    await using store = await open();
    await withMembers(store);
    const a = await addPage(store, { title: 'A' });
    await addPage(store, { title: 'B', parentId: a });
    await addPage(store, { title: 'X', path: '/z/b' });
    const error = await movePage(store, a, '/z', null).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'path-taken', message: 'A page at /z/b already exists.' });
    expect((await store.readAsSystem().pages.findById(a))?.path).toBe('/a');
    // A child that keeps its path blocks the move as well.
    await addPage(store, { title: 'Y', parentId: a, path: '/w/b' });
    const own = await movePage(store, a, '/w', null).catch((error: unknown) => error);
    expect(own).toMatchObject({ code: 'path-taken', message: 'A page at /w/b already exists.' });
    expect(await store.readAs(anyone).pages.previewMove(a, { path: '/z', depth: 0 })).toEqual({
      moves: [
        { id: a, from: '/a', to: '/z' },
        { id: a + 1, from: '/a/b', to: '/z/b' },
      ],
      taken: ['/z/b'],
    });
    expect(await store.readAs(anyone).pages.previewMove(a, { path: '/y', depth: 0 })).toMatchObject({
      taken: [],
    });
  });

  test('a move that would make a path too long or a page too deep is refused', async () => {
    await using store = await open();
    await withMembers(store);
    const a = await addPage(store, { title: 'A' });
    await addPage(store, { title: 'B', parentId: a, path: `/a/${'b'.repeat(1000)}` });
    expect(await codeOf(movePage(store, a, `/${'a'.repeat(30)}`, null))).toBe('invalid');
    let below: number | null = null;
    for (let depth = 0; depth < 250; depth++) {
      below = await addPage(store, { title: `D${depth}`, parentId: below, path: `/d${depth}` });
    }
    expect(await codeOf(movePage(store, a, '/a', below))).toBe('invalid');
    expect(await store.maintenance.violations(10)).toEqual([]);
  });

  test('an old path leads to the page that left it last, among those that the reader sees', async () => {
    await using store = await open();
    await withMembers(store);
    const first = await addPage(store, { title: 'First', path: '/x' });
    await movePage(store, first, '/first', null);
    const hidden = await addPage(store, { title: 'Hidden', path: '/x', permissions: 700, ownerId: 2 });
    expect((await store.readAs(anyone).links.resolve(['/x'])).get('/x')?.id).toBe(first);
    expect((await store.readAs(memberWith(2)).links.resolve(['/x'])).get('/x')?.id).toBe(hidden);
    await movePage(store, hidden, '/hidden', null);
    expect((await store.readAs(anyone).pages.findByAlias('/x'))?.id).toBe(first);
    expect((await store.readAs(memberWith(2)).pages.findByAlias('/x'))?.id).toBe(hidden);
    await movePage(store, first, '/x', null);
    await movePage(store, first, '/first', null);
    expect((await store.readAs(administrator).pages.findByAlias('/x'))?.id).toBe(first);
  });
});
