/** Comments on the site without scripts: threads of a page, their forms, lists of many pages, and the count on the page. */
import { expect, test } from 'vitest';
import { startSite } from '../support/web.ts';

test('comments are written, answered, edited, resolved and deleted by forms, and the page counts open threads', async () => {
  const site = await startSite();
  try {
    const ada = await site.signedIn('Ada');
    const bob = await site.signedIn('Bob');
    const anyone = site.visitor();
    const { path } = await site.page(ada.token, { title: 'Roses', body: 'Planted in 1912 by <b>Ada</b>.' });
    const [url, stranger] = ['/comments/roses', () => anyone.get('/roses')];
    expect((await stranger()).text).not.toContain('data-comments');
    expect((await ada.get('/roses')).text).toContain('data-comments="write">Comment</a>');
    const made = await bob.post(url, {
      body: 'Sure, @Ada? <i>x</i>',
      quote: 'in 1912',
      before: 'Planted ',
      after: '',
    });
    expect(made.status).toBe(303);
    const [, id = ''] = /#comment-(\d+)$/.exec(String(made.headers.location)) ?? [];
    expect((await stranger()).text).toContain('data-comments="read">1 comment</a>');
    expect((await bob.post(url, { body: 'Yes.', to: id })).status).toBe(303);
    const shown = (await ada.get(url)).text;
    expect(shown).toContain('data-words="in 1912"');
    expect(shown).toContain('Yes.');
    expect(shown).toContain('whole name: @Bob, or any other');
    // Ada may not change what Bob wrote; a stranger has no forms.
    expect(shown).not.toContain('value="edit"');
    expect((await anyone.get(url)).text).not.toContain('name="body"');
    expect((await ada.post(url, { what: 'delete', id })).status).toBe(401);
    const kept = await bob.post(url, { what: 'edit', id, body: ' ' });
    expect([kept.status, kept.text.includes('Write something.')]).toEqual([400, true]);
    expect((await bob.post(url, { what: 'edit', id, body: 'Really?' })).status).toBe(303);
    await site.call('POST', `/v1/pages${path}`, { token: ada.token, json: { body: 'Nothing.' } });
    expect((await bob.get(url)).text).toMatch(/Really\?[\s\S]*|These words are gone since/);
    expect((await ada.post(url, { what: 'resolve', id })).status).toBe(303);
    expect((await stranger()).text).not.toContain('data-comments');
    expect((await ada.get(`${url}?state=open`)).text).toContain('No comments here.');
    expect((await ada.post(url, { what: 'reopen', id })).status).toBe(303);
    expect((await bob.post(url, { what: 'delete', id })).status).toBe(303);
    expect((await bob.get(url)).text).toContain('This comment was deleted.');
    // Lists of many pages.
    expect((await bob.get('/comments?author=me')).text).toContain('1 comment');
    expect((await ada.get('/comments?mentions=me')).text).toContain('0 comments');
    expect((await anyone.get('/comments?author=me')).status).toBe(303);
    expect((await anyone.get('/comments?state=open')).text).toContain('Yes.');
    await site.call('POST', `/v1/pages${path}`, { token: ada.token, json: { permissions: 700 } });
    expect((await bob.get(url)).status).toBe(404);
    expect((await bob.get('/comments?state=open')).text).not.toContain('Yes.');
  } finally {
    await site.close();
  }
});
