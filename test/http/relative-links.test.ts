/** Effects of a move on links, on both engines: relative links in the moved page and other pages' links to it. */
import { expect, test } from 'vitest';
import { createRenderer } from '#core/content/render.ts';
import { verifyPages } from '#core/maintenance/verify-pages.ts';
import { createPage } from '#core/pages/create-page.ts';
import { editPage } from '#core/pages/edit-page.ts';
import { listBacklinks } from '#core/pages/list-backlinks.ts';
import { viewPage } from '#core/pages/view-page.ts';
import { wantedLinks } from '#core/pages/wanted-links.ts';
import type { Store } from '#core/ports/store.ts';
import { noFiles } from '../support/no-files.ts';
import { forEachEngine } from '../support/postgres.ts';
import { addMember } from '../support/write-pages.ts';

async function begin(store: Store) {
  const ann = { memberId: await addMember(store, 'Ann', true), name: 'Ann', isAdmin: true };
  const renderer = createRenderer('Test');
  let now = 1000;
  return {
    create: (title: string, parent: string | null, body = '') =>
      createPage({ store, files: noFiles, actor: ann, now: now++ }, { title, body, parent }),
    move: (path: string, fields: { parent?: string; slug?: string }) =>
      editPage({ store, files: noFiles, renderer, actor: ann, now: now++ }, path, fields),
    async markup(path: string) {
      const seen = await viewPage({ reader: store.readAs(null), renderer, now }, path, { history: 'none' });
      return 'markup' in seen ? seen.markup : seen;
    },
    async backlinks(path: string) {
      const { pages } = await listBacklinks(store.readAs(null), path, { limit: 10, offset: 0 });
      return pages.map((page) => page.path);
    },
    async wanted() {
      return (await wantedLinks(store.readAs(null), 25)).map(({ title, links }) => [
        title,
        links.map(({ path }) => path),
      ]);
    },
    stale: () => Array.fromAsync(verifyPages(store)),
  };
}

forEachEngine((open) => {
  test('relative links of pages that move with an ancestor keep their targets from the new place', async () => {
    await using store = await open();
    const wiki = await begin(store);
    await wiki.create('Old', null);
    await wiki.create('Far', null);
    await wiki.create('Trees', '/old');
    await wiki.create('Oak', '/old/trees', '[[../elm]] [[../../fern]] [[./leaf]] {{../box}} [[/old/moss]]');
    await wiki.create('Elm', '/old/trees');
    await wiki.create('Fern', '/old');
    expect(await wiki.backlinks('/old/fern')).toEqual(['/old/trees/oak']);
    await wiki.move('/old/trees', { parent: '/far' });
    expect(await wiki.backlinks('/far/trees/elm')).toEqual(['/far/trees/oak']);
    expect(await wiki.backlinks('/old/fern')).toEqual([]);
    expect(await wiki.wanted()).toEqual([
      ['/far/fern', ['/far/trees/oak']],
      ['/far/trees/oak/leaf', ['/far/trees/oak']],
      ['/old/moss', ['/far/trees/oak']],
    ]);
    const markup = await wiki.markup('/far/trees/oak');
    expect(markup).toContain('href="/far/trees/elm"');
    expect(markup).not.toContain('href="/old/fern"');
    expect(await wiki.stale()).toEqual([]);
    // A new page at the target of a link removes it from the wanted pages.
    await wiki.create('Fern', '/far');
    expect((await wiki.wanted()).map(([title]) => title)).not.toContain('/far/fern');
    expect(await wiki.backlinks('/far/fern')).toEqual(['/far/trees/oak']);
    expect(await store.maintenance.violations(10)).toEqual([]);
  });

  test('links by the old path lead to the moved page until another page takes it', async () => {
    await using store = await open();
    const wiki = await begin(store);
    await wiki.create('Oak', null);
    await wiki.create('Leaf', '/oak');
    await wiki.create('Index', null, '[[/oak/leaf]] [[oak/../leaf]] [[./../oak]]');
    await wiki.move('/oak', { slug: 'ash' });
    expect(await wiki.markup('/index')).toContain('href="/ash/leaf"');
    expect(await wiki.backlinks('/ash/leaf')).toEqual(['/index']);
    expect(await wiki.backlinks('/ash')).toEqual(['/index']);
    await wiki.create('Oak', null);
    expect(await wiki.backlinks('/oak')).toEqual(['/index']);
    expect(await wiki.backlinks('/ash')).toEqual([]);
    expect(await wiki.markup('/index')).toContain('href="/oak"');
  });

  test('a move takes as many statements for eight pages with relative links beneath as for two', async () => {
    const counts: number[] = [];
    for (const size of [2, 8, 160]) {
      let statements = 0;
      await using store = await open({ onQuery: () => void statements++ });
      const wiki = await begin(store);
      await wiki.create('Top', null);
      for (let i = 0; i < size; i++) await wiki.create(`Page ${i}`, '/top', '[[../other]] [[../page-0]]');
      statements = 0;
      await wiki.move('/top', { slug: 'peak' });
      counts.push(statements);
      expect((await wiki.wanted())[0]?.[0]).toBe('/peak/other');
      expect(await wiki.stale()).toEqual([]);
    }
    const [few = 0, batch, batches = 0] = counts;
    expect(batch).toBe(few);
    // Statements run in batches that grow from twenty titles and paths on, not once per page.
    expect(batches).toBeLessThan(few + 160);
  });
});
