/** Documents of a visual editor: unedited ones leave every byte, and an edit changes only what was edited. */
import { describe, expect, it, test } from 'vitest';
import { type DocumentNode, documentsOf, NotExpressible, wikitextDocuments } from '../src/document/index.ts';
import { describeRandomEdits } from './random-edits.ts';

const documents = documentsOf(wikitextDocuments());
const { documentOf, patch } = documents;

const source = `{{Infobox
| name = Oak
| height = 20 m
}}
'''Oak''' is a &amp; [[tree]]s <!-- c -->of the [[Beech|beech ''family'']].<ref name="a">A [[book]].</ref>
See [https://example.org a page] or https://example.net, {{Lang|la|Quercus}} <small>x</small>.

== Uses ==
* wood,  '''hard'''
** for ships<ref name="a" />
* bark
# first
; term : meaning
: other

{| class="wikitable"
|+ A caption
! Name !! Note
|-
|  Oak || tall
|- style="color: red"
| colspan="2" | [[Elm]]
|-
|Ash
|Fir
* a list
|}
[[File:Oak.jpg|thumb|120px|alt=An oak|An  ''oak'' in May]]

<syntaxhighlight lang="js">
let a = '<b>';
</syntaxhighlight>
<blockquote>Said.</blockquote>
----
<div>unknown</div>
[[Category:Trees]]
`;

type Edit = (document: DocumentNode) => void;

/** The first node that matches, in document order. */
function first(node: DocumentNode, isIt: (node: DocumentNode) => boolean): DocumentNode {
  const found = firstOf(node, isIt);
  if (!found) throw new Error('There is no such node.');
  return found;
}

function firstOf(node: DocumentNode, isIt: (node: DocumentNode) => boolean): DocumentNode | undefined {
  if (isIt(node)) return node;
  for (const child of node.content ?? []) {
    const found = firstOf(child, isIt);
    if (found) return found;
  }
  return undefined;
}

const typed = (type: string) => (node: DocumentNode) => node.type === type;
const withText = (text: string) => (node: DocumentNode) => node.text?.includes(text) ?? false;

function edited(change: Edit, from = source): string {
  const document = structuredClone(documentOf(from));
  change(document);
  return patch(from, document);
}

const replaceText =
  (from: string, to: string): Edit =>
  (document) => {
    const node = first(document, withText(from));
    node.text = node.text?.replace(from, to) ?? '';
  };

const setAttrs =
  (type: string, attrs: Record<string, unknown>): Edit =>
  (document) => {
    const node = first(document, typed(type));
    node.attrs = { ...node.attrs, ...attrs };
  };

/** Puts a node after the first one that holds the text. */
const addAfter =
  (type: string, text: string, added: DocumentNode): Edit =>
  (document) => {
    const holds = (node: DocumentNode) => firstOf(node, withText(text)) !== undefined;
    const parent = first(
      document,
      (node) => node.content?.some((child) => child.type === type && holds(child)) ?? false,
    );
    const at = parent.content?.findIndex((child) => child.type === type && holds(child)) ?? 0;
    parent.content?.splice(at + 1, 0, added);
  };

const paragraph = (text: string): DocumentNode => ({ type: 'paragraph', content: [{ type: 'text', text }] });

