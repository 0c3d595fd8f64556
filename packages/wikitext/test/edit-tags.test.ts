/** Tags, their attributes, and rows: what is read is what was written, and changes stay in their place. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  edit,
  find,
  insertRow,
  isNamed,
  links,
  readSource,
  remove,
  renameTag,
  rows,
  sections,
  setAttribute,
  setBody,
  tables,
  templates,
  textOf,
  unwrap,
} from '../src/edit/index.ts';
import { expectLinear } from './expect-linear.ts';

describe('tags', () => {
  it.each([
    ['<div class="a b" id=c>x</div>', [['div', 'x', 'class=a b,id=c']]],
    ['<SPAN>x</SPAN>', [['span', 'x', '']]],
    [
      'a<br/>b<hr>c',
      [
        ['br', undefined, ''],
        ['hr', undefined, ''],
      ],
    ],
    [
      "'''''x''' y''",
      [
        ['i', "'''x''' y", ''],
        ['b', 'x', ''],
      ],
    ],
    ['<b>open', [['b', undefined, '']]],
    ['<b title="{{T|<i>x</i>}}">y</b>', [['b', 'y', 'title={{T|<i>x</i>}}']]],
    ['{{T|<u>x</u>}}', [['u', 'x', '']]],
    ['{|\n| <i>a</i>\n|}', [['i', 'a', '']]],
    ['<nowiki><b>x</b></nowiki> <unknown>y</unknown>', []],
  ])('%s', (source, expected) => {
    const tree = readSource(source);
    const found = find(tree, 'tag').map(({ name, body, attributes }) => [
      name,
      body && textOf(tree, body),
      attributes.map((one) => `${one.name}=${one.value}`).join(),
    ]);
    expect(found).toEqual(expected);
  });

  it('may hold headings, which begin sections as before', () => {
    const tree = readSource('<div>\n== A ==\nx\n</div>\n== B ==\n');
    expect(sections(tree).map(({ heading }) => heading.title)).toEqual(['A', 'B']);
  });

  it('refuse what cannot be written', () => {
    const [bold] = find(readSource("'''x'''"), 'tag');
    const tree = readSource("'''x'''");
    if (!bold) throw new Error('The source has a tag.');
    expect(() => setAttribute(tree, bold, 'id', 'x')).toThrow('have no attributes');
    expect(() => renameTag(tree, bold, 'i')).toThrow('no name');
    expect(edit(tree, [unwrap(bold)])).toBe('x');
    const html = readSource('<b>x</b>');
    const [tag] = find(html, 'tag');
    if (!tag) throw new Error('The source has a tag.');
    expect(() => setAttribute(html, tag, 'a b', 'x')).toThrow('cannot name an attribute');
    expect(() => renameTag(html, tag, 'a b')).toThrow('cannot name a tag');
  });

  const nasty = [
    '"',
    "'",
    '<',
    '>',
    '|',
    '}}',
    '{{',
    '&amp;',
    '&',
    '\n',
    ' ',
    'a',
    '=',
    ']]',
    '<!--',
    '-->',
    '</span>',
    '<ref>',
  ];
  it('accept any text as an attribute and return it, within calls and cells too', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...nasty), { maxLength: 6 }),
        fc.constantFrom(
          'a <span x=1>b</span> c',
          '{{T|x=<span id=old>b</span>|c}}',
          '{|\n| <span>b</span> || c\n|}',
        ),
        (parts, source) => {
          const value = parts.join('');
          const tree = readSource(source);
          const [tag] = find(tree, 'tag');
          if (!tag) throw new Error('The source has a tag.');
          const after = readSource(edit(tree, [setAttribute(tree, tag, 'id', value)]));
          const [again] = find(after, 'tag');
          expect(again?.attributes.find((one) => one.name === 'id')?.value).toBe(
            value.replace(/\s*\n\s*/g, ' '),
          );
          expect(after.source.slice(again?.body?.start)).toBe(source.slice(tag.body?.start));
        },
      ),
    );
  });

  it('accept any wikitext as content without ending early', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...nasty), { maxLength: 6 }), (parts) => {
        const tree = readSource('a <ref name=x>b</ref> c');
        const [note] = find(tree, 'extension');
        if (!note) throw new Error('The source has a note.');
        const after = readSource(edit(tree, [setBody(tree, note, parts.join(''))]));
        const [again] = find(after, 'extension');
        expect([again?.start, after.source.slice(again?.end)]).toEqual([2, ' c']);
      }),
    );
  });
});

it.each([['<b x=y>a</b> &amp; '], ['<b>'], ["'''a''' ''b'' "], ['{|\n|-\n| a\n|}\n']])(
  '%j many times is read in linear time',
  (part) => {
    const read = (source: string) => {
      const tree = readSource(source);
      for (const table of tables(tree)) rows(tree, table);
    };
    expectLinear(read, part.repeat(4000), part.repeat(16_000), 200);
  },
);

