/** Contract of both engines: they accept any text and concurrent writers. */
import { expect, test } from 'vitest';
import { Problem } from '#core/model/problem.ts';
import { readTextQuery } from '#core/model/terms.ts';
import type { Store } from '#core/ports/store.ts';
import { effort } from '../support/effort.ts';
import { forEachEngine } from '../support/postgres.ts';
import {
  addPage,
  all,
  anyone,
  asked,
  codeOf,
  editPage,
  memberWith,
  movePage,
  pageWith,
  withMembers,
} from '../support/write-pages.ts';

forEachEngine((open) => {
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
      await store.readAsSystem().pages.findByPath(text);
      await store.readAs(anyone).pages.findByAlias(text);
      await store.readAs(anyone).pages.complete(text, 10);
      await store
        .readAs(anyone)
        .pages.alike({ beginning: text, fragments: [`${text}abc`], beside: text, length: 3 }, 10);
      await store.readAs(anyone).lists.words('tag', [text], 10);
      await store.readAs(anyone).lists.words({ valueOf: text }, [text], 10);
      await store.readAs(anyone).links.resolve([text, `/${text}`]);
      await store.readAs(anyone).links.templates([text]);
      await store.readAs(anyone).links.files(1, [text, `/${text}/${text}`]);
      await store.members.findByEmail(text);
      await store.members.findHandle(text, text);
      await store.readAsSystem().files.find(text);
      for (const logic of ['and', 'or'] as const) {
        for (const order of ['alphabetical', 'relevance'] as const) {
          const tags = [{ value: text }, { key: text, value: text }];
          const textQuery = readTextQuery(text);
          await store.readAs(memberWith(1)).lists.search({
            ...asked,
            logic,
            order,
            pathPrefix: text,
            titleFragment: text,
            type: text,
            tags,
            ...(textQuery ? { text: textQuery } : {}),
          });
        }
      }
    }
    await addPage(store, {
      title: 'Hostile',
      body: hostile.join('\n'),
      links: hostile.filter((text) => text !== ''),
      tags: hostile.map((text) => ['key', text]),
    });
    expect((await store.readAsSystem().pages.findByPath('/hostile'))?.content.body).toBe(hostile.join('\n'));
    const long = await store
      .readAs(anyone)
      .lists.search({ ...asked, tags: [{ key: 'key', value: 'x'.repeat(5000) }] });
    expect(long.total).toBe(1);
    expect(await store.maintenance.violations(10)).toEqual([]);
  });

  test('a transaction is all or nothing', async () => {
    await using store = await open();
    await withMembers(store);
    const failing = store.transact(async (store) => {
      await addPage(store, { title: 'A' });
      throw new Problem('invalid', 'No.');
    });
    expect(await codeOf(failing)).toBe('invalid');
    expect(await store.maintenance.counts()).toEqual({ pages: 0, changes: 0, members: 2, files: 0 });
    await addPage(store, { title: 'A' });
    await store.ping();
  });

  test('one of two pages that are created at one path at once is refused', async () => {
    await using store = await open();
    await withMembers(store);
    const codes = await Promise.all([1, 2].map(() => codeOf(addPage(store, { title: 'Same' }))));
    expect(codes.sort()).toEqual(['path-taken', 'undefined']);
  });

  test('hundreds of pages created beneath one parent at once all land', async () => {
    const many = effort(300, 1000);
    await using store = await open();
    await withMembers(store);
    const parentId = await addPage(store, { title: 'Parent' });
    await Promise.all(
      Array.from({ length: many }, (_, i) =>
        addPage(store, { title: `Child ${i}`, parentId, links: ['Parent', 'Missing'] }),
      ),
    );
    expect((await store.readAs(anyone).lists.children(parentId, { limit: 1, offset: 0 })).total).toBe(many);
    expect(await store.readAs(anyone).links.wanted(5, 1)).toMatchObject([{ title: 'Missing', count: many }]);
    expect(await store.maintenance.violations(10)).toEqual([]);
  });

  test('200 edits of one page at once are all in its history', async () => {
    await using store = await open();
    await withMembers(store);
    const id = await addPage(store, { title: 'Busy' });
    await Promise.all(Array.from({ length: 200 }, (_, i) => editPage(store, id, { body: `edit ${i}` })));
    const { changes, total } = await store.readAsSystem().changes.list(pageWith(id), all);
    expect(total).toBe(201);
    expect(new Set(changes.map(({ content }) => content.body)).size).toBe(201);
    expect((await store.readAsSystem().pages.findById(id))?.changeId).toBe(changes[0]?.id);
    expect(await store.maintenance.violations(10)).toEqual([]);
  });

  test('concurrent lockers of a path get the state that the previous one left, or nothing if the page moved away', async () => {
    await using store = await open();
    await withMembers(store);
    const id = await addPage(store, { title: 'Count', body: '0' });
    const countUp = () =>
      store.transact(async (store) => {
        const page = await store.pages.lockByPath('/count', 'update');
        if (page) await editPage(store, id, { body: String(Number(page.content.body) + 1) });
        return page !== undefined;
      });
    expect(await Promise.all(Array.from({ length: 30 }, countUp))).not.toContain(false);
    expect((await store.readAsSystem().pages.findById(id))?.content.body).toBe('30');
    const found = store.transact(async (outer) => {
      await outer.pages.lockById(id, 'update');
      const late = Promise.all(Array.from({ length: 3 }, countUp));
      await movePage(outer, id, '/sum', null);
      return { late };
    });
    expect(await (await found).late).toEqual([false, false, false]);
  });

  test('concurrent links and answers are counted right', async () => {
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
    expect(await store.maintenance.violations(10)).toEqual([]);
  });

  test('pages created beneath a moving page move along or get its new path', async () => {
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
    expect((await store.maintenance.counts()).pages).toBe(63);
    expect(await store.maintenance.violations(10)).toEqual([]);
    const { path } = (await store.readAsSystem().pages.findById(top)) as { path: string };
    for (const child of (await store.readAs(anyone).lists.children(top, all)).pages) {
      if (child.id !== inner) expect(child.path.startsWith(`${path}/`)).toBe(true);
    }
  });

  test('counts and indexes can be recomputed, and pages read in slices', async () => {
    await using store = await open();
    await withMembers(store);
    for (let i = 0; i < 5; i++) await addPage(store, { title: `P${i}`, links: [`L${i % 2}`] });
    const before = await store.readAs(anyone).links.wanted(10, 10);
    await store.maintenance.recount();
    expect(await store.readAs(anyone).links.wanted(10, 10)).toEqual(before);
    const slice = await store.maintenance.pagesAfter(2, 2);
    expect(slice.map(({ id }) => id)).toEqual([3, 4]);
    const page = slice[0] as never as Parameters<Store['maintenance']['rewriteDerivedColumns']>[1] & {
      id: number;
    };
    await store.maintenance.rewriteDerivedColumns(page.id, { ...page, description: 'New', ownerId: 1 });
    expect((await store.readAsSystem().pages.findById(3))?.description).toBe('New');
    expect(await store.maintenance.violations(10)).toEqual([]);
  });
});
