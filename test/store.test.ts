/** What every engine must do alike: each method of the store, and writers at the same time. */
import { expect, test } from 'vitest';
import type { SearchCriteria } from '#domain/list-store.ts';
import { metresBetween } from '#domain/place.ts';
import { Problem } from '#domain/problem.ts';
import { readTextQuery } from '#domain/search.ts';
import type { Store } from '#domain/store.ts';
import {
  addMember,
  addPage,
  all,
  type Draft,
  editPage,
  everything,
  memberSight,
  movePage,
  world,
} from './store-writing.ts';
import { forEachEngine } from './support-postgres.ts';

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  return error instanceof Problem ? error.code : String(error);
}

const asked: SearchCriteria = { logic: 'and', order: 'alphabetical', limit: 1000, offset: 0 };

/** Members Ann (1, owner of what is not said otherwise) and Bob (2). */
async function withMembers(store: Store): Promise<void> {
  await addMember(store, 'Ann', true);
  await addMember(store, 'Bob');
}

forEachEngine((open) => {
  test('members are found by ID and by address without regard to case; an address is taken once', async () => {
    await using store = await open();
    const ann = await store.members.insert({
      email: 'Ann@Example.org',
      name: 'Ann',
      isAdmin: true,
      passphraseHash: null,
      createdAt: 5,
    });
    expect(ann).toEqual({
      id: 1,
      email: 'Ann@Example.org',
      name: 'Ann',
      isAdmin: true,
      isActive: true,
      epoch: 0,
      passphraseHash: null,
      createdAt: 5,
    });
    expect(await store.members.findById(1)).toEqual(ann);
    expect(await store.members.findByEmail('aNN@example.ORG')).toEqual(ann);
    expect(await store.members.findByEmail('bob@example.org')).toBeUndefined();
    expect(await codeOf(addMember(store, 'ann'))).toBe('invalid');
    const bob = await addMember(store, 'Bob');
    expect((await store.members.list({ limit: 1, offset: 1 })).members.map(({ id }) => id)).toEqual([bob]);
    expect((await store.members.list(all)).total).toBe(2);
  });

  test('a new passphrase and deactivation raise the epoch, a new name does not', async () => {
    await using store = await open();
    const id = await addMember(store, 'Ann', true);
    expect(await store.members.update(id, { name: 'Anna' })).toMatchObject({ name: 'Anna', epoch: 0 });
    expect((await store.members.update(id, { passphraseHash: 'x' })).epoch).toBe(1);
    expect(await store.members.countActiveAdmins()).toBe(1);
    expect(await store.members.update(id, { isActive: false })).toMatchObject({ isActive: false, epoch: 2 });
    expect(await store.members.countActiveAdmins()).toBe(0);
    await store.members.raiseEpoch(id);
    expect((await store.members.findById(id))?.epoch).toBe(3);
    expect(await codeOf(store.members.update(99, { name: 'Nobody' }))).toBe('not-found');
  });

  test('an invitation is used once, however many try at once, and not after it expired', async () => {
    await using store = await open();
    const invitation = { isAdmin: true, invitedBy: null, createdAt: 1, expiresAt: 100 };
    await store.members.insertInvitation({ tokenHash: 'a', ...invitation });
    await store.members.insertInvitation({ tokenHash: 'b', ...invitation });
    expect(await store.members.findInvitation('a')).toEqual({
      isAdmin: true,
      invitedBy: null,
      expiresAt: 100,
    });
    const tries = await Promise.all(
      Array.from({ length: 10 }, () => store.transact((store) => store.members.useInvitation('a', 50))),
    );
    expect(tries.filter(Boolean)).toHaveLength(1);
    expect(await store.members.findInvitation('a')).toBeUndefined();
    expect(await store.members.useInvitation('b', 100)).toBe(false);
    expect(await store.members.useInvitation('c', 1)).toBe(false);
  });

  test('a handle signs in for its provider alone and until it is removed', async () => {
    await using store = await open();
    const memberId = await addMember(store, 'Ann');
    const handle = { handleHash: 'h', memberId, provider: 'github', createdAt: 7 };
    await store.members.insertHandle(handle);
    await store.members.insertHandle({ ...handle, handleHash: 'i' });
    expect(await store.members.findHandle('github', 'h')).toEqual({
      memberId,
      provider: 'github',
      createdAt: 7,
    });
    expect(await store.members.findHandle('gitlab', 'h')).toBeUndefined();
    expect(await store.members.removeHandles(memberId, 'github')).toBe(2);
    expect(await store.members.findHandle('github', 'h')).toBeUndefined();
  });

  test('a page is found by path and ID with the content of its latest change', async () => {
    await using store = await open();
    await withMembers(store);
    const id = await addPage(store, {
      title: 'Old Mill',
      body: 'wheel',
      location: { lat: 0, lon: -0.5 },
      at: 50,
    });
    const page = await store.pages.findByPath('/old-mill');
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
    expect(await store.pages.findById(id)).toEqual(page);
    expect(await store.pages.findByPath('/Old-Mill')).toBeUndefined();
    const changeId = await editPage(store, id, { body: 'sail', editorId: 2, at: 60 });
    expect(await store.pages.findById(id)).toMatchObject({
      changeId,
      updatedAt: 60,
      content: { body: 'sail' },
    });
  });

  test('time never runs backwards for a page', async () => {
    await using store = await open();
    await withMembers(store);
    const id = await addPage(store, { title: 'A', at: 100 });
    await editPage(store, id, { body: 'x', at: 40 });
    expect((await store.pages.findById(id))?.updatedAt).toBe(100);
    expect((await store.changes.list(id, all)).changes.map(({ at }) => at)).toEqual([100, 100]);
  });

  test('changes are listed newest first, found alone, and with the one before', async () => {
    await using store = await open();
    await withMembers(store);
    const id = await addPage(store, { title: 'A', body: 'one' });
    const other = await addPage(store, { title: 'B' });
    const second = await editPage(store, id, { body: 'two', editorId: 2 });
    const third = await editPage(store, id, { body: 'three' });
    const { changes, total } = await store.changes.list(id, { limit: 2, offset: 0 });
    expect(total).toBe(3);
    expect(changes.map((change) => [change.id, change.content.body, change.editor.name])).toEqual([
      [third, 'three', 'Ann'],
      [second, 'two', 'Bob'],
    ]);
    expect((await store.changes.find(id, second))?.content.body).toBe('two');
    expect(await store.changes.find(other, second)).toBeUndefined();
    expect((await store.changes.findBefore(id, third))?.id).toBe(second);
    expect((await store.changes.findBefore(id, second))?.content.body).toBe('one');
    expect(await store.changes.findBefore(other, second)).toMatchObject({ pageId: other });
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
    await store.pages.addLike(leaf, 2, 10);
    await store.pages.addLike(leaf, 1, 20);
    await store.pages.addLike(leaf, 2, 30);
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
    await store.files.attach(file);
    const [first, second] = await store.pages.load([leaf, 999, top], 'all');
    expect(first).toMatchObject({ id: leaf, likes: [2, 1], files: [file] });
    expect(Object.entries(first?.tags ?? {})).toEqual([
      ['__proto__', ['x']],
      ['kind', ['b', 'a']],
    ]);
    expect(first?.history.map(({ content }) => content.body)).toEqual(['', 'again']);
    expect(first?.lineage.map(({ title }) => title)).toEqual(['Top', 'Middle']);
    expect(second).toMatchObject({ id: top, lineage: [], likes: [], files: [], tags: {} });
    const [latest] = await store.pages.load([leaf], 'latest');
    expect(latest?.history.map(({ content }) => content.body)).toEqual(['again']);
    expect((await store.pages.load([leaf], 'none'))[0]?.history).toEqual([]);
    await store.pages.removeLike(leaf, 2);
    expect((await store.pages.load([leaf], 'none'))[0]?.likes).toEqual([1]);
  });

  test('a file of the same name replaces the older one; files are found by either name', async () => {
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
    await store.files.attach(file);
    const newer = { ...file, name: 'n2', hash: 'h2', thumbnail: 't2', thumbnailHash: 'h3' };
    await store.files.attach(newer);
    expect(await store.files.find('n1')).toBeUndefined();
    const found = { file: newer, page: { permissions: 700, ownerId: 1, audience: 2, path: '/a' } };
    expect(await store.files.find('n2')).toEqual(found);
    expect(await store.files.find('t2')).toEqual(found);
    const names = ['a.txt', '/a/a.txt', '/b/a.txt', 'b.txt'];
    expect([...(await store.links.files(pageId, names, everything)).keys()].sort()).toEqual([
      '/a/a.txt',
      'a.txt',
    ]);
    expect([...(await store.links.files(null, names, world)).keys()]).toEqual([]);
    const hashes: string[] = [];
    for await (const hash of store.upkeep.fileHashes()) hashes.push(hash);
    expect(hashes).toEqual(['h2', 'h3']);
    await store.files.detach('n2');
    expect(await store.files.find('n2')).toBeUndefined();
  });

  test('moving a page takes its subtree along and leaves the old paths as aliases', async () => {
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
    expect(await store.pages.findById(a)).toMatchObject({
      path: '/home/a2',
      parentId: home,
      depth: 1,
      trail: [home],
    });
    expect(await store.pages.findById(far)).toMatchObject({
      path: '/elsewhere',
      depth: 3,
      trail: [home, a, b],
    });
    expect(await store.pages.findById(c)).toMatchObject({
      path: '/home/a2/b/c',
      depth: 4,
      trail: [home, a, b, far],
    });
    expect((await store.pages.findByAlias('/a/b/c', world))?.id).toBe(c);
    expect(await store.pages.findByAlias('/elsewhere', world)).toBeUndefined();
    expect(await store.upkeep.violations(10)).toEqual([]);
  });

  test('a page can move to where a page beneath it lies', async () => {
    await using store = await open();
    await withMembers(store);
    const a = await addPage(store, { title: 'A' });
    const b = await addPage(store, { title: 'B', parentId: a, path: '/ab' });
    const c = await addPage(store, { title: 'C', parentId: a, path: '/a/b' });
    // /a → /ab is taken by its own child, whose path does not follow.
    expect(await codeOf(movePage(store, a, '/ab', null))).toBe('path-taken');
    // /a → /a/b, /a/b → /a/b/b: each frees what another takes.
    await movePage(store, a, '/a/b', null);
    expect((await store.pages.findById(a))?.path).toBe('/a/b');
    expect((await store.pages.findById(c))?.path).toBe('/a/b/b');
    expect((await store.pages.findById(b))?.path).toBe('/ab');
    expect((await store.pages.findByAlias('/a/b', world))?.id).toBe(c);
    expect(await store.upkeep.violations(10)).toEqual([]);
  });

  test('a move onto a page outside the subtree is refused and changes nothing', async () => {
    await using store = await open();
    await withMembers(store);
    const a = await addPage(store, { title: 'A' });
    await addPage(store, { title: 'B', parentId: a });
    await addPage(store, { title: 'X', path: '/z/b' });
    const error = await movePage(store, a, '/z', null).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'path-taken', message: 'A page at /z/b already exists.' });
    expect((await store.pages.findById(a))?.path).toBe('/a');
    expect(await store.pages.previewMove(a, '/z', world)).toEqual({
      moves: [
        { id: a, from: '/a', to: '/z' },
        { id: a + 1, from: '/a/b', to: '/z/b' },
      ],
      taken: ['/z/b'],
    });
    expect(await store.pages.previewMove(a, '/y', world)).toMatchObject({ taken: [] });
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
    expect(await store.upkeep.violations(10)).toEqual([]);
  });

  test('an old path leads to the page that left it last, of those that the reader sees', async () => {
    await using store = await open();
    await withMembers(store);
    const first = await addPage(store, { title: 'First', path: '/x' });
    await movePage(store, first, '/first', null);
    const hidden = await addPage(store, { title: 'Hidden', path: '/x', permissions: 700, ownerId: 2 });
    expect((await store.links.resolve(['/x'], world)).get('/x')?.id).toBe(first);
    expect((await store.links.resolve(['/x'], memberSight(2))).get('/x')?.id).toBe(hidden);
    await movePage(store, hidden, '/hidden', null);
    expect((await store.pages.findByAlias('/x', world))?.id).toBe(first);
    expect((await store.pages.findByAlias('/x', memberSight(2)))?.id).toBe(hidden);
    await movePage(store, first, '/x', null);
    await movePage(store, first, '/first', null);
    expect((await store.pages.findByAlias('/x', everything))?.id).toBe(first);
  });

  test('titles resolve without regard to case, exact case first, then lowest ID; templates by type first', async () => {
    await using store = await open();
    await withMembers(store);
    const hidden = await addPage(store, { title: 'mill', path: '/0', permissions: 700 });
    const lower = await addPage(store, { title: 'mill', path: '/1', body: 'lower' });
    const upper = await addPage(store, { title: 'Mill', path: '/2', body: 'upper' });
    const template = await addPage(store, { title: 'MILL', path: '/3', type: 'Template', body: 'template' });
    const targets = ['mill', 'Mill', 'MILL', 'mIlL', '/2', '/0', 'Dam'];
    const seen = await store.links.resolve(targets, world);
    expect(targets.map((target) => seen.get(target)?.id)).toEqual([
      lower,
      upper,
      template,
      lower,
      upper,
      undefined,
      undefined,
    ]);
    expect((await store.links.resolve(['mill'], everything)).get('mill')?.id).toBe(hidden);
    const templates = await store.links.templates(['Mill', '/1'], world);
    expect(templates.get('Mill')).toMatchObject({ id: template, body: 'template', format: 'wikitext' });
    expect(templates.get('/1')).toMatchObject({ id: lower, body: 'lower' });
  });

  test('backlinks are the links that resolve to the page for the reader, once each, by title', async () => {
    await using store = await open();
    await withMembers(store);
    const mill = await addPage(store, { title: 'Mill', path: '/mill' });
    const other = await addPage(store, { title: 'mill', path: '/mill2' });
    const z = await addPage(store, { title: 'Zoo', links: ['Mill', 'MILL', '/mill'] });
    const e = await addPage(store, { title: 'Éclair', templates: ['Mill'] });
    const f = await addPage(store, { title: 'Fork', links: ['mill'] });
    await addPage(store, { title: 'Secret', links: ['Mill'], permissions: 700 });
    const page = async (id: number) => (await store.pages.findById(id)) as never;
    const backlinks = await store.links.backlinks(await page(mill), world, all);
    expect(backlinks).toMatchObject({
      pages: [
        { id: e, title: 'Éclair', path: '/éclair' },
        { id: z, title: 'Zoo', path: '/zoo' },
      ],
      total: 2,
    });
    expect((await store.links.backlinks(await page(other), world, all)).pages.map(({ id }) => id)).toEqual([
      f,
    ]);
    await movePage(store, mill, '/old-mill', null);
    const second = await store.links.backlinks(await page(mill), world, { limit: 1, offset: 1 });
    expect(second).toMatchObject({ pages: [{ id: z }], total: 2 });
  });

  test('a link is wanted until a page answers it, and a private page answers for its readers alone', async () => {
    await using store = await open();
    await withMembers(store);
    const titles = async (sight = world) =>
      (await store.links.wanted(sight, 10, 10)).map(({ title, count }) => `${title} ${count}`);
    const one = await addPage(store, { title: 'One', links: ['Dam', 'dam', '/Gone', 'One'] });
    await addPage(store, { title: 'Two', links: ['dam', 'dam', 'Éclair', 'Zoo'] });
    await addPage(store, { title: 'Hidden', links: ['dam', 'Secret wish'], permissions: 700, ownerId: 2 });
    expect(await titles()).toEqual(['dam 2', '/Gone 1', 'Éclair 1', 'Zoo 1']);
    expect(await titles(memberSight(2))).toEqual(['dam 3', '/Gone 1', 'Éclair 1', 'Secret wish 1', 'Zoo 1']);
    expect(await titles(memberSight(1))).toEqual(await titles());
    expect(await titles(everything)).toEqual(await titles(memberSight(2)));

    const dam = await addPage(store, { title: 'DAM', permissions: 700, ownerId: 2 });
    expect(await titles()).toEqual(['dam 2', '/Gone 1', 'Éclair 1', 'Zoo 1']);
    expect(await titles(memberSight(2))).toEqual(['/Gone 1', 'Éclair 1', 'Secret wish 1', 'Zoo 1']);
    await editPage(store, dam, { permissions: 770 });
    expect(await titles()).toEqual(['dam 2', '/Gone 1', 'Éclair 1', 'Zoo 1']);
    expect(await titles(memberSight(1))).toEqual(['/Gone 1', 'Éclair 1', 'Zoo 1']);
    await editPage(store, dam, { permissions: 774 });
    expect(await titles()).toEqual(['/Gone 1', 'Éclair 1', 'Zoo 1']);
    await editPage(store, dam, { title: 'Weir' });
    expect(await titles()).toEqual(['dam 2', '/Gone 1', 'Éclair 1', 'Zoo 1']);
    const gone = await addPage(store, { title: 'Gone', path: '/Gone' });
    expect(await titles()).toEqual(['dam 2', 'Éclair 1', 'Zoo 1']);
    await movePage(store, gone, '/here', null);
    expect(await titles()).toEqual(['dam 2', 'Éclair 1', 'Zoo 1']);
    await editPage(store, gone, { permissions: 770 });
    expect(await titles()).toEqual(['dam 2', '/Gone 1', 'Éclair 1', 'Zoo 1']);
    await editPage(store, one, { links: [] });
    expect(await titles()).toEqual(['dam 1', 'Éclair 1', 'Zoo 1']);
    expect(await store.upkeep.violations(10)).toEqual([]);
  });

  test('wanted links show their most frequent spelling and a bounded list of pages by title', async () => {
    await using store = await open();
    await withMembers(store);
    for (const [title, links] of [
      ['C', ['dam', 'Dam']],
      ['b', ['dam']],
      ['A', ['DAM', 'DAM']],
    ] as [string, string[]][]) {
      await addPage(store, { title, links });
    }
    const [wanted] = await store.links.wanted(world, 1, 2);
    expect(wanted).toMatchObject({ title: 'DAM', count: 3, links: [{ title: 'A' }, { title: 'b' }] });
  });

  test('search finds by each criterion, by all of them, and by any', async () => {
    await using store = await open();
    await withMembers(store);
    const pages: Record<string, number> = {};
    const add = async (draft: Draft & { title: string }) => {
      pages[draft.title] = await addPage(store, draft);
    };
    await add({ title: 'Oak', type: 'Tree', tags: [['leaf', 'lobed']] });
    await add({ title: 'Holm oak', parentId: pages.Oak as number, type: 'Tree', tags: [['leaf', 'whole']] });
    await add({ title: 'Éclair', tags: [['kind', 'lobed']], body: 'choux pastry' });
    await add({ title: 'Hidden oak', permissions: 700, ownerId: 2, type: 'Tree' });
    await add({ title: '100%_\\', path: '/a%b' });
    const find = async (criteria: Partial<SearchCriteria>, sight = world) => {
      const { ids, total } = await store.lists.search({ ...asked, ...criteria }, sight);
      expect(total).toBe(ids.length);
      return ids.map((id) => Object.keys(pages).find((title) => pages[title] === id));
    };
    expect(await find({})).toEqual([]);
    expect(await find({ pathPrefix: '/oak' })).toEqual(['Holm oak', 'Oak']);
    expect(await find({ pathPrefix: '/a%' })).toEqual(['100%_\\']);
    expect(await find({ pathPrefix: '/%' })).toEqual([]);
    expect(await find({ titleFragment: 'OAK' })).toEqual(['Holm oak', 'Oak']);
    expect(await find({ titleFragment: ' oak' })).toEqual(['Holm oak']);
    expect(await find({ titleFragment: 'ÉC' })).toEqual(['Éclair']);
    expect(await find({ titleFragment: '%' })).toEqual(['100%_\\']);
    expect(await find({ titleFragment: '%_\\' })).toEqual(['100%_\\']);
    expect(await find({ titleFragment: '0_' })).toEqual([]);
    expect(await find({ titleFragment: '"oak' })).toEqual([]);
    expect(await find({ type: 'Tree' })).toEqual(['Holm oak', 'Oak']);
    expect(await find({ type: 'Tree' }, memberSight(2))).toEqual(['Hidden oak', 'Holm oak', 'Oak']);
    expect(await find({ type: 'tree' })).toEqual([]);
    expect(await find({ tags: [{ value: 'lobed' }] })).toEqual(['Éclair', 'Oak']);
    expect(await find({ tags: [{ key: 'leaf', value: 'lobed' }] })).toEqual(['Oak']);
    expect(await find({ tags: [{ value: 'lobed' }, { key: 'kind', value: 'lobed' }] })).toEqual(['Éclair']);
    expect(await find({ ancestorId: pages.Oak as number })).toEqual(['Holm oak']);
    expect(await find({ ancestorId: 999, type: 'Tree' })).toEqual([]);
    expect(await find({ type: 'Tree', titleFragment: 'holm' })).toEqual(['Holm oak']);
    expect(await find({ type: 'Tree', titleFragment: 'clair', logic: 'or' })).toEqual([
      'Éclair',
      'Holm oak',
      'Oak',
    ]);
    const orWithin = {
      type: 'Tree',
      titleFragment: 'clair',
      logic: 'or',
      ancestorId: pages.Oak as number,
    } as const;
    expect(await find(orWithin)).toEqual(['Holm oak']);
    expect(await find({ type: 'Tree', order: 'reverse alphabetical' })).toEqual(['Oak', 'Holm oak']);
    expect(await find({ pathPrefix: '/', order: 'last created' })).toEqual([
      '100%_\\',
      'Éclair',
      'Holm oak',
      'Oak',
    ]);
    await editPage(store, pages.Oak as number, { body: 'acorn' });
    expect(await find({ pathPrefix: '/', order: 'most recent update' })).toEqual([
      'Oak',
      '100%_\\',
      'Éclair',
      'Holm oak',
    ]);
    expect(await find({ pathPrefix: '/', order: 'oldest update' })).toEqual([
      'Holm oak',
      'Éclair',
      '100%_\\',
      'Oak',
    ]);
    const { ids, total } = await store.lists.search(
      { ...asked, pathPrefix: '/', limit: 2, offset: 1 },
      world,
    );
    expect([ids, total]).toEqual([[pages.Éclair, pages['Holm oak']], 4]);
    expect(await store.lists.facets({ ...asked, pathPrefix: '/' }, world)).toEqual({
      types: [{ type: 'Tree', count: 2 }],
      tags: [
        { key: 'kind', value: 'lobed', count: 1 },
        { key: 'leaf', value: 'lobed', count: 1 },
        { key: 'leaf', value: 'whole', count: 1 },
      ],
      isWhole: true,
    });
  });

  test('text is found by word, beginning of a word, phrase, and parts of runs without spaces', async () => {
    await using store = await open();
    await withMembers(store);
    const forest = await addPage(store, {
      title: 'The forest',
      body: 'An open-source map of 東京都 and the café’s trees',
    });
    const wood = await addPage(store, { title: 'Wood', body: 'Deep forests. Source: open.' });
    const find = async (query: string) => {
      const text = readTextQuery(query);
      if (!text) throw new Error(`Nothing to look for in ${query}.`);
      return (await store.lists.search({ ...asked, order: 'relevance', text }, world)).ids;
    };
    expect(await find('forest')).toEqual([forest, wood]);
    expect(await find('fores')).toEqual([forest, wood]);
    expect(await find('"forest"')).toEqual([forest]);
    expect(await find('"open source"')).toEqual([forest]);
    expect(await find('open source')).toHaveLength(2);
    expect(await find('CAFE')).toEqual([forest]);
    expect(await find('東')).toEqual([forest]);
    expect(await find('京都')).toEqual([forest]);
    expect(await find('東京都')).toEqual([forest]);
    expect(await find('東都')).toEqual([]);
    // No phrase runs from the title into the body.
    expect(await find('"forest an"')).toEqual([]);
    expect(await find("it's \\ ' & | ! <-> :* ()")).toEqual([]);
    await editPage(store, forest, { body: 'gone' });
    expect(await find('map')).toEqual([]);
  });

  test('every word and phrase of a long text is found', async () => {
    await using store = await open();
    await withMembers(store);
    const filler = Array.from({ length: 30_000 }, (_, i) => (i % 3 === 0 ? 'the' : `word${i % 977}`));
    filler.splice(1500, 0, 'green', 'heron');
    filler.splice(25_000, 0, 'the', 'grey', 'heron');
    const id = await addPage(store, { title: 'Long', body: filler.join(' ') });
    for (const query of ['"green heron"', '"the grey heron"', 'green grey', '"the word1"']) {
      const text = readTextQuery(query);
      expect((await store.lists.search({ ...asked, text }, world)).ids, query).toEqual([id]);
    }
    const none = readTextQuery('"green grey"');
    expect((await store.lists.search({ ...asked, text: none }, world)).ids).toEqual([]);
    expect(await store.upkeep.violations(10)).toEqual([]);
  });

  test('titles order by alphabet and not by byte, whatever the order of the database', async () => {
    await using store = await open();
    await withMembers(store);
    const titles = [
      'Zoo',
      'banana',
      'Éclair',
      'Apple',
      'apple pie',
      'Ångström',
      '東京',
      '1984',
      'Жук',
      'a-b',
      'a b',
    ];
    for (const [i, title] of titles.entries()) await addPage(store, { title, path: `/${i}` });
    const { ids } = await store.lists.search({ ...asked, pathPrefix: '/' }, world);
    const loaded = await store.pages.load(ids, 'none');
    expect(loaded.map(({ title }) => title)).toEqual([
      ...['1984', 'a b', 'a-b', 'Ångström', 'Apple', 'apple pie', 'banana', 'Éclair', 'Zoo', 'Жук', '東京'],
    ]);
  });

  test('completion finds titles and paths that begin with or contain the fragment, best first', async () => {
    await using store = await open();
    await withMembers(store);
    for (const title of ['Forestry', 'Old forest', 'forest', 'Deforested', 'Éclair', '東京都'])
      await addPage(store, { title });
    await addPage(store, { title: 'Trees', path: '/forests' });
    await addPage(store, { title: 'Forest of secrets', permissions: 700 });
    const titles = async (fragment: string, limit = 10) =>
      (await store.pages.complete(fragment, world, limit)).map(({ title }) => title);
    expect(await titles('FOREST')).toEqual(['forest', 'Forestry', 'Deforested', 'Old forest', 'Trees']);
    expect(await titles('forest', 2)).toEqual(['forest', 'Forestry']);
    expect(await titles('fo')).toEqual(['forest', 'Forestry', 'Old forest', 'Trees']);
    expect(await titles('/fo')).toEqual(['forest', 'Forestry', 'Trees']);
    expect(await titles('京都')).toEqual(['東京都']);
    expect(await titles('éc')).toEqual(['Éclair']);
    expect(await titles('%')).toEqual([]);
  });

  test('places around a point hold all within the radius, at the poles and across the antimeridian too', async () => {
    await using store = await open();
    await withMembers(store);
    const places: { id: number; lat: number; lon: number }[] = [];
    const add = async (lat: number, lon: number) => {
      const location = { lat, lon };
      const id = await addPage(store, { title: 'P', path: `/${places.length}`, location });
      places.push({ id, lat, lon });
    };
    for (const lat of [-90, -89.9, -45.1, -0.01, 0, 0.02, 44.9, 89.95, 90]) {
      for (const lon of [-180, -179.95, -90, 0, 0.03, 91, 179.97, 180]) await add(lat, lon);
    }
    await addPage(store, { title: 'Hidden', location: { lat: 0, lon: 0 }, permissions: 700 });
    await addPage(store, { title: 'Nowhere' });
    for (const centre of places.filter((_, i) => i % 5 === 0)) {
      for (const radius of [0, 1, 3000, 20_000, 500_000, 6_000_000, 20_003_931]) {
        const found = await store.lists.placesAround(centre, radius, world);
        const ids = found.map(({ id }) => id);
        expect(ids).toEqual(ids.toSorted((a, b) => a - b));
        const within = places.filter((place) => metresBetween(centre, place) <= radius).map(({ id }) => id);
        expect(
          within.filter((id) => !ids.includes(id)),
          `${radius} m around ${centre.lat}, ${centre.lon}`,
        ).toEqual([]);
        if (radius === 3000) expect(ids.length).toBeLessThan(30);
      }
    }
    const boxes = [
      { south: -1, west: 179, north: 1, east: -179 },
      { south: -90, west: -180, north: 90, east: 180 },
      { south: 89, west: -180, north: 90, east: 180 },
      { south: -1, west: 0, north: 1, east: 0.03 },
      { south: 0, west: 0, north: 0, east: 0 },
    ];
    for (const box of boxes) {
      const inside = places.filter(({ lat, lon }) => {
        const isBetween =
          box.west <= box.east ? lon >= box.west && lon <= box.east : lon >= box.west || lon <= box.east;
        return lat >= box.south && lat <= box.north && isBetween;
      });
      const found = await store.lists.placesIn(box, world, 1000);
      expect(found.map(({ id }) => id)).toEqual(inside.map(({ id }) => id));
      expect(await store.lists.placesIn(box, world, 1)).toHaveLength(1);
    }
  });

  test('updates, children and public pages leave out what the reader may not see before cutting off', async () => {
    await using store = await open();
    await withMembers(store);
    const root = await addPage(store, { title: 'Root', at: 10 });
    const b = await addPage(store, { title: 'b', parentId: root, at: 30 });
    const a = await addPage(store, { title: 'A', parentId: root, type: 'Tree', at: 20 });
    await addPage(store, { title: 'Under b', parentId: b, permissions: 700, at: 90 });
    const underA = await addPage(store, { title: 'Under a', parentId: a, at: 30 });
    await editPage(store, root, { editorId: 2, at: 40 });
    const updates = await store.lists.updates(world, { limit: 3, offset: 0 });
    expect(updates.map(({ id, at, editor }) => [id, at, editor.name])).toEqual([
      [root, 40, 'Bob'],
      [underA, 30, 'Ann'],
      [b, 30, 'Ann'],
    ]);
    expect((await store.lists.updates(world, { limit: 3, offset: 1 }, root)).map(({ id }) => id)).toEqual([
      b,
      a,
    ]);
    expect(await store.lists.updates(world, all, 999)).toEqual([]);
    expect(await store.lists.children(root, world, all)).toMatchObject({
      pages: [
        { id: a, title: 'A', path: '/root/a', type: 'Tree', hasChildren: true },
        { id: b, title: 'b', path: '/root/b', type: null, hasChildren: false },
      ],
      total: 2,
    });
    expect(await store.lists.children(null, world, { limit: 1, offset: 0 })).toMatchObject({
      pages: [{ id: root, hasChildren: true }],
      total: 1,
    });
    expect((await store.lists.children(b, everything, all)).total).toBe(1);
    expect((await store.lists.publicPages(root, 2)).map(({ id }) => id)).toEqual([b, a]);
  });

  test('a member’s own pages and those they edited, and nothing that they may not read', async () => {
    await using store = await open();
    await withMembers(store);
    const first = await addPage(store, { title: 'First', ownerId: 2, at: 10 });
    const second = await addPage(store, { title: 'Second', ownerId: 2, permissions: 700, at: 20 });
    // Her own, and for administrators alone.
    const locked = await addPage(store, { title: 'Locked', ownerId: 2, permissions: 0, at: 25 });
    const other = await addPage(store, { title: 'Of Ann', ownerId: 1, at: 30 });
    await editPage(store, first, { editorId: 1, at: 40 });
    await editPage(store, other, { editorId: 2, at: 50 });
    await editPage(store, second, { editorId: 2, at: 60 });
    const bob = memberSight(2);
    expect(await store.lists.ownedBy(2, bob, all)).toEqual({
      pages: [
        { id: second, title: 'Second', path: '/second', at: 60 },
        { id: first, title: 'First', path: '/first', at: 40 },
      ],
      total: 2,
    });
    expect(await store.lists.ownedBy(2, bob, { limit: 1, offset: 1 })).toMatchObject({
      pages: [{ id: first }],
      total: 2,
    });
    expect((await store.lists.ownedBy(2, everything, all)).pages.map(({ id }) => id)).toContain(locked);
    expect((await store.lists.editedBy(2, bob, 10)).map(({ id, at }) => [id, at])).toEqual([
      [second, 60],
      [other, 50],
      [first, 10],
    ]);
    expect((await store.lists.editedBy(2, bob, 1)).map(({ id }) => id)).toEqual([second]);
    expect(await store.lists.editedBy(3, bob, 10)).toEqual([]);
  });

  test('words begin as asked, come once each in order, and are those of pages in sight', async () => {
    await using store = await open();
    await withMembers(store);
    for (let i = 0; i < 60; i++)
      await addPage(store, {
        title: `Page ${i}`,
        type: i % 2 ? 'Plant' : 'Place',
        tags: [['kind', `v${i}`]],
      });
    await addPage(store, {
      title: 'Rare',
      type: 'plan',
      tags: [
        ['kind', 'Rare'],
        ['season', 'rare too'],
      ],
    });
    await addPage(store, {
      ...{ title: 'Hidden', permissions: 700, type: 'Plot', ownerId: 1 },
      tags: [
        ['kind', 'rarest'],
        ['secret', 'x'],
      ],
    });
    expect((await store.lists.vocabulary(world, 2000)).types).toEqual([
      { type: 'Place', count: 30 },
      { type: 'Plant', count: 30 },
      { type: 'plan', count: 1 },
    ]);
    // Of the three that changed last one is hidden from the world: only then are they counted off.
    expect(await store.lists.vocabulary(world, 2)).toEqual({
      types: [
        { type: 'Plant', count: 1 },
        { type: 'plan', count: 1 },
      ],
      tags: [
        { key: 'kind', value: 'Rare', count: 1 },
        { key: 'kind', value: 'v59', count: 1 },
        { key: 'season', value: 'rare too', count: 1 },
      ],
    });
    expect(await store.lists.words('tag', [''], world, 10)).toEqual(['kind', 'season']);
    expect(await store.lists.words('tag', ['s'], everything, 10)).toEqual(['season', 'secret']);
    expect(await store.lists.words({ valueOf: 'kind' }, ['rar', 'Rar'], memberSight(2), 10)).toEqual([
      'Rare',
    ]);
    expect(await store.lists.words({ valueOf: 'kind' }, ['rar', 'Rar'], memberSight(1), 10)).toEqual([
      'rarest',
      'Rare',
    ]);
    expect(await store.lists.words({ valueOf: 'kind' }, ['v1'], world, 3)).toEqual(['v1', 'v10', 'v11']);
    expect(await store.lists.words('type', ['Pl', 'pl'], world, 10)).toEqual(['Place', 'Plant', 'plan']);
    expect(await store.lists.words('type', ['Pl'], everything, 10)).toEqual(['Place', 'Plant', 'Plot']);
  });

  test('no text of any shape makes the engine fail', async () => {
    await using store = await open();
    await withMembers(store);
    const hostile = [
      '\0',
      'a\0b',
      '\ud800',
      "'; drop table pages; --",
      '%_\\',
      '"',
      '\u{10ffff}',
      'x'.repeat(5000),
      '🜨'.repeat(400),
      ' ',
      '',
    ];
    for (const text of hostile) {
      await store.pages.findByPath(text);
      await store.pages.findByAlias(text, world);
      await store.pages.complete(text, world, 10);
      await store.pages.alike(
        { beginning: text, fragments: [`${text}abc`], beside: text, length: 3 },
        world,
        10,
      );
      await store.lists.words('tag', [text], world, 10);
      await store.lists.words({ valueOf: text }, [text], world, 10);
      await store.links.resolve([text, `/${text}`], world);
      await store.links.templates([text], world);
      await store.links.files(1, [text, `/${text}/${text}`], world);
      await store.members.findByEmail(text);
      await store.members.findHandle(text, text);
      await store.files.find(text);
      for (const logic of ['and', 'or'] as const) {
        for (const order of ['alphabetical', 'relevance'] as const) {
          const tags = [{ value: text }, { key: text, value: text }];
          const textQuery = readTextQuery(text);
          await store.lists.search(
            {
              ...asked,
              logic,
              order,
              pathPrefix: text,
              titleFragment: text,
              type: text,
              tags,
              ...(textQuery ? { text: textQuery } : {}),
            },
            memberSight(1),
          );
        }
      }
    }
    await addPage(store, {
      title: 'Hostile',
      body: hostile.join('\n'),
      links: hostile.filter((text) => text !== ''),
      tags: hostile.map((text) => ['key', text]),
    });
    expect((await store.pages.findByPath('/hostile'))?.content.body).toBe(hostile.join('\n'));
    const long = await store.lists.search(
      { ...asked, tags: [{ key: 'key', value: 'x'.repeat(5000) }] },
      world,
    );
    expect(long.total).toBe(1);
    expect(await store.upkeep.violations(10)).toEqual([]);
  });

  test('a transaction is all or nothing', async () => {
    await using store = await open();
    await withMembers(store);
    const failing = store.transact(async (store) => {
      await addPage(store, { title: 'A' });
      throw new Problem('invalid', 'No.');
    });
    expect(await codeOf(failing)).toBe('invalid');
    expect(await store.upkeep.counts()).toEqual({ pages: 0, changes: 0, members: 2, files: 0 });
    await addPage(store, { title: 'A' });
    await store.ping();
  });

  test('of two pages created at one path at once, one is refused', async () => {
    await using store = await open();
    await withMembers(store);
    const codes = await Promise.all([1, 2].map(() => codeOf(addPage(store, { title: 'Same' }))));
    expect(codes.sort()).toEqual(['path-taken', 'undefined']);
  });

  test('1,000 pages created beneath one parent at once all land', async () => {
    await using store = await open();
    await withMembers(store);
    const parentId = await addPage(store, { title: 'Parent' });
    await Promise.all(
      Array.from({ length: 1000 }, (_, i) =>
        addPage(store, { title: `Child ${i}`, parentId, links: ['Parent', 'Missing'] }),
      ),
    );
    expect((await store.lists.children(parentId, world, { limit: 1, offset: 0 })).total).toBe(1000);
    expect(await store.links.wanted(world, 5, 1)).toMatchObject([{ title: 'Missing', count: 1000 }]);
    expect(await store.upkeep.violations(10)).toEqual([]);
  });

  test('200 edits of one page at once are all in its history', async () => {
    await using store = await open();
    await withMembers(store);
    const id = await addPage(store, { title: 'Busy' });
    await Promise.all(Array.from({ length: 200 }, (_, i) => editPage(store, id, { body: `edit ${i}` })));
    const { changes, total } = await store.changes.list(id, all);
    expect(total).toBe(201);
    expect(new Set(changes.map(({ content }) => content.body)).size).toBe(201);
    expect((await store.pages.findById(id))?.changeId).toBe(changes[0]?.id);
    expect(await store.upkeep.violations(10)).toEqual([]);
  });

  test('links made and answered at the same time are counted right', async () => {
    await using store = await open();
    await withMembers(store);
    const pages = await Promise.all(Array.from({ length: 10 }, (_, i) => addPage(store, { title: `S${i}` })));
    const work: Promise<unknown>[] = [];
    for (let round = 0; round < 6; round++) {
      for (const [i, id] of pages.entries()) {
        const links = [`T${(i + round) % 7}`, `T${(i * round) % 7}`, '/t3'];
        work.push(editPage(store, id, { links, permissions: (i + round) % 4 === 0 ? 700 : 774 }));
      }
      work.push(addPage(store, { title: `T${round}`, permissions: round % 2 ? 770 : 774 }));
      work.push(editPage(store, pages[round] as number, { title: `T${6 - round}` }));
    }
    await Promise.all(work);
    expect(await store.upkeep.violations(10)).toEqual([]);
  });

  test('pages created beneath a page while it moves move along or land at its new path', async () => {
    await using store = await open();
    await withMembers(store);
    const top = await addPage(store, { title: 'Top' });
    const inner = await addPage(store, { title: 'Inner', parentId: top });
    const other = await addPage(store, { title: 'Other' });
    const work: Promise<unknown>[] = [];
    for (let i = 0; i < 60; i++) {
      work.push(addPage(store, { title: `N${i}`, parentId: i % 2 ? inner : top }));
      if (i % 10 === 3) work.push(movePage(store, top, `/top-${i}`, i % 20 === 3 ? other : null));
      if (i % 10 === 7) work.push(movePage(store, inner, `/inner-${i}`, i % 20 === 7 ? null : top));
    }
    await Promise.all(work);
    expect((await store.upkeep.counts()).pages).toBe(63);
    expect(await store.upkeep.violations(10)).toEqual([]);
    const { path } = (await store.pages.findById(top)) as { path: string };
    for (const child of (await store.lists.children(top, world, all)).pages) {
      if (child.id !== inner) expect(child.path.startsWith(`${path}/`)).toBe(true);
    }
  });

  test('counts and indexes can be made anew, and pages read in slices', async () => {
    await using store = await open();
    await withMembers(store);
    for (let i = 0; i < 5; i++) await addPage(store, { title: `P${i}`, links: [`L${i % 2}`] });
    const before = await store.links.wanted(world, 10, 10);
    await store.upkeep.recount();
    expect(await store.links.wanted(world, 10, 10)).toEqual(before);
    const slice = await store.upkeep.pagesAfter(2, 2);
    expect(slice.map(({ id }) => id)).toEqual([3, 4]);
    const page = slice[0] as never as Parameters<Store['upkeep']['rewriteDerivedColumns']>[1] & {
      id: number;
    };
    await store.upkeep.rewriteDerivedColumns(page.id, { ...page, description: 'New', ownerId: 1 });
    expect((await store.pages.findById(3))?.description).toBe('New');
    expect(await store.upkeep.violations(10)).toEqual([]);
  });
});