describe('an edit changes the bytes of what was edited', () => {
  test.each<[string, Edit, [string, string]]>([
    ['a word', replaceText(' is a ', ' was a '), [' is a ', ' was a ']],
    ['a word before a comment', replaceText('of the ', 'in the '), ['>of the', '>in the']],
    ['text with markup', replaceText(' or ', ' [[or]] '), [' or ', ' &#91;&#91;or&#93;&#93; ']],
    ['the label of a link', replaceText('beech ', 'the beech '), ['beech ', 'the beech ']],
    ['the text of a link without a label', replaceText('trees', 'shrubs'), ['[[tree]]s', '[[tree|shrubs]]']],
    [
      'the target of a link',
      (document) => {
        first(document, withText('beech ')).marks = [{ type: 'link', attrs: { to: 'Fagus', kind: 'page' } }];
        first(document, withText('family')).marks?.splice(
          0,
          2,
          { type: 'italic' },
          { type: 'link', attrs: { to: 'Fagus', kind: 'page' } },
        );
      },
      ['[[Beech|', '[[Fagus|'],
    ],
    [
      'bold',
      (document) => {
        const { content = [] } = first(document, (node) => node.content?.some(withText('bark')) ?? false);
        content[0] = { type: 'text', text: 'bark', marks: [{ type: 'bold' }] };
      },
      ['bark', "'''bark'''"],
    ],
    ['a cell', replaceText('tall', 'very tall'), ['tall', 'very tall']],
    ['a bar in a cell', replaceText('tall', 'a||b'), ['tall', 'a&#124;&#124;b']],
    ['a caption of a table', replaceText('A caption', 'The caption'), ['A caption', 'The caption']],
    ['a caption of a picture', replaceText(' in May', ' in June'), [' in May', ' in June']],
    ['the size of a picture', setAttrs('figure', { width: 200 }), ['120px', '200px']],
    ['the side of a picture', setAttrs('figure', { side: 'left' }), ['|alt=An oak', '|alt=An oak|left']],
    ['the alternative text of a picture', setAttrs('figure', { alt: null }), ['|alt=An oak', '']],
    ['a note', setAttrs('note', { text: 'Another [[book]].' }), ['A [[book]]', 'Another [[book]]']],
    ['the level of a heading', setAttrs('heading', { level: 3 }), ['== Uses ==', '=== Uses ===']],
    ['an item', replaceText('bark', 'leaves'), ['bark', 'leaves']],
    [
      'an item more',
      addAfter('listItem', 'bark', { type: 'listItem', content: [paragraph('roots')] }),
      ['* bark\n', '* bark\n* roots\n'],
    ],
    [
      'a parameter',
      (document) => {
        const call = first(document, typed('call'));
        const [name, height] = (call.attrs?.params ?? []) as { name: string; value: string }[];
        call.attrs = { ...call.attrs, params: [name, { ...height, value: '30 m' }] };
      },
      ['20 m', '30 m'],
    ],
    [
      'a row more',
      addAfter('row', 'tall', {
        type: 'row',
        content: ['a', 'b'].map((text) => ({ type: 'cell', content: [paragraph(text)] })),
      }),
      ['tall\n', 'tall\n|-\n| a || b\n'],
    ],
    ['code', replaceText("'<b>'", "'<i>'"), ['<b>', '<i>']],
    ['a quote', replaceText('Said.', 'Written.'), ['Said.', 'Written.']],
    [
      'a paragraph more',
      addAfter('heading', 'Uses', paragraph('Many.')),
      ['== Uses ==\n', '== Uses ==\nMany.\n\n'],
    ],
    ['unknown markup', setAttrs('source', { text: '<div>known</div>' }), ['unknown', 'known']],
    [
      'a nested item',
      (document) => {
        const list = first(document, typed('bulletList'));
        const [one, two] = list.content as [DocumentNode, DocumentNode];
        one.content?.[1]?.content?.push(two);
        list.content = [one];
      },
      ['* bark', '** bark'],
    ],
  ])('%s', (_, change, [old, now]) => {
    expect(edited(change)).toBe(source.replace(old, now));
  });

  it('a split paragraph keeps the bytes of both halves', () => {
    const result = edited((document) => {
      const [call, before, ...others] = document.content as [DocumentNode, DocumentNode, ...DocumentNode[]];
      const { content = [] } = before;
      document.content = [
        call,
        { ...before, content: content.slice(0, 2) },
        { ...before, content: content.slice(2) },
        ...others,
      ];
    });
    expect(result).toBe(source.replace(' is a &amp; [[tree]]', ' is a &amp;\n\n[[tree]]'));
  });

  it('several edits at once change only their own bytes', () => {
    const changes = [
      replaceText('tall', 'low'),
      replaceText('bark', 'leaves'),
      setAttrs('figure', { width: 200 }),
    ];
    const result = edited((document) => {
      for (const change of changes) change(document);
    });
    expect(result).toBe(source.replace('tall', 'low').replace('bark', 'leaves').replace('120px', '200px'));
  });
});

