/** Documents of a visual editor in Markdown: an edit changes only what was edited. */
import { type DocumentNode, documentsOf, NotExpressible } from '@coppice/wikitext/document';
import { describe, expect, it, test } from 'vitest';
import { expectLinear } from '../../wikitext/test/expect-linear.ts';
import { describeRandomEdits } from '../../wikitext/test/random-edits.ts';
import { markdownDocuments } from '../src/document/index.ts';

const documents = documentsOf(markdownDocuments());
const { documentOf, patch } = documents;

const source = `---
tags: [tree]
---
# Oak  

An **oak** is a _tree_ &amp; a \\* plant,
see [[Beech|beeches]], [[Elm]] and [a page](garden/mill.md "Mill").  
\`Code  here\`, https://example.net/ and <kbd>x</kbd>.[^1]

* one
* two **words**

  more text
  - inner
* [x] done

3. three
4. four

| Name | Note |
|:-----|-----:|
| Oak  | a \\| b |
| Elm |  |

> quoted
> text

> [!tip] A title
> Inside.

\`\`\`js
let a = 1;
\`\`\`

{{Note|text=x}}

![An oak](oak.png)

[^1]: The note.

<div>unknown</div>
`;

type Edit = (document: DocumentNode) => void;

function find(node: DocumentNode, isIt: (node: DocumentNode) => boolean): DocumentNode | undefined {
  if (isIt(node)) return node;
  for (const child of node.content ?? []) {
    const found = find(child, isIt);
    if (found) return found;
  }
  return undefined;
}

function first(node: DocumentNode, isIt: (node: DocumentNode) => boolean): DocumentNode {
  const found = find(node, isIt);
  if (!found) throw new Error('There is no such node.');
  return found;
}

const holds = (text: string) => (node: DocumentNode) => node.text?.includes(text) ?? false;

function edited(change: Edit): string {
  const document = structuredClone(documentOf(source));
  change(document);
  return patch(source, document);
}

const replaceText =
  (from: string, to: string): Edit =>
  (document) => {
    const node = first(document, holds(from));
    node.text = node.text?.replace(from, to) ?? '';
  };

const addAfter =
  (type: string, text: string, added: DocumentNode): Edit =>
  (document) => {
    const isIt = (node: DocumentNode) => node.type === type && find(node, holds(text)) !== undefined;
    const parent = first(document, (node) => node.content?.some(isIt) ?? false);
    parent.content?.splice(parent.content.findIndex(isIt) + 1, 0, added);
  };

const setAttrs =
  (type: string, attrs: Record<string, unknown>): Edit =>
  (document) => {
    const node = first(document, (one) => one.type === type);
    node.attrs = { ...node.attrs, ...attrs };
  };

const mark =
  (text: string, type: string): Edit =>
  (document) => {
    const isIt = holds(text);
    const { content = [] } = first(document, (node) => node.content?.some(isIt) ?? false);
    const at = content.findIndex(isIt);
    const node = content[at] as DocumentNode;
    const [before = '', after = ''] = node.text?.split(text) ?? [];
    const parts = [before, text, after].map((part) => ({ ...node, text: part }));
    (parts[1] as DocumentNode).marks = [...(node.marks ?? []), { type }];
    content.splice(at, 1, ...parts.filter((part) => part.text !== ''));
  };

const paragraph = (text: string): DocumentNode => ({ type: 'paragraph', content: [{ type: 'text', text }] });

