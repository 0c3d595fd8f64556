/** Imports over HTTP: upload to certificate, cancelled, refused, and resumed after a server stop. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { effort } from '../support/effort.ts';
import { engines, multipartOf, startApp, type TestApp } from '../support/http.ts';
import { pixel } from '../support/import-source.ts';
import { zipOf } from '../support/zip.ts';

const notes = (count: number) =>
  zipOf(
    Array.from({ length: count }, (_, number) => ({
      name: `Notes/Note ${number}.md`,
      content: `# Note ${number}\n\nSee [[Note ${(number + 1) % count}]] and [[Nowhere]].\n`,
    })),
  );

describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  let wiki: TestApp;
  let now = Date.parse('2026-05-01T10:00:00Z');
  let token = '';
  beforeAll(async () => {
    wiki = await startApp({}, { engine, clock: () => now });
    token = (await wiki.member('Ada', { isAdmin: true })).token;
  });
  afterAll(() => wiki.close());

  const begin = async (body: Buffer, query = '', headers: Record<string, string> = {}) => {
    const answer = await wiki.call('POST', `/v1/imports${query}`, {
      ...{ token, body, headers: { 'content-type': 'application/zip', ...headers } },
    });
    expect(answer.status, answer.text).toBe(202);
    return JSON.parse(answer.text).id as number;
  };
  const ended = async (id: number) => {
    for (let tries = 0; tries < 3000; tries++) {
      const { status, json } = await wiki.call('GET', `/v1/imports/${id}`, { token });
      expect(status).toBe(200);
      if (json.state !== 'running') return json;
      await new Promise((done) => setTimeout(done, 20));
    }
    throw new Error('It does not end.');
  };

  test('a dry run shows the tree and writes nothing; then the import writes it, and again changes nothing', async () => {
    const dryId = await begin(notes(5), '?dryRun=true&parent=/in');
    const dry = await ended(dryId);
    expect(dry).toMatchObject({ state: 'done', total: 6, error: null, certificate: { isDryRun: true } });
    expect(dry.certificate.tree).toContainEqual({
      path: '/in/note-3',
      title: 'Note 3',
      isKnown: false,
    });
    expect((await wiki.call('GET', '/v1/pages/in')).status).toBe(404);

    const begun = await wiki.call('POST', `/v1/imports/${dryId}`, { token });
    expect(begun.status).toBe(202);
    const first = await ended(begun.json.id);
    const gone = await wiki.call('POST', `/v1/imports/${dryId}`, { token });
    expect([gone.status, gone.text]).toEqual([400, expect.stringContaining('Send the file again')]);
    expect(first).toMatchObject({
      state: 'done',
      done: 6,
      total: 6,
      certificate: { pages: { created: 6, parents: 1 } },
    });
    expect(first.certificate.links).toMatchObject({ resolved: 5, dead: 5, lost: 0 });
    expect(first.certificate.comparison).toEqual({ pages: 5, differing: 0, byKind: {}, list: [], more: 0 });
    const { json } = await wiki.call('GET', '/v1/pages/in/note-3');
    expect(json.page.title).toBe('Note 3');

    const form = multipartOf([{ name: 'file', filename: 'vault.zip', value: notes(5) }]);
    const again = await ended(await begin(form.body, '?parent=/in&from=obsidian', form.headers));
    expect(again.certificate.pages).toMatchObject({ created: 0, changed: 0 });
  });

  test('a zip of wikitext is imported as its folder is: titles, subpages, links and files', async () => {
    const zip = zipOf([
      { name: 'docs/README.wiki', content: 'Welcome. See [[oak.wiki#the-bark|bark]] and [[Nowhere]].' },
      { name: 'docs/oak.wiki', content: '== The oak ==\n[[File:oak/leaf.png|leaf]]\n== The bark ==\n' },
      { name: 'docs/oak/leaf.png', content: pixel },
      { name: 'docs/oak/acorn.wiki', content: 'Of [[../oak|the oak]].' },
    ]);
    const dry = await ended(await begin(zip, '?dryRun=true&parent=/wt'));
    expect(dry.certificate).toMatchObject({ kind: 'wikitext', recognisedBy: expect.any(String) });
    expect(dry.certificate.tree).toContainEqual({ path: '/wt/oak/acorn', title: 'acorn', isKnown: false });
    const { certificate, error } = await ended(await begin(zip, '?parent=/wt&from=wikitext'));
    expect(error).toBeNull();
    expect(certificate).toMatchObject({
      ...{ kind: 'wikitext', pages: { created: 3 }, links: { resolved: 3, dead: 1, lost: 0 } },
      comparison: { pages: 3, differing: 0, list: [] },
    });
    const oak = (await wiki.call('GET', '/v1/pages/wt/oak')).json;
    expect(oak.page).toMatchObject({ title: 'The oak' });
    expect(oak.page.files.map(({ filename }: { filename: string }) => filename)).toEqual(['leaf.png']);
    expect((await wiki.call('GET', '/v1/pages/wt')).text).toContain('/wt/oak#The_bark');
  });

  test('a body is known by its name or type where its bytes do not tell', async () => {
    const disposition = 'attachment; filename="Big trees.csv"';
    const named = { 'content-disposition': disposition };
    for (const headers of [named, { 'content-type': 'text/csv' }] as Record<string, string>[]) {
      const rows = Buffer.from('Tree,Age\nOak,300\n');
      const { certificate } = await ended(await begin(rows, '?dryRun=true&parent=/rows', headers));
      const titles = certificate.tree.map(({ title }: { title: string }) => title);
      expect(certificate.kind).toBe('csv');
      expect(titles.includes('Big trees')).toBe('content-disposition' in headers);
    }
  });

  test('one import runs at a time, and a cancelled one can be continued', async () => {
    const id = await begin(notes(300), '?parent=/many');
    const second = await wiki.call('POST', '/v1/imports', {
      ...{ token, body: notes(2), headers: { 'content-type': 'application/zip' } },
    });
    expect([second.status, second.text]).toEqual([429, expect.stringContaining('Another import')]);
    expect((await wiki.call('DELETE', `/v1/imports/${id}`, { token })).status).toBe(204);
    expect((await ended(id)).state).toBe('cancelled');
    const again = await ended(await begin(notes(300), '?parent=/many'));
    expect(again).toMatchObject({ state: 'done', total: 301 });
    const stream = await wiki.call('GET', `/v1/imports/${id}`, {
      ...{ token, headers: { accept: 'text/event-stream' } },
    });
    expect(stream.text).toMatch(/^data: \{"state":"cancelled".*\}\n\n$/);
  });

  test('an import whose server was stopped has failed, says so, and blocks nobody', async () => {
    const { store } = wiki.app.service;
    const id = (await store.imports.begin(1, now, { before: 0, error: '' })) as number;
    expect(id).toBeGreaterThan(0);
    now += 61_000;
    const { json } = await wiki.call('GET', `/v1/imports/${id}`, { token });
    expect(json).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('Send the same file again'),
    });
    expect((await ended(await begin(notes(2), '?dryRun=true'))).state).toBe('done');
  });

  test('files that are not a wiki are refused in a sentence, and only administrators may import', async () => {
    const failed = await ended(await begin(Buffer.from('just text')));
    expect(failed).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('not a known kind of source'),
    });
    const empty = await ended(await begin(zipOf([]), '?from=obsidian'));
    expect(empty).toMatchObject({ state: 'failed', certificate: null });
    const { token: other } = await wiki.member('Max');
    const headers = { 'content-type': 'application/zip' };
    const body = notes(1);
    expect((await wiki.call('POST', '/v1/imports', { body, headers })).status).toBe(401);
    expect((await wiki.call('POST', '/v1/imports', { token: other, body, headers })).status).toBe(403);
    expect((await wiki.call('GET', '/v1/imports/1', { token: other })).status).toBe(403);
    expect((await wiki.call('GET', '/v1/imports/9999', { token })).status).toBe(404);
    expect((await wiki.call('DELETE', '/v1/imports/9999', { token })).status).toBe(404);
    expect((await wiki.call('POST', '/v1/imports/9999', { token })).status).toBe(404);
    expect((await wiki.call('POST', '/v1/imports/1', { token: other })).status).toBe(403);
    for (const query of ['?from=word', '?parent=//', '?dryRun=perhaps'])
      expect((await wiki.call('POST', `/v1/imports${query}`, { token, body, headers })).status, query).toBe(
        400,
      );
    const none = await wiki.call('POST', '/v1/imports', { token, body: Buffer.alloc(0), headers });
    expect(none.status).toBe(400);
  });

  test('pictures of other sites are asked for on demand only, and never from private addresses', async () => {
    const site = zipOf([{ name: 'Elm.md', content: '![x](http://127.0.0.1:9/elm.png)\n' }]);
    const outcomes = async (id: number) =>
      (await ended(id)).certificate.approximated.list.map(({ after }: { after: string }) => after);
    const refused = [expect.stringContaining('not a public address')];
    expect(await outcomes(await begin(site, '?parent=/far&source=far'))).toEqual([]);
    expect(await outcomes(await begin(site, '?parent=/far&source=far&fetch=true'))).toEqual(refused);
    const dry = await begin(site, '?parent=/far&source=far&dryRun=true');
    await ended(dry);
    const { json } = await wiki.call('POST', `/v1/imports/${dry}?fetch=true`, { token });
    expect(await outcomes(json.id)).toEqual(refused);
  });

  test('uploads of two sources never overwrite each other, and a name continues or prunes its own import', async () => {
    const vault = (whose: string, names: string[]) =>
      zipOf(
        names.map((name) => ({
          name: `${name}.md`,
          content: `# ${name}\n\nWords of ${whose} about ${name}.\n`,
        })),
      );
    const all = ['Oak', 'Elm', 'Fir'];
    const bodyOf = async (path: string) => (await wiki.call('GET', `/v1/pages${path}`, { token })).text;
    await ended(await begin(vault('Ada', all), '?parent=/two'));
    const unnamed = await ended(await begin(vault('Max', all), '?parent=/two'));
    expect(unnamed).toMatchObject({ state: 'failed', error: expect.stringContaining('“upload”') });
    expect(unnamed.error).toContain('source=');
    const dry = await ended(await begin(vault('Max', all), '?parent=/two&dryRun=true'));
    expect(dry.certificate).toMatchObject({ unclear: ['upload'] });
    const { id } = (
      await wiki.call('POST', '/v1/imports?parent=/two&dryRun=true', {
        ...{ token, body: vault('Max', all), headers: { 'content-type': 'application/zip' } },
      })
    ).json;
    await ended(id);
    const named = await wiki.call('POST', `/v1/imports/${id}?source=max`, { token });
    expect((await ended(named.json.id)).certificate).toMatchObject({ origin: 'max', pages: { created: 3 } });
    expect(await bodyOf('/two/oak')).toContain('Words of Ada');
    expect(await bodyOf('/two/oak-2')).toContain('Words of Max');
    const pruned = await ended(
      await begin(vault('Max', ['Oak', 'Elm']), '?parent=/two&source=max&prune=true'),
    );
    expect(pruned.certificate.gone.list).toEqual([
      { source: 'Fir.md', path: '/two/fir-2', outcome: 'deleted' },
    ]);
    expect((await wiki.call('GET', '/v1/pages/two/fir-2')).status).not.toBe(200);
    expect(await bodyOf('/two/fir')).toContain('Words of Ada');
    const form = (whose: string, names: string[]) =>
      multipartOf([{ name: 'file', filename: 'vault.zip', value: vault(whose, names) }]);
    for (const [whose, names] of [
      ['Ada', all],
      ['Ada', ['Oak', 'Elm']],
    ] as const) {
      const { body, headers } = form(whose, [...names]);
      expect((await ended(await begin(body, '?parent=/three', headers))).state).toBe('done');
    }
    const { body, headers } = form('Max', all);
    expect(await ended(await begin(body, '?parent=/three', headers))).toMatchObject({
      ...{ state: 'failed', error: expect.stringContaining('“vault.zip”') },
    });
    expect(await bodyOf('/three/oak')).toContain('Words of Ada');
  });
});
