/** The page of the tree without scripts: filter, hidden types, counts, and the look at a move that its address names. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines } from '../support/http.ts';
import { startSite, type TestSite } from '../support/web.ts';

describe.each(engines)('on %s', (engine) => {
  let site: TestSite;
  let ada: Awaited<ReturnType<TestSite['signedIn']>>;
  let bob: Awaited<ReturnType<TestSite['signedIn']>>;

  beforeAll(async () => {
    site = await startSite({}, { engine });
    ada = await site.signedIn('Ada');
    bob = await site.signedIn('Bob');
    await site.page(ada.token, { title: 'Wood' });
    await site.page(ada.token, { title: 'Oak', parent: '/wood', type: 'Plant' });
    await site.page(ada.token, { title: 'Oak of Ada', parent: '/wood', permissions: 700 });
    await site.page(ada.token, { title: 'Oakum', type: 'Stuff' });
  });
  afterAll(() => site.close());

  test('counts, the filter and hidden types show only what the visitor may read', async () => {
    const countOf = (text: string) => /Wood <span class="tree-count">(\d+)</.exec(text)?.[1];
    expect(countOf((await ada.get('/tree')).text)).toBe('2');
    expect(countOf((await bob.get('/tree')).text)).toBe('1');
    const found = (await bob.get('/tree?title=oak')).text;
    expect(found).toContain('/wood/oak');
    expect(found).toContain('/oakum');
    expect(found).not.toContain('Oak of Ada');
    expect((await ada.get('/tree/wood?title=OAK&part=list')).text).toContain('Oak of Ada');
    expect((await bob.get('/tree/wood?title=oak')).text).not.toContain('href="/oakum"');
    expect((await bob.get('/tree?title=oak&hide=Stuff')).text).not.toContain('href="/oakum"');
    const hidden = (await bob.get('/tree?hide=Stuff')).text;
    expect(hidden).not.toContain('href="/oakum"');
    expect(hidden).toContain('part=list&amp;hide=Stuff');
    expect((await bob.get('/tree?title=%3Cb%3E')).text).toContain('No page has such a title.');
  });

  test('the address of a move names a parent, and the page says what would move or why nothing can', async () => {
    const look = await ada.get('/move/wood/oak?parent=/oakum');
    expect(look.text).toContain('/oakum/oak');
    expect(look.text).toContain('Move 1 page');
    expect((await ada.get('/move/wood?parent=/wood/oak')).status).toBe(400);
    const secret = await bob.get('/move/oakum?parent=/wood/oak-of-ada');
    const absent = await bob.get('/move/oakum?parent=/wood/absent');
    expect(secret.status).toBe(400);
    expect(secret.text).toContain('The parent page /wood/oak-of-ada does not exist.');
    expect(absent.text).toContain('The parent page /wood/absent does not exist.');
    expect((await site.call('GET', '/v1/pages/wood/oak')).status).toBe(200);
  });
});
