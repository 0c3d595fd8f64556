/** The file library: which files it lists, in which order, and the pages that use them. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFileTextReader } from '#files/file-texts.ts';
import { fromTheFirst, readNextFile } from '#src/features/file-texts/read-files.ts';
import { pdfOf } from '../support/documents.ts';
import { engines, startApp, type TestApp } from '../support/http.ts';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const pdf = Buffer.from('%PDF-1.4\n').toString('base64');

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  let ada: { id: number; token: string };
  let bob: typeof ada;
  let root: typeof ada;

  const file = (name: string, data: string) => ({ file: { name, data } });
  const edit = (path: string, json: object) =>
    wiki.call('POST', `/v1/pages${path}`, { token: ada.token, json: { msg: 'x', ...json } });
  const list = async (query = '', who?: { token: string }) => {
    const answer = await wiki.call('GET', `/v1/files${query}`, who ? { token: who.token } : {});
    expect(answer.status, answer.text).toBe(200);
    return answer.json as {
      name: string;
      filename: string;
      versions: number;
      usedOn: { path: string }[];
      hasMoreUses: boolean;
    }[];
  };
  const names = async (query = '', who?: { token: string }) =>
    (await list(query, who)).map(({ filename }) => filename);

  beforeAll(async () => {
    wiki = await startApp({}, { engine });
    root = await wiki.member('Root', { isAdmin: true });
    ada = await wiki.member('Ada');
    bob = await wiki.member('Bob');
    const text = (length: number) => Buffer.from('x'.repeat(length)).toString('base64');
    await wiki.page(ada.token, {
      title: 'Garden',
      body: '[[File:Éclair.png]] [[File:Éclair.png|again]]',
      files: file('Éclair.png', png),
    });
    await edit('/garden', { files: file('apple.txt', text(500)) });
    await wiki.page(ada.token, { title: 'Oak', parent: '/garden', files: file('Zoo_1.txt', text(10)) });
    await wiki.page(ada.token, {
      title: 'Other',
      body: '[[File:/garden/Éclair.png]] [[File:/garden/apple.txt]] [[File:eclair.png]]',
      files: file('paper.pdf', pdf),
    });
    await wiki.page(ada.token, {
      title: 'Diary',
      permissions: 700,
      body: '[[File:/garden/oak/Zoo_1.txt]]',
      files: file('secret.txt', text(20)),
    });
  });
  afterAll(() => wiki.close());

  test('everybody sees the files of pages that they may read, with the pages that use them', async () => {
    expect(await names()).toEqual(['apple.txt', 'Éclair.png', 'paper.pdf', 'Zoo_1.txt']);
    expect(await names('', bob)).toEqual(await names());
    expect(await names('', ada)).toContain('secret.txt');
    expect(await names('', root)).toContain('secret.txt');
    const [eclair] = await list('?q=eclair');
    expect(eclair).toMatchObject({
      ...{ filename: 'Éclair.png', mime: 'image/png', width: 1, height: 1, versions: 1, hasMoreUses: false },
      ...{ uploader: ada.id, attachedTo: { path: '/garden', title: 'Garden' } },
    });
    expect(eclair?.usedOn.map(({ path }) => path)).toEqual(['/garden', '/other']);
    // Only the page that uses the file is hidden from them.
    expect((await list('?q=zoo'))[0]?.usedOn).toEqual([]);
    expect((await list('?q=zoo', ada))[0]?.usedOn).toEqual([expect.objectContaining({ path: '/diary' })]);
  });

  test('criteria limit the list, alone and together', async () => {
    expect(await names('?mime=image')).toEqual(['Éclair.png']);
    expect(await names('?mime=image/*')).toEqual(['Éclair.png']);
    expect(await names('?mime=text/plain')).toEqual(['apple.txt', 'Zoo_1.txt']);
    expect(await names('?mime=application/pdf')).toEqual(['paper.pdf']);
    expect(await names('?page=/garden')).toEqual(['apple.txt', 'Éclair.png']);
    expect(await names('?ancestor=/garden')).toEqual(['Zoo_1.txt']);
    expect(await names('?unused=true')).toEqual(['paper.pdf', 'Zoo_1.txt']);
    expect(await names('?unused=true', ada)).toEqual(['paper.pdf', 'secret.txt']);
    expect(await names('?unused=true&mime=text&ancestor=/garden')).toEqual(['Zoo_1.txt']);
    // Wildcards are literal, and folded characters do not match.
    expect(await names('?q=%25')).toEqual([]);
    expect(await names('?q=o_1')).toEqual(['Zoo_1.txt']);
    expect(await names('?q=oo-1')).toEqual([]);
  });

  test.each([
    ['name', ['apple.txt', 'Éclair.png', 'paper.pdf', 'Zoo_1.txt']],
    ['size', ['apple.txt', 'Éclair.png', 'Zoo_1.txt', 'paper.pdf']],
    ['date', ['paper.pdf', 'Zoo_1.txt', 'apple.txt', 'Éclair.png']],
  ])('a cursor goes through the order by %s, one file after the other', async (sort, expected) => {
    const seen: string[] = [];
    let url: string | undefined = `/v1/files?sort=${sort}&limit=1`;
    while (url !== undefined && seen.length < 9) {
      const { json, headers } = await wiki.call('GET', url);
      seen.push(...json.map(({ filename }: { filename: string }) => filename));
      url = /^<([^>]+)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1];
    }
    expect(seen).toEqual(expected);
  });

  test('invalid criteria are refused with a message', async () => {
    for (const [query, status] of [
      ['mime=%25', 400],
      ['mime=image/', 400],
      ['sort=colour', 400],
      ['cursor=nonsense', 400],
      [`cursor=${Buffer.from('["size",1,"a"]').toString('base64url')}`, 400],
      [`cursor=${Buffer.from('["name","a\\u0000","a"]').toString('base64url')}`, 400],
      ['page=/nowhere', 404],
      ['page=/diary', 404],
      ['ancestor=/diary', 404],
    ] as const)
      expect((await wiki.call('GET', `/v1/files?${query}`)).status, query).toBe(status);
  });

  test('versions are counted as far as the history is visible; removed files and files of deleted pages are not listed', async () => {
    const text = (value: string) => Buffer.from(value).toString('base64');
    await wiki.page(ada.token, { title: 'Plan', files: file('plan.txt', text('1')) });
    await edit('/plan', { files: file('plan.txt', text('2')) });
    expect((await list('?q=plan'))[0]?.versions).toBe(2);
    await edit('/plan', { history: 'from now', files: file('plan.txt', text('3')) });
    expect((await list('?q=plan'))[0]?.versions).toBe(1);
    expect((await list('?q=plan', bob))[0]?.versions).toBe(1);
    expect((await list('?q=plan', ada))[0]?.versions).toBe(3);
    expect((await list('?q=plan', root))[0]?.versions).toBe(3);
    await edit('/plan', { removeFiles: ['plan.txt'] });
    expect(await names('?q=plan')).toEqual([]);
    await edit('/plan', { files: file('plan.txt', text('4')) });
    await wiki.call('DELETE', '/v1/pages/plan', { token: ada.token });
    expect(await names('?q=plan', root)).toEqual([]);
  });

  test('at most ten pages that use a file are named', async () => {
    for (let i = 0; i < 12; i++)
      await wiki.page(ada.token, { title: `User ${i}`, body: '[[File:/other/paper.pdf]]' });
    const [paper] = await list('?q=paper');
    expect(paper).toMatchObject({ hasMoreUses: true });
    expect(paper?.usedOn.map(({ path }) => path)).toEqual(Array.from({ length: 10 }, (_, i) => `/user-${i}`));
  });

  test('on the site strangers can only browse, page by page', async () => {
    const listed = await wiki.call('GET', '/files?q=zoo');
    expect(listed.status).toBe(200);
    expect(listed.text).toContain('Zoo_1.txt');
    expect(listed.text).not.toContain('secret.txt');
    expect(listed.text).not.toContain('Replace');
    expect(listed.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('searches find files by their text, page and file, as long as their page may be read', async () => {
    const { store, services } = wiki.app.service;
    const files = await services.files();
    await using reader = createFileTextReader(files.store);
    const readAll = async () => {
      let position = fromTheFirst;
      for (let hasMore = true; hasMore; )
        ({ position, hasMore } = await readNextFile({ store, reader, maxBytes: 1e6 }, position, Date.now()));
    };
    const care = pdfOf(['Winter rest', 'Pruning of zelkova in spring, before leaves unfold']).toString(
      'base64',
    );
    await wiki.page(ada.token, { title: 'Trees', files: file('care.pdf', care) });
    await wiki.page(ada.token, { title: 'Own', permissions: 700, files: file('own.pdf', care) });
    const broken = Buffer.from('%PDF-1.4\nbroken').toString('base64');
    await wiki.page(ada.token, { title: 'Broken', files: file('broken.pdf', broken) });
    const found = async (text: string, who?: { token: string }) => {
      const url = `/v1/file-texts?text=${encodeURIComponent(text)}`;
      const answer = await wiki.call('GET', url, who ? { token: who.token } : {});
      expect(answer.status, answer.text).toBe(200);
      const hits = answer.json as { file: { filename: string }; page: { path: string }; number: number }[];
      return hits.map(({ file, page, number }) => [file.filename, page.path, number]);
    };
    expect(await found('zelkova')).toEqual([]);
    expect((await wiki.call('GET', '/search?text=zelkova')).text).not.toContain('care.pdf');
    await readAll();
    expect(await found('prune zelkova')).toEqual([['care.pdf', '/trees', 2]]);
    expect(await found('zelkova winter')).toEqual([]);
    // The six longest words count.
    expect(await found('pruning zelkova spring before leaves unfold xq')).toEqual([
      ['care.pdf', '/trees', 2],
    ]);
    expect(await found(`zelkova xq${' OR xq'.repeat(9)} OR spring`)).toEqual([]);
    expect(await found('zelk', ada)).toEqual([
      ['own.pdf', '/own', 2],
      ['care.pdf', '/trees', 2],
    ]);
    const shown = (await wiki.call('GET', '/search?text=zelkova')).text;
    expect(shown).toMatch(/#page=2"[^>]*>care\.pdf<[\s\S]*<mark>zelkova<\/mark>/);
    expect(shown).not.toContain('own.pdf');
    // The trash hides them, and brings them back without reading them again.
    const { trash } = (await wiki.call('DELETE', '/v1/pages/trees', { token: ada.token })).json;
    expect(await found('zelkova')).toEqual([]);
    await wiki.call('POST', `/v1/trash/${trash.id}/restore`, { token: ada.token, json: {} });
    expect(await found('zelkova')).toEqual([['care.pdf', '/trees', 2]]);
    // Texts go with the last page that has or had the bytes.
    for (const path of ['/trees', '/own']) {
      const { trash } = (await wiki.call('DELETE', `/v1/pages${path}`, { token: root.token })).json;
      const purged = await wiki.call('DELETE', `/v1/trash/${trash.id}`, { token: root.token });
      expect(purged.status, purged.text).toBeLessThan(300);
    }
    const rows = await store.fileTexts.after(fromTheFirst, 0, 1000);
    const hash = createHash('sha256').update(Buffer.from(care, 'base64')).digest('hex');
    expect(rows.some((row) => row.hash === hash)).toBe(false);
    expect(await store.fileTexts.claim(hash, Date.now(), 0)).toBe(true);
    await store.fileTexts.save(hash, [{ number: 1, text: 'x', terms: ['x'] }], Date.now());
    expect(await store.fileTexts.claim(hash, Date.now(), 0)).toBe(true);
    expect((await wiki.call('GET', '/v1/file-texts?text=')).json).toEqual([]);
    expect((await wiki.call('GET', '/v1/file-texts?text=oak&limit=51')).status).toBe(400);
  });
});