test('an unedited document leaves every byte, also without attributes that are only for display', () => {
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
      paragraph('Oaks & <b>elms</b>'),
      {
        type: 'bulletList',
        content: [item('one', { type: 'orderedList', content: [item('two')] }), item('three')],
      },
      {
        type: 'table',
        content: [
          { type: 'row', content: [cell('A', true), cell('B', true)] },
          { type: 'row', content: [cell('-1', false), cell('', false)] },
        ],
      },
      {
        type: 'figure',
        attrs: { file: 'Oak.jpg', alt: 'An oak' },
        content: [{ type: 'text', text: 'An oak' }],
      },
      { type: 'call', attrs: { name: 'Note', params: [{ name: '1', value: 'x', positional: true }] } },
      paragraph(''),
    ],
  };
  expect(patch('', document)).toBe(`== Trees ==
Oaks & &lt;b>elms&lt;/b>

* one
*# two
* three

{| class="wikitable"
! A
! B
|-
| &#45;1
|
|}

[[File:Oak.jpg|thumb|alt=An oak|An oak]]

{{Note|x}}`);
});

describe('tasks and boxes', () => {
  const tasks = "* ☐ water\n*☑  prune '''roses'''\n** ☐ red ones\n* rest\n";

  test('tasks are items that begin with the character of a box, and ticking one changes that character', () => {
    const items = first(documentOf(tasks), typed('bulletList')).content?.map(({ type, attrs }) => [
      type,
      attrs?.checked,
    ]);
    expect(items).toEqual([
      ['taskItem', false],
      ['taskItem', true],
      ['listItem', undefined],
    ]);
    expect(edited(setAttrs('taskItem', { checked: true }), tasks)).toBe(tasks.replace('☐ water', '☑ water'));
    expect(edited(replaceText('water', 'water twice'), tasks)).toBe(tasks.replace('water', 'water twice'));
    expect(edited(replaceText('red', 'white'), tasks)).toBe(tasks.replace('red', 'white'));
    expect(patch(tasks, documentOf(tasks))).toBe(tasks);
  });

  test('an item becomes a task, a task an item, and a box that is typed is a task', () => {
    const become =
      (from: string, type: string, attrs: object): Edit =>
      (document) => {
        const item = first(document, typed(from));
        item.type = type;
        item.attrs = { ...item.attrs, ...attrs };
      };
    expect(edited(become('taskItem', 'listItem', {}), tasks)).toBe(tasks.replace('☐ water', 'water'));
    expect(edited(become('listItem', 'taskItem', { checked: false }), tasks)).toBe(
      tasks.replace('* rest', '* ☐ rest'),
    );
    expect(edited(replaceText('rest', '☑ rest'), tasks)).toBe(tasks.replace('rest', '☑ rest'));
    const empty = { type: 'taskItem', attrs: { checked: true }, content: [paragraph('')] };
    expect(patch('', { type: 'doc', content: [{ type: 'bulletList', content: [empty] }] })).toBe('* ☑');
  });

  test('a box is a division with two classes, and its blocks change like all others', () => {
    const boxes =
      'A\n<div class="callout callout-tip">\nBring  boots\n* one\n</div>\n<div class="other">x</div>\n';
    expect(first(documentOf(boxes), typed('callout')).attrs).toMatchObject({ kind: 'tip', title: null });
    expect(edited(replaceText('boots', 'dry boots'), boxes)).toBe(boxes.replace('boots', 'dry boots'));
    const box = { type: 'callout', attrs: { kind: 'note' }, content: [paragraph('Bring boots')] };
    expect(patch('A\n', { type: 'doc', content: [paragraph('A'), box] })).toBe(
      'A\n\n<div class="callout callout-note">\nBring boots\n</div>\n',
    );
    const script = { ...box, attrs: { kind: 'x"><script>' } };
    expect(() => patch('', { type: 'doc', content: [script] })).toThrow(NotExpressible);
  });
});