describe('an edit changes the bytes of what was edited', () => {
  test.each<[string, Edit, [string, string]]>([
    ['a word', replaceText('is a ', 'was a '), ['is a _', 'was a _']],
    ['text that looks like marks', replaceText(' plant,', ' *plant*,'), [' plant,', ' \\*plant\\*,']],
    ['a word on the next line', replaceText('see ', 'look at '), ['see ', 'look at ']],
    ['bold', mark('plant', 'bold'), ['plant', '**plant**']],
    ['bold within code', mark('here', 'bold'), ['`Code  here`', '`Code  `**`here`**']],
    ['emphasis in emphasis', mark('oak', 'italic'), ['**oak**', '***oak***']],
    ['the words of a link', replaceText('beeches', 'the beech'), ['|beeches', '|the beech']],
    ['the words of a link without its own', replaceText('Elm', 'elms'), ['[[Elm]]', '[[Elm|elms]]']],
    [
      'the address of a link',
      (document) => {
        first(document, holds('a page')).marks = [
          { type: 'link', attrs: { to: 'b c.md', kind: 'address', title: 'Mill' } },
        ];
      },
      ['(garden/mill.md', '(<b c.md>'],
    ],
    ['a heading', setAttrs('heading', { level: 2 }), ['# Oak', '## Oak']],
    ['an item', replaceText('inner', 'within'), ['inner', 'within']],
    [
      'an item more',
      addAfter('listItem', 'one', { type: 'listItem', content: [paragraph('half')] }),
      ['* one\n', '* one\n* half\n'],
    ],
    [
      'a number more',
      addAfter('listItem', 'four', { type: 'listItem', content: [paragraph('five')] }),
      ['4. four\n', '4. four\n5. five\n'],
    ],
    ['a task', setAttrs('taskItem', { checked: false }), ['[x]', '[ ]']],
    ['a cell', replaceText('a | b', 'a | c'), ['a \\| b', 'a \\| c']],
    [
      'an empty cell',
      (document) => {
        const row = first(
          document,
          (node) => node.type === 'row' && find(node, (one) => one.text === 'Elm') !== undefined,
        );
        (row.content?.[1] as DocumentNode).content = [paragraph('new')];
      },
      ['| Elm |  |', '| Elm | new |'],
    ],
    [
      'a row more',
      addAfter('row', 'Name', {
        type: 'row',
        content: ['x', 'y'].map((text) => ({ type: 'cell', content: [paragraph(text)] })),
      }),
      ['-----:|\n', '-----:|\n| x | y |\n'],
    ],
    ['a quote', replaceText('quoted', 'said'), ['quoted', 'said']],
    [
      'a paragraph in a quote',
      addAfter('paragraph', 'quoted', paragraph('More.')),
      ['> text\n', '> text\n>\n> More.\n'],
    ],
    ['a callout', replaceText('Inside', 'Within'), ['Inside', 'Within']],
    ['code', replaceText('a = 1', 'a = 2'), ['a = 1', 'a = 2']],
    [
      'a parameter',
      setAttrs('call', { params: [{ name: 'text', value: 'y', positional: false }] }),
      ['text=x', 'text=y'],
    ],
    ['the alternative text of a picture', setAttrs('image', { alt: 'The oak' }), ['An oak]', 'The oak]']],
    [
      'a paragraph more',
      addAfter('heading', 'Oak', paragraph('# Many')),
      ['# Oak  \n', '# Oak  \n\n\\# Many\n'],
    ],
  ])('%s', (_, change, [old, now]) => {
    expect(edited(change)).toBe(source.replace(old, now));
  });

  it('several edits at once change only their own bytes', () => {
    const result = edited((document) => {
      for (const change of [
        replaceText('is a ', 'was a '),
        replaceText('inner', 'x'),
        replaceText('Inside', 'Within'),
      ])
        change(document);
    });
    expect(result).toBe(
      source.replace('is a _', 'was a _').replace('inner', 'x').replace('Inside', 'Within'),
    );
  });
});

test('an unedited document leaves every byte', () => {
  expect(patch(source, JSON.parse(JSON.stringify(documentOf(source))))).toBe(source);
});

test('a new page is written from nothing', () => {
  const item = (text: string, ...more: DocumentNode[]) => ({
    type: 'listItem',
    content: [paragraph(text), ...more],
  });
  const cell = (text: string, header: boolean) => ({
    type: 'cell',
    attrs: { header },
    content: [paragraph(text)],
  });
  const document: DocumentNode = {
    type: 'doc',
    content: [
      { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'Trees' }] },
      paragraph('1. <b>Oaks</b> & a_b'),
      {
        type: 'bulletList',
        content: [item('one', { type: 'orderedList', content: [item('two')] }), item('three')],
      },
      {
        type: 'bulletList',
        content: [{ type: 'taskItem', attrs: { checked: true }, content: [paragraph('done')] }],
      },
      {
        type: 'table',
        content: [
          { type: 'row', content: [cell('A', true), cell('B|C', true)] },
          { type: 'row', content: [cell('x', false), cell('y', false)] },
        ],
      },
      { type: 'callout', attrs: { kind: 'tip', title: 'T' }, content: [paragraph('one'), paragraph('two')] },
      { type: 'codeBlock', attrs: { language: 'js' }, content: [{ type: 'text', text: '```\na' }] },
    ],
  };
  expect(patch('', document)).toBe(`## Trees

1\\. \\<b>Oaks\\</b> & a_b

- one
  1. two
- three

<!-- -->

- [x] done

| A | B\\|C |
| --- | --- |
| x | y |

> [!tip] T
> one
>
> two

\`\`\`\`js
\`\`\`
a
\`\`\`\``);
});

test.each<[string, DocumentNode]>([
  [
    'merged cells',
    {
      type: 'table',
      content: [
        {
          type: 'row',
          content: [{ type: 'cell', attrs: { header: true, colspan: 2 }, content: [paragraph('a')] }],
        },
      ],
    },
  ],
  [
    'a list in a cell',
    {
      type: 'table',
      content: [
        { type: 'row', content: [{ type: 'cell', attrs: { header: true }, content: [{ type: 'rule' }] }] },
      ],
    },
  ],
  [
    'a definition list',
    { type: 'definitionList', content: [{ type: 'term', content: [{ type: 'text', text: 'a' }] }] },
  ],
])('%s is refused', (_, block) => {
  expect(() => patch('', { type: 'doc', content: [block] })).toThrow(NotExpressible);
});

