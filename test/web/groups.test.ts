/** Groups on the site: kept by administrators, named in the page form, and a preview of access changes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines } from '../support/http.ts';
import { startSite, type TestSite, type Visitor } from '../support/web.ts';

describe.each(engines)('on %s', (engine) => {
  let site: TestSite;
  let root: Visitor;
  let ada: Visitor;
  let adaToken: string;

  beforeAll(async () => {
    site = await startSite({}, { engine });
    root = await site.signedIn('Root', { isAdmin: true });
    const member = await site.signedIn('Ada');
    ada = member;
    adaToken = member.token;
  });
  afterAll(() => site.close());

  test('an administrator makes a group and adds a member, who sees it; others are refused', async () => {
    expect((await ada.get('/members/groups')).text).toContain('You are not in any group.');
    expect((await ada.post('/members/groups', { what: 'make', name: 'Mine' })).status).toBe(403);
    const made = await root.post('/members/groups', { what: 'make', name: 'Night <b>watch' });
    expect(made).toMatchObject({ status: 303, location: '/members/groups' });
    expect((await root.get('/members/groups')).text).toContain('Group created.');
    expect((await root.post('/members/groups', { what: 'make', name: 'night <b>watch' })).text).toContain(
      'A group with this name already exists.',
    );
    const listed = (await root.get('/members/groups')).text;
    expect(listed).not.toMatch(/\bdigits?\b/);
    expect(listed).toContain('Night &lt;b&gt;watch');
    const id = /name="id" value="(\d+)"/.exec(listed)?.[1] ?? '';
    const join = (email: string) => root.post('/members/groups', { what: 'join', id, email });
    expect((await join('nobody@example.org')).status).toBe(404);
    // Members are found by their names as well.
    expect((await join('nobody')).text).toContain('There is no member with the name “nobody”.');
    expect([(await join('ada@example.org')).status, (await join('ada')).status]).toEqual([303, 303]);
    expect((await ada.get('/members/groups')).text).toContain('Night &lt;b&gt;watch');
    expect((await ada.post('/members/groups', { what: 'join', id, email: 'root@example.org' })).status).toBe(
      403,
    );
    await root.post('/members/groups', { what: 'rename', id, name: 'Watch' });
  });

  test('a new page gets the access that pages above define, unless its form sets another', async () => {
    await site.page(adaToken, {
      ...{ title: 'Yard', permissions: 770, group: 'Watch', defaults: { permissions: 770, group: 'Watch' } },
    });
    const form = (await ada.get('/new?parent=/yard')).text;
    expect((await ada.get('/yard')).text).toContain('Only the owner and the group “Watch” can read and edit');
    expect(form).toMatch(/<option value="" selected>As the pages above decide: /);
    expect(form).toContain('list="groups"');
    // A form that comes back says who will read the page as it is chosen now.
    const chosen = { title: 'Hut', body: 'x', intent: 'preview', permissions: '770', parent: '/yard' };
    const open = (await ada.post('/new', { ...chosen, group: 'members' })).text;
    expect(open).toContain('id="save-means">Publishes the page: members can read and edit.</p>');
    expect(open).toContain('selected>Members can read and edit</option>');
    expect(open).not.toMatch(/<option[^>]*>[^<]*the group “Watch”/);
    expect((await ada.post('/new', { ...chosen, group: '' })).text).toContain(
      'id="save-means">Publishes the page: only the owner and the group “Watch” can read and edit.</p>',
    );
    const edited = (await ada.post('/edit/yard', { ...chosen, group: 'members' })).text;
    expect(edited).toContain('id="save-means">Members can read and edit.</p>');
    expect(edited).not.toContain('the group “Watch” can');
    const fields = { intent: 'save', parent: '/yard', permissions: '', group: '', body: 'x' };
    expect((await ada.post('/new', { ...fields, title: 'Shed' })).status).toBe(303);
    expect((await site.visitor().get('/yard/shed')).status).toBe(404);
    const said = { ...fields, title: 'Gate', permissions: '774', group: 'members' };
    expect((await ada.post('/new', said)).status).toBe(303);
    expect((await site.visitor().get('/yard/gate')).status).toBe(200);
  });

  test('comparisons and conflicts show access with the group of each version', async () => {
    const watched = { permissions: 770, group: 'Watch' };
    const page = await site.page(adaToken, { title: 'Log', body: 'One.', ...watched, defaults: watched });
    const edit = (json: object) => site.call('POST', '/v1/pages/log', { token: adaToken, json });
    await edit({ permissions: 744, group: 'members', defaults: { permissions: 700 } });
    const shown = (await ada.get('/diff/log')).text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(shown).toContain('Permissions Only the owner and the group “Watch” can read and edit');
    expect(shown).toContain('Anyone can read, only the owner can edit');
    expect(shown).toContain('Group Watch All members');
    expect(shown).toContain('Only the owner can read and edit');
    await edit({ body: 'Theirs.', permissions: 770, group: 'Watch' });
    const base = String(page.history.at(-1)?.id ?? 0);
    const mine = { base, body: 'Mine.', permissions: '740', group: 'members', title: 'Log', intent: 'save' };
    const fields = { ...mine, path: '/log', 'path-was': '/log', parent: '', 'parent-was': '' };
    const { status, text } = await ada.post('/edit/log', fields);
    expect(status).toBe(409);
    // The group that was chosen here stays chosen.
    expect(text).toMatch(/name="group"[^>]*value="" placeholder="All members"/);
    expect(text).not.toContain('{&quot;id&quot;');
  });

  test('the access page shows who will read and edit while it is chosen', async () => {
    await site.page(adaToken, { title: 'Rota', permissions: 770, group: 'Watch' });
    const said = (html: string) => /id="access-means">([^<]*)</.exec(html)?.[1];
    expect(said((await ada.get('/access/rota')).text)).toBe(
      'After the change: only the owner and the group “Watch” can read and edit.',
    );
    const fields = { permissions: '770', what: 'preview' };
    const open = (await ada.post('/access/rota', { ...fields, group: 'members' })).text;
    expect(said(open)).toBe('After the change: members can read and edit.');
    expect(open).not.toMatch(/<option[^>]*>[^<]*the group “Watch”/);
    const empty = (await ada.post('/access/rota', { ...fields, group: '' })).text;
    expect(said(empty)).toBe('After the change: members can read and edit.');
    expect(empty).toMatch(/name="group"[^>]*value="" placeholder="All members"/);
    expect(empty).toContain('<option value="members" label="All members"></option>');
    const coded = { ...fields, group: 'Watch', permissions: '740' };
    expect(said((await ada.post('/access/rota', coded)).text)).toBe(
      'After the change: only the owner and the group “Watch” can read, only the owner can edit.',
    );
  });

  test('access of a page and all pages beneath is changed after a list of who gains and loses', async () => {
    const page = await ada.get('/access/yard');
    expect(page.text).toContain('Permissions of this page and the pages beneath');
    expect((await site.visitor().get('/access/yard/gate')).status).toBe(303);
    const fields = { permissions: '774', group: 'members' };
    const shown = (await ada.post('/access/yard', { ...fields, what: 'preview' })).text;
    expect(shown).toContain('2 pages change.');
    expect(shown).toContain('Everyone can read 2 pages.');
    expect((await site.visitor().get('/yard/shed')).status).toBe(404);
    const wrong = await ada.post('/access/yard', { permissions: '774', group: 'Nobody’s', what: 'save' });
    expect([wrong.status, wrong.text.includes('id="group-mistake"')]).toEqual([400, true]);
    expect((await ada.post('/access/yard', { ...fields, what: 'save' })).status).toBe(303);
    expect((await site.visitor().get('/yard/shed')).status).toBe(200);
  });
});