describe('refuses', () => {
  test.each<[string, unknown]>([
    ['no document', null],
    ['another node', { type: 'paragraph' }],
    ['an unknown node', { type: 'doc', content: [{ type: 'script' }] }],
    [
      'an unknown mark',
      {
        type: 'doc',
        content: [{ type: 'paragraph', content: [{ type: 'text', text: 'a', marks: [{ type: 'x' }] }] }],
      },
    ],
    [
      'a block in a line',
      { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'paragraph' }] }] },
    ],
    [
      'marks that are no list',
      { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'a', marks: 1 }] }] },
    ],
    [
      'a script in a tag',
      {
        type: 'doc',
        content: [
          {
            type: 'paragraph',
            content: [
              {
                type: 'text',
                text: 'a',
                marks: [{ type: 'element', attrs: { tag: 'b', open: '<b><script>' } }],
              },
            ],
          },
        ],
      },
    ],
    [
      'a box with a title',
      {
        type: 'doc',
        content: [{ type: 'callout', attrs: { kind: 'note', title: 'Mind' }, content: [paragraph('a')] }],
      },
    ],
  ])('%s', (_, document) => {
    expect(() => patch('a', document)).toThrow(NotExpressible);
  });

  it('a document that is too deep', () => {
    let document: DocumentNode = paragraph('a');
    for (let depth = 0; depth < 5000; depth++) document = { type: 'quote', content: [document] };
    expect(() => patch('a', { type: 'doc', content: [document] })).toThrow(NotExpressible);
  });

  it('text that would be read differently than it looks is refused with its position', () => {
    const item = { type: 'listItem', content: [paragraph('a'), paragraph('b')] };
    const document = { type: 'doc', content: [paragraph('x'), { type: 'bulletList', content: [item] }] };
    const refused = (() => {
      try {
        return patch('x', document);
      } catch (error) {
        return error;
      }
    })();
    expect(refused).toMatchObject({ path: [1, 0, 1] });
  });
});

describeRandomEdits(documents, source, {
  extension: '.mediawiki',
  mostRefused: { ofSource: 0.01, ofPages: 0.005 },
});

it.each([
  ['', { type: 'codeBlock', attrs: { language: 'js' }, content: [{ type: 'text', text: '\nlet a = \n' }] }],
  ['', { type: 'codeBlock', attrs: { language: '' }, content: [{ type: 'text', text: 'x ' }] }],
  [
    '<blockquote>said</blockquote>',
    {
      type: 'quote',
      attrs: { origin: [0, 29] },
      content: [
        {
          type: 'bulletList',
          content: [
            {
              type: 'listItem',
              content: [
                { type: 'paragraph', attrs: { origin: [12, 16] }, content: [{ type: 'text', text: 'said' }] },
              ],
            },
          ],
        },
      ],
    },
  ],
])('white space at the ends of code, and a list in a quote of one line, are written: %s', (body, block) => {
  const written = patch(body, { type: 'doc', content: [block] });
  expect(written).toMatch(
    /^<(?:blockquote>\n\* said\n<\/blockquote>|syntaxhighlight lang="\w*">\n\n?(?:let a = \n|x )\n<)/,
  );
});

test('a text of very many parts is one block of source', () => {
  const body = '* one\n'.repeat(60_000);
  const document = documentOf(body);
  expect(document.content?.map(({ type }) => type)).toEqual(['source']);
  expect(patch(body, document)).toBe(body);
  expect(documentOf('* one\n'.repeat(2000)).content?.[0]?.content).toHaveLength(2000);
});
