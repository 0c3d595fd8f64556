/** Addresses declared in front matter lead to the page, for reads and links, but never replace an existing one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, startApp, type TestApp } from '../support/http.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  let token: string;

  beforeAll(async () => {
    wiki = await startApp({}, { engine });
    ({ token } = await wiki.member('Ada'));
  });
  afterAll(() => wiki.close());

  const write = (title: string, aliases: string, fields: Record<string, unknown> = {}) =>
    wiki.page(token, {
      title,
      format: 'markdown',
      body: `---\naliases: ${aliases}\n---\nText.`,
      ...fields,
    });
  const edit = async (path: string, json: unknown) => {
    const { status } = await wiki.call('POST', `/v1/pages${path}`, { token, json });
    expect(status).toBe(200);
  };
  const led = async (path: string) => {
    const { status, headers } = await wiki.call('GET', `/v1/pages${path}`);
    return status === 308 ? headers.location : status;
  };

  test('paths and names beside the page redirect to it, and links to them are not wanted', async () => {
    await wiki.page(token, { title: 'Link', body: '[[/old/oak]]' });
    await wiki.page(token, { title: 'Trees' });
    await write('Oak', '[/old/oak, Quercus robur, /v1/x, "/a//b", 7, "…"]', { parent: '/trees' });
    expect(await led('/old/oak')).toBe('/v1/pages/trees/oak');
    expect(await led('/trees/quercus-robur')).toBe('/v1/pages/trees/oak');
    const { json } = await wiki.call('GET', '/v1/pages/link');
    expect(json.markup).toContain('href="/trees/oak"');
    const wanted = await wiki.call('GET', '/v1/requested');
    expect(JSON.stringify(wanted.json)).not.toContain('/old/oak');
  });

  test('every read of a page redirects, and lists that name it say where it is', async () => {
    const { path } = await write('Yew', '[/taxus]');
    const reads =
      'access children copies history order protection rules translations untranslated verifications';
    for (const read of reads.split(' ')) {
      const { status, headers } = await wiki.call('GET', `/v1/${read}/taxus`, { token });
      expect([read, status, headers.location]).toEqual([read, 308, `/v1/${read}${path}`]);
    }
    for (const list of ['comments?page=', 'comments?ancestor=', 'links?page=', 'proposals?ancestor=']) {
      const { status, json } = await wiki.call('GET', `/v1/${list}/taxus`, { token });
      expect([list, status, json.movedTo]).toEqual([list, 404, path]);
    }
  });

  test('aliases added by an edit redirect at once, removed ones stop', async () => {
    await write('Elm', '[/elms, /ulmus]');
    await wiki.page(token, { title: 'Looking', body: '[[/ulmus]] [[/wych]]' });
    await edit('/elm', { body: '---\naliases: [/elms, /wych]\n---\nText.' });
    expect(await Promise.all(['/elms', '/wych', '/ulmus'].map(led))).toEqual([
      '/v1/pages/elm',
      '/v1/pages/elm',
      404,
    ]);
    const { json } = await wiki.call('GET', '/v1/pages/looking');
    expect(json.markup).toContain('path=%2Fulmus');
    expect(json.markup).toContain('href="/elm"');
  });

  test('a page at the address takes precedence, and aliases do not take old paths of other pages', async () => {
    await wiki.page(token, { title: 'Beech' });
    await wiki.page(token, { title: 'Moving' });
    await edit('/moving', { slug: 'moved' });
    await write('Taker', '[/beech, /moving, /later]');
    expect(await Promise.all(['/beech', '/moving', '/later'].map(led))).toEqual([
      200,
      '/v1/pages/moved',
      '/v1/pages/taker',
    ]);
    await wiki.page(token, { title: 'Later' });
    expect(await led('/later')).toBe(200);
  });

  test('a page whose former addresses are removed keeps the ones that it declares', async () => {
    await write('Ash', '/fraxinus');
    await edit('/ash', { slug: 'ash-tree' });
    await edit('/ash-tree', { history: 'from now' });
    expect(await Promise.all(['/fraxinus', '/ash'].map(led))).toEqual(['/v1/pages/ash-tree', 404]);
  });

  test('front matter in wikitext declares no alias', async () => {
    await write('Plain', '/plainly', { format: 'wikitext' });
    expect(await led('/plainly')).toBe(404);
  });
});
