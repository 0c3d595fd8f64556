/** Deleting and restoring pages by plain forms. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formFields, startSite, type TestSite } from '../support/web.ts';

let site: TestSite;
let ada: Awaited<ReturnType<TestSite['signedIn']>>;
let bob: Awaited<ReturnType<TestSite['signedIn']>>;

beforeAll(async () => {
  site = await startSite();
  ada = await site.signedIn('Ada', { isAdmin: true });
  bob = await site.signedIn('Bob');
});
afterAll(() => site.close());

/** Value of a hidden field. */
const field = (text: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? expect.fail(`no field ${name}`);

test('consequences of a deletion are shown first; the deleted page says who did it, and Undo restores all', async () => {
  await site.page(ada.token, { title: 'Grove' });
  await site.page(ada.token, { title: 'Alder', parent: '/grove' });
  await site.page(ada.token, { title: 'Guide', body: 'To the [[Grove]].' });
  expect((await bob.get('/grove')).text).toContain('href="/delete/grove"');
  expect((await site.visitor().get('/grove')).text).not.toContain('/delete/grove');
  const preview = await bob.get('/delete/grove');
  expect(preview.text).toMatch(/1 page beneath it is deleted as well/);
  expect(preview.text).toMatch(/1 page links to it. These links will lead nowhere: <a href="\/guide"/);
  expect(preview.text).toContain('Delete 2 pages');

  const seen = field(preview.text, 'seen');
  expect((await bob.post('/delete/grove', { seen })).text).toContain('Pages were added beneath it');
  await ada.post('/move/grove/alder', { parent: '/grove', slug: 'alder', intent: 'move' });
  const deleted = await bob.post('/delete/grove', { seen, subtree: 'yes' });
  expect(deleted).toMatchObject({ status: 303, location: '/grove' });
  const gone = await bob.get('/grove');
  expect(gone.status).toBe(410);
  expect(gone.text).toContain('Moved to the trash.');
  expect(gone.text).toMatch(/<bdi>Bob<\/bdi> deleted it/);
  const stranger = await site.visitor().get('/grove');
  expect(stranger.status).toBe(410);
  expect(stranger.text).not.toContain('Undo');
  expect((await bob.get('/history/grove')).status).toBe(410);

  const undone = await bob.post('/trash', { id: field(gone.text, 'id'), what: 'restore' });
  expect(undone).toMatchObject({ status: 303, location: '/grove' });
  expect((await bob.get('/grove/alder')).status).toBe(200);
});

test('an edit in the meantime is shown before anything is deleted', async () => {
  await site.page(ada.token, { title: 'Edited' });
  const seen = field((await bob.get('/delete/edited')).text, 'seen');
  await site.call('POST', '/v1/pages/edited', { token: ada.token, json: { body: 'More' } });
  const shown = await bob.post('/delete/edited', { seen });
  expect(shown.status).toBe(412);
  expect(shown.text).toContain('edited in the meantime');
  expect(field(shown.text, 'seen')).not.toBe(seen);
  expect((await bob.get('/edited')).status).toBe(200);
});

test('the trash restores to another address, and only administrators delete permanently', async () => {
  await site.page(ada.token, { title: '<b>Bold</b>', path: '/bold' });
  const seen = field((await bob.get('/delete/bold')).text, 'seen');
  await bob.post('/delete/bold', { seen });
  await site.page(ada.token, { title: 'New', path: '/bold' });
  const shown = await bob.get('/trash');
  expect(shown.text).toContain('&lt;b&gt;Bold');
  expect(shown.text).toContain('After 30 days');
  expect(shown.text).not.toContain('value="purge"');
  const id = field(shown.text, 'id');
  const taken = await bob.post('/trash', { id, path: '', what: 'restore' });
  expect(taken.status).toBe(400);
  expect(taken.text).toContain('A page at /bold already exists');
  expect((await bob.post('/trash', { id, what: 'purge' })).status).toBe(403);
  expect(await bob.post('/trash', { id, path: '/bolder', what: 'restore' })).toMatchObject({
    status: 303,
    location: '/bolder',
  });

  await bob.post('/delete/bolder', { seen: field((await bob.get('/delete/bolder')).text, 'seen') });
  const purged = await ada.post('/trash', {
    id: field((await ada.get('/trash')).text, 'id'),
    what: 'purge',
  });
  expect(purged).toMatchObject({ status: 303, location: '/trash' });
  expect((await ada.get('/trash')).text).toContain('Nothing has been deleted');
  expect((await ada.get('/bolder')).status).toBe(404);
  expect((await site.visitor().get('/trash')).location).toMatch(/^\/login/);
});

test('a file is removed from a page by ticking it', async () => {
  const data = Buffer.from('leaf').toString('base64');
  const made = await site.page(ada.token, { title: 'Filed', files: { file: { name: 'leaf.txt', data } } });
  const url = '/edit/filed';
  const form = formFields((await bob.get(url)).text, 'page-form');
  expect(form).not.toHaveProperty('remove-file');
  const saved = await bob.post(url, { ...form, 'remove-file': made.files[0].name, intent: 'save' });
  expect(saved.status).toBe(303);
  expect((await site.pageAt('/filed', ada.token)).files).toEqual([]);
});

test('forms of other sites are refused', async () => {
  for (const url of ['/delete/guide', '/trash']) {
    const answer = await ada.post(
      url,
      { seen: '1', id: '1' },
      { headers: { 'sec-fetch-site': 'cross-site' } },
    );
    expect(answer.status, url).toBe(403);
  }
  expect((await bob.get('/guide')).status).toBe(200);
});
