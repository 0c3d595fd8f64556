/** Import and export on the site without scripts: a file is checked, imported and reported on; everyone can export. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { effort } from '../support/effort.ts';
import { engines } from '../support/http.ts';
import { startSite, type TestSite, type Visitor } from '../support/web.ts';
import { zipOf } from '../support/zip.ts';

const many = 130;
const vault = zipOf([
  { name: 'Trees/Oak <b>.md', content: '# Oak\n\nSee [[Elm]], [[Nowhere <i>]].\n' },
  { name: 'Trees/Elm.md', content: '# Elm\n\n%%a comment%%\n' },
  { name: '.obsidian/app.json', content: '{}' },
  ...Array.from({ length: many }, (_, number) => ({
    name: `Notes/Note ${number}.md`,
    content: `[[Missing ${number}]]\n`,
  })),
]);

describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  let site: TestSite;
  let root: Visitor & { token: string };
  beforeAll(async () => {
    site = await startSite({}, { engine });
    root = await site.signedIn('Root', { isAdmin: true });
  });
  afterAll(() => site.close());

  const upload = (who: Visitor, fields: Record<string, string>, bytes = vault) =>
    who.post('/import', fields, { files: [{ name: 'vault <b>.zip', bytes }] });
  /** Reloads the page, as a browser without scripts does, until the import ends. */
  const ended = async (address: string | undefined) => {
    for (let tries = 0; tries < 500; tries++) {
      const shown = await root.get(address ?? '');
      expect(shown.status, address).toBe(200);
      if (!shown.text.includes('http-equiv="refresh"')) return shown.text;
      await new Promise((done) => setTimeout(done, 20));
    }
    throw new Error('It does not end.');
  };

  test('a file is previewed, previewed again for another place, imported once, and reported', async () => {
    expect((await root.get('/members')).text).toContain('href="/import"');
    const first = await upload(root, { kind: '', parent: '/wrong' });
    const preview = await ended(first.location);
    expect(preview).toContain('Nothing has been written yet');
    expect(preview).toContain('Oak &lt;b&gt;');
    expect(preview).toContain('/wrong/trees/elm');
    const again = await root.post(first.location ?? '', { what: 'look', kind: 'obsidian', parent: '/in' });
    const looked = await ended(again.location);
    expect(looked).toContain('/in/trees/elm');
    const listed = looked.match(/<ul class="import-tree">.*?<\/ul>/s)?.[0].match(/<li /g)?.length ?? 0;
    expect(looked).toContain(`${listed} new pages, 0 pages that already exist.`);
    expect(looked).toContain('vault &lt;b&gt;.zip');
    expect((await root.get('/in')).status).toBe(404);
    expect((await root.get(first.location ?? '')).text).toContain('The file was already imported or removed');

    const begun = await root.post(again.location ?? '', { what: 'import' });
    const account = await ended(begun.location);
    expect(account).toContain('href="/in"');
    const [, made, parents] = account.match(/(\d+) new pages and (\d+) parent page/) ?? [];
    expect(Number(made) + Number(parents)).toBe(listed);
    expect(account).toContain(`${many + 1}</span></h2>`);
    const rest = await root.get(`${begun.location}/dead?offset=100`);
    expect(rest.text).toContain('101–131 of 131');
    expect(rest.text).toContain('Nowhere &lt;i&gt;');
    expect((await root.get(`${begun.location}/links?offset=100`)).text).toContain('/in/trees/elm');
    expect((await root.get(`${begun.location}/nothing`)).status).toBe(404);
    expect((await root.get('/in/trees/elm')).status).toBe(200);
    // The file is imported already and cannot be imported again.
    expect((await root.post(again.location ?? '', { what: 'import' })).status).toBe(400);
    const list = (await root.get('/import')).text;
    expect(list).toContain(`href="${begun.location}"`);
    expect(list).toContain('Imported: ');
    expect(list).toContain('Preview: ');
  });

  test('a zip of wikitext is recognised, and every kind is offered', async () => {
    const bytes = zipOf([{ name: 'Oak.wiki', content: "An ''oak''" }]);
    expect((await root.get('/import')).text).toContain('<option value="wikitext">');
    const preview = await ended((await upload(root, { kind: '', parent: '/wt' }, bytes)).location);
    expect(preview).toContain('Read as Wikitext, because most of its documents are wikitext.');
    expect(preview).toContain('/wt/oak');
  });

  test('a cancelled import continues; a removed file is gone', async () => {
    const looked = await upload(root, { kind: '', parent: '/later' });
    await ended(looked.location);
    const begun = await root.post(looked.location ?? '', { what: 'import' });
    expect((await root.post(begun.location ?? '', { what: 'cancel' })).status).toBe(303);
    const cancelled = await ended(begun.location);
    expect(cancelled).toContain('The import was cancelled');
    const on = await root.post(begun.location ?? '', { what: 'import' });
    expect(await ended(on.location)).toContain('In the source');
    expect((await root.get('/later/trees/elm')).status).toBe(200);

    const other = await upload(root, {});
    await ended(other.location);
    await root.post(other.location ?? '', { what: 'cancel' });
    expect(await ended(other.location)).toContain('The file was already imported or removed');
  });

  test('pages that are gone from the file are named and deleted on demand, and an unclear source is asked for', async () => {
    const zip = (whose: string, names: string[]) =>
      zipOf(
        names.map((name) => ({
          name: `${name}.md`,
          content: `Words of ${whose} about ${name}. ![](http://127.0.0.1:9/x.png)\n`,
        })),
      );
    const first = await upload(
      root,
      { kind: 'markdown', parent: '/again' },
      zip('Ada', ['Oak', 'Elm', 'Fir']),
    );
    expect(await ended(first.location)).toContain('name="fetch"');
    const begun = await root.post(first.location ?? '', { what: 'import', fetch: 'yes' });
    // Each page shows a picture of a private address.
    const account = await ended(begun.location);
    expect(account).toContain('is not a public address');
    const second = await upload(root, { kind: 'markdown', parent: '/again' }, zip('Ada', ['Oak', 'Elm']));
    const looked = await ended(second.location);
    expect(looked).toContain('Missing in the source');
    expect(looked).toContain('name="prune"');
    expect(looked).not.toContain('id="source"');
    const source = /name="source" value="([^"]*)"/.exec(looked)?.[1];
    expect(source).toBe('vault &lt;b&gt;.zip');
    const pruned = await root.post(second.location ?? '', {
      what: 'import',
      prune: 'yes',
      source: 'vault <b>.zip',
    });
    expect(await ended(pruned.location)).toContain('Its page /again/fir was moved to the trash.');
    expect((await root.get('/again/fir')).status).not.toBe(200);

    const other = await upload(root, { kind: 'markdown', parent: '/again' }, zip('Max', ['Oak', 'Elm']));
    const unclear = await ended(other.location);
    expect(unclear).toContain('Name of the source');
    expect(unclear).toContain('“vault &lt;b&gt;.zip”');
    const refused = await root.post(other.location ?? '', { what: 'import', source: 'x'.repeat(201) });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('at most 200')]);
    await ended((await root.post(other.location ?? '', { what: 'import', source: 'of Max' })).location);
    expect((await root.get('/again/oak')).text).toContain('Words of Ada');
    expect((await root.get('/again/oak-2')).text).toContain('Words of Max');
  });

  test('errors are shown beside their cause, and only administrators import', async () => {
    const wrong = await upload(root, { kind: 'word', parent: '/in' });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('id="kind-mistake"');
    const place = await upload(root, { parent: '/a//b' });
    expect(place.text).toContain('id="parent-mistake"');
    expect((await root.post('/import', { parent: '' }, { files: [] })).status).toBe(400);
    const noWiki = await upload(root, {}, Buffer.from('just text'));
    expect(await ended(noWiki.location)).toContain('not a known kind of source');

    const looked = await upload(root, {});
    await ended(looked.location);
    const olga = await site.signedIn('Olga');
    for (const address of ['/import', looked.location ?? '', `${looked.location}/links`])
      expect((await olga.get(address)).status, address).toBe(403);
    expect((await upload(olga, {})).status).toBe(403);
    expect((await olga.post(looked.location ?? '', { what: 'import' })).status).toBe(403);
    expect((await upload(site.visitor(), {})).status).not.toBe(200);
    const foreign = { headers: { 'sec-fetch-site': 'cross-site' } };
    expect((await root.post(looked.location ?? '', { what: 'import' }, foreign)).status).toBe(403);
    expect((await root.get('/import/99999')).status).toBe(404);
    expect((await root.post(looked.location ?? '', { what: 'what' })).status).toBe(400);
  });

  test('every format is offered, for the wiki or for a page that the visitor may read', async () => {
    await site.page(root.token, { title: 'Garden & more', path: '/garden' });
    await site.page(root.token, { title: 'Hidden', path: '/hidden', permissions: 700 });
    const someone = site.visitor();
    expect((await someone.get('/garden')).text).toContain('href="/export?ancestor=%2Fgarden"');
    const { text } = await someone.get('/export?ancestor=%2Fgarden');
    const addresses = [...text.matchAll(/href="(\/v1\/export[^"]+)"/g)].map(([, url]) =>
      (url ?? '').replace('&amp;', '&'),
    );
    expect(addresses).toHaveLength(11);
    for (const address of addresses) expect((await someone.get(address)).status, address).toBe(200);
    expect((await someone.get('/export?ancestor=/hidden')).status).toBe(404);
    expect((await root.get('/export?ancestor=/hidden')).text).toContain('Hidden');
    expect((await someone.get('/export')).text).toContain('The whole wiki');
  });
});
