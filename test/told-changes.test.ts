/** An edit that only its own page shows tells so, or every other answer that is kept would be made anew after each. */
import { expect, test } from 'vitest';
import { editPage } from '#domain/edit-page.ts';
import { createRenderer } from '#domain/render.ts';
import { addMember, addPage } from './store-writing.ts';
import { noFiles } from './support.ts';
import { forEachEngine } from './support-postgres.ts';

forEachEngine((open) => {
  test('an edit of a body leaves true what was made of other pages, one of a title nothing', async () => {
    await using store = await open();
    const memberId = await addMember(store, 'Ann', true);
    const edited = await addPage(store, { title: 'Edited', path: '/edited', at: 1 });
    const other = await addPage(store, { title: 'Other', path: '/other', at: 2 });
    const ann = { memberId, name: 'Ann', isAdmin: true };
    const edit = async (input: object) => {
      const stamp = await store.stamp();
      await editPage(store, noFiles, createRenderer(''), ann, '/edited', input, 3);
      await store.stamp();
      return [store.isUnchanged(stamp, [edited]), store.isUnchanged(stamp, [other])];
    };
    expect(await edit({ body: 'Said anew, with [[a link]].' })).toEqual([false, true]);
    expect(await edit({ title: 'Called anew' })).toEqual([false, false]);
  });
});
