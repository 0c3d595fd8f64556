/** Documents of a visual editor: the source of new parts, and of parts that were moved. */
import { expect, test } from 'vitest';
import {
  changeCall,
  type DocumentNode,
  documentsOf,
  wikitextDocuments,
  writeCall,
} from '../src/document/index.ts';
import { expectLinear } from './expect-linear.ts';

const { documentOf, patch } = documentsOf(wikitextDocuments());

const paragraph = (text: string): DocumentNode => ({ type: 'paragraph', content: [{ type: 'text', text }] });

test.each<[string, DocumentNode, string]>([
  ['white space at the ends that parsers leave out', paragraph('\u00a0a\u3000'), '&nbsp;a&#12288;'],
  [
    'white space beside a line break, which shows nothing',
    {
      type: 'paragraph',
      content: [{ type: 'text', text: 'a ' }, { type: 'hardBreak' }, { type: 'text', text: ' b' }],
    },
    'a<br>b',
  ],
  [
    'signs in alternative texts',
    {
      type: 'paragraph',
      content: [{ type: 'image', attrs: { file: 'a.png', alt: ' R&D [x] &amp; __TOC__ ' } }],
    },
    '[[File:a.png|alt=R&D &#91;x&#93; &#38;amp; &#95;_TOC&#95;_]]',
  ],
  [
    'signs in parameters',
    { type: 'call', attrs: { name: 'N', params: [{ name: '1', value: 'a | b = c', positional: true }] } },
    '{{N|1=a {{!}} b = c}}',
  ],
])('%s', (_, block, written) => {
  expect(patch('', { type: 'doc', content: [block] })).toBe(written);
});

const before = '{| class="wikitable sortable"\n! style="a" | Name !! class=b|  B\n';
const one = '|- style="r"\n| one  ||  class="c" | 2\n';
const two = '|-\n|  two   \n| 3\n';
const table = `${before}${one}${two}|}`;

function changed(body: string, change: (table: DocumentNode, document: DocumentNode) => void): string {
  const document = documentOf(body);
  const found = document.content?.find(({ type }) => type === 'table');
  if (!found) throw new Error('The table is missing.');
  change(found, document);
  return patch(body, document);
}

test('rows that are moved keep their bytes, with the attributes that a document does not name', () => {
  expect(changed(table, ({ content }) => content?.push(...content.splice(1, 1)))).toBe(
    `${before}${two}${one}|}`,
  );
  const edited = changed(table, ({ content }) => {
    content?.push(...content.splice(1, 1));
    const [cell] = content?.at(-1)?.content ?? [];
    if (cell) cell.content = [paragraph('1')];
  });
  expect(edited).toBe(`${before}${two}${one.replace('one', '1')}|}`);
});

test('cells that are moved keep theirs', () => {
  const reversed = changed(table, ({ content }) => {
    for (const row of content ?? []) row.content?.reverse();
  });
  expect(reversed).toBe(
    '{| class="wikitable sortable"\n! class=b|  B !! style="a" | Name\n|- style="r"\n|  class="c" | 2 || one\n|-\n| 3\n|  two\n|}',
  );
});

test('a table that is moved and changed keeps its attributes, code with another language and boxes of another kind, too', () => {
  const moved = changed(`${table}\n\nWords.`, ({ content }, document) => {
    const [cell] = content?.[1]?.content ?? [];
    if (cell) cell.content = [paragraph('1')];
    document.content?.reverse();
  });
  expect(moved).toBe(`Words.\n\n${table.replace('one', '1')}`);
  const body = '<source lang=js>\na\n</source>\n\n<div class="callout callout-tip">\n*  one\n</div>';
  const document = documentOf(body);
  const [code, box] = document.content ?? [];
  if (code) code.attrs = { ...code.attrs, language: 'css' };
  if (box) box.attrs = { ...box.attrs, kind: 'note' };
  expect(patch(body, document)).toBe(body.replace('js', '"css"').replace('tip', 'note'));
});

