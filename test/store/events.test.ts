/** Events: what each write reports, to whom, and in which order. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { everything, type Visibility } from '#core/model/permission.ts';
import type { Store } from '#core/ports/store.ts';
import { forEachEngine } from '../support/postgres.ts';
import { addPage, addPages, editPage, movePage, withMembers } from '../support/write-pages.ts';

const anyone: Visibility = { maxAudience: 0, ownerId: null, groupAudiences: [], subjects: [] };
const bob: Visibility = { maxAudience: 1, ownerId: 2, groupAudiences: [], subjects: [] };

async function told(store: Store, visibility: Visibility = everything, filter = {}, after = 0) {
  const events = await store.events.list(after, 1000, visibility, filter);
  return events.map(({ kind, page, from }) => [kind, page.path, ...(from === null ? [] : [from])].join(' '));
}

forEachEngine((open) => {
  test('every write records its events, and a move records one for each page whose path changed', async () => {
    await using store = await open();
    await withMembers(store);
    const top = await addPage(store, { title: 'Top' });
    const child = await addPage(store, { title: 'Child', parentId: top });
    await addPage(store, { title: 'Far', path: '/far', parentId: top });
    await editPage(store, child, { body: 'x', title: 'Kid' });
    await editPage(store, child, { permissions: 700 });
    await editPage(store, child, { permissions: 774, body: 'y' });
    await movePage(store, top, '/peak', null);
    await addPages(store, [
      {
        parent: null,
        drafts: [
          { title: 'Old', path: '/old', at: 1 },
          { title: 'New', path: '/old', at: 2 },
        ],
      },
      { parent: 0, drafts: [{ title: 'Leaf', path: '/old/leaf', at: 3 }] },
    ]);
    await store.transact((store) => store.pages.addLike(top, 1, 5));
    expect(await told(store)).toEqual([
      'created /top',
      'created /top/child',
      'created /far',
      'edited /top/child',
      'permissions /top/child',
      'edited /top/child',
      'permissions /top/child',
      'moved /peak /top',
      'moved /peak/child /top/child',
      'created /old',
      'edited /old',
      'created /old/leaf',
    ]);
    expect(await told(store, everything, { kinds: ['moved'] })).toHaveLength(2);
    expect(await told(store, everything, { ancestorId: top })).toHaveLength(7);
    expect(await told(store, everything, { editorId: 2 })).toEqual([]);
    const [first, second] = await store.events.list(0, 2, everything);
    expect(await told(store, everything, {}, first?.position)).toHaveLength(11);
    expect(second).toMatchObject({ page: { id: child, title: 'Child' }, editor: { id: 1, name: 'Ann' } });
    expect(await store.events.last(everything)).toMatchObject({ at: 3 });
  });

  test('former readers learn that a page is gone, but never its new content', async () => {
    await using store = await open();
    await withMembers(store);
    const page = await addPage(store, { title: 'Open', permissions: 774 });
    await addPage(store, { title: 'Secret', permissions: 700 });
    await editPage(store, page, { permissions: 770, title: 'Hidden', body: 'hidden' });
    await editPage(store, page, { title: 'Hidden again' });
    const seen = await store.events.list(0, 9, anyone);
    expect(seen).toMatchObject([
      {
        kind: 'permissions',
        page: { id: page, path: '/open', title: null },
        editor: null,
        msg: '',
        from: null,
      },
    ]);
    expect(JSON.stringify(seen)).not.toMatch(/hidden/i);
    expect(await told(store, bob)).toEqual([
      'created /open',
      'edited /open',
      'permissions /open',
      'edited /open',
    ]);
    await editPage(store, page, { permissions: 700 });
    expect(await told(store, bob)).toEqual(['permissions /open']);
    expect(await told(store, anyone)).toEqual(['permissions /open']);
    await editPage(store, page, { permissions: 774 });
    expect((await told(store, anyone)).at(-1)).toBe('permissions /open');
    expect(await told(store, bob)).toEqual(await told(store, anyone));
  });

  test('hidden changes are not in the feed, nor is the former title of the page', async () => {
    await using store = await open();
    await withMembers(store);
    const page = await addPage(store, { title: 'Secret plan', path: '/plan', permissions: 700 });
    await editPage(store, page, { title: 'Opened', permissions: 774 });
    await store.transact((store) => store.pages.showHistory(page, 'latest change'));
    const seen = await store.events.list(0, 9, anyone);
    expect(seen.map(({ kind }) => kind)).toEqual(['edited', 'permissions']);
    expect(JSON.stringify(seen)).not.toMatch(/secret/i);
    expect(await told(store)).toHaveLength(3);
  });

  test('whatever the order of commits, a reader of the feed misses no event and sees none twice', async () => {
    await using store = await open();
    await withMembers(store);
    const pages = await Promise.all([...'abcdef'].map((title) => addPage(store, { title })));
    const seen: number[] = [];
    let position = 0;
    let isWriting = true;
    const read = async () => {
      const events = await store.events.list(position, 3, everything);
      for (const event of events) {
        expect(event.position).toBeGreaterThan(position);
        position = event.position;
        expect(event.id).toBeGreaterThan(seen.at(-1) ?? 0);
        seen.push(event.id);
      }
      return events.length;
    };
    const reading = (async () => {
      while (isWriting) {
        await read();
        await yieldToEventLoop();
      }
      while ((await read()) > 0);
    })();
    await Promise.all(
      pages.map(async (page, i) => {
        for (let n = 0; n < 10; n++)
          await store
            .transact(async (store) => {
              await editPage(store, page, { body: `${n}` });
              // The first to begin are the last to commit.
              await new Promise((resolve) => setTimeout(resolve, (pages.length - i) * 3));
              if (n === 5) throw new Error('Never happened.');
            })
            .catch(() => {});
      }),
    );
    isWriting = false;
    await reading;
    expect(seen).toHaveLength(pages.length * 10);
    expect(new Set(seen).size).toBe(seen.length);
    // Events of one page come in the order of its changes.
    const last = new Map<number, number>();
    for (const { page, at } of await store.events.list(0, 1000, everything)) {
      expect(at).toBeGreaterThanOrEqual(last.get(page.id) ?? 0);
      last.set(page.id, at);
    }
  });
});
