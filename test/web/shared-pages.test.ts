/** Forms of pages that are shared by grants. */
import { expect, test } from 'vitest';
import { startSite } from '../support/web.ts';

test('the form of a shared page says beside Save with whom it is shared', async () => {
  const site = await startSite();
  try {
    const ada = await site.signedIn('Ada', { isAdmin: true });
    const bob = await site.signedIn('Bob');
    await site.page(ada.token, { title: 'Board', body: 'Plans.', permissions: 700 });
    expect((await ada.get('/edit/board')).text).not.toContain('The page is also shared');
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
    expect((await ada.get('/edit/board')).text).toContain(
      'The page is also shared with 2 groups and 1 person.',
    );
    // A new page beneath inherits what holds there too.
    expect((await ada.get('/new?parent=/board')).text).toContain('The page is also shared with 1 person.');
    expect((await ada.get('/new')).text).not.toContain('also shared');
    expect((await bob.get('/edit/board')).text).toContain(
      'The page is also shared with 2 groups and 1 person.',
    );
  } finally {
    await site.close();
  }
});
