/** Contract of both engines: link targets, backlinks, and wanted links. */
import { expect, test } from 'vitest';
import type { Actor } from '#core/model/permission.ts';
import { forEachEngine } from '../support/postgres.ts';
import {
  addPage,
  addPages,
  administrator,
  all,
  anyone,
  editPage,
  memberWith,
  movePage,
  withMembers,
} from '../support/write-pages.ts';

forEachEngine((open) => {
  test('titles resolve without regard to case, exact case first, then lowest ID; templates by type first', async () => {
    await using store = await open();
    await withMembers(store);
    const hidden = await addPage(store, { title: 'mill', path: '/0', permissions: 700 });
    const lower = await addPage(store, { title: 'mill', path: '/1', body: 'lower' });
    const upper = await addPage(store, { title: 'Mill', path: '/2', body: 'upper' });
    const template = await addPage(store, { title: 'MILL', path: '/3', type: 'Template', body: 'template' });
    const targets = ['mill', 'Mill', 'MILL', 'mIlL', '/2', '/0', 'Dam'];
    const seen = await store.readAs(anyone).links.resolve(targets);
    expect(targets.map((target) => seen.get(target)?.id)).toEqual([
      lower,
      upper,
      template,
      lower,
      upper,
      undefined,
      undefined,
    ]);
    expect((await store.readAs(administrator).links.resolve(['mill'])).get('mill')?.id).toBe(hidden);
    const templates = await store.readAs(anyone).links.templates(['Mill', '/1']);
    expect(templates.get('Mill')).toMatchObject({ id: template, body: 'template', format: 'wikitext' });
    expect(templates.get('/1')).toMatchObject({ id: lower, body: 'lower' });
  });

  test('backlinks are links that resolve to the page for the reader, once each, by title', async () => {
    await using store = await open();
    await withMembers(store);
    const mill = await addPage(store, { title: 'Mill', path: '/mill' });
    const other = await addPage(store, { title: 'mill', path: '/mill2' });
    const z = await addPage(store, { title: 'Zoo', links: ['Mill', 'MILL', '/mill'] });
    const e = await addPage(store, { title: 'Éclair', templates: ['Mill'] });
    const f = await addPage(store, { title: 'Fork', links: ['mill'] });
    await addPage(store, { title: 'Secret', links: ['Mill'], permissions: 700 });
    const page = async (id: number) => (await store.readAsSystem().pages.findById(id)) as never;
    const backlinks = await store.readAs(anyone).links.backlinks(await page(mill), all);
    expect(backlinks).toMatchObject({
      pages: [
        { id: e, title: 'Éclair', path: '/éclair' },
        { id: z, title: 'Zoo', path: '/zoo' },
      ],
      total: 2,
    });
    expect(
      (await store.readAs(anyone).links.backlinks(await page(other), all)).pages.map(({ id }) => id),
    ).toEqual([f]);
    await movePage(store, mill, '/old-mill', null);
    const second = await store.readAs(anyone).links.backlinks(await page(mill), { limit: 1, offset: 1 });
    expect(second).toMatchObject({ pages: [{ id: z }], total: 2 });
  });

  test('more than 500 backlinks are listed by ID, and readers who see fewer get them by title', async () => {
    await using store = await open();
    await withMembers(store);
    const mill = await addPage(store, { title: 'Mill' });
    const drafts = Array.from({ length: 500 }, (_, i) => ({ title: `Page ${500 - i}`, links: ['Mill'] }));
    const hidden = { title: 'Hidden', links: ['Mill'], permissions: 700, ownerId: 2 };
    await addPages(
      store,
      [...drafts, hidden].map((draft, i) => ({ parent: null, drafts: [{ ...draft, path: `/${i}` }] })),
    );
    const backlinks = async (actor: Actor, range = all) =>
      store.readAs(actor).links.backlinks((await store.readAsSystem().pages.findById(mill)) as never, range);
    const titles = drafts.map(({ title }) => title);
    const byTitle = await backlinks(anyone);
    expect(byTitle.pages.map(({ title }) => title)).toEqual(titles.toSorted());
    expect(byTitle.total).toBe(500);
    expect((await backlinks(memberWith(1))).pages).toEqual(byTitle.pages);
    const byId = await backlinks(memberWith(2));
    expect(byId.pages.map(({ title }) => title)).toEqual([...titles, 'Hidden']);
    expect(byId.total).toBe(501);
    const last = await backlinks(administrator, { limit: 3, offset: 499 });
    expect(last).toMatchObject({ pages: [{ title: 'Page 1' }, { title: 'Hidden' }], total: 501 });
    expect(await backlinks(administrator, { limit: 3, offset: 600 })).toMatchObject({
      pages: [],
      total: 501,
    });
  });

  test('a link is wanted until its page exists, and a private page exists only for its readers', async () => {
    await using store = await open();
    await withMembers(store);
    const titles = async (actor: Actor = anyone) =>
      (await store.readAs(actor).links.wanted(10, 10)).map(({ title, count }) => `${title} ${count}`);
    const one = await addPage(store, { title: 'One', links: ['Dam', 'dam', '/Gone', 'One'] });
    await addPage(store, { title: 'Two', links: ['dam', 'dam', 'Éclair', 'Zoo'] });
    await addPage(store, { title: 'Hidden', links: ['dam', 'Secret wish'], permissions: 700, ownerId: 2 });
    expect(await titles()).toEqual(['dam 2', '/Gone 1', 'Éclair 1', 'Zoo 1']);
    expect(await titles(memberWith(2))).toEqual(['dam 3', '/Gone 1', 'Éclair 1', 'Secret wish 1', 'Zoo 1']);
    expect(await titles(memberWith(1))).toEqual(await titles());
    expect(await titles(administrator)).toEqual(await titles(memberWith(2)));

    const dam = await addPage(store, { title: 'DAM', permissions: 700, ownerId: 2 });
    expect(await titles()).toEqual(['dam 2', '/Gone 1', 'Éclair 1', 'Zoo 1']);
    expect(await titles(memberWith(2))).toEqual(['/Gone 1', 'Éclair 1', 'Secret wish 1', 'Zoo 1']);
    await editPage(store, dam, { permissions: 770 });
    expect(await titles()).toEqual(['dam 2', '/Gone 1', 'Éclair 1', 'Zoo 1']);
    expect(await titles(memberWith(1))).toEqual(['/Gone 1', 'Éclair 1', 'Zoo 1']);
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
    expect(await store.maintenance.violations(10)).toEqual([]);
  });

  test('wanted links show their most frequent spelling and a limited list of pages by title', async () => {
    await using store = await open();
    await withMembers(store);
    for (const [title, links] of [
      ['C', ['dam', 'Dam']],
      ['b', ['dam']],
      ['A', ['DAM', 'DAM']],
    ] as [string, string[]][]) {
      await addPage(store, { title, links });
    }
    const [wanted] = await store.readAs(anyone).links.wanted(1, 2);
    expect(wanted).toMatchObject({ title: 'DAM', count: 3, links: [{ title: 'A' }, { title: 'b' }] });
  });
});
