import { parseFragment, serialize } from 'parse5';
import { expect, test } from 'vitest';
import { compareShown } from './shown-diff.ts';

test.each([
  [
    '<p>An old <b>oak</b>.</p>',
    '<p>An old <b>elm</b>.</p>',
    '<p>An old <b><del>oak</del><ins>elm</ins></b>.</p>',
  ],
  ['<p>a</p>', '<p>a</p><p>b &amp; c</p>', '<p>a</p><p><ins>b &amp; c</ins></p>'],
  ['<p>a</p><p>b</p>', '<p>a</p>', '<p>a</p><del>b</del> '],
  ['<ul><li>a</li><li>b c</li></ul>', '<ul><li>a</li></ul>', '<ul><li>a</li><li><del>b c</del></li></ul>'],
  [
    '<table><tbody><tr><td>a</td></tr><tr><td>b</td><td>c</td></tr></tbody></table>',
    '<table><tbody><tr><td>a</td></tr></tbody></table>',
    '<table><tbody><tr><td>a</td></tr><tr><td><del>b c</del></td></tr></tbody></table>',
  ],
  [
    '<p><img src="/a.png" alt="a > b"></p>',
    '<p>x</p>',
    '<p><del><img src="/a.png" alt="a > b"></del><ins>x</ins></p>',
  ],
  [
    '<p><math><mi>x</mi></math></p>',
    '<p><math><mi>y</mi></math></p>',
    '<p><del><math><mi>x</mi></math></del><ins><math><mi>y</mi></math></ins></p>',
  ],
])('%s and %s', (from, to, expected) => {
  expect(plain(compareShown(from, to))).toBe(expected);
});

function plain(html: string): string {
  return html.replace(/ class="shown-\w+"| colspan="100"/g, '');
}

test('the result is sound, whatever is compared', () => {
  const parts = [
    '<p>one <i>two</i> three</p>',
    '<ul><li>a<ol><li>b</li></ol></li><li>c</li></ul>',
    '<table><caption>T</caption><tbody><tr><th>x</th><td>y</td></tr></tbody></table>',
    '<dl><dt>d</dt><dd>e</dd></dl>',
    '<h2 id="h">Head</h2>',
    '<blockquote><p>q<br>r</p></blockquote>',
  ];
  let seed = 1;
  const pick = (below: number) => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return seed % below;
  };
  for (let round = 0; round < 300; round++) {
    const make = () => Array.from({ length: pick(6) }, () => parts[pick(parts.length)]).join('');
    const [from, to] = [make(), make().replace(/\b(?:two|b|y|q)\b/g, (word) => (pick(2) ? 'new' : word))];
    const html = compareShown(from, to);
    expect(serialize(parseFragment(html)), html).toBe(html);
    expect(
      serialize(parseFragment(html)).replace(
        /<(?:tr|li|dd|td)[^>]* class="shown-gone".*?<\/del>(?:<\/td><\/tr>|<\/\w+>)|<del[^>]*>.*?<\/del> ?|<\/?ins[^>]*>/g,
        '',
      ),
      html,
    ).toBe(to);
  }
});

test('versions that differ in everything take little time', () => {
  const words = (word: string) =>
    `<p>${Array.from({ length: 100 }, (_, at) => `${word}${at}`).join(' ')}</p>`;
  const [from, to] = ['a', 'b'].map((side) =>
    Array.from({ length: 300 }, (_, at) => words(`${side}${at}x`)).join(''),
  );
  expect(compareShown(from ?? '', to ?? '')).toContain('<ins');
});
