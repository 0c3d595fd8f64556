/** Exports for reading without the wiki: every link has a target, and markup is valid in the format. */
import { posix } from 'node:path';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Settings } from '#core/model/settings.ts';
import { startApp, type TestApp } from '../support/http.ts';
import { unpacked } from '../support/unpacked.ts';
import { elementsOf } from '../support/web.ts';

describe('exports for reading', () => {
  let wiki: TestApp;
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

  beforeAll(async () => {
    wiki = await startApp({ COPPICE_HOME: '/welcome' });
    const { token } = await wiki.member('Olga');
    const rich = `== One ==\n[[Rose]] [[Rose#Thorns|thorns]] [[Nowhere]] [[Hidden]] [[#One]] [https://example.org/a"b x]
: only indented\n; term\n: explained\n<center><font color=red>old</font></center><span><div>block</div></span>
{|\n! a\n|-\n| b\n|}\n<math>x^2</math> note<ref>Said so.</ref>\n<div id="twice">1</div><div id="twice">2</div>`;
    await wiki.page(token, { title: 'Welcome', body: rich, location: { lat: 51, lon: -1 } });
    await wiki.page(token, {
      ...{
        title: 'Rose',
        parent: '/welcome',
        body: '[[File:red.png]]\n== Thorns ==\nSharp, [[Welcome]]. Тернии',
      },
      files: { file: { name: 'red.png', data: pixel } },
    });
    await wiki.page(token, { title: 'Hidden', permissions: 700, body: 'nothing for strangers' });
    await wiki.page(token, { title: 'A, b & c?', body: '[[/welcome/rose]]' });
    const moved = await wiki.call('POST', '/v1/pages/welcome/rose', {
      token,
      json: { path: '/welcome/roses' },
    });
    expect(moved.status, moved.text).toBe(200);
    const settings: Partial<Settings> = {
      ...{ accent: '#7a1fa2', css: '.mine{color:red}', imprint: '/a-b-c' },
      font: 'sans',
      menu: [{ label: 'Start', to: '/welcome#One' }],
      footer: ['/hidden', 'https://example.org/club'].map((to) => ({ label: `To ${to}`, to })),
      licence: { name: 'CC0', url: 'https://example.org/cc0' },
      logo: { type: 'image/png', data: pixel },
    };
    await wiki.app.service.store.settings.write(settings, 1, null);
  });
  afterAll(() => wiki.close());

  const get = async (format: string): Promise<Buffer> => {
    const answer = await wiki.app.server.inject({ url: `/v1/export?format=${format}` });
    expect(answer.statusCode).toBe(200);
    return answer.rawPayload;
  };

  test('every link of a site leads to an existing file and an existing anchor', async () => {
    const files = await unpacked(await get('site'));
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining([
        ...['index.html', 'tree/index.html', 'map/index.html', 'search/index.html', 'assets/style.css'],
        ...['welcome/index.html', 'welcome/roses/index.html', 'a-b-c/index.html'],
      ]),
    );
    let links = 0;
    for (const [path, text] of Object.entries(files)) {
      if (!path.endsWith('.html')) continue;
      for (const element of elementsOf(text)) {
        for (const { name, value } of element.attrs) {
          if (!['href', 'src', 'action'].includes(name) || /^(?:https?:|data:)/.test(value)) continue;
          expect(value, path).not.toMatch(/^\//);
          const [address = '', fragment] = value.split('#');
          const target = address === '' ? path : posix.join(posix.dirname(path), decodeURIComponent(address));
          expect(files, `${path}: ${value}`).toHaveProperty([target]);
          if (fragment)
            expect(files[target], `${path}: ${value}`).toContain(`id="${decodeURIComponent(fragment)}"`);
          links++;
        }
      }
    }
    expect(links).toBeGreaterThan(60);
    // Fonts of the style sheet, and a page's former address.
    for (const [, name] of (files['assets/style.css'] ?? '').matchAll(/url\("([^":]+)"\)/g))
      expect(files).toHaveProperty([`assets/${name}`]);
    expect(files['welcome/rose/index.html']).toContain('url=../../welcome/roses/index.html');
    expect(files['index.html']).toContain('url=welcome/index.html');
    expect(files['map/index.html']).toContain('cx="-1" cy="-51"');
    expect(Object.values(files).join('\n')).not.toContain('nothing for strangers');
    const words = Object.entries(files).filter(([path]) => path.startsWith('assets/search/words-'));
    expect(words.some(([, script]) => script.includes('"тернии":[2]'))).toBe(true);
  });

  test('a site has colour, logo and links of the settings, without links to pages that it lacks', async () => {
    const files = await unpacked(await get('site'));
    const page = files['welcome/roses/index.html'] ?? '';
    for (const part of [
      '<nav class="site-menu" aria-label="Menu"><a href="../../welcome/index.html#One" dir="auto">Start</a>',
      '<a href="../../a-b-c/index.html" dir="auto">Imprint</a>',
      'href="https://example.org/club"',
      'href="https://example.org/cc0" rel="license">CC0</a>',
      '<img class="logo" src="../../assets/logo.png"',
    ])
      expect(page).toContain(part);
    expect(page).not.toContain('To /hidden');
    expect(files['assets/style.css']).toMatch(/--link:light-dark\(#7a1fa2.*\.mine\{color:red\}/s);
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining(['assets/logo.png', 'assets/source-sans-3-latin-wght-normal.woff2']),
    );
    expect((await get('html')).toString()).toContain('--link:light-dark(#7a1fa2');
  });

  test('a single file has internal links only and contains its pictures', async () => {
    const text = (await get('html')).toString();
    const elements = elementsOf(text);
    const ids = elements.flatMap(({ attrs }) =>
      attrs.flatMap(({ name, value }) => (name === 'id' ? [value] : [])),
    );
    for (const { attrs } of elements)
      for (const { name, value } of attrs) {
        if (name === 'src') expect(value).toMatch(/^data:image\//);
        if (name === 'href' && !/^https?:/.test(value)) {
          expect(value).toMatch(/^#/);
          expect(ids).toContain(decodeURIComponent(value.slice(1)));
        }
      }
    expect(text).toContain(';base64,');
    expect(text).not.toContain('nothing for strangers');
  });

  test('a book is XML throughout, and its manifest lists its contents', async () => {
    const zip = await get('epub');
    expect(zip.subarray(30, 58).toString('latin1')).toBe('mimetypeapplication/epub+zip');
    const files = await unpacked(zip);
    for (const [path, text] of Object.entries(files)) {
      if (!/\.(?:xhtml|opf|xml)$/.test(path)) continue;
      const ids = new Set<string>();
      const parser = new SaxesParser();
      parser.on('error', (error) => {
        throw new Error(`${path}: ${error.message}`);
      });
      parser.on('opentag', ({ name, attributes }) => {
        expect(['center', 'font'], path).not.toContain(name);
        const { id, href = '' } = attributes as Record<string, string>;
        if (id !== undefined) expect(ids.has(id), `${path}: ${id}`).toBe(false);
        if (id !== undefined) ids.add(id);
        if (href !== '' && !/^https?:|^#/.test(href))
          expect(files).toHaveProperty([posix.join(posix.dirname(path), href.split('#')[0] ?? '')]);
      });
      parser.write(text).close();
    }
    const listed = [...(files['book/content.opf'] ?? '').matchAll(/<item [^>]*href="([^"]*)"/g)].map(
      ([, href]) => href,
    );
    const inside = Object.keys(files).filter((path) => path.startsWith('book/') && !path.endsWith('.opf'));
    expect(listed.map((href) => `book/${href}`).sort()).toEqual(inside.sort());
    const welcome = Object.values(files).find((text) => text.includes('<title>Welcome</title>')) ?? '';
    expect(welcome).not.toMatch(/<dl><dd>|<span><div>/);
    expect(welcome).toContain('<math xmlns="http://www.w3.org/1998/Math/MathML">');
  });
});
