/** The file library with plain forms: members who may edit a page replace and remove its files. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSite, type TestSite } from '../support/web.ts';

let site: TestSite;
let ada: Awaited<ReturnType<TestSite['signedIn']>>;
let bob: Awaited<ReturnType<TestSite['signedIn']>>;

beforeAll(async () => {
  site = await startSite();
  ada = await site.signedIn('Ada');
  bob = await site.signedIn('Bob');
  const data = Buffer.from('one').toString('base64');
  await site.page(ada.token, {
    title: 'Shed',
    permissions: 744,
    body: '[[File:list.txt]]',
    files: { file: { name: 'list.txt', data } },
  });
});
afterAll(() => site.close());

const files = async () => (await site.call('GET', '/v1/files', { token: ada.token })).json;

test('every page links to the library, which offers changes to those who may make them', async () => {
  expect((await site.visitor().get('/shed')).text).toContain('<a href="/files">Files</a>');
  const own = (await ada.get('/files?q=list')).text;
  expect(own).toMatch(/Used on <a href="\/shed"/);
  expect(own).toContain('Replace or remove');
  expect((await bob.get('/files')).text).not.toContain('Replace or remove');
  expect((await ada.get('/files?unused=1')).text).toContain('No matching files.');
  expect((await ada.get('/files?cursor=nonsense')).status).toBe(400);
});

test('a file is replaced under its name, and removed; its history keeps both', async () => {
  const [before] = await files();
  const form = { page: '/shed', filename: 'list.txt', intent: 'replace' };
  const empty = await ada.post('/files?q=list', form);
  expect(empty.status).toBe(400);
  expect(empty.text).toContain('Choose a file first.');
  const sent = { files: [{ name: 'other name.txt', bytes: Buffer.from('two') }] };
  expect((await bob.post('/files', form, sent)).status).toBe(401);
  const replaced = await ada.post('/files?q=list', form, sent);
  expect(replaced).toMatchObject({ status: 303, location: '/files?q=list' });
  const [after] = await files();
  expect(after).toMatchObject({ filename: 'list.txt', versions: 2 });
  expect(after.name).not.toBe(before.name);
  expect((await ada.get('/files')).text).toContain('File replaced.');
  expect((await ada.get(`/files/${before.name}`)).text).toBe('one');

  const removal = { page: '/shed', filename: 'list.txt', name: after.name, intent: 'remove' };
  expect((await bob.post('/files', removal)).status).toBe(401);
  expect((await site.visitor().post('/files', removal)).status).toBe(401);
  expect((await ada.post('/files', removal)).status).toBe(303);
  expect(await files()).toEqual([]);
  expect((await ada.post('/files', removal)).text).toContain('does not have the file');
  expect((await ada.get('/history/shed')).text).toContain('Removed list.txt');
});