const line = (...content: DocumentNode[]): DocumentNode => ({ type: 'paragraph', content });
const text = (words: string, ...marks: string[]): DocumentNode => ({
  type: 'text',
  text: words,
  marks: marks.map((type) => ({ type })),
});
const lineBreak = { type: 'hardBreak' };

test.each<[string, DocumentNode[], string]>([
  ['white space at the ends that parsers leave out', [line(text('\u00a0a\u00a0'))], '&nbsp;a&nbsp;'],
  ['line breaks alone', [line(lineBreak), line(text('a'))], 'a'],
  [
    'signs in alternative texts',
    [line({ type: 'image', attrs: { file: 'a.png', alt: ' R&D [x] *b* a|b &amp; ' } })],
    '![R&D &#91;x&#93; \\*b\\* a\\|b \\&amp;](a.png)',
  ],
  ['a backtick in code', [line(text('a`b', 'code'))], '`` a`b ``'],
  [
    'marks within tags',
    [line(text('a'), text('b', 'strike', 'sup'), text('c'))],
    'a<del><sup>b</sup></del>c',
  ],
  [
    'an empty box',
    [{ type: 'callout', attrs: { kind: 'tip' }, content: [line()] }, line(text('a'))],
    '> [!tip]\n\na',
  ],
])('%s', (_, content, written) => {
  expect(patch('', { type: 'doc', content })).toBe(written);
});

test('a line break beside a space, at the end of a paragraph, and words in an empty box', () => {
  const body = 'On a day, and another.\n\n> [!tip]';
  const document = documentOf(body);
  const [first, box] = document.content ?? [];
  if (!first || !box) throw new Error('Blocks are missing.');
  first.content = [text('On a day,'), lineBreak, text(' and another.'), lineBreak];
  box.content = [line(text('Boots'))];
  const written = 'On a day,\\\nand another.<br>\n\n> [!tip]\n> Boots';
  expect(patch(body, document)).toBe(written);
  expect(patch(written, documentOf(written))).toBe(written);
});

test('an empty item beneath an item is no line below a heading, and items of another list keep its numbers', () => {
  const item = (...content: DocumentNode[]): DocumentNode => ({ type: 'listItem', content });
  const empty = { type: 'bulletList', content: [item(line())] };
  const document = {
    type: 'doc',
    content: [{ type: 'bulletList', content: [item(line(text('a')), empty)] }],
  };
  expect(patch('', document)).toBe('- a\n\n  -');
  const body = '7. a\n8. b';
  const numbered = documentOf(body);
  const [list] = numbered.content ?? [];
  if (list) list.content = [item(line(text('c'))), item(line(text('d')))];
  expect(patch(body, numbered)).toBe('7. c\n8. d');
});

test('an address before a bracket ends where it did', () => {
  const to = 'https://example.org/a_b';
  const link = { type: 'link', attrs: { to, kind: 'address' } };
  const content = [line({ type: 'text', text: to, marks: [link] }, text('[[x]]'))];
  const written = patch('', { type: 'doc', content });
  expect(documentOf(written).content?.[0]?.content).toMatchObject([
    { text: to, marks: [link] },
    { text: '[[x]]' },
  ]);
});

test('the space before a block that is replaced stays away from the next one', () => {
  const body = 'a\n\n b\n\n## c';
  const document = documentOf(body);
  document.content?.splice(1, 1, { type: 'quote', content: [line(text('d'))] });
  expect(patch(body, document)).toBe('a\n\n> d\n\n## c');
});

test('rows of a table that are moved keep their bytes, and the line of alignments its own', () => {
  const rows = ['| Name  |   B |\n', '|:------|----:|\n', '| one   | 2   |\n', '| two | 3|\n'];
  const body = rows.join('');
  const document = documentOf(body);
  const table = document.content?.[0]?.content;
  table?.push(...table.splice(1, 1));
  expect(patch(body, document)).toBe([0, 1, 3, 2].map((row) => rows[row]).join(''));
});

describeRandomEdits(documents, source, {
  extension: '.md',
  mostRefused: { ofSource: 0.1, ofPages: 0.003 },
});

test('comments without an end take no longer than their length', () => {
  expectLinear(documentOf, '<!-- '.repeat(5000), '<!-- '.repeat(20_000), 100);
});

test('a text of very many parts is one block of source', () => {
  const body = '- one\n'.repeat(60_000);
  const document = documentOf(body);
  expect(document.content?.map(({ type }) => type)).toEqual(['source']);
  expect(patch(body, document)).toBe(body);
  expect(documentOf('- one\n'.repeat(2000)).content?.[0]?.content).toHaveLength(2000);
});
