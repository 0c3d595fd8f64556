/** Content that a browser could execute must never get a type that is displayed inline. */
import { expect, test } from 'vitest';
import { cpuMs } from '#test/support/cpu.ts';
import { isActive, isInlineImage, sniff } from './sniff.ts';

const script = '<script>alert(1)</script>';

test.each([
  ['a comment closed as it opens', `<!-->${script}`],
  ['a comment closed the other way', `<!-- --!>${script} -->x`],
  ['a comment never closed', `<!-- ${script}`],
  ['a bitmap by two letters', `BM${script}`],
  ['a GIF by six', `GIF89a/*${script}*/=1`],
  ['words before the tag', `hello ${script}`],
  ['a null before the tag', `\0${script}`],
  ['form feeds and line breaks', `\f\r\n\t ${script}`],
  ['a handler on an element', '<details open ontoggle=alert(1)>'],
  ['MathML', '<math><maction actiontype="statusline#x">'],
  ['a list', '<ul><li>x'],
  ['a closing tag', '</x><img src=x onerror=alert(1)>'],
  ['XML without a declaration', '<rss version="2.0"></rss>'],
  ['XSLT', '<?xml-stylesheet href="data:,x"?><a/>'],
  ['a doctype of its own', '<!DOCTYPE x [<!ENTITY e "x">]><x/>'],
  ['SVG under a prefix', '<s:svg xmlns:s="http://www.w3.org/2000/svg"/>'],
  ['SVG behind many comments', `${'<!-- x -->\n'.repeat(500)}<svg/>`],
  ['a PDF behind blank lines', '\n\n%PDF-1.4\n'],
  ['a PDF behind odd bytes', '\0\u0001\u0002%PDF-1.4\n'],
])('%s is a download', async (_, text) => {
  for (const name of ['a.txt', 'a.md', 'a.png', 'a.json', '']) {
    expect(isActive(await sniff(Buffer.from(text), name, true)), name).toBe(true);
  }
});

test('markup in UTF-16 is a download, with and without a byte order mark', async () => {
  for (const mark of ['', '\ufeff']) {
    const little = Buffer.from(`${mark}<svg onload="alert(1)"/>`, 'utf16le');
    expect(await sniff(little, 'a.txt', true)).toBe('image/svg+xml');
    expect(await sniff(Buffer.from(little).swap16(), 'a.txt', true)).toBe('image/svg+xml');
  }
});

test('markup that is not in the encoding it should be in is a download', async () => {
  expect(await sniff(Buffer.from('<html>\xe9\xff', 'latin1'), 'a.txt', true)).toBe('text/html');
});

test('a head of only white space or comment is a download if more follows', async () => {
  const space = Buffer.alloc(65_536, ' ');
  expect(isActive(await sniff(space, 'a.txt', false))).toBe(true);
  expect(isActive(await sniff(space, 'a.txt', true))).toBe(false);
  expect(isActive(await sniff(Buffer.from(`<!--${'x'.repeat(65_532)}`), 'a.txt', false))).toBe(true);
});

test.each([
  ['BMW is a car', 'a.txt', 'text/plain; charset=utf-8'],
  ['MZ is the code of Mozambique', '', 'text/plain; charset=utf-8'],
  ['solid ground is good for trees', '', 'text/plain; charset=utf-8'],
  ['<pre>\n  BIP: 1\n</pre>', 'bip-0001.mediawiki', 'text/plain; charset=utf-8'],
  ['<https://example.org> is a link', 'a.md', 'text/markdown; charset=utf-8'],
  ['1 < 2 and 3 > 2', 'a.txt', 'text/plain; charset=utf-8'],
  ['<3', 'a.txt', 'text/plain; charset=utf-8'],
  [`{"quoted":"${script}"}`, 'a.json', 'application/json'],
  ['{"half":', 'a.json', 'text/plain; charset=utf-8'],
  ['', 'a.txt', 'text/plain; charset=utf-8'],
])('%j called %j is %s, as it reads', async (text, name, mime) => {
  expect(await sniff(Buffer.from(text), name, true)).toBe(mime);
});

test('text in UTF-16 is recognised as text, and not as an MP3', async () => {
  const text = Buffer.from('\ufeffhello world', 'utf16le');
  expect(await sniff(text, 'a.txt', true)).toBe('text/plain; charset=utf-16le');
  expect(await sniff(text.swap16(), 'a.txt', true)).toBe('text/plain; charset=utf-16be');
});

test('pages show only images that every browser supports', () => {
  for (const kind of ['png', 'jpeg', 'gif', 'webp', 'avif'])
    expect(isInlineImage(`image/${kind}`)).toBe(true);
  for (const mime of ['image/svg+xml', 'image/bmp', 'text/html', '']) expect(isInlineImage(mime)).toBe(false);
  for (const mime of [
    'text/xml',
    'application/rss+xml',
    'text/javascript',
    'application/wasm',
    'image/svg+xml',
    '',
  ]) {
    expect(isActive(mime), mime).toBe(true);
  }
});

test('takes time in proportion to the head, whatever it repeats', async () => {
  for (const part of ['<!---->', '<?x>', '<!--', ' ', '<', '<a:', '[', '<!doctype ', '\0']) {
    const ofHead = (bytes: number) => {
      const head = Buffer.from(part.repeat(Math.ceil(bytes / part.length)));
      return cpuMs(async () => {
        for (let run = 0; run < 40; run++) await sniff(head, 'a.json', true);
      });
    };
    const [quarter, whole] = [await ofHead(16_384), await ofHead(65_536)];
    // Four times the text should take about four times as long, and takes sixteen times if the work is quadratic. Thread clocks
    // may have a resolution of only 4 ms.
    expect(whole, part).toBeLessThan(8 * quarter + 20);
  }
});
