/**
 * GitHub's additions to CommonMark: a case for each example of its specification's extensions, in other words, and cases of what
 * its implementation does beyond them.
 */
import { describe, expect, test } from 'vitest';
import { htmlOf, normalised } from './html.ts';

type Case = [name: string, markdown: string, html: string];

const table = (...rows: string[][]) =>
  `<table>${rows
    .map(
      (cells, row) =>
        `<tr>${cells.map((cell) => (row ? `<td>${cell}</td>` : `<th>${cell}</th>`)).join('')}</tr>`,
    )
    .join('')}</table>`;
const aligned = (tag: string, side: string, text: string) =>
  `<${tag} style="text-align:${side}">${text}</${tag}>`;
const link = (text: string, address = text) => `<a href="${address}">${text}</a>`;
const box = (isDone: boolean) => `<input type="checkbox" disabled${isDone ? ' checked' : ''}>`;

const tables: Case[] = [
  ['a table', '| tree | age |\n| --- | --- |\n| oak | 300 |', table(['tree', 'age'], ['oak', '300'])],
  [
    'alignment, and bars at the ends that are left out',
    '| tree | height |\n:-: | -------:\noak | 30',
    `<table><tr>${aligned('th', 'center', 'tree')}${aligned('th', 'right', 'height')}</tr><tr>${aligned('td', 'center', 'oak')}${aligned('td', 'right', '30')}</tr></table>`,
  ],
  [
    'escaped bars, in code and emphasis too',
    '| oa\\|k |\n| ---- |\n| a `\\|` b |\n| a **\\|** b |',
    table(['oa|k'], ['a <code>|</code> b'], ['a <strong>|</strong> b']),
  ],
  [
    'another block ends it',
    '| tree | age |\n| --- | --- |\n| oak | 300 |\n> quoted',
    `${table(['tree', 'age'], ['oak', '300'])}<blockquote><p>quoted</p></blockquote>`,
  ],
  [
    'a line is a row, and a blank line ends it',
    '| tree | age |\n| --- | --- |\n| oak | 300 |\nash\n\nash',
    `${table(['tree', 'age'], ['oak', '300'], ['ash', ''])}<p>ash</p>`,
  ],
  [
    'an underline is a row',
    '| tree | age |\n| --- | --- |\n| oak | 300 |\nash\n===',
    table(['tree', 'age'], ['oak', '300'], ['ash', ''], ['===', '']),
  ],
  [
    'no table, as head and line differ in cells',
    '| tree | age |\n| --- |\n| oak |',
    '<p>| tree | age |\n| --- |\n| oak |</p>',
  ],
  [
    'rows are filled and cut',
    '| tree | age |\n| --- | --- |\n| oak |\n| ash | 200 | old |',
    table(['tree', 'age'], ['oak', ''], ['ash', '200']),
  ],
  ['a head alone', '| tree | age |\n| --- | --- |', table(['tree', 'age'])],
  // Beyond the specification.
  [
    'all inline content, no blocks',
    'Trees:\n\n| _oak_ | セン |\n| -- | -- |\n| 1. one | | \n| an _**old**_ one | x |\n\nEnd',
    `<p>Trees:</p>${table(['<em>oak</em>', 'セン'], ['1. one', ''], ['an <em><strong>old</strong></em> one', 'x'])}<p>End</p>`,
  ],
  [
    'a line of dashes is needed and a head, one column is enough',
    '| oak | ash |\n\n| oak | ash |\n| elm | fir |\n\n| -- | -- |\n\n|x|\n|-|',
    `<p>| oak | ash |</p><p>| oak | ash |\n| elm | fir |</p><p>| -- | -- |</p>${table(['x'])}`,
  ],
  [
    'left and none',
    'a | b\n:-- | ---\nc | d',
    `<table><tr>${aligned('th', 'left', 'a')}<th>b</th></tr><tr>${aligned('td', 'left', 'c')}<td>d</td></tr></table>`,
  ],
  [
    'more cells in the head',
    '| a | b | c |\n| - | - |\n| d | e | f |',
    '<p>| a | b | c |\n| - | - |\n| d | e | f |</p>',
  ],
  [
    'a row without its last bar',
    '| a | b | c |\n| - | - | -\n| d\n| e | f',
    table(['a', 'b', 'c'], ['d', '', ''], ['e', 'f', '']),
  ],
  [
    'bars in code, and what is escaped once',
    '| a | b |\n| - | - |\n| `\\|c\\| d` e |\n| _**`f\\|`**_ \\| g\n| **\\_h\\_**',
    table(
      ['a', 'b'],
      ['<code>|c| d</code> e', ''],
      ['<em><strong><code>f|</code></strong></em> | g', ''],
      ['<strong>_h_</strong>', ''],
    ),
  ],
  ['a bar at one end alone', '| a |\n--- |', table(['a'])],
  [
    'other escapes',
    '| a | b |\n| - | - |\n| \\\\ | `\\\\` |\n| \\_ | `\\_` |\n| \\c | `\\c` |',
    table(['a', 'b'], ['\\', '<code>\\\\</code>'], ['_', '<code>\\_</code>'], ['\\c', '<code>\\c</code>']),
  ],
  [
    'HTML',
    '| a |\n| - |\n| <strong>b</strong> |\n| c <br> d |',
    table(['a'], ['<strong>b</strong>'], ['c <br> d']),
  ],
  [
    'references',
    '| [oak][] |\n| - |\n| [oak][] |\n\n[oak]: https://oak.example/',
    table([link('oak', 'https://oak.example/')], [link('oak', 'https://oak.example/')]),
  ],
  ['an empty cell', '| a | b | c |\n| - | - | - |\n| d || e |', table(['a', 'b', 'c'], ['d', '', 'e'])],
  [
    'emphasis beside bars',
    '| a | b |\n| - | - |\n|***(c)***|',
    table(['a', 'b'], ['<em><strong>(c)</strong></em>', '']),
  ],
];

