/** New pages with files by plain forms: input is never lost. */
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attribute, elementWhere, formFields, startSite, type TestSite } from '../support/web.ts';

const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#1d6b4f' } })
  .png()
  .toBuffer();

let site: TestSite;
let ada: Awaited<ReturnType<TestSite['signedIn']>>;
let bob: Awaited<ReturnType<TestSite['signedIn']>>;

beforeAll(async () => {
  site = await startSite();
  ada = await site.signedIn('Ada', { isAdmin: true });
  bob = await site.signedIn('Bob');
});
afterAll(() => site.close());

const formOf = async (who: typeof ada, url: string) => formFields((await who.get(url)).text, 'page-form');

const pageOf = (path: string) => site.pageAt(path, ada.token);

describe('a new page', () => {
  test('begins with the content that its link gives', async () => {
    await site.page(ada.token, { title: 'Garden', body: '[[Old roses]]' });
    const wanted = elementWhere(
      (await ada.get('/garden')).text,
      (element) => attribute(element, 'class') === 'new',
    );
    expect(attribute(wanted, 'href')).toBe('/new?title=Old%20roses');
    expect(await formOf(ada, '/new?title=Old%20roses')).toMatchObject({
      title: 'Old roses',
      permissions: '',
      path: '',
      parent: '',
    });
    expect(await formOf(ada, '/new?path=/garden/old-roses')).toMatchObject({
      title: 'Old roses',
      path: '/garden/old-roses',
      parent: '/garden',
    });
  });

  test('is what the editor of an address without a page creates, after signing in if needed', async () => {
    await site.page(ada.token, { title: 'Cellar', path: '/garden/cellar', permissions: 700 });
    for (const path of ['/garden/climbing-roses', '/garden/cellar']) {
      const { location, status } = await bob.get(`/edit${path}`);
      expect(status, path).toBe(303);
      const title = path === '/garden/cellar' ? 'Cellar' : 'Climbing roses';
      expect(await formOf(bob, String(location))).toMatchObject({ title, path, parent: '/garden' });
    }
    const visitor = site.visitor();
    const login = await visitor.get('/edit/garden/climbing-roses');
    expect(login.location).toBe('/login?next=%2Fedit%2Fgarden%2Fclimbing-roses');
    for (const path of ['/edit/v1/roses', '/edit/a%23b', '/edit/']) {
      expect((await ada.get(path)).status, path).toBe(404);
    }
  });

  test('is created from every field, with files', async () => {
    const fields = {
      ...(await formOf(ada, '/new')),
      title: 'Orchard',
      parent: '/garden',
      body: 'Apples.\r\n\r\n[[Season:autumn]]',
      description: 'Trees.',
      type: 'Plot',
      place: 'given',
      lat: '52.5',
      lon: '13,4',
      permissions: '770',
      data: '{"trees": 3}',
      msg: 'First',
    };
    const shown = await ada.post(
      '/new',
      { ...fields, intent: 'save' },
      {
        files: [
          { name: 'notes.txt', bytes: Buffer.from('Notes.') },
          { name: '', bytes: Buffer.alloc(0) },
        ],
      },
    );
    expect(shown).toMatchObject({ status: 303, location: '/garden/orchard' });
    expect((await ada.get('/garden/orchard')).text).toContain('Page created.');
    expect(await pageOf('/garden/orchard')).toMatchObject({
      title: 'Orchard',
      description: 'Trees.',
      type: 'Plot',
      location: { lat: 52.5, lon: 13.4 },
      permissions: 770,
      data: { trees: 3 },
      tags: { season: ['autumn'] },
      files: [{ filename: 'notes.txt' }],
      history: [{ msg: 'First', content: { body: 'Apples.\n\n[[Season:autumn]]' } }],
    });
  });

  test('that cannot be created shows the whole form again, each error beside its field', async () => {
    const fields = {
      title: 'x'.repeat(300),
      body: 'Long\n\ntext',
      description: 'y'.repeat(300),
      path: '/search/x',
      parent: '/nowhere',
      permissions: '999',
      msg: 'm',
      intent: 'save',
      format: 'wikitext',
      place: 'text',
      data: '',
    };
    const shown = await ada.post('/new', fields);
    expect(shown.status).toBe(400);
    for (const field of ['title', 'description', 'permissions'])
      expect(shown.text).toContain(`id="${field}-mistake"`);
    const { intent, permissions, ...kept } = fields;
    expect(formFields(shown.text, 'page-form')).toMatchObject(kept);
    const data = await ada.post('/new', {
      ...fields,
      title: 'T',
      description: '',
      permissions: '774',
      data: '[1]',
    });
    expect(data.text).toContain('id="data-mistake"');
    const taken = await ada.post('/new', { title: 'Garden', body: 'again', intent: 'save' });
    expect(taken.status).toBe(400);
    expect(taken.text).toContain('already');
    expect(formFields(taken.text, 'page-form').body).toBe('again');
  });

  test('is previewed as it would be read, and not saved', async () => {
    const shown = await ada.post('/new', {
      title: 'Not yet',
      body: "''Apples'' [[Garden]] [[Location:999]]",
      intent: 'preview',
    });
    expect(shown.status).toBe(200);
    expect(shown.text).toMatch(/id="preview"[^>]*><p><i>Apples<\/i> <a href="\/garden">/);
    expect(shown.text).toMatch(/class="writers-notices"><li>/);
    expect((await ada.get('/not-yet')).status).toBe(404);
  });

  test('chosen files are kept through previews, errors and refusals, only for their sender', async () => {
    const png = { name: 'oak & ash.png', bytes: picture };
    const note = { name: 'note.txt', bytes: Buffer.from('A note.') };
    const gallery = '<gallery>\nFile:oak & ash.png\nFile:none.png\n</gallery>';
    const body = `[[File:oak & ash.png]] [[File:none.png]]\n${gallery}`;
    const shown = await ada.post(
      '/new',
      { title: 'Kept oak', body, intent: 'preview' },
      { files: [png, note] },
    );
    expect(
      shown.text.match(/oak &amp; ash\.png <span data-note>\(shown after the page is saved\)/g),
    ).toHaveLength(2);
    expect(shown.text).toMatch(/class="thumb"[^>]*>none\.png<\/div>/);
    expect(shown.text).toContain('<span class="missing-file">none.png</span>');
    const references = [...shown.text.matchAll(/name="pending-file" value="([^"]*)"/g)].map(
      ([, reference = '']) => reference,
    );
    expect(references).toHaveLength(2);
    const [oak = '', noted = ''] = references;
    // Combines an error, an upload that replaces a file of the same name, and a file left out.
    const again = await ada.post(
      '/new',
      { title: '', body, intent: 'save', 'pending-file': oak },
      { files: [{ ...png, bytes: await sharp(picture).resize(30, 20).png().toBuffer() }] },
    );
    expect(again.status).toBe(400);
    const [newer = '', ...more] = [...again.text.matchAll(/name="pending-file" value="([^"]*)"/g)].map(
      ([, reference = '']) => reference,
    );
    expect(more).toEqual([]);
    expect(newer).not.toBe(oak);
    expect(
      (
        await ada.post('/new', {
          title: 'X',
          body,
          intent: 'preview',
          'pending-file': noted,
          'drop-file': noted,
        })
      ).text,
    ).not.toContain('name="pending-file"');
    const stolen = await bob.post('/new', {
      title: 'Stolen oak',
      body,
      intent: 'save',
      'pending-file': newer,
    });
    expect(stolen.status).toBe(303);
    expect((await pageOf('/stolen-oak')).files).toEqual([]);
    const saved = { title: 'Kept oak', body, intent: 'save', 'pending-file': newer };
    expect(await ada.post('/new', saved)).toMatchObject({ status: 303, location: '/kept-oak' });
    expect((await pageOf('/kept-oak')).files).toMatchObject([{ mime: 'image/png' }]);
    expect((await ada.get('/kept-oak')).text).toContain('30 × 20');
  });

  test('uploaded files are back in the form after signing in again', async () => {
    const { passphrases, store } = site.app.service;
    const pass = 'a passphrase for tests';
    const fay = await site.member('Fay');
    await store.members.update(fay.id, { passphraseHash: await passphrases.hash(pass) });
    const here = site.visitor();
    await here.post('/login', { email: fay.email, pass });
    const fields = { title: 'Held oak', body: 'An oak.', intent: 'preview' };
    const shown = await here.post('/new', fields, { files: [{ name: 'oak.png', bytes: picture }] });
    const [, reference = ''] = /name="pending-file" value="([^"]*)"/.exec(shown.text) ?? [];
    const lost = { ...fields, intent: 'save', 'pending-file': reference };
    const asked = await site.visitor().post('/new', lost);
    expect(asked.status).toBe(401);
    expect(asked.text).toContain(`name="pending-file" value="${reference}"`);
    const signIn = { 'session-email': fay.email, 'session-pass': pass, intent: 'again' };
    const back = await site.visitor().post('/new', { ...lost, ...signIn });
    expect(back.status).toBe(200);
    expect(back.text).toContain('<code dir="auto">[[File:oak.png]]</code>');
    expect(formFields(back.text, 'page-form')).toMatchObject({ 'pending-file': reference, body: 'An oak.' });
  });

  test('a file that is too large is named, and the rest of the form is kept', async () => {
    const small = await startSite({ COPPICE_MAX_UPLOAD: '2000' });
    try {
      const eve = await small.signedIn('Eve');
      const shown = await eve.post(
        '/new',
        { title: 'Large', body: 'Kept.', msg: 'All of it', intent: 'save' },
        {
          files: [
            { name: 'large.bin', bytes: Buffer.alloc(300_000, 1) },
            { name: 'small.txt', bytes: Buffer.from('Small.') },
          ],
        },
      );
      expect(shown.status).toBe(413);
      expect(shown.text).toMatch(/id="files-mistake">large\.bin: together the files/);
      expect(formFields(shown.text, 'page-form')).toMatchObject({
        title: 'Large',
        body: 'Kept.',
        msg: 'All of it',
      });
      expect(shown.text).toContain('[[File:small.txt]]');
      expect((await eve.get('/large')).status).toBe(404);
    } finally {
      await small.close();
    }
  });

  test('a text that begins with line ends keeps them', async () => {
    const shown = await ada.post('/new', { title: 'Lines', body: '\n\nText', intent: 'preview' });
    expect(formFields(shown.text, 'page-form').body).toBe('\n\nText');
  });
});
