/** Inserting many pages at once leaves the same rows as inserting them one by one. */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Problem } from '#core/model/problem.ts';
import { readTextQuery } from '#core/model/terms.ts';
import type { Store } from '#core/ports/store.ts';
import { openStore } from '#run/open-store.ts';
import { forEachEngine, freshSqlite } from '../support/postgres.ts';
import {
  addMember,
  addPage,
  addPages,
  administrator,
  anyone,
  type Draft,
  editPage,
} from '../support/write-pages.ts';

/** Links to earlier, later, members-only and missing pages, by title (in any case) and by path. */
function pages(count: number): { parent: number | null; drafts: Draft[] }[] {
  return Array.from({ length: count }, (_, i) => {
    const parent = i < 5 ? null : i % 5;
    const path = `${parent === null ? '' : `/page-${parent}`}/page-${i}`;
    const draft: Draft = {
      title: `Page ${i}`,
      path,
      body: `grey heron ${i}`,
      at: 1000 + 10 * i,
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
  for await (const { table, row } of store.maintenance.dump()) {
    // Events of earlier changes carry the page's final title, so titles are not compared.
    const { title: _, from_title: __, ...event } = row;
    rows.push({ table, row: table === 'events' ? event : row });
  }
  const query = readTextQuery('heron "page 8 anew"');
  const criteria = { logic: 'and', order: 'alphabetical', limit: 1000, offset: 0 } as const;
  return {
    rows,
    violations: await store.maintenance.violations(10),
    byText: query && (await store.readAs(administrator).lists.search({ ...criteria, text: query })),
    byTitle: await store.readAs(anyone).lists.search({ ...criteria, titleFragment: 'ge 1' }),
    wanted: await store.readAs(anyone).links.wanted(1000, 1000),
  };
}

forEachEngine((open) => {
  test('the rows equal those of pages created one after the other', async () => {
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

  test('a bulk load into an empty wiki leaves the same rows; a wiki with pages is not bulk-loaded', async () => {
    await using plain = await open();
    await using filled = await open();
    for (const store of [plain, filled]) await addMember(store, 'Ann', true);
    await filled.maintenance.beginBulkLoad();
    for (const store of [plain, filled]) await addPages(store, pages(230));
    await filled.maintenance.endBulkLoad();
    expect(await contentsOf(filled)).toEqual(await contentsOf(plain));
    expect(await filled.maintenance.beginBulkLoad()).toBe(false);
    expect(await contentsOf(filled)).toEqual(await contentsOf(plain));
  });

  test('one path in use refuses all pages and leaves nothing', async () => {
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

test('opening a wiki after an interrupted bulk load builds its indexes and counts wanted links', async () => {
  await using one = await freshSqlite();
  await using other = await freshSqlite();
  await using plain = await openStore(one.config);
  const indexes = ({ config }: typeof one) => {
    using db = new DatabaseSync(config.kind === 'sqlite' ? config.file : '', { readOnly: true });
    return db.prepare('select name, sql from sqlite_schema order by name').all();
  };
  const optionsOf = ({ config }: typeof one) => {
    using db = new DatabaseSync(config.kind === 'sqlite' ? config.file : '', { readOnly: true });
    return ['page_text', 'page_names'].map((index) =>
      Object.fromEntries(
        db
          .prepare(`select k, v from ${index}_config`)
          .all()
          .map(({ k, v }) => [k, v]),
      ),
    );
  };
  {
    await using filled = await openStore(other.config);
    for (const store of [plain, filled]) await addMember(store, 'Ann', true);
    const before = indexes(other);
    expect(await filled.maintenance.beginBulkLoad()).toBe(true);
    for (const store of [plain, filled]) await addPages(store, pages(230));
    expect(indexes(other)).not.toEqual(before);
  }
  await using opened = await openStore(other.config);
  expect(indexes(other)).toEqual(indexes(one));
  expect(optionsOf(other)).toMatchObject([
    { automerge: 8, hashsize: 1 << 20, deletemerge: 30 },
    { automerge: 8, hashsize: 1 << 17, deletemerge: 50 },
  ]);
  expect(await contentsOf(opened)).toEqual(await contentsOf(plain));
});
