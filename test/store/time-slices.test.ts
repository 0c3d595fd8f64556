/** Work on thousands of pages, or on thousands of links of a page, runs in slices and yields in between, on both engines. */
import { expect, test } from 'vitest';
import { createRenderer } from '#core/content/render.ts';
import { everything } from '#core/model/permission.ts';
import { createPage } from '#core/pages/create-page.ts';
import { createPages, draftOf } from '#core/pages/create-pages.ts';
import { type EditInput, editPage } from '#core/pages/edit-page.ts';
import { noFiles } from '../support/no-files.ts';
import { forEachEngine } from '../support/postgres.ts';
import { addMember, anyone } from '../support/write-pages.ts';

const size = 1200;

/** Records the lengths of lists passed to statements, in each engine's format. */
function lengthsOfLists(): { lengths: number[]; look(parameters: readonly unknown[]): void } {
  const lengths: number[] = [];
  return {
    lengths,
    look(parameters) {
      for (const value of parameters) {
        const rows = typeof value === 'string' && value.startsWith('[') ? JSON.parse(value) : value;
        if (Array.isArray(rows)) lengths.push(rows.length);
      }
    },
  };
}

forEachEngine((open) => {
  test('a move of many pages works in slices, and others run between them', async () => {
    let statements = 0;
    const { lengths, look } = lengthsOfLists();
    await using store = await open({
      onQuery({ parameters }) {
        statements++;
        look(parameters);
      },
    });
    const ann = { memberId: await addMember(store, 'Ann', true), name: 'Ann', isAdmin: true };
    const titles = ['Top', ...Array.from({ length: size }, (_, i) => `Page ${i}`)];
    const inputs = titles.map((title, i) => ({ title, parent: i === 0 ? null : '/top' }));
    await createPages(
      { store, files: noFiles, actor: ann, now: 1000 },
      inputs.slice(0, 1).map((input) => draftOf(input, store.dialect)),
    );
    await createPages(
      { store, files: noFiles, actor: ann, now: 1000 },
      inputs.slice(1).map((input) => draftOf(input, store.dialect)),
    );

    lengths.length = 0;
    statements = 0;
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await editPage(
      { store, files: noFiles, renderer: createRenderer('Test'), actor: ann, now: 2000 },
      '/top',
      { slug: 'peak' },
    );
    isOver = true;
    expect(Math.max(...lengths)).toBeGreaterThan(0);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(250);
    // Fewer than eight statements per event loop turn, on average.
    expect(statements / turns).toBeLessThan(8);
    expect((await store.readAsSystem().pages.findByPath(`/peak/page-${size - 1}`))?.title).toBe(
      `Page ${size - 1}`,
    );
    expect(await store.maintenance.violations(10)).toEqual([]);
  });

  test('thousands of links of a page are removed and written in slices, and counted correctly', async () => {
    const { lengths, look } = lengthsOfLists();
    await using store = await open({
      onQuery: ({ sql, parameters }) => /^(insert|delete)/.test(sql) && look(parameters),
    });
    const ann = { memberId: await addMember(store, 'Ann', true), name: 'Ann', isAdmin: true };
    const bodyOf = (name: string) => Array.from({ length: 6000 }, (_, i) => `[[${name} ${i}]]`).join(' ');
    const page = await createPage(
      { store, files: noFiles, actor: ann, now: 1000 },
      { title: 'Index', body: bodyOf('Leaf') },
    );
    const edit = (input: EditInput, now: number) =>
      editPage({ store, files: noFiles, renderer: createRenderer('Test'), actor: ann, now }, '/index', input);
    // The page has a separate link for each spelling of a title.
    await edit({ body: `${bodyOf('Root')} [[Leaf 1]] [[leaf 1]] [[LEAF  1]]` }, 2000);
    await edit({ permissions: 700 }, 3000);
    await edit({ permissions: 774 }, 4000);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(2500);
    const wanted = await store.readAs(anyone).links.wanted(10_000, 1);
    expect(wanted).toHaveLength(6001);
    expect(wanted.every(({ links }) => links.length === 1 && links[0]?.id === page.id)).toBe(true);
    expect(await store.maintenance.violations(10)).toEqual([]);
  });

  test('affected pages of many events are queried a few names at a time, each once, with prepared statements', async () => {
    const texts = new Set<string>();
    let statements = 0;
    await using store = await open({
      onQuery({ sql }) {
        statements++;
        texts.add(sql);
      },
    });
    const ann = { memberId: await addMember(store, 'Ann', true), name: 'Ann', isAdmin: true };
    const leaves = 80;
    const inputs = Array.from({ length: leaves }, (_, i) => ({
      title: `Leaf ${i}`,
      body: `[[Leaf ${i + 1}]]`,
    }));
    await createPages(
      { store, files: noFiles, actor: ann, now: 1000 },
      inputs.map((input) => draftOf(input, store.dialect)),
    );
    const pageIds = await store.readAs(ann).lists.inTreeOrder(null, null, leaves);
    const names = pageIds.map(({ id }, i) => ({
      ...{ pageId: id, names: [`/leaf-${i}`, `Leaf ${i}`], isNamed: true, changesFacts: true },
      originalId: null,
    }));
    const asked = async (events: typeof names) => {
      statements = 0;
      texts.clear();
      let spent = 0;
      const found = await store.events.affected(events, { ...everything }, 50, (ms) => {
        spent += ms;
      });
      expect(spent).toBeGreaterThan(0);
      return { found, statements, texts: texts.size };
    };
    const once = await asked(names);
    expect(once.found.every(({ pages }) => pages.length >= 1)).toBe(true);
    // Pages, their sets of translations and their names, and callers of those on each level.
    expect(once.statements).toBeLessThan((leaves * 6) / 8 + 12);
    const again = await asked([...names, ...names, ...names, ...names]);
    expect(again.texts).toBe(once.texts);
    expect(again.statements).toBeLessThan((leaves * 6) / 8 + 12);
    expect(again.found.slice(leaves, 2 * leaves)).toEqual(once.found);
  });
});