const taskLists: Case[] = [
  ['boxes', '- [ ] oak\n- [x] ash', `<ul><li>${box(false)} oak</li><li>${box(true)} ash</li></ul>`],
  [
    'lists within',
    '- [x] oak\n  - [ ] leaf\n  - [x] root\n- [ ] ash',
    `<ul><li>${box(true)} oak<ul><li>${box(false)} leaf</li><li>${box(true)} root</li></ul></li><li>${box(false)} ash</li></ul>`,
  ],
  // Beyond the specification.
  [
    'far indented',
    '- [x] oak\n    - [ ] leaf\n- [@] ash',
    `<ul><li>${box(true)} oak<ul><li>${box(false)} leaf</li></ul></li><li>[@] ash</li></ul>`,
  ],
  ['numbered, and in upper case', '1. [X] oak', `<ol><li>${box(true)} oak</li></ol>`],
];

const strikethrough: Case[] = [
  ['two tildes or one', '~~Oak~~ and ~ash~ trees', '<p><del>Oak</del> and <del>ash</del> trees</p>'],
  ['paragraphs end it', 'An ~~oak\n\nor ash~~.', '<p>An ~~oak</p><p>or ash~~.</p>'],
  ['three are none', 'An ~~~oak~~~ tree', '<p>An ~~~oak~~~ tree</p>'],
  // Beyond the specification.
  [
    'not beside a space, and with as many at both ends',
    'An ~oak ~ or~ ash ~ elm.\n\nNo ~mismatch~~',
    '<p>An <del>oak ~ or</del> ash ~ elm.</p><p>No ~mismatch~~</p>',
  ],
  [
    'around addresses',
    '~~www.oak.example~~\n\n~~https://oak.example~~',
    `<p><del>${link('www.oak.example', 'http://www.oak.example')}</del></p><p><del>${link('https://oak.example')}</del></p>`,
  ],
];

const www = (rest: string) => link(`www.oak.example${rest}`, `http://www.oak.example${rest}`);
const mail = (address: string) => link(address, `mailto:${address}`);

