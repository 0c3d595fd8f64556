/** Selecting fields of pages and related data, and finding pages by place, time, owner and links. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, startApp, type TestApp } from '../support/http.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  let now = Date.UTC(2026, 4, 1);
  let ada: { id: number; token: string };
  let bea: { id: number; token: string };
  const ids: Record<string, number> = {};

  const found = async (query: string, token?: string) => {
    const { status, json, text } = await wiki.call('GET', `/v1/pages?${query}`, token ? { token } : {});
    expect(status, text).toBe(200);
    return json.map(({ title }: { title: string }) => title);
  };

  beforeAll(async () => {
    wiki = await startApp({}, { engine, clock: () => now });
    ada = await wiki.member('Ada', { isAdmin: true });
    bea = await wiki.member('Bea');
    const create = async (token: string, fields: { title: string } & Record<string, unknown>) => {
      now += 60_000;
      ids[fields.title] = (await wiki.page(token, fields)).id;
    };
    await create(ada.token, { title: 'Garden', body: '[[Rose]] [[kind:place]] [[Location:52.5, 13.4]]' });
    const png = { file: { name: 'notes.txt', data: Buffer.from('notes').toString('base64') } };
    await create(bea.token, { title: 'Rose', parent: '/garden', body: 'A rose & pruning.', files: png });
    await create(bea.token, { title: 'Elm', parent: '/garden', body: '[[Rose]] [[Location:52.51, 13.4]]' });
    await create(ada.token, { title: 'Hedge', parent: '/garden/rose', body: 'Far. [[Location:-16, 179.9]]' });
    await create(ada.token, {
      title: 'Secret',
      parent: '/garden',
      body: '[[Rose]] [[Location:52.5, 13.4]]',
      permissions: 700,
    });
  });
  afterAll(() => wiki.close());

  test('pages have only the requested fields', async () => {
    const { json } = await wiki.call('GET', '/v1/pages?path=/garden&fields=id,path,title');
    expect(json[1]).toEqual({ id: ids.Garden, title: 'Garden', path: '/garden' });
    const more = await wiki.call('GET', '/v1/pages?title=rose&fields=tags,lineage,permissions,format');
    expect(Object.keys(more.json[0]).sort()).toEqual(['format', 'lineage', 'permissions', 'tags']);
    const near = await wiki.call('GET', '/v1/near/52.5/13.4?fields=title,distance,permissions');
    expect(near.json[0]).toEqual({
      title: 'Garden',
      distance: 0,
      permissions: { read: true, write: false, code: 774 },
    });
    const children = await wiki.call('GET', '/v1/children/garden?fields=slug,hasChildren');
    expect(children.json).toEqual([
      { slug: 'elm', hasChildren: false },
      { slug: 'rose', hasChildren: true },
    ]);
    const read = await wiki.call('GET', '/v1/pages/garden/rose?fields=title,depth');
    expect(read.json).toEqual({ page: { title: 'Rose', depth: 1 } });
    const body = await wiki.call('GET', '/v1/pages/garden/rose?fields=markup,slug');
    expect(body.json).toEqual({ page: { slug: 'rose' }, markup: '<p>A rose &amp; pruning.\n</p>' });
  });

  test('each selected field equals that of the whole page', async () => {
    const [whole] = (await wiki.call('GET', '/v1/pages?title=rose')).json;
    for (const [name, value] of Object.entries(whole)) {
      const [part] = (await wiki.call('GET', `/v1/pages?title=rose&fields=${name}`)).json;
      expect(part).toEqual({ [name]: value });
    }
  });

  test.each([
    ['/v1/pages?path=/&fields=id,colour', '?fields'],
    ['/v1/pages/garden?fields=distance', '?fields'],
    ['/v1/children?include=parents', '?include'],
    ['/v1/pages?ids=1,x', '?ids'],
    ['/v1/pages?owner=Ada', '?owner'],
    ['/v1/pages?near=52.5', '?near'],
    ['/v1/pages?near=91,0,5', '?near'],
    ['/v1/pages?near=1,0,1000001', '?near'],
    ['/v1/pages?bbox=1,2,3', '?bbox'],
    ['/v1/pages?bbox=1,3,2,2', '?bbox'],
    ['/v1/pages?since=yesterday', '?since'],
    ['/v1/pages?path=/&cursor=nonsense', '?cursor'],
    ['/v1/pages?text=rose&order=relevance&cursor=', '?cursor'],
  ])('%s is refused and names the parameter', async (url, pointer) => {
    const { status, json } = await wiki.call('GET', url);
    expect([status, json.errors[0].pointer]).toEqual([400, pointer]);
  });

  test('children, backlinks and files are included as far as the caller may see them', async () => {
    const url = '/v1/pages?path=/garden&fields=title&include=children,backlinks,files';
    const names = (pages: { title: string }[]) => pages.map(({ title }) => title);
    const of = async (token?: string) => {
      const { json } = await wiki.call('GET', url, token ? { token } : {});
      return Object.fromEntries(json.map((page: { title: string }) => [page.title, page]));
    };
    const public_ = await of();
    expect(names(public_.Garden.children)).toEqual(['Elm', 'Rose']);
    expect(public_.Garden.children[1].hasChildren).toBe(true);
    expect(names(public_.Rose.backlinks)).toEqual(['Garden', 'Elm']);
    expect(public_.Rose.files[0].filename).toBe('notes.txt');
    expect(public_.Elm).toEqual({ title: 'Elm', children: [], backlinks: [], files: [] });
    const own = await of(ada.token);
    expect(names(own.Garden.children)).toEqual(['Elm', 'Rose', 'Secret']);
    expect(names(own.Rose.backlinks)).toEqual(['Garden', 'Elm', 'Secret']);
    const read = await wiki.call('GET', '/v1/pages/garden/rose?include=backlinks');
    expect(names(read.json.page.backlinks)).toEqual(['Garden', 'Elm']);
    const roots = await wiki.call('GET', '/v1/children?include=children,files');
    expect(names(roots.json[0].children)).toEqual(['Elm', 'Rose']);
  });

  test('pages are found by ID, owner, links, place and time', async () => {
    expect(await found(`ids=${ids.Rose},${ids.Secret},99999`)).toEqual(['Rose']);
    expect(await found(`owner=${bea.id}`)).toEqual(['Elm', 'Rose']);
    expect(await found('linksTo=/garden/rose')).toEqual(['Elm', 'Garden']);
    expect(await found('linksTo=/garden/rose', ada.token)).toEqual(['Elm', 'Garden', 'Secret']);
    expect(await found('linksTo=/nowhere')).toEqual([]);
    expect(await found('near=52.5,13.4,1000')).toEqual(['Garden']);
    expect(await found('near=52.5,13.4,2000')).toEqual(['Elm', 'Garden']);
    expect(await found('bbox=13,52.505,14,53')).toEqual(['Elm']);
    expect(await found('bbox=179,-17,-179,-15')).toEqual(['Hedge']);
    const token = ada.token;
    const there = async (title: string, lat: number, lon: number) =>
      wiki.page(token, { title, permissions: 700, body: `[[Location:${lat}, ${lon}]]` });
    await there('West end', 0, -180);
    await there('East end', 0, 180);
    await there('Pole', 90, 20);
    for (const [box, titles] of [
      ['180,-1,180,1', ['East end', 'West end']],
      ['-180,-1,-180,1', ['East end', 'West end']],
      ['-180,-1,-179,1', ['East end', 'West end']],
      ['179,-1,180,1', ['East end', 'West end']],
      ['179,-1,-179,1', ['East end', 'West end']],
      ['180,-1,-179,1', ['East end', 'West end']],
      ['179,-1,-180,1', ['East end', 'West end']],
      ['-180,-1,180,1', ['East end', 'West end']],
      ['-170,-1,170,1', []],
      ['100,80,110,90', ['Pole']],
      ['100,80,110,89.9', []],
      ['100,90,110,90', ['Pole']],
    ] as const)
      expect([box, await found(`bbox=${box}`, token)]).toEqual([box, titles]);
    for (const path of ['west-end', 'east-end', 'pole'])
      await wiki.call('DELETE', `/v1/pages/${path}`, { token });
    const at = new Date(Date.UTC(2026, 4, 1) + 180_000);
    expect(await found(`since=${at.toISOString()}`)).toEqual(['Elm', 'Hedge']);
    expect(await found(`since=${at.getTime() / 1000 + 1}`)).toEqual(['Hedge']);
  });

  test('criteria combine: all must be met, or with logic=or any, while ancestor, near, bbox and since always limit', async () => {
    expect(await found(`owner=${bea.id}&linksTo=/garden/rose`)).toEqual(['Elm']);
    expect(await found(`owner=${ada.id}&ids=${ids.Rose}&logic=or`)).toEqual(['Garden', 'Hedge', 'Rose']);
    expect(await found(`owner=${ada.id}&ids=${ids.Rose}&logic=or&bbox=13,52,14,53`)).toEqual(['Garden']);
    expect(await found('linksTo=/nowhere&title=elm&logic=or')).toEqual(['Elm']);
    expect(await found('near=52.5,13.4,2000&ancestor=/garden')).toEqual(['Elm']);
  });

  test('a snippet shows the part with the words, with everything else escaped', async () => {
    const { json } = await wiki.call('GET', '/v1/pages?text=pruning&include=snippet&fields=title');
    expect(json).toEqual([
      {
        title: 'Rose',
        snippet: {
          text: 'A rose & pruning.',
          html: 'A rose &amp; <mark>pruning</mark>.',
          title: 'Rose',
        },
      },
    ]);
    const body = 'Trees.\n\n== Care ==\nMuch.\n=== In <i>spring</i> ===\nLopping.\n\n== Care ==\nLopping.';
    await wiki.page(ada.token, { title: 'Beech', body });
    const sections = await wiki.call('GET', '/v1/pages?text=lopping&include=snippet&history=none');
    expect(sections.json[0].snippet.section).toEqual({ id: 'In_spring', title: 'In spring' });
    const facets = await wiki.call('GET', '/v1/facets?path=/garden');
    expect(facets.json).toEqual({
      types: [{ type: 'Place', count: 3 }],
      tags: [{ key: 'kind', value: 'place', count: 1 }],
      isWhole: true,
    });
  });

  test.each([
    'alphabetical',
    'reverse alphabetical',
    'first created',
    'last created',
    'oldest update',
    'most recent update',
  ])('a cursor by %s repeats and skips no page while pages are added and removed', async (order) => {
    const titles = Array.from({ length: 12 }, (_, i) => `Leaf ${String(i).padStart(2, '0')}`);
    for (const title of titles) {
      now += 1000;
      await wiki.page(ada.token, { title, slug: `${title} ${order}`, type: order, body: 'leaf' });
    }
    const query = `type=${encodeURIComponent(order)}&order=${encodeURIComponent(order)}&fields=title,path`;
    const whole = (await found(`${query}&limit=100`)) as string[];
    const seen: string[] = [];
    let url: string | undefined = `/v1/pages?${query}&limit=3&cursor=`;
    while (url) {
      const { json, headers } = await wiki.call('GET', url);
      seen.push(...json.map(({ title }: { title: string }) => title));
      url = /<(.*)>; rel="next"/.exec(String(headers.link ?? ''))?.[1];
      // Deletes the last page of this response and creates one before all pages seen so far.
      if (seen.length === 3 || seen.length === 6) {
        await wiki.call('DELETE', `/v1/pages${json.at(-1).path}`, { token: ada.token });
        now += 1000;
        const isFirst =
          order === 'alphabetical' || order === 'last created' || order === 'most recent update';
        if (isFirst)
          await wiki.page(ada.token, {
            title: `A leaf ${seen.length}`,
            slug: `${order} ${seen.length}`,
            type: order,
          });
      }
    }
    expect(seen).toEqual(whole);
  });
});
