/** Several processes on one PostgreSQL: what each may keep while the others write. */
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { createPage } from '#domain/create-page.ts';
import { editPage } from '#domain/edit-page.ts';
import { addMember } from '#domain/manage-members.ts';
import { createRenderer } from '#domain/render.ts';
import type { Passphrases } from '#domain/session.ts';
import type { Store } from '#domain/store.ts';
import { childrenOf, leadsTo, linksTo } from '#domain/subjects.ts';
import { openStore } from '#store/store.ts';
import { noFiles } from './support.ts';
import { freshPostgres } from './support-postgres.ts';

const actor = { memberId: 1, name: 'Ada', isAdmin: true };
// Transactions of other databases on the same server, as other tests make them, count as any.
const within = { timeout: 20_000, interval: 10 };

describe('commits on PostgreSQL', () => {
  async function withTwo(work: (own: Store, other: Store, url: string) => Promise<void>): Promise<void> {
    await using database = await freshPostgres();
    await using own = await openStore(database.config);
    await using other = await openStore(database.config);
    const ada = { email: 'ada@example.org', name: 'Ada', isAdmin: true, passphrase: null };
    await addMember(own, {} as Passphrases, ada, 0);
    for (const title of ['Heron', 'Mill']) {
      await createPage(own, noFiles, actor, { title, path: `/${title.toLowerCase()}`, body: 'one' }, 1);
    }
    await work(own, other, database.url);
  }

  const renderer = createRenderer('');
  let edits = 0;
  const edit = (store: Store) =>
    editPage(store, noFiles, renderer, actor, '/heron', { body: `text ${edits++}` }, 2);

  test('an edit by another process makes old what shows that page, and nothing else', async () => {
    await withTwo(async (own, other) => {
      const heron = (await own.pages.findByPath('/heron'))?.id ?? 0;
      const mill = (await own.pages.findByPath('/mill'))?.id ?? 0;
      await expect
        .poll(async () => {
          const before = await own.stamp();
          await edit(other);
          expect(await own.stamp()).not.toBe(before);
          expect(own.isUnchanged(before, [heron])).toBe(false);
          return own.isUnchanged(before, [mill]);
        }, within)
        .toBe(true);
    });
  });

  test('so does a page that another process creates, what names it aside', async () => {
    await withTwo(async (own, other) => {
      let pages = 0;
      await expect
        .poll(async () => {
          const title = `Reed ${pages++}`;
          const before = await own.stamp();
          await createPage(other, noFiles, actor, { title, body: '[[Sedge]]' }, 3);
          await own.stamp();
          const concerned = [leadsTo(title.toLowerCase()), linksTo('sedge'), childrenOf(null)];
          for (const subject of concerned) expect(own.isUnchanged(before, [subject])).toBe(false);
          return own.isUnchanged(before, [1, leadsTo('heron'), linksTo('heron')]);
        }, within)
        .toBe(true);
    });
  });

  test('a write that may concern any page makes everything old', async () => {
    await withTwo(async (own, other) => {
      const mill = (await own.pages.findByPath('/mill'))?.id ?? 0;
      const before = await own.stamp();
      await other.members.update(1, { name: 'Bea' });
      await own.stamp();
      expect(own.isUnchanged(before, [mill])).toBe(false);
    });
  });

  test('so does one by a program that leaves no row, at its commit and not before', async () => {
    await withTwo(async (own, _other, url) => {
      const mill = (await own.pages.findByPath('/mill'))?.id ?? 0;
      const client = new pg.Client(url);
      await client.connect();
      await expect
        .poll(async () => {
          const before = await own.stamp();
          await client.query('begin');
          await client.query(`update pages set description = 'changed' where path = '/mill'`);
          const meanwhile = await own.stamp();
          await client.query('commit');
          const after = await own.stamp();
          expect(after).not.toBe(before);
          expect(own.isUnchanged(before, [mill])).toBe(false);
          return meanwhile === before;
        }, within)
        .toBe(true);
      await client.end();
    });
  });

  test('a transaction that fails leaves what it was', async () => {
    await withTwo(async (own, other) => {
      const failing = other.transact(async (store) => {
        await edit(store);
        throw new Error('on purpose');
      });
      await expect(failing).rejects.toThrow('on purpose');
      expect((await own.pages.findByPath('/heron'))?.content.body).toBe('one');
    });
  });
});
