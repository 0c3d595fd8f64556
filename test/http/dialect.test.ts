/** Effects of the wiki's language and interwiki prefixes on display and storage. */
import { describe, expect, test } from 'vitest';
import { dialectOf } from '#core/content/dialect.ts';
import { createRenderer } from '#core/content/render.ts';
import { verifyPages } from '#core/maintenance/verify-pages.ts';
import { addMember } from '#core/members/manage-members.ts';
import type { Actor } from '#core/model/permission.ts';
import { createPage } from '#core/pages/create-page.ts';
import { editPage } from '#core/pages/edit-page.ts';
import { viewPage } from '#core/pages/view-page.ts';
import type { Store } from '#core/ports/store.ts';
import { effort } from '../support/effort.ts';
import { noFiles } from '../support/no-files.ts';
import { engines } from '../support/postgres.ts';

async function memberOf(store: Store): Promise<NonNullable<Actor>> {
  const passphrases = {
    hash: async () => 'x',
    verify: async () => false,
    isCommon: () => false,
    wikiName: '',
  };
  const input = { email: 'ada@example.org', name: 'Ada', passphrase: null, isAdmin: false };
  return { memberId: (await addMember(store, passphrases, input, 1)).id, name: 'Ada', isAdmin: false };
}

/** Spelling does not depend on the engine: tested on one, and on both before a release. */
describe.each(effort(engines.slice(0, 1), engines))('%s', (_name, open) => {
  test('prefixes in the settings link to other sites, and removed ones become tags', async () => {
    await using store = await open({
      dialectIn: () => dialectOf('en', { trees: 'https://trees.example.org/wiki/$1', w: '' }),
    });
    const ada = await memberOf(store);
    const renderer = createRenderer('Test');
    const page = { title: 'Oak', body: '[[trees:Old oak]] [[w:Oak]] [[commons:Oak]]' };
    expect((await createPage({ store, files: noFiles, actor: ada, now: 2 }, page)).tags).toEqual({
      w: ['Oak'],
    });
    const view = await viewPage({ reader: store.readAs(null), renderer, now: 3 }, '/oak', {
      history: 'none',
    });
    expect(view).toMatchObject({
      markup: expect.stringContaining('href="https://trees.example.org/wiki/Old_oak"'),
    });
    expect(view).toMatchObject({
      markup: expect.stringContaining('href="https://commons.wikimedia.org/wiki/Oak"'),
    });
    expect(view).toMatchObject({ markup: expect.not.stringContaining('w:Oak') });
    const edited = await editPage({ store, files: noFiles, renderer, actor: ada, now: 4 }, '/oak', {
      body: '[[trees:A]] [[Key:B]]',
    });
    expect(edited.page.tags).toEqual({ key: ['B'] });
    expect(await Array.fromAsync(verifyPages(store))).toEqual([]);
  });

  test('hashtags in Markdown are tags if the wiki enables them, otherwise text', async () => {
    for (const isOn of [true, false]) {
      await using store = await open({ dialectIn: () => dialectOf('en', {}, isOn) });
      const ada = await memberOf(store);
      const body = '# Head\n\nAn #oak, #1, #trees/old and [#no](https://example.org).';
      const made = await createPage(
        { store, files: noFiles, actor: ada, now: 2 },
        { title: 'Oak', format: 'markdown', body },
      );
      expect(made.tags).toEqual(isOn ? { tag: ['oak', 'trees/old'] } : {});
      const view = await viewPage(
        { reader: store.readAs(null), renderer: createRenderer('Test'), now: 3 },
        '/oak',
        { history: 'none' },
      );
      const markup = isOn ? 'An <a href="/search?tag=tag%3Aoak" class="tag">#oak</a>, #1,' : 'An #oak, #1,';
      expect(view).toMatchObject({ markup: expect.stringContaining(markup) });
      expect(await Array.fromAsync(verifyPages(store))).toEqual([]);
    }
  });

  test('names in the language of the wiki apply to rendering and to stored data', async () => {
    await using store = await open({ dialectIn: () => dialectOf('de', {}) });
    const ada = await memberOf(store);
    const renderer = createRenderer('Test');
    await createPage(
      { store, files: noFiles, actor: ada, now: 2 },
      { title: 'Gruß', body: 'Hallo {{{1}}}!' },
    );
    const body = '{{Vorlage:Gruß|Welt}} [[Kategorie:Bäume]] [[Hilfe:Alles]] [[Höhe: 3 m]]';
    const made = await createPage({ store, files: noFiles, actor: ada, now: 3 }, { title: 'Eiche', body });
    expect(made.tags).toEqual({ category: ['Bäume'], höhe: ['3 m'] });
    const view = await viewPage({ reader: store.readAs(null), renderer, now: 4 }, '/eiche', {
      history: 'none',
    });
    expect(view).toMatchObject({
      markup: expect.stringMatching(/^<p>Hallo Welt! <a class="new" [^>]*>Hilfe:Alles<\/a>/),
    });
    expect(await Array.fromAsync(verifyPages(store))).toEqual([]);
  });
});
