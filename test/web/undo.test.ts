/** Undoing a member's changes on the site: a preview first, then the result for each page. */
import { expect, test } from 'vitest';
import { engines } from '../support/http.ts';
import { startSite } from '../support/web.ts';

test.each(engines)('an administrator previews the undo, and carries it out, on %s', async (engine) => {
  const site = await startSite({}, { engine });
  try {
    const root = await site.signedIn('Root', { isAdmin: true });
    const eve = await site.signedIn('Eve');
    const { path } = await site.page(root.token, { title: 'Roses <b>', body: 'Roses are red.' });
    const edited = { json: { body: 'Buy now!' }, token: eve.token };
    expect((await site.call('POST', `/v1/pages${path}`, edited)).status).toBe(200);
    const url = `/members/${eve.id}/undo`;
    expect((await root.get(`/members/${eve.id}`)).text).toContain(url);
    expect((await eve.get(`/members/${eve.id}`)).text).not.toContain(url);
    expect((await eve.post(url, { hours: '24' })).status).toBe(403);
    expect((await root.post(url, { hours: 'all' })).status).toBe(400);

    const preview = (await root.post(url, { hours: '24' })).text;
    expect(preview).toContain('1 page would change');
    expect(preview).toContain('Roses &lt;b&gt;');
    expect((await root.get(path)).text).toContain('Buy now!');
    const since = /name="since" value="(\d+)"/.exec(preview)?.[1] ?? '';
    expect((await root.post(url, { since })).text).toContain('1 page changed');
    expect((await root.get(path)).text).toContain('Roses are red.');
    // Everything is undone, so no button is left.
    expect((await root.post(url, { hours: '24' })).text).not.toContain('name="since"');
  } finally {
    await site.close();
  }
});
