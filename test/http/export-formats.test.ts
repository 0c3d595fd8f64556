/** Exports as folders and dumps: content, link targets, and that each reader gets exactly what they may read. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { formatNames as formats } from '#export/format-names.ts';
import { effort } from '../support/effort.ts';
import { engines, startApp, type TestApp } from '../support/http.ts';
import { unpacked } from '../support/unpacked.ts';

/** Exports do not depend on the engine: tested on one, and on both before a release. */
describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  let wiki: TestApp;
  const tokens: Record<string, string> = {};
  const picture = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );

  beforeAll(async () => {
    wiki = await startApp({}, { engine });
    tokens.Olga = (await wiki.member('Olga')).token;
    tokens.Max = (await wiki.member('Max')).token;
    const olga = tokens.Olga;
    const markdown = { format: 'markdown' };
    await wiki.page(olga, {
      ...{
        title: 'Garden',
        body: '# Beds\n\n[a rose](/garden/rose#red), [[Rose]], [[Veiled]], [[Wall: high]]',
      },
      ...{ ...markdown, description: 'All of it', data: { area: 12, import: 'mine' } },
    });
    await wiki.page(olga, {
      ...{
        title: 'Rose',
        parent: '/garden',
        body: '![](red.png) in [the garden](/garden), ![[/garden/rose/red.png]]',
      },
      ...{ ...markdown, files: { file: { name: 'red.png', data: picture.toString('base64') } } },
    });
    await wiki.page(olga, { title: 'Veiled', parent: '/garden', permissions: 700, body: 'hidden words' });
    await wiki.page(olga, {
      title: 'Open: “below”?',
      parent: '/garden/veiled',
      body: '[[/garden|Garden]] [[Tag: old]] [[Wall: low]]',
    });
    await wiki.page(olga, { title: 'For members', permissions: 770, body: 'members only' });
    await wiki.page(olga, { title: 'Con', body: 'A name that Windows keeps' });
    const edited = await wiki.call('POST', '/v1/pages/con', {
      token: olga,
      json: { body: 'Kept, edited', msg: 'two', language: 'de', translationOf: '/for-members' },
    });
    expect(edited.status).toBe(200);
  });
  afterAll(() => wiki.close());

  const get = async (format: string, who?: string, query = '') => {
    const answer = await wiki.app.server.inject({
      url: `/v1/export?format=${format}${query}`,
      headers: who === undefined ? {} : { authorization: `Bearer ${tokens[who]}` },
    });
    expect(answer.statusCode, answer.payload.slice(0, 500)).toBe(200);
    return answer;
  };
  const folder = async (format: string, who?: string, query = ''): Promise<Record<string, string>> => {
    const answer = await get(format, who, query);
    expect(answer.headers['content-type']).toBe('application/zip');
    return unpacked(answer.rawPayload);
  };

  test('signatures in Markdown become names, because a folder has no members', async () => {
    const olga = tokens.Olga ?? '';
    const own = { permissions: 700 };
    await wiki.page(olga, { ...own, title: 'Signed', body: 'Yes. ~~~' });
    const body = '[Max](/members/2 "who") and [[Special:Redirect/user/2|Max]]';
    await wiki.page(olga, { ...own, title: 'Signed too', format: 'markdown', body });
    const files = await folder('markdown', 'Olga');
    expect(files['signed.md']).toMatch(/^Yes\. Olga$/m);
    expect(files['signed-too.md']).toMatch(/^Max and Max$/m);
  });

  test('pictures and files of other pages are shown from their place in the folder', async () => {
    const olga = tokens.Olga ?? '';
    const body = '[[File:/garden/rose/red.png|thumb|A rose]] [[Media:/garden/rose/red.png|the file]]';
    await wiki.page(olga, { title: 'Elsewhere', permissions: 700, body });
    const files = await folder('markdown', 'Olga');
    expect(files['elsewhere.md']).toContain('](garden/rose/red.png)');
    expect(files['elsewhere.md']).not.toContain('/files/');
  });

  test('a folder of Markdown contains each page with its metadata, and links lead from file to file', async () => {
    const files = await folder('markdown');
    expect(Object.keys(files).sort()).toEqual([
      ...['_con.md', 'garden.md', 'garden/rose.md', 'garden/rose/red.png'],
      'open-below.md',
    ]);
    const [, facts = '', body = ''] = /^---\n(.*?)\n---\n\n(.*)$/s.exec(files['garden.md'] ?? '') ?? [];
    expect(parse(facts)).toMatchObject({
      ...{ title: 'Garden', description: 'All of it', area: 12, author: 'Olga' },
      ...{ created: expect.stringMatching(/^\d{4}-.*Z$/), updated: expect.stringMatching(/Z$/) },
    });
    expect(body).toBe('# Beds\n\n[a rose](garden/rose.md#red), [[Rose]], [[Veiled]], [[Wall: high]]');
    expect(files['garden/rose.md']).toMatch(
      /\n!\[\]\(rose\/red\.png\) in \[the garden\]\(\.\.\/garden\.md\), !\[\[red\.png\]\]$/,
    );
    expect(files['open-below.md']).toMatch(/^tags:\n {2}- old\n(.*\n)*wall: low\n/m);
    expect(files['garden/rose/red.png']).toBe(picture.toString());
  });

  test('folders for programs of sites have links that these programs follow', async () => {
    const [mkdocs, hugo] = [await folder('mkdocs'), await folder('hugo')];
    expect(mkdocs['docs/garden.md']).toContain(
      '[a rose](garden/rose.md#red), [Rose](garden/rose.md), Veiled, [[Wall: high]]',
    );
    expect(mkdocs['docs/garden/rose.md']).toMatch(
      / in \[the garden\]\(\.\.\/garden\.md\), !\[\]\(rose\/red\.png\)$/,
    );
    expect(Object.keys(hugo).sort()).toEqual([
      ...['_con', 'garden/_index', 'garden/rose/index'].map((name) => `content/${name}.md`),
      ...['content/garden/rose/red.png', 'content/open-below.md', 'hugo.yaml'],
      ...['image', 'link'].map((kind) => `layouts/_default/_markup/render-${kind}.html`),
    ]);
    expect(hugo['content/garden/_index.md']).toContain(
      '[a rose](/garden/rose/index.md#red), [Rose](/garden/rose/index.md), Veiled, ',
    );
    expect(hugo['content/garden/rose/index.md']).toMatch(
      /!\[\]\(red\.png\) in \[the garden\]\(\/garden\/_index\.md\), !\[\]\(red\.png\)$/,
    );
  });

  test('no upload runs in a site that a program makes of a folder, and links lead to it still', async () => {
    const names = ['run.html', 'run.js', 'drawn.svg', 'plain.csv'];
    const bodies = ['<script>run()</script>', 'run()', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'a,b\n'];
    const files = names.map((name, at) => ({
      file: { name, data: Buffer.from(bodies[at] ?? '').toString('base64') },
    }));
    await wiki.page(tokens.Olga ?? '', {
      ...{ title: 'Uploads', format: 'markdown', body: '[run](run.html)', permissions: 700, files },
    });
    const beneath = '&ancestor=/uploads';
    for (const program of ['mdbook', 'mkdocs', 'docusaurus', 'hugo']) {
      const written = await folder(program, 'Olga', beneath);
      const uploads = Object.keys(written).filter((path) => /(?:run|drawn|plain)[^/]*$/.test(path));
      expect(uploads.map((path) => path.slice(path.lastIndexOf('/') + 1)).sort(), program).toEqual([
        ...['drawn.svg', 'plain.csv', 'run-html.txt', 'run-js.txt'],
      ]);
      const [text] = Object.keys(written).filter((path) => /uploads(?:\/_?index)?\.md$/.test(path));
      expect(written[text ?? ''], program).toContain('run-html.txt)');
    }
    expect(Object.keys(await folder('markdown', 'Olga', beneath))).toContain('uploads/run.html');
    await wiki.call('DELETE', '/v1/pages/uploads', { token: tokens.Olga ?? '' });
  });

  test('a folder of texts contains them unchanged, with one line of metadata for each', async () => {
    const files = await folder('wikitext', 'Olga', '&ancestor=/garden');
    expect(files['garden/veiled/open-below.wikitext']).toBe('[[/garden|Garden]] [[Tag: old]] [[Wall: low]]');
    const lines = (files['pages.jsonl'] ?? '')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ file }) => file)).toEqual([
      ...['garden.md', 'garden/rose.md', 'garden/veiled.wikitext', 'garden/veiled/open-below.wikitext'],
    ]);
    expect(lines[1].files).toEqual([{ filename: 'red.png', file: 'garden/rose/red.png', mime: 'image/png' }]);
    expect(lines[3]).toMatchObject({
      title: 'Open: “below”?',
      tags: { tag: ['old'], wall: ['low'] },
      owner: 'Olga',
    });
  });

  test('a dump for MediaWiki contains every change, and links by title', async () => {
    const { payload } = await get('mediawiki-xml');
    expect(payload).toContain('<title>Open: “below”?</title>');
    expect(payload).toContain('[[:Garden|Garden]] [[Tag: old]]');
    expect([...payload.matchAll(/<text [^>]*>(A name|Kept)/g)].map(([, text]) => text)).toEqual([
      'A name',
      'Kept',
    ]);
    expect(payload).toContain(`<contents encoding="base64">${picture.toString('base64')}</contents>`);
    expect(payload).toMatch(/<title>File:Red\.png<\/title>/);
  });

  test('no format contains anything that its reader may not read', async () => {
    for (const format of formats) {
      const text = async (who?: string) => {
        const answer = await get(format, who);
        return /zip|epub/.test(String(answer.headers['content-type']))
          ? Object.entries(await unpacked(answer.rawPayload))
              .flat()
              .join('\n')
          : answer.payload;
      };
      const [stranger, member, owner] = [await text(), await text('Max'), await text('Olga')];
      const words = (all: string) =>
        ['hidden words', 'members only', 'edited'].filter((word) => all.includes(word));
      // Only those who may read the original learn that there is one.
      const isCarried = /^(?:jsonl|markdown|wikitext|mdbook|mkdocs|docusaurus|hugo|mediawiki-xml)$/.test(
        format,
      );
      const named = [stranger, member].map((all) => /translationOf|i18n|^ {2}de:$/m.test(all));
      expect(named, format).toEqual([false, isCarried]);
      expect(words(stranger), format).toEqual(['edited']);
      expect(words(member), format).toEqual(['members only', 'edited']);
      expect(words(owner), format).toEqual(['hidden words', 'members only', 'edited']);
    }
  });
});
