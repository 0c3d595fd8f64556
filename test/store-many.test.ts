/** Many pages at once leave the rows that one by one they would have left. */
import { expect, test } from 'vitest';
import type { Problem } from '#domain/problem.ts';
import { readTextQuery } from '#domain/search.ts';
import type { Store } from '#domain/store.ts';
import { addMember, addPage, addPages, type Draft, editPage, everything, world } from './store-writing.ts';
import { forEachEngine } from './support-postgres.ts';

/** Links to earlier and later pages, in other cases and by path, to pages that only a member sees, and to none. */
function pages(count: number): { parent: number | null; drafts: Draft[] }[] {
  return Array.from({ length: count }, (_, i) => {
    const parent = i < 5 ? null : i % 5;
    const path = `${parent === null ? '' : `/page-${parent}`}/page-${i}`;
    const draft: Draft = {
      ...{ title: `Page ${i}`, path, body: `grey heron ${i}`, at: 1000 + 10 * i },
      permissions: i % 7 === 0 ? 700 : i % 11 === 0 ? 770 : 774,
      type: i % 3 === 0 ? 'Article' : null,
      location: i % 10 === 0 ? { lat: i / 10, lon: -i / 10 } : null,
      links: [
        `Page ${(i * 7) % count}`,
        `PAGE ${(i * 3) % count}`,
        `/page-${i % 9}`,
        `Lost ${i % 4}`,
        'lost 1',
      ],
      templates: ['Box'],
      tags: [
        ['topic', `t${i % 6}`],
        ['Year', String(1900 + i)],
      ],
    };
    const edited = {
      ...draft,
      title: `Page ${i} anew`,
      links: [...(draft.links ?? []), 'Lost 0'],
      at: 900 + 11 * i,
    };
    return { parent, drafts: i % 4 === 0 ? [draft, edited] : [draft] };
  });
}

async function contentsOf(store: Store): Promise<unknown> {
  const rows: unknown[] = [];
  for await (const row of store.upkeep.dump()) rows.push(row);
  const query = readTextQuery('heron "page 8 anew"');
  const criteria = { logic: 'and', order: 'alphabetical', limit: 1000, offset: 0 } as const;
  return {
    rows,
    violations: await store.upkeep.violations(10),
    byText: query && (await store.lists.search({ ...criteria, text: query }, everything)),
    byTitle: await store.lists.search({ ...criteria, titleFragment: 'ge 1' }, world),
    wanted: await store.links.wanted(world, 1000, 1000),
  };
}

forEachEngine((open) => {
  test('the rows are those that one page after the other leaves', async () => {
    await using one = await open();
    await using many = await open();
    const all = pages(230);
    for (const store of [one, many]) await addMember(store, 'Ann', true);

    const ids: number[] = [];
    for (const { parent, drafts } of all) {
      const [first, ...edits] = drafts as [Draft, ...Draft[]];
      const id = await addPage(one, { ...first, parentId: parent === null ? null : (ids[parent] ?? null) });
      ids.push(id);
      for (const draft of edits) await editPage(one, id, draft);
    }
    await addPages(many, all);

    expect(await contentsOf(many)).toEqual(await contentsOf(one));
  });

  test('one taken path refuses all of them and leaves nothing', async () => {
    await using store = await open();
    await addMember(store, 'Ann', true);
    await addPage(store, { title: 'Oak', path: '/oak' });
    const before = await contentsOf(store);
    const drafts = [
      { title: 'Elm', path: '/elm', at: 1 },
      { title: 'Oak', path: '/oak', at: 2 },
    ];
    const refused = addPages(
      store,
      drafts.map((draft) => ({ parent: null, drafts: [draft] })),
    );
    await expect(refused).rejects.toMatchObject({ code: 'path-taken' } satisfies Partial<Problem>);
    expect(await contentsOf(store)).toEqual(before);
  });
});
