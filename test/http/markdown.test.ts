/** Pages as Markdown: who gets it, its content, and how caches tell it apart from JSON. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { effort } from '../support/effort.ts';
import { engines, startApp, type TestApp } from '../support/http.ts';

const markdown = { accept: 'text/markdown' };

describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  let wiki: TestApp;
  let token: string;
  let otherToken: string;

  beforeAll(async () => {
    wiki = await startApp({}, { engine });
    token = (await wiki.member('Ada', { isAdmin: true })).token;
    otherToken = (await wiki.member('Bea')).token;
    await wiki.page(token, { title: 'Elm', body: 'A tree.' });
    await wiki.page(token, { title: 'Secret', body: 'Hidden.', permissions: 700 });
    await wiki.page(token, { title: 'Box', type: 'Template', body: "'''boxed''' [[Secret]]" });
    await wiki.page(token, {
      title: 'Oak *tree*',
      slug: 'oak',
      body: "An ''oak'' beside an [[elm]]. {{Box}} [[kind:tree]]\n\n== History ==\n* old<ref>Note.</ref>",
    });
    await wiki.page(token, { title: 'Source', format: 'markdown', body: '# Hello\n\n*as it is* {{Box}}' });
  });
  afterAll(() => wiki.close());

  const oak =
    '# Oak \\*tree\\*\n\nAn *oak* beside an [elm](/elm). **boxed** [[Secret]]\n\n## History\n\n- old[^1]\n\n[^1]: Note.\n';

  test.each([
    ['/v1/pages/oak', markdown],
    ['/v1/pages/oak?format=md', {}],
    ['/oak', markdown],
    ['/oak?format=md', {}],
    ['/oak', { accept: 'text/markdown, text/html, */*' }],
    ['/v1/pages/oak', { accept: 'application/json;q=0.5, text/markdown' }],
  ] as [string, Record<string, string>][])('%s with %j is Markdown', async (url, headers) => {
    const answer = await wiki.call('GET', url, { headers });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(oak);
    expect(answer.headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(String(answer.headers.vary).toLowerCase().split(', ')).toContain('accept');
    const again = await wiki.call('GET', url, {
      headers: { ...headers, 'if-none-match': String(answer.headers.etag) },
    });
    expect(again.status).toBe(304);
  });

  test.each([
    '*/*',
    'text/html,application/xhtml+xml,*/*;q=0.8',
    'application/json, text/markdown',
    'text/markdown;q=0, */*',
    'text/markdown;q=0.2, */*',
    'text/*',
  ])('a reader who accepts %s gets JSON, and not a cached response for others', async (accept) => {
    await wiki.call('GET', '/v1/pages/oak', { headers: markdown });
    const answer = await wiki.call('GET', '/v1/pages/oak', { headers: { accept } });
    expect(answer.json.page.path).toBe('/oak');
    expect(String(answer.headers.vary).toLowerCase().split(', ')).toContain('accept');
    const site = await wiki.call('GET', '/oak', { headers: { accept: 'text/html' } });
    expect(site.text).toContain('<!doctype html>');
    expect(site.headers.vary).toMatch(/\baccept\b/);
  });

  test('responses vary by Accept and by caller, including cached ones for members', async () => {
    for (const caller of [{ token }, { token }, { token: otherToken }]) {
      const { headers } = await wiki.call('GET', '/v1/pages/elm', caller);
      expect(headers.vary).toBe('Authorization, Cookie, Accept');
    }
  });

  test('format=json is JSON whatever Accept says, and unknown formats are refused', async () => {
    const json = await wiki.call('GET', '/v1/pages/oak?format=json', { headers: markdown });
    expect(json.json.page.title).toBe('Oak *tree*');
    const refused = await wiki.call('GET', '/v1/pages/oak?format=pdf');
    expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, '?format']);
  });

  test('a Markdown page is returned as its source, with front matter on request', async () => {
    const plain = await wiki.call('GET', '/v1/pages/source', { headers: markdown });
    expect(plain.text).toBe('# Hello\n\n*as it is* {{Box}}');
    const facts = await wiki.call('GET', '/v1/pages/oak?format=md&frontMatter=true');
    expect(facts.text).toMatch(
      /^---\ntitle: Oak \*tree\*\npath: \/oak\n[\s\S]*kind:\n {4}- tree\n[\s\S]*\n---\n\n# Oak/,
    );
  });

  test('Markdown contains what its reader may see, and changes with the pages that it shows', async () => {
    const owner = await wiki.call('GET', '/v1/pages/oak', { headers: markdown, token });
    expect(owner.text).toContain('**boxed** [Secret](/secret)');
    for (const caller of [{}, { token: otherToken }]) {
      const other = await wiki.call('GET', '/v1/pages/oak', { headers: markdown, ...caller });
      expect(other.text).toBe(oak);
      const hidden = await wiki.call('GET', '/v1/pages/secret', { headers: markdown, ...caller });
      expect(hidden.status).toBe(404);
    }
    const before = await wiki.call('GET', '/v1/pages/oak', { headers: markdown });
    await wiki.call('POST', '/v1/pages/box', { token, json: { body: 'changed' } });
    const after = await wiki.call('GET', '/v1/pages/oak', {
      headers: { ...markdown, 'if-none-match': String(before.headers.etag) },
    });
    expect([after.status, after.text]).toEqual([200, oak.replace('**boxed** [[Secret]]', 'changed')]);
    await wiki.call('POST', '/v1/pages/box', { token, json: { body: "'''boxed''' [[Secret]]" } });
  });

  test('older versions and old paths are available as Markdown, too', async () => {
    const page = await wiki.page(token, { title: 'Moving', body: 'first' });
    const first = page.history[0].id;
    await wiki.call('POST', '/v1/pages/moving', { token, json: { body: 'second', path: '/moved-on' } });
    const old = await wiki.call('GET', `/v1/pages/moved-on?version=${first}&format=md`);
    expect(old.text).toBe('# Moving\n\nfirst\n');
    const moved = await wiki.call('GET', '/v1/pages/moving?format=md');
    expect([moved.status, moved.headers.location]).toEqual([308, '/v1/pages/moved-on?format=md']);
  });

  test('an embedded page does not show its front matter, in either language', async () => {
    const create = (title: string, body: string, format = 'markdown') =>
      wiki.page(token, { title, format, body });
    await create('Facts', '---\nsecret: "{{Box}}"\n---\n*shown* {{{1|}}}');
    await create('Toml', '+++\nsecret = 1\n+++\n*shown*');
    await create('Around', '---\na: "{{x}}"\n---\n![[Facts]]\n\n![[Toml]]\n\n{{:Facts|one}} {{:Facts|two}}');
    await create('Around it', '{{:Facts|one}} {{:Toml}}', 'wikitext');
    const shown = async (path: string) => (await wiki.call('GET', `/v1/pages${path}`)).json.markup;
    const [first, second] = [await shown('/around'), await shown('/around-it')];
    expect(first + second).not.toContain('secret');
    expect(first.match(/<em>shown<\/em>/g)).toHaveLength(4);
    expect(first).toMatch(/one[\s\S]*two/);
    expect(second.match(/<em>shown<\/em>/g)).toHaveLength(2);
  });

  test.each(['markdown', 'wikitext'])('a byte order mark is not part of a page in %s', async (format) => {
    const page = await wiki.page(token, { title: `Mark ${format}`, format, body: '\uFEFFtext\r\n' });
    const source = await wiki.call('GET', `/v1/pages${page.path}`);
    expect(source.json.page.history.at(-1).content.body).toBe('text\n');
    await wiki.call('POST', `/v1/pages${page.path}`, { token, json: { body: '\uFEFFother' } });
    expect((await wiki.call('GET', `/v1/pages${page.path}`)).json.page.history.at(-1).content.body).toBe(
      'other',
    );
  });

  test('a long page is converted on a thread, to the same text', async () => {
    const item = "* an ''oak'' and an [[elm]]\n";
    await wiki.page(token, { title: 'Long', body: item.repeat(2000) });
    const { text } = await wiki.call('GET', '/v1/pages/long', { headers: markdown });
    expect(text).toBe(`# Long\n\n${'- an *oak* and an [elm](/elm)\n'.repeat(2000)}`);
  });
});
