/** Forms of pages that are shared by grants. */
import { expect, test } from 'vitest';
import { formFields, startSite } from '../support/web.ts';

test('the form of a shared page names beside Save with whom it is shared, as far as its reader may know', async () => {
  const site = await startSite();
  try {
    const ada = await site.signedIn('Ada', { isAdmin: true });
    const bob = await site.signedIn('Bob');
    await site.page(ada.token, { title: 'Board', body: 'Plans.', permissions: 700 });
    expect((await bob.get('/board')).status).toBe(404);
    for (const name of ['Club', 'Editors'])
      await site.call('POST', '/v1/groups', { token: ada.token, json: { name } });
    const grants = [
      { member: bob.id, may: 'write', beneath: true },
      { group: 'Club', may: 'read' },
      { group: 'Editors', may: 'read' },
    ];
    const shared = await site.call('PUT', '/v1/access/board', { token: ada.token, json: { grants } });
    expect(shared.status).toBe(200);
    const means = async (visitor: typeof ada, url: string) =>
      /id="save-means">([^<]*)</.exec((await visitor.get(url)).text)?.[1];
    const readers = 'Only the owner, the group “Club”, the group “Editors” and Bob can read';
    expect(await means(ada, '/edit/board')).toBe(`${readers}, only the owner and Bob can edit.`);
    // A new page beneath inherits what holds there too.
    const inherited = 'members and Bob can edit';
    expect(await means(ada, '/new?parent=/board')).toContain(inherited);
    expect(await means(ada, '/new')).not.toContain('Bob');
    // Bob is in neither group, and does not learn its name.
    const counted = 'Only the owner, 2 groups and 1 person can read, only the owner and 1 person can edit';
    expect(await means(bob, '/edit/board')).toBe(`${counted}.`);
    const shown = (await bob.get('/board')).text;
    expect(shown).toContain(counted);
    expect(shown).not.toContain('Club');

    // The sentence is about the place and the group that the form says, as the page is after saving.
    const truth = async (path: string) =>
      /id="access-sentence">([^<]*)</.exec((await ada.get(`/access${path}`)).text)?.[1];
    const moving = await site.page(ada.token, { title: 'Moving', body: 'x', permissions: 700 });
    const to = { parent: '/board', path: '/board/moving', permissions: '770', group: 'Editors' };
    const form = formFields((await ada.get(`/edit${moving.path}`)).text, 'page-form');
    const asked = await ada.post(`/edit${moving.path}`, { ...form, ...to, intent: 'save' });
    const told = /id="save-means">([^<]*)</.exec(asked.text)?.[1];
    expect(told).toBe('Only the owner, the group “Editors” and Bob can read and edit.');
    const moved = await ada.post(`/edit${moving.path}`, {
      ...formFields(asked.text, 'page-form'),
      intent: 'save',
    });
    expect(moved.status).toBe(303);
    expect(await truth('/board/moving')).toBe(told);
    // The first group of the wiki has the grant here, and another group is typed.
    await site.page(ada.token, { title: 'Clubs', body: 'x' });
    const shares = { grants: [{ group: 'Club', may: 'read', beneath: true }] };
    await site.call('PUT', '/v1/access/clubs', { token: ada.token, json: shares });
    const fields = { ...formFields((await ada.get('/new?parent=/clubs')).text, 'page-form'), title: 'Note' };
    const chosen = { ...fields, permissions: '770', group: 'Editors' };
    const beside = /id="save-means">Publishes the page: o([^<]*)</.exec(
      (await ada.post('/new', { ...chosen, intent: 'preview' })).text,
    )?.[1];
    expect((await ada.post('/new', { ...chosen, intent: 'save' })).status).toBe(303);
    expect(`O${beside}`).toBe(await truth('/clubs/note'));
    expect(beside).toContain('Club');
    // Defaults of a page that Bob cannot read count, and he does not learn them.
    const defaults = { permissions: 700 };
    await site.page(ada.token, { title: 'Secret', body: 'x', permissions: 700, defaults });
    await site.page(ada.token, { title: 'Kid', parent: '/secret', body: 'x', permissions: 774 });
    const open =
      'Publishes the page. Where you chose nothing, the pages above decide who may read and edit it.';
    expect(await means(bob, '/new?parent=/secret/kid')).toBe(open);
    expect(await means(ada, '/new?parent=/secret/kid')).toBe(
      'Publishes the page: only the owner can read and edit.',
    );
  } finally {
    await site.close();
  }
});
