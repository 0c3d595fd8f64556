/** `coppice import` of a source that changed: files moved and deleted there, and pages deleted here. */
import { hash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deletePage } from '#core/pages/delete-page.ts';
import type { Certificate } from '#import/certificate.ts';
import { engines, startWiki } from '../support/cli.ts';
import { effort } from '../support/effort.ts';
import { edit, load, markup, plant } from '../support/import-source.ts';

describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  test('a moved file keeps its page, a missing one is reported, and a page deleted here stays deleted', async () => {
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
      await deletePage({ store: open.store, actor, now: Date.now() }, '/v/ash', {});
      await deletePage({ store: open.store, actor, now: Date.now() }, '/v/fir', { subtree: true });
    }
    const second = await again();
    expect(second.leftOut.list.map(({ source, why }) => `${source}: ${why}`).sort()).toEqual([
      'Ash.md: its page /v/ash was deleted here; restore it from the trash, or import with --force',
      'Fir/Fir.md: its page /v/fir was deleted here; restore it from the trash, or import with --force',
      'Fir/Small.md: its page /v/fir/small was deleted here; restore it from the trash, or import with --force',
    ]);
    expect(second.gone.list).toEqual([
      {
        ...{ source: 'Oak.md', path: '/v/oak', outcome: 'stays' },
        movedTo: { source: 'Trees/Oak.md', path: '/v/trees/oak' },
      },
      { source: 'Elm.md', path: '/v/elm', outcome: 'stays' },
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

  test('two folders with the same names keep their texts beneath one parent, in either order and again', async () => {
    for (const order of [
      ['one', 'two'],
      ['two', 'one'],
    ] as const) {
      await using wiki = await startWiki(engine);
      const { id: memberId } = await wiki.administrator();
      const textsOf = (name: string) => ({
        'Home.md': `Home of ${name}`,
        'Oak.md': `Oak of ${name}\n\nSee [[Home]].`,
        'Fir/Fir.md': `Fir of ${name}`,
      });
      const folders = new Map<string, string>(
        order.map((name) => [name, plant(wiki, textsOf(name), `${name}/vault`)]),
      );
      const run = async (name: string, ...more: string[]) => {
        const args = ['import', folders.get(name) ?? '', '--from', 'obsidian', '--parent', '/p', '--json'];
        return JSON.parse((await wiki.coppice([...args, ...more])).out) as Certificate;
      };
      const [first, second] = order;
      await run(first);
      await edit(wiki, memberId, '/p/oak', { body: `Oak of ${first}, and my words` });
      const other = await run(second);
      expect(other.pages).toEqual({ created: 3, changed: 0, unchanged: 0 });
      expect(other.collisions.map(({ path }) => path)).toEqual(['/p/fir-2', '/p/home-2', '/p/oak-2']);
      expect((await load(wiki, '/p/oak'))?.content.body).toBe(`Oak of ${first}, and my words`);
      expect((await load(wiki, '/p/oak-2'))?.content.body).toContain(`Oak of ${second}`);
      // The pages of one are never gone from the other, even if all of them are forced and pruned.
      for (const name of order) {
        const again = await run(name, '--prune');
        expect([again.pages.created, again.pages.changed, again.gone.total], name).toEqual([0, 0, 0]);
      }
      expect((await run(second, '--prune', '--force')).gone.total).toBe(0);
      expect((await load(wiki, '/p/oak'))?.content.body).toBe(`Oak of ${first}, and my words`);
      // The place of a page that was purged stays that of its own source.
      await using open = await wiki.open();
      const actor = { memberId, name: 'Ada Lovelace', isAdmin: true };
      await deletePage({ store: open.store, actor, now: Date.now() }, '/p/oak', {});
      expect((await run(second)).pages).toMatchObject({ created: 0, changed: 0 });
      expect(await load(wiki, '/p/oak')).toBeUndefined();
    }
  });

  test('an ambiguous source is refused with a list of choices, and accepted with a name', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    const start = { 'Same.md': 'As it came with the template', 'Oak.md': 'An oak of Ada' };
    const ada = plant(wiki, start, 'ada');
    const max = plant(wiki, { ...start, 'Oak.md': 'An oak of Max' }, 'max');
    const run = (folder: string, ...more: string[]) =>
      wiki.coppice(['import', folder, '--from', 'markdown', '--parent', '/p', ...more]);
    await run(ada, '--source', 'ada');
    const refused = await run(max);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('“ada”');
    expect(refused.err).toContain('--source');
    const dry = JSON.parse((await run(max, '--dry-run', '--json')).out) as Certificate;
    expect(dry.unclear).toEqual(['ada']);
    expect((await load(wiki, '/p/oak'))?.content.body).toBe('An oak of Ada');
    expect((await run(max, '--source', 'max')).code).toBe(0);
    expect((await load(wiki, '/p/oak'))?.content.body).toBe('An oak of Ada');
    expect((await load(wiki, '/p/oak-2'))?.content.body).toBe('An oak of Max');
    // The same source from another place.
    const moved = plant(wiki, { ...start, 'Oak.md': 'An old oak of Ada' }, 'elsewhere');
    expect((await run(moved, '--source', 'ada')).code).toBe(0);
    expect((await load(wiki, '/p/oak'))?.content.body).toBe('An old oak of Ada');
    // Other documents in the same place.
    for (const name of ['Same.md', 'Oak.md']) plant(wiki, { [name]: `Something else in ${name}` }, 'here');
    const here = plant(wiki, {}, 'here');
    expect((await run(here)).code).toBe(0);
    for (const name of ['Same.md', 'Oak.md']) plant(wiki, { [name]: `Nothing of it in ${name}` }, 'here');
    expect((await run(here)).code).toBe(1);
    expect((await load(wiki, '/p/oak-3'))?.content.body).toBe('Something else in Oak.md');
  });

  test('pruning deletes removed pages and moves moved ones, and keeps every page that was changed here', async () => {
    await using wiki = await startWiki(engine);
    const { id: memberId } = await wiki.administrator();
    const folder = plant(wiki, {
      'Home.md': 'See [[Oak]], [[Elm]].',
      'Oak.md': 'An oak\nof many\nlines',
      'Elm.md': 'An elm',
      'Ash.md': 'An ash',
      'Yew.md': 'A yew',
      'Fir/Fir.md': 'Firs',
      'Fir/Small.md': 'A small fir',
      'Pine/Deep/Cone.md': 'A cone',
      'Old/index.md': 'The index of the old ones',
    });
    const run = async (...more: string[]) => {
      const args = ['import', folder, '--from', 'obsidian', '--parent', '/v', '--json'];
      return JSON.parse((await wiki.coppice([...args, ...more])).out) as Certificate;
    };
    await run();
    const oak = await load(wiki, '/v/oak');
    await edit(wiki, memberId, '/v/ash', { body: 'An ash, with words of mine' });
    await edit(wiki, memberId, '/v/yew', { description: 'Only the description is mine' });
    for (const name of ['Elm.md', 'Ash.md', 'Yew.md', 'Fir', 'Pine', 'Old'])
      rmSync(join(folder, name), { recursive: true });
    plant(wiki, {
      'Trees/Old.md': 'Old',
      'Oak.md': 'An oak\nof many\nnew lines',
      'New/index.md': 'An index of new things',
    });
    renameSync(join(folder, 'Oak.md'), join(folder, 'Trees/Oak.md'));
    const outcomes = ({ gone }: Certificate) =>
      Object.fromEntries(gone.list.map(({ path, outcome }) => [path, outcome]));
    const expected = {
      ...{ '/v/oak': 'moved', '/v/elm': 'deleted', '/v/fir': 'deleted', '/v/fir/small': 'deleted' },
      ...{ '/v/ash': 'edited', '/v/yew': 'edited', '/v/old': 'deleted' },
      ...{ '/v/pine': 'deleted', '/v/pine/deep': 'deleted', '/v/pine/deep/cone': 'deleted' },
    };
    expect(outcomes(await run('--prune', '--dry-run'))).toEqual(expected);
    expect(await load(wiki, '/v/elm')).toBeDefined();
    expect(outcomes(await run('--prune'))).toEqual(expected);
    for (const [path, outcome] of Object.entries(expected))
      expect((await load(wiki, path))?.path === path, path).toBe(outcome === 'edited');
    expect(await load(wiki, '/v/trees/oak')).toMatchObject({ id: oak?.id, title: 'Oak' });
    expect((await load(wiki, '/v/trees/oak'))?.content.body).toContain('new lines');
    expect((await load(wiki, '/v/new'))?.content.body).toContain('new things');
    expect(await markup(wiki, '/v/home')).toContain('href="/v/trees/oak"');
    const again = await run('--prune');
    expect([again.pages.created, again.pages.changed]).toEqual([0, 0]);
    expect(outcomes(again)).toEqual({ '/v/ash': 'edited', '/v/yew': 'edited' });
    expect(await wiki.coppice(['check'])).toMatchObject({ code: 0 });
  });

  test('pruning is refused if the source has lost most of its pages', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    const names = Array.from({ length: 30 }, (_, number) => `Note ${number}.md`);
    const folder = plant(wiki, Object.fromEntries(names.map((name) => [name, `Text of ${name}`])));
    await wiki.coppice(['import', folder, '--parent', '/n']);
    for (const name of names.slice(2)) rmSync(join(folder, name));
    const refused = await wiki.coppice(['import', folder, '--parent', '/n', '--prune']);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('28 of ')]);
    expect(await load(wiki, '/n/note-7')).toBeDefined();
    await wiki.coppice(['import', folder, '--parent', '/n', '--prune', '--force']);
    expect(await load(wiki, '/n/note-7')).toBeUndefined();
    expect(await load(wiki, '/n/note-1')).toBeDefined();
  });

  test('a folder of wikitext is pruned like others, and continues imports that recorded less', async () => {
    await using wiki = await startWiki(engine);
    const { id: memberId } = await wiki.administrator();
    const files = {
      'README.wiki': 'See [[oak.wiki]].',
      'oak.wiki': 'An oak\nof many\nlines',
      'elm.wiki': 'An elm',
      'ash.wiki': 'An ash',
      'birch.wiki': 'A birch',
      'shrubs/hazel.wiki': 'Hazel',
    };
    const folder = plant(wiki, files);
    const run = async (...more: string[]) =>
      JSON.parse(
        (await wiki.coppice(['import', folder, '--parent', '/w', '--json', ...more])).out,
      ) as Certificate;
    const { origin } = await run();
    for (const [source, path, title] of [
      ['README.wiki', '/w', 'source'],
      ['birch.wiki', '/w/birch', 'birch'],
    ] as const) {
      const body = (await load(wiki, path))?.content.body ?? '';
      const note = { source, sha256: 'x', title, body: hash('sha256', body), links: 1, origin };
      await edit(wiki, memberId, path, { data: { import: note } });
    }
    const again = await run();
    expect([again.pages, again.collisions]).toEqual([{ created: 0, changed: 0, unchanged: 7 }, []]);
    await edit(wiki, memberId, '/w/ash', { body: 'An ash, with words of mine' });
    for (const name of ['elm.wiki', 'ash.wiki', 'shrubs']) rmSync(join(folder, name), { recursive: true });
    mkdirSync(join(folder, 'trees'));
    renameSync(join(folder, 'oak.wiki'), join(folder, 'trees/oak.wiki'));
    plant(wiki, { 'README.wiki': 'See [[trees/oak.wiki]].' });
    const oak = await load(wiki, '/w/oak');
    const outcomes = ({ gone }: Certificate) =>
      Object.fromEntries(gone.list.map(({ path, outcome }) => [path, outcome]));
    const expected = {
      ...{ '/w/elm': 'deleted', '/w/ash': 'edited', '/w/shrubs/hazel': 'deleted', '/w/shrubs': 'deleted' },
      '/w/oak': 'moved',
    };
    expect(outcomes(await run('--prune'))).toEqual(expected);
    expect(await load(wiki, '/w/trees/oak')).toMatchObject({ id: oak?.id });
    expect(await load(wiki, '/w/shrubs')).toBeUndefined();
    expect(await markup(wiki, '/w')).toContain('href="/w/trees/oak"');
    expect(await wiki.coppice(['check'])).toMatchObject({ code: 0 });
  });

  test('a page with another title in its source is the same page, and moves when it is pruned later', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    const file = join(wiki.folder, 'wiki.json');
    const run = async (tiddlers: object[], ...more: string[]) => {
      writeFileSync(file, JSON.stringify(tiddlers));
      const args = ['import', file, '--parent', '/t', '--json', ...more];
      const { pages, gone } = JSON.parse((await wiki.coppice(args)).out) as Certificate;
      return [
        pages.created,
        pages.changed,
        ...gone.list.map(({ path, movedTo, outcome }) => [path, movedTo?.path, outcome]),
      ];
    };
    const same = [
      { title: 'A', text: 'An ash' },
      { title: 'B', text: 'An alder' },
    ];
    await run([...same, { title: 'Old', text: 'An oak of many lines' }]);
    const { id } = (await load(wiki, '/t/old')) ?? {};
    const later = [...same, { title: 'New', text: 'An oak of many lines' }];
    for (const changed of [1, 0])
      expect(await run(later)).toEqual([0, changed, ['/t/old', '/t/new', 'stays']]);
    expect(await run(later, '--prune')).toEqual([0, 0, ['/t/old', '/t/new', 'moved']]);
    expect(await load(wiki, '/t/new')).toMatchObject({ id, title: 'New' });
    expect(await run(later, '--prune')).toEqual([0, 0]);

    // A renamed file renames its page, so that links to the new name lead there.
    const vault = plant(wiki, { 'Home.md': '[[Old]]', 'Old.md': 'An elm of many lines' }, 'vault');
    const again = async () => {
      const args = ['import', vault, '--from', 'obsidian', '--parent', '/v', '--json'];
      return JSON.parse((await wiki.coppice(args)).out) as Certificate;
    };
    await again();
    renameSync(join(vault, 'Old.md'), join(vault, 'New.md'));
    plant(wiki, { 'Home.md': '[[New]]' }, 'vault');
    expect((await again()).comparison).toMatchObject({ pages: 2, differing: 0 });
    expect(await load(wiki, '/v/old')).toMatchObject({ title: 'New' });
    expect((await again()).pages).toEqual({ created: 0, changed: 0, unchanged: 2 });
  });

  test('two folders of wikitext never overwrite each other, and an ambiguous folder is refused', async () => {
    for (const order of [
      ['one', 'two'],
      ['two', 'one'],
    ] as const) {
      await using wiki = await startWiki(engine);
      await wiki.administrator();
      const texts = (name: string) => ({
        'README.wiki': `Home of ${name}`,
        'oak.wiki': `Oak of ${name}`,
        [`${name}.wiki`]: `Only of ${name}`,
      });
      const folders = order.map((name) => plant(wiki, texts(name), `${name}/docs`));
      const run = (folder = '', ...more: string[]) =>
        wiki.coppice(['import', folder, '--parent', '/p', ...more]);
      const [first, second] = order;
      expect((await run(folders[0])).code).toBe(0);
      const other = await run(folders[1]);
      expect([other.code, other.out]).toEqual([
        0,
        expect.stringContaining('is already used, so the page is at /p/oak-2'),
      ]);
      expect((await load(wiki, '/p/oak'))?.content.body).toBe(`Oak of ${first}`);
      expect((await load(wiki, '/p'))?.content.body).toBe(`Home of ${first}`);
      expect((await load(wiki, '/p/readme'))?.content.body).toBe(`Home of ${second}`);
      expect((await load(wiki, '/p/oak-2'))?.content.body).toBe(`Oak of ${second}`);
      expect((await load(wiki, `/p/${second}`))?.content.body).toBe(`Only of ${second}`);
      plant(wiki, { 'oak.wiki': `Oak of ${first}, grown` }, `${first}/docs`);
      expect((await run(folders[0])).out).toContain('0 pages new, 1 changed');
      const third = plant(
        wiki,
        { 'README.wiki': `Home of ${first}`, 'oak.wiki': 'Another oak' },
        'three/docs',
      );
      const unclear = await run(third);
      expect([unclear.code, unclear.err]).toEqual([1, expect.stringContaining('--source')]);
      expect((await load(wiki, '/p/oak'))?.content.body).toBe(`Oak of ${first}, grown`);
      expect((await load(wiki, '/p'))?.content.body).toBe(`Home of ${first}`);
    }
  });
});
