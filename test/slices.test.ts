/** Work on thousands of pages is done some at a time, with a turn for everybody else in between. On both engines. */
import { expect, test } from 'vitest';
import { createPages, draftOf } from '#domain/create-pages.ts';
import { editPage } from '#domain/edit-page.ts';
import { createRenderer } from '#domain/render.ts';
import { noFiles } from './no-files.ts';
import { addMember } from './store-writing.ts';
import { forEachEngine } from './support-postgres.ts';

const size = 1200;

forEachEngine((open) => {
  test('a move of many pages asks for some at a time, and others have their turn', async () => {
    let longest = 0;
    let statements = 0;
    await using store = await open({
      onQuery({ parameters }) {
        statements++;
        for (const value of parameters) {
          const rows = typeof value === 'string' && value.startsWith('[') ? JSON.parse(value) : value;
          if (Array.isArray(rows)) longest = Math.max(longest, rows.length);
        }
      },
    });
    const ann = { memberId: await addMember(store, 'Ann', true), name: 'Ann', isAdmin: true };
    const titles = ['Top', ...Array.from({ length: size }, (_, i) => `Page ${i}`)];
    const inputs = titles.map((title, i) => ({ title, parent: i === 0 ? null : '/top' }));
    await createPages(store, noFiles, ann, inputs.slice(0, 1).map(draftOf), 1000);
    await createPages(store, noFiles, ann, inputs.slice(1).map(draftOf), 1000);

    longest = 0;
    statements = 0;
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await editPage(store, noFiles, createRenderer('Test'), ann, '/top', { slug: 'peak' }, 2000);
    isOver = true;
    expect(longest).toBeGreaterThan(0);
    expect(longest).toBeLessThanOrEqual(250);
    // At most eight statements run before others have theirs.
    expect(statements / turns).toBeLessThan(8);
    expect((await store.pages.findByPath(`/peak/page-${size - 1}`))?.title).toBe(`Page ${size - 1}`);
    expect(await store.upkeep.violations(10)).toEqual([]);
  });
});
