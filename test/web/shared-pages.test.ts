/** Forms of pages that are shared by grants. */
import { expect, test } from 'vitest';
import { startSite } from '../support/web.ts';

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
  } finally {
    await site.close();
  }
});
