/** `coppice import` of a source that changed: files moved and deleted there, and pages deleted here. */
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deletePage } from '#core/pages/delete-page.ts';
import type { Certificate } from '#import/certificate.ts';
import { engines, startWiki } from '../support/cli.ts';
import { load, markup, plant } from '../support/import-source.ts';

describe.each(engines)('on %s', (engine) => {
  test('a file that moved keeps its page, one that went is named, and a page deleted here stays deleted', async () => {
    await using wiki = await startWiki(engine);
    const { id: memberId } = await wiki.administrator();
    const folder = plant(wiki, {
      'Home.md': 'See [[Oak]].',
      'Oak.md': 'An oak',
      'Elm.md': 'An elm',
      'Ash.md': 'An ash',
      'Fir/Fir.md': 'Firs',
      'Fir/Small.md': 'A small fir',
      'Yew.md': 'A yew',
      'Box.md': 'A box',
    });
    const again = async (...more: string[]) => {
      const { out } = await wiki.coppice([
        'import',
        folder,
        '--from',
        'obsidian',
        '--parent',
        '/v',
        '--json',
        ...more,
      ]);
      return JSON.parse(out) as Certificate;
    };
    await again();
    const before = await load(wiki, '/v/oak');
    plant(wiki, { 'Trees/Old.md': 'Old' });
    renameSync(join(folder, 'Oak.md'), join(folder, 'Trees/Oak.md'));
    rmSync(join(folder, 'Elm.md'));
    {
      await using open = await wiki.open();
      const actor = { memberId, name: 'Ada Lovelace', isAdmin: true };
      await deletePage(open.store, actor, '/v/ash', {}, Date.now());
      await deletePage(open.store, actor, '/v/fir', { subtree: true }, Date.now());
    }
    const second = await again();
    expect(second.leftOut.list.map(({ source, why }) => `${source}: ${why}`).sort()).toEqual([
      'Ash.md: its page /v/ash was deleted here: restore it from the trash, or import with --force',
      'Elm.md: it is not in the source any more: its page /v/elm stays until it is deleted here',
      'Fir/Fir.md: its page /v/fir was deleted here: restore it from the trash, or import with --force',
      'Fir/Small.md: its page /v/fir/small was deleted here: restore it from the trash, or import with --force',
      'Trees/Oak.md: it was moved from Oak.md: its page stays at /v/oak until it is moved here',
    ]);
    // The page of the folder, and the new page in it.
    expect(second.pages.created).toBe(2);
    expect((await load(wiki, '/v/oak'))?.id).toBe(before?.id);
    expect(await load(wiki, '/v/trees/oak')).toBeUndefined();
    expect(await load(wiki, '/v/ash')).toBeUndefined();
    expect(await load(wiki, '/v/elm')).toBeDefined();
    expect(await markup(wiki, '/v/home')).toContain('href="/v/oak"');
    expect((await again()).pages).toMatchObject({ created: 0, changed: 0 });

    const forced = await again('--force');
    expect(forced.pages.created).toBe(3);
    expect(await load(wiki, '/v/ash')).toBeDefined();
    expect(await wiki.coppice(['check'])).toMatchObject({ code: 0 });
  });
});