const addresses: Case[] = [
  ['www', 'www.oak.example', `<p>${www('')}</p>`],
  ['with a path', 'See www.oak.example/ash for more.', `<p>See ${www('/ash')} for more.</p>`],
  [
    'punctuation at the end',
    'See www.oak.example.\n\nSee www.oak.example/a.b.',
    `<p>See ${www('')}.</p><p>See ${www('/a.b')}.</p>`,
  ],
  [
    'parentheses around it and in it',
    'www.oak.example/a+(b)\n\nwww.oak.example/a+(b)))\n\n(www.oak.example/a+(b))\n\n(www.oak.example/a+(b)',
    `<p>${www('/a+(b)')}</p><p>${www('/a+(b)')}))</p><p>(${www('/a+(b)')})</p><p>(${www('/a+(b)')}</p>`,
  ],
  ['parentheses in the middle', 'www.oak.example/(a))+ok', `<p>${www('/(a))+ok')}</p>`],
  [
    'an entity at the end',
    'www.oak.example/?a=b&hl=en\n\nwww.oak.example/?a=b&hl;',
    `<p>${www('/?a=b&amp;hl=en')}</p><p>${www('/?a=b')}&amp;hl;</p>`,
  ],
  ['an angle bracket ends it', 'www.oak.example/a<b', `<p>${www('/a')}&lt;b</p>`],
  [
    'schemes',
    'http://oak.example\n\n(See https://oak.example/a+(b))\n\nFiles: ftp://oak.example.',
    `<p>${link('http://oak.example')}</p><p>(See ${link('https://oak.example/a+(b)')})</p><p>Files: ${link('ftp://oak.example')}.</p>`,
  ],
  ['mail', 'ada@oak.example', `<p>${mail('ada@oak.example')}</p>`],
  [
    'a plus is before the sign alone',
    "ada@oak+ash.example isn't valid, but ada+oak@ash.example is.",
    `<p>ada@oak+ash.example isn't valid, but ${mail('ada+oak@ash.example')} is.</p>`,
  ],
  [
    'what may end mail',
    'a.b-c_d@a.b\n\na.b-c_d@a.b.\n\na.b-c_d@a.b-\n\na.b-c_d@a.b_',
    `<p>${mail('a.b-c_d@a.b')}</p><p>${mail('a.b-c_d@a.b')}.</p><p>a.b-c_d@a.b-</p><p>a.b-c_d@a.b_</p>`,
  ],
  [
    'mailto and xmpp',
    'mailto:ada@oak.example\n\nmailto:a.b-c_d@a.b.\n\nmailto:a.b-c_d@a.b/\n\nmailto:a.b-c_d@a.b-\n\nmailto:a.b-c_d@a.b_\n\nxmpp:ada@oak.example\n\nxmpp:ada@oak.example.',
    `<p>${link('mailto:ada@oak.example')}</p><p>${link('mailto:a.b-c_d@a.b')}.</p><p>${link('mailto:a.b-c_d@a.b')}/</p><p>mailto:a.b-c_d@a.b-</p><p>mailto:a.b-c_d@a.b_</p><p>${link('xmpp:ada@oak.example')}</p><p>${link('xmpp:ada@oak.example')}.</p>`,
  ],
  [
    'a resource of xmpp',
    'xmpp:ada@oak.example/hut\n\nxmpp:ada@oak.example/hut@mill\n\nxmpp:ada@oak.example/hut@mill.org',
    `<p>${link('xmpp:ada@oak.example/hut')}</p><p>${link('xmpp:ada@oak.example/hut@mill')}</p><p>${link('xmpp:ada@oak.example/hut@mill.org')}</p>`,
  ],
  ['which has no slash', 'xmpp:ada@oak.example/hut/door', `<p>${link('xmpp:ada@oak.example/hut')}/door</p>`],
  // Beyond the specification.
  [
    'no scheme of its own within a word, and none of others',
    'amailto:ada@oak.example tel:ada@oak.example',
    `<p>amailto:${mail('ada@oak.example')} tel:${mail('ada@oak.example')}</p>`,
  ],
  [
    'emphasis in it and after it',
    'https://oak.example/_a_b_c_ x',
    `<p>${link('https://oak.example/_a_b_c')}_ x</p>`,
  ],
  [
    'in emphasis',
    '**An oak at https://oak.example**',
    `<p><strong>An oak at ${link('https://oak.example')}</strong></p>`,
  ],
  ['in quotation marks', '"https://oak.example"', `<p>"${link('https://oak.example')}"</p>`],
  [
    'in a label',
    '[www.oak.example](https://ash.example)',
    `<p>${link('www.oak.example', 'https://ash.example')}</p>`,
  ],
  ['pieces of mail', '- @a.b.c@. x\n- n@.  b', '<ul><li>@a.b.c@. x</li><li>n@. b</li></ul>'],
  [
    'in a table',
    '| a |\n| - |\n| https://oak.example www.oak.example |',
    table(['a'], [`${link('https://oak.example')} ${www('')}`]),
  ],
];

const elements: Case[] = [
  [
    'elements that are not allowed are text',
    '<strong> <title> <style> <em>\n\n<blockquote>\n  <xmp> is not allowed. <XMP> neither.\n</blockquote>',
    '<p><strong> &lt;title> &lt;style> <em></p><blockquote>\n  &lt;xmp> is not allowed. &lt;XMP> neither.\n</blockquote>',
  ],
  // Beyond the specification.
  [
    'and all of those',
    ...everyOne('title textarea style xmp iframe noembed noframes script plaintext'.split(' ')),
  ],
];

function everyOne(names: string[]): [markdown: string, html: string] {
  return [
    names.map((name) => `a <${name}>b</${name}>`).join('\n\n'),
    names.map((name) => `<p>a &lt;${name}>b&lt;/${name}></p>`).join(''),
  ];
}

const withoutClasses = (html: string) =>
  normalised(html.replace(/ class="external text"| rel="nofollow noopener"/g, ''));

describe.each(Object.entries({ tables, taskLists, strikethrough, addresses, elements }))(
  '%s',
  (_name, cases) => {
    test.each(cases)('%s', (_case, markdown, html) => {
      expect(withoutClasses(htmlOf(markdown))).toBe(normalised(html));
    });
  },
);