describe('rows', () => {
  const source = '{| class=x\n|+ caption\n! a !! b\n|-\n| c\n| d\n|- style="y"\n| e\n|}\nafter';
  const tree = readSource(source);
  const [table] = tables(tree);
  if (!table) throw new Error('The source has a table.');
  const all = rows(tree, table);

  it('are whole lines, next to each other', () => {
    expect(all.map((row) => textOf(tree, row))).toEqual([
      '! a !! b\n',
      '|-\n| c\n| d\n',
      '|- style="y"\n| e\n',
    ]);
    expect(all.map(({ cells }) => cells.length)).toEqual([2, 2, 1]);
  });

  it.each([
    [0, source.replace('! a', '|-\n| x\n| y\n|-\n! a')],
    [1, source.replace('|-\n| c', '|-\n| x\n| y\n|-\n| c')],
    [3, source.replace('\n|}', '\n|-\n| x\n| y\n|}')],
  ])('are inserted at %i', (index, result) => {
    const after = edit(tree, [insertRow(tree, table, index, ['x', 'y'])]);
    expect(after).toBe(result);
    const again = readSource(after);
    const [same] = tables(again);
    expect(same && rows(again, same)).toHaveLength(4);
  });

  it('are removed, and cells of new ones escaped', () => {
    const [, second] = all;
    if (!second) throw new Error('The table has rows.');
    expect(edit(tree, [remove(second)])).toBe(source.replace('|-\n| c\n| d\n', ''));
    expect(edit(tree, [insertRow(tree, table, 3, ['a|b', '|}'])])).toContain('| a&#124;b\n| &#124;}\n|}');
    const empty = readSource('{|\n|}');
    const [none] = tables(empty);
    expect(none && edit(empty, [insertRow(empty, none, 0, ['x'])])).toBe('{|\n|-\n| x\n|}');
  });
});

describe('attributes in the markup of a table', () => {
  const changed = (source: string, at: number) => {
    const tree = readSource(source);
    const [table] = tables(tree);
    const part = table && [table, ...rows(tree, table), ...table.cells][at];
    if (!part) throw new Error('There is no such part.');
    return edit(tree, [setAttribute(tree, part, 'id', 'x'), setAttribute(tree, part, 'class', 'y|"')]);
  };
  const both = 'id="x" class="y&#124;&#34;"';

  it.each([
    ['a table', '{|\n| a\n|}', 0, `{| ${both}\n| a\n|}`],
    ['an indented table', ':{| id=b\n| a\n|}', 0, `:{| ${both}\n| a\n|}`],
    [
      'a table whose call has a sign of equality',
      '{| {{s|id=b}}\n| a\n|}',
      0,
      `{| ${both} {{s|id=b}}\n| a\n|}`,
    ],
    ['a row', '{|\n|--- id=b <!-- class=c -->\n| a\n|}', 1, `{|\n|--- ${both} <!-- class=c -->\n| a\n|}`],
    ['a row without a line of its own', '{|\n| a\n|}', 1, `{|\n|- ${both}\n| a\n|}`],
    ['a heading of a column', '{|\n! a !! b\n|}', 3, `{|\n! a !! ${both} | b\n|}`],
    ['a cell with attributes', '{|\n| id="b" | [[c|d]]\n|}', 2, `{|\n| ${both} | [[c|d]]\n|}`],
    ['a caption', '{|\n|+ c\n|}', 1, `{|\n|+ ${both} | c\n|}`],
  ])('%s', (_name, source, at, expected) => expect(changed(source, at)).toBe(expected));

  it('brackets of links go, and letters after them stay', () => {
    const source = '[[a|b]]s [[c]]d [http://e.org f]g http://h.org [[File:i.png|j]]';
    const tree = readSource(source);
    const all = [...links(tree), ...links(tree, 'file'), ...find(tree, 'external-link')];
    expect(edit(tree, all.map(unwrap))).toBe('bs cd fg http://h.org ');
  });
});

describe('names', () => {
  it.each([
    ['{{info_box}}', 'Info box', true],
    ['{{ Info  box <!-- c -->|x}}', 'info box', true],
    ['{{Template:info box}}', 'Info box', true],
    ['{{subst:info box}}', 'Info box', true],
    ['{{Info Box}}', 'Info box', false],
    ['{{Info}}', 'Info box', false],
  ])('%s is %s: %s', (source, name, expected) => {
    const tree = readSource(source);
    const [call] = templates(tree);
    expect(call && isNamed(tree, call, name)).toBe(expected);
    expect(templates(tree, name)).toHaveLength(expected ? 1 : 0);
  });

  it('of links are compared alike', () => {
    const tree = readSource('[[oak_tree|x]]');
    const [link] = links(tree);
    expect(link && isNamed(tree, link, 'Oak tree')).toBe(true);
  });
});
