/** Replaced files: they keep their address, stay with the changes that name them, and return on rollback. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, type PageAnswer, startApp, type TestApp } from '../support/http.ts';

type File = { name: string; filename: string; urls: { full: string; thumbnail?: string } };
type Change = PageAnswer['history'][number];

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  let ada: { id: number; token: string };
  let bob: typeof ada;

  beforeAll(async () => {
    wiki = await startApp({}, { engine });
    ada = await wiki.member('Ada');
    bob = await wiki.member('Bob');
  });
  afterAll(() => wiki.close());

  const upload = (name: string, text: string) => ({
    file: { name, data: Buffer.from(text).toString('base64') },
  });
  const edit = async (path: string, json: object, token = ada.token): Promise<PageAnswer> => {
    const answer = await wiki.call('POST', `/v1/pages${path}`, { token, json });
    expect(answer.status, answer.text).toBe(200);
    return answer.json.page;
  };
  const textAt = async (url: string, token?: string) => {
    const { status, text } = await wiki.call('GET', url, token ? { token } : {});
    return status === 200 ? text : status;
  };
  const read = async (url: string, token?: string) => {
    const answer = await wiki.call('GET', url, token ? { token } : {});
    expect(answer.status, answer.text).toBe(200);
    return answer.json;
  };
  const fileOf = (page: PageAnswer, filename: string): File =>
    page.files.find((file: File) => file.filename === filename);

  test('a file of the same name replaces the old one, which stays at its address and in its change', async () => {
    const made = await wiki.page(ada.token, {
      title: 'Leaf',
      body: '[[File:leaf.txt]]',
      files: upload('leaf.txt', 'green'),
    });
    const green = fileOf(made, 'leaf.txt');
    const edited = await edit('/leaf', { files: upload('leaf.txt', 'yellow'), msg: 'autumn' });
    const yellow = fileOf(edited, 'leaf.txt');
    expect(edited.files).toHaveLength(1);
    expect([await textAt(green.urls.full), await textAt(yellow.urls.full)]).toEqual(['green', 'yellow']);
    expect(green.name).not.toBe(yellow.name);

    const changes: Change[] = await read('/v1/history/leaf');
    expect(changes.map(({ content }) => content.files)).toEqual([[yellow.name], [green.name]]);
    expect(edited.history.map(({ content }: Change) => content.files)).toEqual([[green.name], [yellow.name]]);
    const [latest, first] = changes;
    const old = await read(`/v1/pages/leaf?version=${first.id}`);
    expect(old.page.files).toEqual([green]);
    expect(old.markup).toContain(green.urls.full);
    expect(old.markup).not.toContain(yellow.urls.full);
    const now = await read(`/v1/pages/leaf?version=${latest.id}`);
    expect([now.page.files, now.markup.includes(yellow.urls.full)]).toEqual([[yellow], true]);

    const diff = await read('/v1/diff/leaf');
    expect([diff.files, diff.filesBefore]).toEqual([[yellow], [green]]);
    expect(diff.html).toBe('<p class="diff-files">Files replaced: <ins>leaf.txt</ins></p>');
    // Other pages show the current version.
    await wiki.page(ada.token, { title: 'Beside', body: '[[File:/leaf/leaf.txt]]' });
    expect((await read('/v1/pages/beside')).markup).toContain(yellow.urls.full);
  });

  test('a removed file leaves the page and stays with its change; removing a missing file is refused', async () => {
    const made = await wiki.page(ada.token, { title: 'Pruned', files: upload('a.txt', 'one') });
    const first = fileOf(made, 'a.txt');
    await edit('/pruned', { files: upload('b.txt', 'two') });
    const send = (json: object) =>
      wiki.call('POST', '/v1/pages/pruned', { token: bob.token, json: { msg: 'less', ...json } });
    const refused = await send({ removeFiles: ['a.txt', 'c.txt'] });
    expect(refused.status).toBe(400);
    expect(refused.json.errors[0].pointer).toBe('/removeFiles');
    expect((await read('/v1/pages/pruned')).page.files).toHaveLength(2);

    const left = await edit('/pruned', { removeFiles: ['a.txt'] });
    expect(left.files.map(({ filename }: File) => filename)).toEqual(['b.txt']);
    expect(await textAt(first.urls.full)).toBe('one');
    // Removes the file by its stored name and adds another in the same edit.
    const replaced = await edit('/pruned', {
      removeFiles: [fileOf(left, 'b.txt').name],
      files: upload('a.txt', 'three'),
    });
    expect(replaced.files.map(({ filename }: File) => filename)).toEqual(['a.txt']);
    expect(fileOf(replaced, 'a.txt').name).not.toBe(first.name);
    const back = await wiki.call('POST', '/v1/rollback/pruned', {
      token: ada.token,
      json: { to: made.history[0].id },
    });
    expect(back.json.page.files).toEqual([first]);
    expect(await wiki.app.service.store.maintenance.violations(9)).toEqual([]);
  });

  test('restoring a change brings back its files, and loses no later ones', async () => {
    const made = await wiki.page(ada.token, { title: 'Album', files: upload('a.txt', 'first') });
    const [first] = made.history;
    await edit('/album', { files: [upload('a.txt', 'second'), upload('b.txt', 'later')] });
    const second = await edit('/album', { body: 'Words', files: upload('c.txt', 'last') });
    const back = await wiki.call('POST', '/v1/rollback/album', { token: bob.token, json: { to: first.id } });
    expect(back.status, back.text).toBe(200);
    expect(back.json.page.files).toEqual(made.files);
    for (const file of second.files) expect(await textAt(file.urls.full)).not.toBe(404);
    const changes: Change[] = await read('/v1/history/album');
    const again = await wiki.call('POST', '/v1/rollback/album', {
      token: bob.token,
      json: { to: changes[1].id },
    });
    expect(again.json.page.files).toEqual(second.files);
    expect(again.json.page.history).toHaveLength(5);
    const diff = await read(`/v1/diff/album?from=${changes[1].id}&to=${changes[0].id}`);
    const names = (files: File[]) => files.map(({ filename }) => filename).sort();
    expect([names(diff.files), names(diff.filesBefore)]).toEqual([['a.txt'], ['a.txt', 'b.txt', 'c.txt']]);
    expect(diff.html).toContain('Removed files: <del>b.txt</del>, <del>c.txt</del>');
    // Rollback to a change without files removes all files.
    const empty = await wiki.page(ada.token, { title: 'Bare' });
    await edit('/bare', { files: upload('x.txt', 'x') });
    const bare = await wiki.call('POST', '/v1/rollback/bare', {
      token: ada.token,
      json: { to: empty.history[0].id },
    });
    expect([bare.json.page.files, bare.json.page.history[2].content.files]).toEqual([[], undefined]);
  });

  test('the same bytes under the same name change nothing; earlier bytes uploaded again are a new version', async () => {
    const made = await wiki.page(ada.token, { title: 'Same', files: upload('s.txt', 'one') });
    expect((await edit('/same', { files: upload('s.txt', 'one'), msg: 'again' }, bob.token)).files).toEqual(
      made.files,
    );
    const two = await edit('/same', { files: upload('s.txt', 'two') });
    const three = await edit('/same', { files: upload('s.txt', 'one') }, bob.token);
    const names = [made, two, three].map((page) => fileOf(page, 's.txt').name);
    expect(new Set(names).size).toBe(3);
    expect(three.files).toMatchObject([{ uploader: bob.id }]);
    expect(await textAt(fileOf(made, 's.txt').urls.full)).toBe('one');
    // Filenames that differ only in characters not allowed in addresses.
    const alike = await edit('/same', { files: [upload('a b.txt', 'x'), upload('a-b.txt', 'x')] });
    expect(new Set(alike.files.map(({ name }: File) => name)).size).toBe(3);
  });

  test('concurrent uploads of one name lose none', async () => {
    await wiki.page(ada.token, { title: 'Busy', files: upload('b.txt', '0') });
    const texts = ['1', '2', '3', '4', '5', '6'];
    const pages = await Promise.all(
      texts.map((text, i) => edit('/busy', { files: upload('b.txt', text) }, i % 2 ? bob.token : ada.token)),
    );
    const changes: Change[] = await read('/v1/history/busy');
    const named = changes.flatMap(({ content }) => content.files);
    expect(new Set(named).size).toBe(7);
    expect((await Promise.all(named.map((name) => textAt(`/files/${name}`)))).toSorted()).toEqual([
      '0',
      ...texts,
    ]);
    // Each response named the caller's own file.
    for (const page of pages) expect(named).toContain(fileOf(page, 'b.txt').name);
    const { page } = await read('/v1/pages/busy');
    expect(page.files.map(({ name }: File) => name)).toEqual(changes[0].content.files);
  });

  test('a replaced file is readable by those who may read its page now', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const made = await wiki.page(ada.token, {
      title: 'Ours',
      permissions: 770,
      files: { file: { name: 'p.png', data: png.toString('base64') } },
    });
    const old = fileOf(made, 'p.png');
    await edit('/ours', { files: upload('p.png', 'no picture') });
    const thumbnail = old.urls.thumbnail ?? '';
    for (const url of [old.urls.full, thumbnail]) {
      expect(await textAt(url)).toBe(404);
      expect(await textAt(url, bob.token)).not.toBe(404);
    }
    await edit('/ours', { permissions: 700 });
    for (const url of [old.urls.full, thumbnail]) {
      expect(await textAt(url, bob.token)).toBe(404);
      expect(await textAt(url, ada.token)).not.toBe(404);
    }
    const { headers } = await wiki.call('GET', old.urls.full, { token: ada.token });
    expect(headers['cache-control']).toBe('private, no-store');
  });

  test('a change of another page gives no access to files', async () => {
    await wiki.page(ada.token, { title: 'Lender', files: upload('l.txt', 'mine') });
    const other = await wiki.page(ada.token, { title: 'Borrower' });
    const { page } = await read('/v1/pages/lender');
    expect((await wiki.call('GET', `/v1/pages/lender?version=${other.history[0].id}`)).status).toBe(404);
    const json = { to: page.history[0].id };
    expect((await wiki.call('POST', '/v1/rollback/borrower', { token: ada.token, json })).status).toBe(400);
    // Naming a file of another page does not add it.
    await edit('/borrower', { body: 'x', files: undefined, content: { files: [page.files[0].name] } });
    expect((await read('/v1/pages/borrower')).page.files).toEqual([]);
  });
});