test('categories are blocks of their own, so that words go before them', () => {
  const body = 'Words.\n\n[[Category:Trees]] [[Category:Oaks]]\n[[Category:Ashes]]\n';
  const document = documentOf(body);
  expect(document.content?.map(({ type }) => type)).toEqual(['paragraph', 'source', 'source', 'source']);
  document.content?.splice(1, 0, paragraph('More.'));
  expect(patch(body, document)).toBe(body.replace('Words.', 'Words.\n\nMore.'));
  expect(patch('Words [[Category:Trees]] more', documentOf('Words [[Category:Trees]] more'))).toContain(
    'more',
  );
});

test('a change within a box that begins with a list leaves its first line', () => {
  const body = '<blockquote>\n* one\n* two\n</blockquote>';
  const document = documentOf(body);
  const [quote] = document.content ?? [];
  quote?.content?.[0]?.content?.pop();
  expect(patch(body, document)).toBe('<blockquote>\n* one\n</blockquote>');
});

test.each(['{{b}}', '{{!}}', '{{{1}}}', '}', 'c]]', '{|'])('an unedited call with %s stays', (value) => {
  const source = `x {{a|${value}|z}} y`;
  const document = documentOf(source);
  const content = [...(document.content ?? []), paragraph('New')];
  expect(patch(source, { ...document, content })).toBe(`${source}\n\nNew`);
});

test('a copied call may be written in another way than its original', () => {
  const source = 'x {{a|c]]|{{b}}}} y';
  const { content = [] } = documentOf(source);
  expect(patch(source, { type: 'doc', content: [...content, ...content] })).toBe(
    `${source}\n\nx {{a|c&#93;&#93;|{{b}}}} y`,
  );
});

test('a parameter beside a call changes only its own bytes', () => {
  const source = 'x {{a|{{b}}|z}} y';
  const edited = JSON.parse(JSON.stringify(documentOf(source)).replace('"z"', '"new"'));
  expect(patch(source, edited)).toBe('x {{a|{{b}}|new}} y');
});

const named = (name: string, value: string) => ({ name, value, positional: false });
const unnamed = (name: string, value: string) => ({ name, value, positional: true });

test.each([
  ['{{T|a|b|c|d}}', [unnamed('2', 'b'), unnamed('4', 'd')], '{{T|2=b|4=d}}'],
  ['{{T|a=1|b=2}}', [named('c', '1'), named('b', '2')], '{{T|c=1|b=2}}'],
  ['{{T|a=1|b=2}}', [], '{{T}}'],
  [
    '{{T\n| a = 1\n}}',
    [named('a', '2'), named('b', '3'), named('c', '4'), unnamed('1', 'x'), unnamed('2', 'y')],
    '{{T\n| a = 2\n| 1 = x\n| 2 = y\n| b = 3\n| c = 4\n}}',
  ],
  [
    '{{T|a}}',
    [unnamed('1', 'a'), unnamed('2', 'b'), unnamed('3', 'c=d'), unnamed('4', 'e'), named('x', '1')],
    '{{T|a|b|3=c=d|4=e|x=1}}',
  ],
  ['{{T}}', [named('x', '1'), named('y', '|'), unnamed('1', 'a')], '{{T|a|x=1|y={{!}}}}'],
])('parameters of %s are removed, changed and added in its style', (source, params, written) => {
  expect(changeCall(source, { name: 'T', params })).toBe(written);
});

test('a new call numbers the parameters behind one with an equals sign', () => {
  const params = [
    unnamed('1', 'a'),
    unnamed('2', 'b=c'),
    unnamed('3', 'd'),
    named('x', 'y'),
    named('x', 'z'),
  ];
  expect(writeCall({ name: 'T', params })).toBe('{{T|a|2=b=c|3=d|x=z}}');
});

test('a long line is written in time that grows with its length', () => {
  const pages = new Map(
    [2000, 8000].map((count) => {
      const source = `<select>${'<option>a'.repeat(count)}`;
      const document = JSON.parse(JSON.stringify(documentOf(source)));
      document.content[0].content[0].text += 'b';
      return [String(count), { source, document }];
    }),
  );
  const edit = (count: string) => {
    const { source = '', document } = pages.get(count) ?? {};
    patch(source, document);
  };
  expectLinear(edit, '2000', '8000', 100);
});
