/** Contract of both engines: every way in which pages are found and listed. */
import { describe, expect, test } from 'vitest';
import type { Actor } from '#core/model/permission.ts';
import { readTextQuery } from '#core/model/terms.ts';
import { metresBetween } from '#core/places/distance.ts';
import { nearPlaces } from '#core/places/near-places.ts';
import type { SearchCriteria } from '#core/ports/list-reads.ts';
import { engines, forEachEngine } from '../support/postgres.ts';
import {
  addPage,
  addPages,
  administrator,
  all,
  anyone,
  asked,
  type Draft,
  editPage,
  memberWith,
  withMembers,
} from '../support/write-pages.ts';

forEachEngine(testLists);
describe('SQLite with the statistics of a large wiki', () => {
  const open = new Map(engines).get('SQLite') as (typeof engines)[0][1];
  testLists((options) => open({ ...options, manyPages: { words: 0, lists: 0 } }));
});

function testLists(open: (typeof engines)[0][1]): void {
  test('search finds by each criterion, by all of them, and by any', async () => {
    await using store = await open();
    await withMembers(store);
    const pages: Record<string, number> = {};
    const add = async (draft: Draft & { title: string }) => {
      pages[draft.title] = await addPage(store, draft);
    };
    await add({ title: 'Oak', type: 'Tree', tags: [['leaf', 'lobed']] });
    await add({ title: 'Holm oak', parentId: pages.Oak as number, type: 'Tree', tags: [['leaf', 'whole']] });
    await add({ title: 'Éclair', tags: [['kind', 'lobed']], body: 'choux pastry' });
    await add({ title: 'Hidden oak', permissions: 700, ownerId: 2, type: 'Tree' });
    await add({ title: '100%_\\', path: '/a%b' });
    const find = async (criteria: Partial<SearchCriteria>, actor: Actor = anyone) => {
      const { ids, total } = await store.readAs(actor).lists.search({ ...asked, ...criteria });
      expect(total).toBe(ids.length);
      return ids.map((id) => Object.keys(pages).find((title) => pages[title] === id));
    };
    expect(await find({})).toEqual([]);
    expect(await find({ pathPrefix: '/oak' })).toEqual(['Holm oak', 'Oak']);
    expect(await find({ pathPrefix: '/a%' })).toEqual(['100%_\\']);
    expect(await find({ pathPrefix: '/%' })).toEqual([]);
    expect(await find({ titleFragment: 'OAK' })).toEqual(['Holm oak', 'Oak']);
    expect(await find({ titleFragment: ' oak' })).toEqual(['Holm oak']);
    expect(await find({ titleFragment: 'ÉC' })).toEqual(['Éclair']);
    expect(await find({ titleFragment: '%' })).toEqual(['100%_\\']);
    expect(await find({ titleFragment: '%_\\' })).toEqual(['100%_\\']);
    expect(await find({ titleFragment: '0_' })).toEqual([]);
    expect(await find({ titleFragment: '"oak' })).toEqual([]);
    expect(await find({ type: 'Tree' })).toEqual(['Holm oak', 'Oak']);
    expect(await find({ type: 'Tree' }, memberWith(2))).toEqual(['Hidden oak', 'Holm oak', 'Oak']);
    expect(await find({ type: 'tree' })).toEqual([]);
    expect(await find({ tags: [{ value: 'lobed' }] })).toEqual(['Éclair', 'Oak']);
    expect(await find({ tags: [{ key: 'leaf', value: 'lobed' }] })).toEqual(['Oak']);
    expect(await find({ tags: [{ value: 'lobed' }, { key: 'kind', value: 'lobed' }] })).toEqual(['Éclair']);
    expect(await find({ ancestorId: pages.Oak as number })).toEqual(['Holm oak']);
    expect(await find({ ancestorId: 999, type: 'Tree' })).toEqual([]);
    expect(await find({ type: 'Tree', titleFragment: 'holm' })).toEqual(['Holm oak']);
    expect(await find({ type: 'Tree', titleFragment: 'clair', logic: 'or' })).toEqual([
      'Éclair',
      'Holm oak',
      'Oak',
    ]);
    // A page that meets both criteria is found once.
    expect(await find({ type: 'Tree', titleFragment: 'holm', logic: 'or' })).toEqual(['Holm oak', 'Oak']);
    const orWithin = {
      type: 'Tree',
      titleFragment: 'clair',
      logic: 'or',
      ancestorId: pages.Oak as number,
    } as const;
    expect(await find(orWithin)).toEqual(['Holm oak']);
    expect(await find({ type: 'Tree', order: 'reverse alphabetical' })).toEqual(['Oak', 'Holm oak']);
    expect(await find({ pathPrefix: '/', order: 'last created' })).toEqual([
      '100%_\\',
      'Éclair',
      'Holm oak',
      'Oak',
    ]);
    await editPage(store, pages.Oak as number, { body: 'acorn' });
    expect(await find({ pathPrefix: '/', order: 'most recent update' })).toEqual([
      'Oak',
      '100%_\\',
      'Éclair',
      'Holm oak',
    ]);
    expect(await find({ pathPrefix: '/', order: 'oldest update' })).toEqual([
      'Holm oak',
      'Éclair',
      '100%_\\',
      'Oak',
    ]);
    const { ids, total } = await store
      .readAs(anyone)
      .lists.search({ ...asked, pathPrefix: '/', limit: 2, offset: 1 });
    expect([ids, total]).toEqual([[pages.Éclair, pages['Holm oak']], 4]);
    expect(await store.readAs(anyone).lists.facets({ ...asked, pathPrefix: '/' })).toEqual({
      types: [{ type: 'Tree', count: 2 }],
      tags: [
        { key: 'kind', value: 'lobed', count: 1 },
        { key: 'leaf', value: 'lobed', count: 1 },
        { key: 'leaf', value: 'whole', count: 1 },
      ],
      isWhole: true,
    });
  });

  test('text is found by word, beginning of a word, phrase, and parts of runs without spaces', async () => {
    await using store = await open();
    await withMembers(store);
    const forest = await addPage(store, {
      title: 'The forest',
      body: 'An open-source map of 東京都 and the café’s trees',
    });
    const wood = await addPage(store, { title: 'Wood', body: 'Deep forests. Source: open.' });
    const find = async (query: string) => {
      const text = readTextQuery(query);
      if (!text) throw new Error(`Nothing to look for in ${query}.`);
      return (await store.readAs(anyone).lists.search({ ...asked, order: 'relevance', text })).ids;
    };
    expect(await find('forest')).toEqual([forest, wood]);
    expect(await find('fores')).toEqual([forest, wood]);
    expect(await find('"forest"')).toEqual([forest]);
    expect(await find('"open source"')).toEqual([forest]);
    expect(await find('open source')).toHaveLength(2);
    expect(await find('CAFE')).toEqual([forest]);
    expect(await find('東')).toEqual([forest]);
    expect(await find('京都')).toEqual([forest]);
    expect(await find('東京都')).toEqual([forest]);
    expect(await find('東都')).toEqual([]);
    // Phrases do not match across title and body.
    expect(await find('"forest an"')).toEqual([]);
    expect(await find("it's \\ ' & | ! <-> :* ()")).toEqual([]);
    await editPage(store, forest, { body: 'gone' });
    expect(await find('map')).toEqual([]);
  });

  test('pages with a word or phrase after a minus are left out, and not counted', async () => {
    await using store = await open();
    await withMembers(store);
    const titles: [title: string, body: string][] = [
      ['Rambler', 'Roses that climb trees'],
      ['Hedge', 'Roses and water mills, an e-mail'],
      ['Roses', 'Old water mill'],
      ['Rose tree', 'A standard'],
      ['Hidden', 'Roses'],
      // On PostgreSQL, a text this long has several parts.
      ['Long', `roses ${Array.from({ length: 20_000 }, (_, i) => `word${i % 977}`).join(' ')} willow`],
    ];
    const ids = new Map<number, string>();
    for (const [title, body] of titles)
      ids.set(await addPage(store, { title, body, ...(title === 'Hidden' && { permissions: 700 }) }), title);
    for (const [query, expected] of [
      ['roses', ['Hedge', 'Long', 'Rambler', 'Roses']],
      ['roses -trees', ['Hedge', 'Long', 'Roses']],
      ['-trees roses', ['Hedge', 'Long', 'Roses']],
      ['rose -tre', ['Hedge', 'Long', 'Roses']],
      // In quotes, a word does not stand for longer ones.
      ['rose -"tree"', ['Hedge', 'Long', 'Rambler', 'Roses']],
      ['roses -"water mill"', ['Hedge', 'Long', 'Rambler']],
      ['roses -water -trees', ['Long']],
      ['"roses" -willow', ['Hedge', 'Rambler', 'Roses']],
      ['roses word5 -willow', []],
      ['roses -absent', ['Hedge', 'Long', 'Rambler', 'Roses']],
      ['roses -roses', []],
      ['roses -e-mail', ['Long', 'Rambler', 'Roses']],
      // Neither a hyphen within a word nor a minus on its own leaves anything out.
      ['e-mail', ['Hedge']],
      ['water --mill', ['Hedge', 'Roses']],
      ['water - mill', ['Hedge', 'Roses']],
    ] as const) {
      const text = readTextQuery(query);
      for (const order of ['alphabetical', 'relevance'] as const)
        for (const limit of [100, 1]) {
          const found = await store.readAs(anyone).lists.search({ ...asked, text, order, limit });
          expect(found.total, query).toBe(expected.length);
          if (limit > 1) expect(found.ids.map((id) => ids.get(id)).sort(), query).toEqual(expected);
        }
    }
    const or = {
      ...asked,
      logic: 'or',
      text: readTextQuery('roses -trees'),
      titleFragment: 'rambler',
    } as const;
    const either = await store.readAs(anyone).lists.search(or);
    expect(either.ids.map((id) => ids.get(id))).toEqual(['Hedge', 'Long', 'Rambler', 'Roses']);
    expect(either.total).toBe(4);
  });

  test('every word and phrase of a long text is found', async () => {
    await using store = await open();
    await withMembers(store);
    const filler = Array.from({ length: 30_000 }, (_, i) => (i % 3 === 0 ? 'the' : `word${i % 977}`));
    filler.splice(1500, 0, 'green', 'heron');
    filler.splice(25_000, 0, 'the', 'grey', 'heron');
    const id = await addPage(store, { title: 'Long', body: filler.join(' ') });
    for (const query of ['"green heron"', '"the grey heron"', 'green grey', '"the word1"']) {
      const text = readTextQuery(query);
      for (const order of ['alphabetical', 'relevance'] as const)
        expect((await store.readAs(anyone).lists.search({ ...asked, text, order })).ids, query).toEqual([id]);
    }
    const none = readTextQuery('"green grey"');
    expect((await store.readAs(anyone).lists.search({ ...asked, text: none })).ids).toEqual([]);
    expect(await store.maintenance.violations(10)).toEqual([]);
  });

  test('titles are sorted by alphabet and not by byte, whatever the order of the database', async () => {
    await using store = await open();
    await withMembers(store);
    const titles = [
      'Zoo',
      'banana',
      'Éclair',
      'Apple',
      'apple pie',
      'Ångström',
      '東京',
      '1984',
      'Жук',
      'a-b',
      'a b',
    ];
    for (const [i, title] of titles.entries()) await addPage(store, { title, path: `/${i}` });
    const { ids } = await store.readAs(anyone).lists.search({ ...asked, pathPrefix: '/' });
    const loaded = await store.readAsSystem().pages.load(ids, 'none');
    expect(loaded.map(({ title }) => title)).toEqual([
      '1984',
      'a b',
      'a-b',
      'Ångström',
      'Apple',
      'apple pie',
      'banana',
      'Éclair',
      'Zoo',
      'Жук',
      '東京',
    ]);
  });

  test('completion finds titles and paths that begin with or contain the fragment, best first', async () => {
    await using store = await open();
    await withMembers(store);
    for (const title of ['Forestry', 'Old forest', 'forest', 'Deforested', 'Éclair', '東京都'])
      await addPage(store, { title });
    await addPage(store, { title: 'Trees', path: '/forests' });
    await addPage(store, { title: 'Forest of secrets', permissions: 700 });
    const titles = async (fragment: string, limit = 10) =>
      (await store.readAs(anyone).pages.complete(fragment, limit)).map(({ title }) => title);
    expect(await titles('FOREST')).toEqual(['forest', 'Forestry', 'Deforested', 'Old forest', 'Trees']);
    expect(await titles('forest', 2)).toEqual(['forest', 'Forestry']);
    expect(await titles('fo')).toEqual(['forest', 'Forestry', 'Old forest', 'Trees']);
    expect(await titles('/fo')).toEqual(['forest', 'Forestry', 'Trees']);
    expect(await titles('京都')).toEqual(['東京都']);
    expect(await titles('éc')).toEqual(['Éclair']);
    expect(await titles('%')).toEqual([]);
  });

  test('places around a point include all within the radius, also at the poles and across the antimeridian', async () => {
    await using store = await open();
    await withMembers(store);
    const places: { id: number; lat: number; lon: number }[] = [];
    const add = async (lat: number, lon: number) => {
      const location = { lat, lon };
      const id = await addPage(store, { title: 'P', path: `/${places.length}`, location });
      places.push({ id, lat, lon });
    };
    for (const lat of [-90, -89.9, -45.1, -0.01, 0, 0.02, 44.9, 89.95, 90]) {
      for (const lon of [-180, -179.95, -90, 0, 0.03, 91, 179.97, 180]) await add(lat, lon);
    }
    await addPage(store, { title: 'Hidden', location: { lat: 0, lon: 0 }, permissions: 700 });
    await addPage(store, { title: 'Nowhere' });
    for (const centre of places.filter((_, i) => i % 5 === 0)) {
      for (const radius of [0, 1, 3000, 20_000, 500_000, 6_000_000, 20_003_931]) {
        const found = await store.readAs(anyone).lists.placesAround(centre, radius);
        const ids = found.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        const within = places.filter((place) => metresBetween(centre, place) <= radius).map(({ id }) => id);
        expect(
          within.filter((id) => !ids.includes(id)),
          `${radius} m around ${centre.lat}, ${centre.lon}`,
        ).toEqual([]);
        if (radius === 3000) expect(ids.length).toBeLessThan(30);
      }
    }
    const boxes = [
      { south: -1, west: 179, north: 1, east: -179 },
      { south: -90, west: -180, north: 90, east: 180 },
      { south: 89, west: -180, north: 90, east: 180 },
      { south: -1, west: 0, north: 1, east: 0.03 },
      { south: 0, west: 0, north: 0, east: 0 },
    ];
    for (const box of boxes) {
      const inside = places.filter(({ lat, lon }) => {
        const isBetween =
          box.west <= box.east ? lon >= box.west && lon <= box.east : lon >= box.west || lon <= box.east;
        return lat >= box.south && lat <= box.north && isBetween;
      });
      const found = await store.readAs(anyone).lists.placesIn(box, 1000);
      expect(found.map(({ id }) => id)).toEqual(inside.map(({ id }) => id));
      expect(await store.readAs(anyone).lists.placesIn(box, 1)).toHaveLength(1);
    }
  });

  test('the nearest of very many places and their number contain only what the reader may see', async () => {
    await using store = await open();
    await withMembers(store);
    const places = Array.from({ length: 2400 }, (_, i) => {
      // Most places are near 0, 179.9; every eighth is anywhere.
      const [lat, lon] = [((i * 37) % 240) / 100 - 1.2, 178.7 + ((i * 91) % 251) / 100];
      const location =
        i % 8 === 0
          ? { lat: ((i * 7) % 180) - 90, lon: ((i * 13) % 360) - 180 }
          : { lat, lon: lon > 180 ? lon - 360 : lon };
      return { location, permissions: i % 10 === 3 ? 700 : 775, ownerId: 1 + (i % 2) };
    });
    await addPages(
      store,
      places.map((place, i) => ({ parent: null, drafts: [{ ...place, title: `P${i}`, path: `/${i}` }] })),
    );
    const actors = [null, { memberId: 2, name: 'Bob', isAdmin: false }];
    const centres = [...[1, 16].flatMap((i) => places[i]?.location ?? []), { lat: 89.9, lon: 10 }];
    for (const { lat, lon } of centres) {
      for (const radiusMetres of [150_000, 400_000, 4_000_000, 5_000_000, 20_003_931]) {
        for (const actor of actors) {
          const within = places
            .map((place, i) => ({ ...place, id: i + 1, metres: metresBetween({ lat, lon }, place.location) }))
            .filter(({ metres }) => metres <= radiusMetres)
            .filter(({ permissions, ownerId }) => permissions === 775 || ownerId === actor?.memberId)
            .sort((a, b) => a.metres - b.metres || a.id - b.id);
          for (const [limit, offset] of [
            [10, 0],
            [20, 30],
            [1000, 0],
          ] as const) {
            const found = await nearPlaces(store.readAs(actor), { lat, lon, radiusMetres, limit, offset });
            expect(found.places).toEqual(
              within.slice(offset, offset + limit).map(({ id, metres }) => ({ id, metres })),
            );
            expect(found.total).toBe(within.length);
          }
        }
      }
    }
  });

  test('the nearest of very many places and their number belong to one moment, despite concurrent writes', async () => {
    await using store = await open();
    await withMembers(store);
    const [centre, place] = [
      { lat: 0, lon: 0 },
      { lat: 0, lon: 0.0001 },
    ];
    await addPages(
      store,
      Array.from({ length: 1100 }, (_, i) => ({
        parent: null,
        drafts: [
          { title: `P${i}`, path: `/${i}`, location: i < 5 ? place : { lat: 0, lon: 0.1 + i / 1000 } },
        ],
      })),
    );
    const wanted = { ...centre, radiusMetres: 500_000, limit: 5, offset: 0 };
    const nearWhile = (write: () => Promise<unknown>) => {
      const reader = store.readAs(null);
      const countPlacesWithin: typeof reader.lists.countPlacesWithin = async (...asked) => {
        const counted = await reader.lists.countPlacesWithin(...asked);
        await write();
        return counted;
      };
      return nearPlaces({ ...reader, lists: { ...reader.lists, countPlacesWithin } }, wanted);
    };
    const added = await nearWhile(() => addPage(store, { title: 'New', location: centre }));
    expect([added.places[0]?.metres, added.places.length, added.total]).toEqual([0, 5, 1101]);
    // Places removed after the count leave too few within the radius.
    const gone = await nearWhile(async () => {
      for (const id of [1, 2, 3]) await editPage(store, id, { location: null });
    });
    expect([gone.places.length, gone.total]).toEqual([5, 1098]);
  });

  test('updates, children and public pages leave out hidden pages before applying the limit', async () => {
    await using store = await open();
    await withMembers(store);
    const root = await addPage(store, { title: 'Root', at: 10 });
    const b = await addPage(store, { title: 'b', parentId: root, at: 30 });
    const a = await addPage(store, { title: 'A', parentId: root, type: 'Tree', at: 20 });
    await addPage(store, { title: 'Under b', parentId: b, permissions: 700, at: 90 });
    const underA = await addPage(store, { title: 'Under a', parentId: a, at: 30 });
    await editPage(store, root, { editorId: 2, at: 40 });
    const updates = await store.readAs(anyone).lists.updates({ limit: 3, offset: 0 });
    expect(updates.map(({ id, at, editor }) => [id, at, editor.name])).toEqual([
      [root, 40, 'Bob'],
      [underA, 30, 'Ann'],
      [b, 30, 'Ann'],
    ]);
    expect(
      (await store.readAs(anyone).lists.updates({ limit: 3, offset: 1 }, root)).map(({ id }) => id),
    ).toEqual([b, a]);
    expect(await store.readAs(anyone).lists.updates(all, 999)).toEqual([]);
    expect(await store.readAs(anyone).lists.children(root, all)).toMatchObject({
      pages: [
        { id: a, title: 'A', path: '/root/a', type: 'Tree', hasChildren: true },
        { id: b, title: 'b', path: '/root/b', type: null, hasChildren: false },
      ],
      total: 2,
    });
    expect(await store.readAs(anyone).lists.children(null, { limit: 1, offset: 0 })).toMatchObject({
      pages: [{ id: root, hasChildren: true }],
      total: 1,
    });
    expect((await store.readAs(administrator).lists.children(b, all)).total).toBe(1);
    expect((await store.readAsSystem().lists.publicPages(root, 2)).map(({ id }) => id)).toEqual([b, a]);
  });

  test('a member’s own and edited pages include no page that they may not read', async () => {
    await using store = await open();
    await withMembers(store);
    const first = await addPage(store, { title: 'First', ownerId: 2, at: 10 });
    const second = await addPage(store, { title: 'Second', ownerId: 2, permissions: 700, at: 20 });
    // Bob's page, but readable only by administrators.
    const locked = await addPage(store, { title: 'Locked', ownerId: 2, permissions: 0, at: 25 });
    const other = await addPage(store, { title: 'Of Ann', ownerId: 1, at: 30 });
    await editPage(store, first, { editorId: 1, at: 40 });
    await editPage(store, other, { editorId: 2, at: 50 });
    await editPage(store, second, { editorId: 2, at: 60 });
    const bob = memberWith(2);
    expect(await store.readAs(bob).lists.ownedBy(2, all)).toEqual({
      pages: [
        { id: second, title: 'Second', path: '/second', at: 60 },
        { id: first, title: 'First', path: '/first', at: 40 },
      ],
      total: 2,
    });
    expect(await store.readAs(bob).lists.ownedBy(2, { limit: 1, offset: 1 })).toMatchObject({
      pages: [{ id: first }],
      total: 2,
    });
    expect((await store.readAs(administrator).lists.ownedBy(2, all)).pages.map(({ id }) => id)).toContain(
      locked,
    );
    expect((await store.readAs(bob).lists.editedBy(2, 10)).map(({ id, at }) => [id, at])).toEqual([
      [second, 60],
      [other, 50],
      [first, 10],
    ]);
    expect((await store.readAs(bob).lists.editedBy(2, 1)).map(({ id }) => id)).toEqual([second]);
    expect(await store.readAs(bob).lists.editedBy(3, 10)).toEqual([]);
  });

  test('words match the given beginning, are sorted and unique, and come from readable pages', async () => {
    await using store = await open();
    await withMembers(store);
    for (let i = 0; i < 60; i++)
      await addPage(store, {
        title: `Page ${i}`,
        type: i % 2 ? 'Plant' : 'Place',
        tags: [['kind', `v${i}`]],
      });
    await addPage(store, {
      title: 'Rare',
      type: 'plan',
      tags: [
        ['kind', 'Rare'],
        ['season', 'rare too'],
      ],
    });
    await addPage(store, {
      title: 'Hidden',
      permissions: 700,
      type: 'Plot',
      ownerId: 1,
      tags: [
        ['kind', 'rarest'],
        ['secret', 'x'],
      ],
    });
    expect((await store.readAs(anyone).lists.vocabulary(2000)).types).toEqual([
      { type: 'Place', count: 30 },
      { type: 'Plant', count: 30 },
      { type: 'plan', count: 1 },
    ]);
    // One of the three pages changed last is not public: visibility is applied before the limit.
    expect(await store.readAs(anyone).lists.vocabulary(2)).toEqual({
      types: [
        { type: 'Plant', count: 1 },
        { type: 'plan', count: 1 },
      ],
      tags: [
        { key: 'kind', value: 'Rare', count: 1 },
        { key: 'kind', value: 'v59', count: 1 },
        { key: 'season', value: 'rare too', count: 1 },
      ],
    });
    expect(await store.readAs(anyone).lists.words('tag', [''], 10)).toEqual(['kind', 'season']);
    expect(await store.readAs(administrator).lists.words('tag', ['s'], 10)).toEqual(['season', 'secret']);
    expect(await store.readAs(memberWith(2)).lists.words({ valueOf: 'kind' }, ['rar', 'Rar'], 10)).toEqual([
      'Rare',
    ]);
    expect(await store.readAs(memberWith(1)).lists.words({ valueOf: 'kind' }, ['rar', 'Rar'], 10)).toEqual([
      'rarest',
      'Rare',
    ]);
    expect(await store.readAs(anyone).lists.words({ valueOf: 'kind' }, ['v1'], 3)).toEqual([
      'v1',
      'v10',
      'v11',
    ]);
    expect(await store.readAs(anyone).lists.words('type', ['Pl', 'pl'], 10)).toEqual([
      'Place',
      'Plant',
      'plan',
    ]);
    expect(await store.readAs(administrator).lists.words('type', ['Pl'], 10)).toEqual([
      'Place',
      'Plant',
      'Plot',
    ]);
  });
}
