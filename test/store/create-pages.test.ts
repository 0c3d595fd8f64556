/** Creating many pages at once has the same results and errors as creating them one by one. */
import { expect, test } from 'vitest';
import type { PageInput } from '#core/model/page-input.ts';
import { Problem } from '#core/model/problem.ts';
import { createPage } from '#core/pages/create-page.ts';
import { createPages, draftOf } from '#core/pages/create-pages.ts';
import type { Files } from '#core/ports/file-store.ts';
import type { Store } from '#core/ports/store.ts';
import { getWhole } from '#core/reading/find-page.ts';
import { forEachEngine } from '../support/postgres.ts';
import { addMember, addPage, movePage } from '../support/write-pages.ts';

const now = 1_000_000;
// Pages in these tests have no files.
const files = {} as Files;
const bob = { memberId: 2, name: 'Bob', isAdmin: false };

const inputs: PageInput[] = [
  { title: 'Trees', body: 'All [[trees]] and the [[Oak]].\n\n[[Kind:List]] [[kind:wood]]' },
  {
    title: 'Oak',
    parent: '/trees',
    body: "'''Oak''' is a [[/trees|tree]] [[Location:52.5, 13.4]], not an [[Elm]].",
  },
  { title: 'Acorn', parent: '/trees/oak', body: 'Of [[oak]]. [[../elm]] {{Box}}', permissions: 700 },
  { title: 'Twice', path: '/twice', body: 'First.' },
  { title: 'Twice', path: '/twice', body: 'Second.' },
  { title: 'Taken', path: '/there' },
  { title: 'Orphan', parent: '/nowhere' },
  { title: 'Child of an orphan', parent: '/nowhere/orphan' },
  { title: 'Hidden parent', parent: '/hidden' },
  { title: 'Reserved', path: '/v1/x' },
  { title: 'x'.repeat(256) },
  { title: 'By number', parent: 1 },
  { title: 'Bad path', path: '/a/../b' },
  { title: 'Last', parent: '/there', body: 'x', type: 'Note', msg: 'Made', data: { a: 1 } },
];

async function prepared(store: Store): Promise<void> {
  await addMember(store, 'Ann', true);
  await addMember(store, 'Bob');
  await addPage(store, { title: 'There', path: '/there', links: ['Oak', '/trees', 'Elm'], at: 1 });
  await addPage(store, { title: 'Hidden', path: '/hidden', permissions: 700, at: 2 });
}

/** Contents of the store, except what depends on the order in which pages were created. */
async function contentsOf(store: Store) {
  const rows = new Map<string, unknown[]>();
  const paths = new Map<unknown, unknown>();
  for await (const { table, row } of store.maintenance.dump()) {
    if (table === 'pages') paths.set(row.id, row.path);
    const { id, change_id, page_id, source_id, parent_id, trail, ...rest } = row;
    const places = [page_id, source_id, parent_id].map((one) => paths.get(one));
    const ancestors = String(trail ?? '')
      .split('/')
      .map((one) => paths.get(Number(one)));
    rows.set(table, [...(rows.get(table) ?? []), { ...rest, places, ancestors }]);
  }
  for (const all of rows.values()) all.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return { rows, violations: await store.maintenance.violations(10) };
}

forEachEngine((open) => {
  test('pages created in bulk get the same rows and refusals as single ones', async () => {
    await using one = await open();
    await using many = await open();
    for (const store of [one, many]) await prepared(store);

    const expected: string[] = [];
    for (const input of inputs) {
      const end = await createPage({ store: one, files, actor: bob, now }, input).catch(
        (error: unknown) => error,
      );
      expected.push(end instanceof Problem ? `${end.code}: ${end.message}` : 'created');
    }
    const ends = await createPages(
      { store: many, files, actor: bob, now },
      inputs.map((input) => draftOf(input, many.dialect)),
    );
    expect(ends.map((end) => (end instanceof Problem ? `${end.code}: ${end.message}` : 'created'))).toEqual(
      expected,
    );
    expect(expected.filter((end) => end === 'created')).toHaveLength(6);
    expect(await contentsOf(many)).toEqual(await contentsOf(one));
    expect((await contentsOf(many)).violations).toEqual([]);
  });

  test('a parent is found by its old path; a loser of a race for a path is told which path', async () => {
    await using store = await open();
    await prepared(store);
    await movePage(store, 1, '/moved', null);
    const ends = await Promise.all([
      createPages(
        { store, files, actor: bob, now },
        [{ title: 'Child', parent: '/there' }, { title: 'A' }, { title: 'B' }].map((input) =>
          draftOf(input, store.dialect),
        ),
      ),
      createPages(
        { store, files, actor: bob, now },
        [{ title: 'B' }, { title: 'A' }, { title: 'C' }].map((input) => draftOf(input, store.dialect)),
      ),
    ]);
    const refusals = ends.flat().filter((end) => end instanceof Problem);
    expect(refusals.map(({ code }) => code)).toEqual(['path-taken', 'path-taken']);
    const places = await store.transact((store) =>
      store.pages.lockByPaths(['/moved/child', '/a', '/b', '/c', '/none'], 'share'),
    );
    expect(places.map(({ path, depth }) => [path, depth]).sort()).toEqual([
      ['/a', 0],
      ['/b', 0],
      ['/c', 0],
      ['/moved/child', 1],
    ]);
    expect(await store.maintenance.violations(10)).toEqual([]);
  });

  test('a created page is returned as it is loaded, including ancestors that its owner may not read', async () => {
    await using store = await open();
    await prepared(store);
    const ann = { memberId: 1, name: 'Ann', isAdmin: true };
    await createPage(
      { store, files, actor: ann, now },
      { title: 'Child', parent: '/hidden', permissions: 774 },
    );
    const grown = {
      title: 'Grown',
      parent: '/hidden/child',
      body: `[[__proto__:x]] [[kind:y]] ${inputs[1]?.body}`,
    };
    for (const input of [...inputs.slice(0, 4), grown]) {
      const created = await createPage({ store, files, actor: bob, now }, input);
      expect(created).toEqual(await getWhole(store.readAs(bob), created.id));
    }
  });
});
