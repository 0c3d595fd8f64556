/** The store limits how much text it reads at once, on both engines. */
import { describe, expect, test } from 'vitest';
import type { Store } from '#core/ports/store.ts';
import { forEachEngine } from '../support/postgres.ts';
import { addMember, addPage, addPages, administrator, editPage, pageWith } from '../support/write-pages.ts';

/** Text without words, which would have to be indexed. */
const megabytes = (count: number, first = '') => first.padEnd(count * 1e6, '.');

describe('texts that are long together', () => {
  forEachEngine((open) => {
    async function pagesOf(store: Store, pages: { bodies: string[] }[]): Promise<number[]> {
      const ownerId = await addMember(store, 'Ada');
      await addPages(
        store,
        pages.map(({ bodies }, page) => ({
          parent: null,
          drafts: bodies.map((body, at) => ({
            title: `P${page}`,
            path: `/p${page}`,
            body,
            at: at + 1,
            ownerId,
          })),
        })),
      );
      const paths = pages.map((_, page) => `/p${page}`);
      return store.transact(async (store) =>
        (await store.pages.lockByPaths(paths, 'share')).map(({ id }) => id),
      );
    }

    test('a list of pages is refused if their texts are too long, and returned in parts', async () => {
      await using store = await open();
      const ids = await pagesOf(
        store,
        Array.from({ length: 4 }, () => ({ bodies: [megabytes(20)] })),
      );
      for (const history of ['all', 'latest', 'none'] as const) {
        await expect(store.readAsSystem().pages.load(ids, history)).rejects.toMatchObject({
          code: 'too-long',
        });
      }
      const loaded = await store.readAsSystem().pages.load(ids.slice(1), 'latest');
      expect(loaded.map(({ history }) => history[0]?.content.body.length)).toEqual([20e6, 20e6, 20e6]);
      expect((await store.readAsSystem().pages.outlines(ids)).map(({ title }) => title)).toEqual([
        'P0',
        'P1',
        'P2',
        'P3',
      ]);
    });

    test('beyond the first fifty pages, the remaining space counts', async () => {
      await using store = await open();
      const short = Array.from({ length: 50 }, () => ({ bodies: [megabytes(1)] }));
      const ids = await pagesOf(store, [...short, { bodies: [megabytes(10)] }, { bodies: [megabytes(10)] }]);
      expect(await store.readAsSystem().pages.load(ids.slice(0, 51), 'all')).toHaveLength(51);
      await expect(store.readAsSystem().pages.load(ids, 'all')).rejects.toMatchObject({ code: 'too-long' });
    });

    test('histories that are too long together are replaced by their latest changes', async () => {
      await using store = await open();
      const bodies = Array.from({ length: 15 }, (_, change) => megabytes(1, `${change} `));
      const ids = await pagesOf(
        store,
        Array.from({ length: 5 }, () => ({ bodies })),
      );
      const whole = await store.readAsSystem().pages.load(ids.slice(0, 4), 'all');
      expect(whole.map(({ history }) => history.length)).toEqual([15, 15, 15, 15]);
      const latest = await store.readAsSystem().pages.load(ids, 'all');
      expect(latest.map(({ history }) => history.map(({ content }) => content.body.slice(0, 3)))).toEqual(
        ids.map(() => ['14 ']),
      );
    });

    test('a list of changes ends before it would be too long, and continues from there', async () => {
      await using store = await open();
      const bodies = [
        megabytes(1, 'a'),
        megabytes(20, 'b'),
        ...[...'cdefghij'].map((name) => megabytes(3, name)),
      ];
      const [id = 0] = await pagesOf(store, [{ bodies }]);
      const told: string[] = [];
      const lengths: number[] = [];
      for (let offset = 0; offset < bodies.length; offset = told.length) {
        const { changes, total } = await store
          .readAsSystem()
          .changes.list(pageWith(id), { limit: 50, offset });
        expect(total).toBe(10);
        lengths.push(changes.length);
        told.push(...changes.map(({ content }) => content.body.charAt(0)));
      }
      expect(told.join('')).toBe('jihgfedcba');
      expect(lengths).toEqual([5, 3, 1, 1]);
    });

    test('templates that are too long together are read until the limit is reached', async () => {
      await using store = await open();
      await pagesOf(
        store,
        [9, 6, 5].map((length) => ({ bodies: [megabytes(length)] })),
      );
      const found = await store.readAs(administrator).links.templates(['P0', 'P1', 'P2', 'None']);
      expect([...found.values()].map(({ body }) => body.length).toSorted()).toEqual([6e6, 9e6]);
    });

    test('the length of a history follows its changes', async () => {
      await using store = await open();
      await addMember(store, 'Ada');
      const id = await addPage(store, { title: 'Grows', body: megabytes(7, 'é') });
      await editPage(store, id, { body: megabytes(8) });
      expect((await store.readAsSystem().pages.load([id], 'all'))[0]?.history).toHaveLength(2);
      await editPage(store, id, { body: megabytes(1, '"') });
      expect((await store.readAsSystem().pages.load([id], 'all'))[0]?.history).toHaveLength(1);
      expect((await store.readAsSystem().pages.loadByPath('/grows', 'all'))?.history).toHaveLength(1);
      expect(await store.maintenance.violations(10)).toEqual([]);
    });
  });
});
