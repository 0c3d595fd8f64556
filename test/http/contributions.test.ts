/** Members as others see them: what is shown, to whom, and split into pages. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, engines } from '../support/http.ts';
import { startSite, type TestSite } from '../support/web.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestSite;
  let ada: { id: number; token: string };
  let eve: { id: number; token: string };
  beforeAll(async () => {
    wiki = await startSite({}, { engine });
    [ada, eve] = [await wiki.member('Ada'), await wiki.member('Eve')];
  });
  afterAll(() => wiki.close());
  const of = (id: number, query = '', token?: string) =>
    wiki.call('GET', `/v1/members/${id}/contributions${query}`, token === undefined ? {} : { token });
  const titles = (answer: Answer) =>
    answer.json.contributions.map(({ page }: { page: { title: string } }) => page.title);

  test('contributions are those that the caller may see, latest first, and pages of the list are complete', async () => {
    expect((await wiki.call('GET', `/v1/members/${ada.id}`)).status).toBe(404);
    expect((await of(ada.id)).status).toBe(404);
    await wiki.page(ada.token, { title: 'Private', permissions: 700 });
    expect((await wiki.call('GET', `/v1/members/${ada.id}`)).status).toBe(404);
    expect(titles(await of(ada.id, '', eve.token))).toEqual([]);
    for (const title of ['A', 'B', 'C']) await wiki.page(ada.token, { title, msg: `About ${title}` });
    await wiki.page(ada.token, { title: 'Inner', permissions: 770 });

    expect((await wiki.call('GET', `/v1/members/${ada.id}`)).json).toMatchObject({
      id: ada.id,
      name: 'Ada',
      isAdmin: false,
    });
    expect(titles(await of(ada.id))).toEqual(['C', 'B', 'A']);
    expect(titles(await of(ada.id, '', eve.token))).toEqual(['Inner', 'C', 'B', 'A']);
    expect(titles(await of(ada.id, '', ada.token))).toEqual(['Inner', 'C', 'B', 'A', 'Private']);
    const first = (await of(ada.id, '?limit=2')).json;
    expect(first.contributions[0]).toMatchObject({ msg: 'About C', erased: false, page: { path: '/c' } });
    const rest = await of(ada.id, `?limit=2&before=${first.next}`);
    expect([titles(rest), rest.json.next]).toEqual([['A'], null]);
    for (const query of ['?limit=0', '?before=x', '?before=-1'])
      expect((await of(ada.id, query)).status).toBe(400);
    expect((await wiki.call('GET', '/v1/members/999999', { token: eve.token })).status).toBe(404);
  });

  test('only owner and administrators see changes before a public history began', async () => {
    const { path } = await wiki.page(eve.token, { title: 'Late', permissions: 700 });
    const json = { permissions: 774, history: 'from now' };
    expect((await wiki.call('POST', `/v1/pages${path}`, { token: eve.token, json })).status).toBe(200);
    expect(titles(await of(eve.id))).toEqual(['Late']);
    expect(titles(await of(eve.id, '', eve.token))).toEqual(['Late', 'Late']);
  });

  test('the site shows the same contributions', async () => {
    const { text, status } = await wiki.visitor().get(`/members/${ada.id}`);
    expect(status).toBe(200);
    expect(text).toContain('About C');
    expect(text).not.toContain('Private');
    expect(text).not.toContain('Erase this member’s identity');
    const root = await wiki.signedIn('Root', { isAdmin: true });
    expect((await root.get(`/members/${ada.id}`)).text).toContain('Erase this member’s identity');
    expect((await wiki.visitor().get('/members/999999')).status).toBe(404);
  });
});
