import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Change,
  edit,
  escapeWikitext,
  externalLinks,
  headings,
  leaves,
  links,
  parameter,
  readSource,
  remove,
  replaceNode,
  type SourceNode,
  type SourceTree,
  sections,
  setCell,
  setHeading,
  setLabel,
  setParameter,
  setSection,
  setTarget,
  type TemplateNode,
  tables,
  templates,
  walk,
} from '../src/edit/index.ts';
import { expand, type Node, parse, plainText } from '../src/index.ts';
import { mediawiki } from '../src/mediawiki/index.ts';

const source = `Intro with a [[oak tree|tree]]s and https://example.org and [https://example.com label].<!-- note -->
{{Infobox tree
| name   = Oak
| height = 20 m <!-- tall -->
| see    = {{lc:[[Elm|E]]}}
}}
<div class="{{Style|a|b=c}}">x</div>
== History ==
Old.<ref name="r">[[Beech]] {{Cite|x}}</ref> <nowiki>[[no]] {{no}}</nowiki>
=== Early ===
Early text.
{| class="wikitable" title="{{T|1}}"
|+ Trees
! Name !! Height
|-
| style="x" | Oak || 20 [[metre|m]]
|-
| Elm
| a
* list
|}
== ''Today'' ==
<includeonly>{{Only|here}}</includeonly>[[Category:Trees]] [[File:oak.jpg|thumb|An [[ash]]]]
<poem>
 a [[poplar]]
</poem>
`;
const rules = mediawiki().rules;
const tree = readSource(source, { rules });
const text = ({ start, end }: { start: number; end: number }) => source.slice(start, end);

describe('a source', () => {
  it('lists its calls, wherever they are', () => {
    expect(templates(tree).map(({ name }) => name)).toEqual([
      'Infobox tree',
      'lc:',
      'Style',
      'Cite',
      'T',
      'Only',
    ]);
    const [box] = templates(tree, 'infobox tree');
    expect(box?.target).toBe('Template:Infobox tree');
    expect(box?.parameters.map(({ name, value }) => [name, value])).toEqual([
      ['name', 'Oak'],
      ['height', '20 m <!-- tall -->'],
      ['see', '{{lc:[[Elm|E]]}}'],
    ]);
    const [style] = templates(tree, 'Style');
    expect(style?.parameters.map(({ name, isPositional }) => [name, isPositional])).toEqual([
      ['1', true],
      ['b', false],
    ]);
  });

  it('lists its links, files and categories with their parts', () => {
    expect(
      links(tree).map((link) => [
        link.target,
        text(link.targetRange),
        link.labelRange && text(link.labelRange),
      ]),
    ).toEqual([
      ['Oak tree', 'oak tree', 'tree'],
      ['Elm', 'Elm', 'E'],
      ['Beech', 'Beech', undefined],
      ['Metre', 'metre', 'm'],
      ['Ash', 'ash', undefined],
      ['Poplar', 'poplar', undefined],
    ]);
    expect(links(tree, 'marker').map(({ target, value }) => [target, value])).toEqual([
      ['category', 'Trees'],
    ]);
    expect(links(tree, 'file').map(({ target, options }) => [target, options?.format])).toEqual([
      ['Oak.jpg', 'thumb'],
    ]);
    expect(externalLinks(tree).map((link) => [link.url, link.labelRange && text(link.labelRange)])).toEqual([
      ['https://example.org', undefined],
      ['https://example.com', 'label'],
    ]);
  });

  it('lists its headings, sections, tables and cells', () => {
    expect(headings(tree).map(({ level, title }) => [level, title])).toEqual([
      [2, 'History'],
      [3, 'Early'],
      [2, 'Today'],
    ]);
    const found = sections(tree);
    expect(found.map((section) => text(section).split('\n')[0])).toEqual([
      '== History ==',
      '=== Early ===',
      "== ''Today'' ==",
    ]);
    expect(found[0]?.end).toBe(found[2]?.start);
    expect(found[0]?.bodyEnd).toBe(found[1]?.start);
    const [table] = tables(tree);
    expect(table?.cells.map((cell) => [cell.kind, cell.row, cell.column, text(cell.content)])).toEqual([
      ['caption', -1, 0, 'Trees'],
      ['th', 0, 0, 'Name'],
      ['th', 0, 1, 'Height'],
      ['td', 1, 0, 'Oak'],
      ['td', 1, 1, '20 [[metre|m]]'],
      ['td', 2, 0, 'Elm'],
      ['td', 2, 1, 'a\n* list'],
    ]);
  });

  it('equals its leaves byte for byte, whatever it is', () => {
    const parts = [
      ...source.split(/(?<=\s)/),
      '{{',
      '}}',
      '{{{',
      '[[',
      ']]',
      '|',
      '=',
      '\n',
      '{|',
      '|}',
      '<!--',
      '-->',
      '<ref>',
      '</ref>',
      '<b>',
      '</b>',
      '<span id="a" x>',
      '</span>',
      "'''",
      '&amp;',
      '\r\n',
      '\0',
    ];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...parts), { maxLength: 30 }),
        (some) => void lossless(some.join('')),
      ),
    );
  });
});

describe('an edit', () => {
  const box = templates(tree, 'Infobox tree')[0] as TemplateNode;
  const changed = (...changes: (Change | Change[])[]) => edit(tree, changes);
  const only = (from: string, to: string) => source.replace(from, () => to);

  it('without changes returns the source', () => expect(changed()).toBe(source));

  it('sets, adds and removes parameters in the style of the call', () => {
    expect(changed(setParameter(tree, box, 'name', 'Elm'))).toBe(only('= Oak', '= Elm'));
    expect(changed(setParameter(tree, box, 'kind', 'x'))).toBe(only('E]]}}\n', 'E]]}}\n| kind   = x\n'));
    expect(changed(setParameter(tree, box, 'name', undefined))).toBe(only('| name   = Oak\n', ''));
    const [style] = templates(tree, 'Style');
    expect(style && changed(setParameter(tree, style, '2', 'x=y'))).toBe(only('b=c}}', 'b=c|2=x=y}}'));
  });

  it('escapes characters that would end a parameter early', () => {
    const set = (call: string, name: string, value: string) => {
      const small = readSource(call);
      return edit(small, [setParameter(small, templates(small)[0] as TemplateNode, name, value)]);
    };
    expect(set('{{T|a=1}}', 'a', 'x|y')).toBe('{{T|a=x{{!}}y}}');
    expect(set('{{T|a=1}}', 'a', '[[x|y]] {{z|w}} <nowiki>|</nowiki>')).toBe(
      '{{T|a=[[x|y]] {{z|w}} <nowiki>|</nowiki>}}',
    );
    expect(set('{{T|a=1}}', 'a', 'x}}')).toBe('{{T|a=x&#125;&#125;}}');
    expect(set('{{T|a=1}}', 'a', 'x}')).toBe('{{T|a=x} }}');
    expect(set('{{T|a=1}}', 'a', '[[x')).toBe('{{T|a=&#91;&#91;x}}');
    expect(set('{{T|a=1}}', 'a', 'x<!-- y')).toBe('{{T|a=x&lt;!-- y}}');
    expect(set('{{T|a=1}}', 'a', 'b=c')).toBe('{{T|a=b=c}}');
    expect(set('{{T|1}}', '1', 'b=c')).toBe('{{T|1=b=c}}');
    expect(set('{{T|1|2}}', '1', 'b=c')).toBe('{{T|b{{=}}c|2}}');
    expect(set('{{T}}', '1', 'a')).toBe('{{T|a}}');
    expect(set('{{T|1|x=2}}', 'y', 'a')).toBe('{{T|1|x=2|y=a}}');
  });

  it('sets targets and labels of links', () => {
    const [oak, , beech] = links(tree);
    const [bare, external] = externalLinks(tree);
    if (!oak || !beech || !bare || !external) throw new Error('The source has these links.');
    expect(changed(setTarget(tree, oak, 'Elm'), setLabel(tree, beech, 'a [[b]]'))).toBe(
      only('[[oak tree|', '[[Elm|').replace('[[Beech]]', '[[Beech|a &#91;&#91;b&#93;&#93;]]'),
    );
    expect(changed(setLabel(tree, oak, undefined))).toBe(only('[[oak tree|tree]]', '[[oak tree]]'));
    expect(changed(setLabel(tree, bare, 'a]'), setLabel(tree, external, "''b''"))).toBe(
      only('https://example.org', '[https://example.org a&#93;]').replace('com label', "com ''b''"),
    );
    expect(changed(setTarget(tree, external, 'https://example.net/x'))).toBe(
      only('https://example.com', 'https://example.net/x'),
    );
  });

  it('sets cells, headings and sections', () => {
    const cells = tables(tree)[0]?.cells ?? [];
    const [, name, , oak, , elm] = cells;
    const [history, early] = sections(tree);
    if (!name || !oak || !elm || !history || !early) throw new Error('The source has these parts.');
    expect(changed(setCell(tree, oak, 'a|b\n|c\n!d'))).toBe(
      only('| Oak ||', '| a&#124;b\n&#124;c\n&#33;d \n|'),
    );
    expect(changed(setCell(tree, name, 'x!!y'), setCell(tree, elm, '-1'))).toBe(
      only('! Name', '! x&#33;&#33;y').replace('| Elm', '| -1'),
    );
    expect(changed(setCell(tree, oak, 'x {{y\n|z}} [[p||q]]'))).toBe(
      only('| Oak ||', '| x {{y\n|z}} [[p|&#124;q]] \n|'),
    );
    expect(changed(setHeading(tree, history.heading, { title: 'a\nb =', level: 3 }))).toBe(
      only('== History ==', '=== a b &#61; ==='),
    );
    expect(changed(setSection(tree, early, 'New {{x'))).toBe(
      `${source.slice(0, early.bodyStart)}New &#123;&#123;x\n${source.slice(early.end)}`,
    );
    expect(changed(remove(history))).toBe(source.slice(0, history.start) + source.slice(history.end));
    expect(changed(replaceNode(history.heading, '== New =='))).toBe(only('== History ==', '== New =='));
  });

  it('refuses impossible values', () => {
    const [oak] = links(tree);
    const [history] = headings(tree);
    if (!oak || !history) throw new Error('The source has these parts.');
    expect(() => setTarget(tree, oak, 'a|b')).toThrow('cannot be the target of a link');
    expect(() => setParameter(tree, box, 'a|b', 'x')).toThrow('cannot name a parameter');
    expect(() => setHeading(tree, history, { level: 7 })).toThrow('1 to 6');
    expect(() => setHeading(tree, history, { title: ' ' })).toThrow('needs a title');
    // Either is lost whatever the order, because the heading is none any more.
    const replaced = replaceNode(history, 'x');
    const renamed = setHeading(tree, history, { title: 'y' });
    expect(() => changed(replaced, renamed)).toThrow('Two changes touch "');
    expect(() => changed({ start: 1, end: 3, text: '' }, { start: 2, end: 4, text: '' })).toThrow('touch "');
  });

  it.each([
    ['{{T|a|b|c|x=y}}', '2', undefined, '{{T|a|3=c|x=y}}'],
    ['{{T|a|b}}', '1', undefined, '{{T|2=b}}'],
    ['{{T|a|b|2=c|d}}', '2', undefined, '{{T|a|3=d}}'],
    ['{{T|a|b}}', '2', undefined, '{{T|a}}'],
    ['{{T | a = b }}', 'c', 'd', '{{T | a = b | c = d }}'],
    ['{{T| a= b}}', 'c', 'd', '{{T| a= b| c= d}}'],
    ['{{T|a=b}}', 'c', 'd=e', '{{T|a=b|c=d=e}}'],
  ])('in %s, %s is set to %s', (source, name, value, result) => {
    const own = readSource(source);
    const [call] = templates(own);
    if (!call) throw new Error('The source is a call.');
    expect(edit(own, [setParameter(own, call, name, value)])).toBe(result);
  });

  const nasty = [
    '|',
    '=',
    '{',
    '}',
    '{{',
    '}}',
    '{{{',
    '}}}',
    '[[',
    ']]',
    '[',
    ']',
    '\n',
    ' ',
    'a',
    '<nowiki>',
    '</nowiki>',
    '<!--',
    '-->',
    '<ref>',
    '</ref>',
    '{|',
    '|}',
    '*',
    "''",
    '<includeonly>',
    '{{x|y}}',
    '[[p|q]]',
    '&amp;',
    '<b>',
  ];

  it('of a parameter to any text leaves it there, and everything else as it was', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...nasty.filter((part) => part !== '<includeonly>')), { maxLength: 8 }),
        fc.constantFrom('a', '1', '2', 'new'),
        (parts, name) => {
          const value = parts.join('');
          const before = '<ref>x {{T|one|two|a=b|z={{U|v}}}} [[y]]</ref> {{Last|q}} <nowiki>}}</nowiki> -->';
          const small = readSource(before, { rules });
          const [call] = templates(small, 'T');
          if (!call) throw new Error('The source has this call.');
          const after = readSource(edit(small, [setParameter(small, call, name, value)]), { rules });
          lossless(after.source);
          const [again] = templates(after, 'T');
          if (!again) throw new Error(`Lost: ${after.source}`);
          const others = (one: TemplateNode) =>
            one.parameters.filter((other) => other.name !== name).map((other) => [other.name, other.value]);
          expect(others(again)).toEqual(others(call));
          // The parameter shows the same as its text on its own, unless that opens a comment or contains a note or table.
          const now = parameter(again, name);
          if (!/<!--(?!.*-->)|<ref>.*<\/ref>|\{\|/s.test(value))
            expect(meaning(now?.value ?? 'none')).toBe(meaning(now?.isPositional ? value : value.trim()));
          // Text around the call is unchanged.
          expect(after.source.startsWith('<ref>x {{T|')).toBe(true);
          expect(after.source.slice(again.end)).toBe(before.slice(call.end));
          expect(templates(after, 'Last').length).toBe(1);
          expect(after.page.children.map(({ type }) => type)).toEqual(
            small.page.children.map(({ type }) => type),
          );
        },
      ),
      { numRuns: 400, seed: 1 },
    );
  });

  it('of a cell to any text leaves the table as it was', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...nasty, '||', '!!', '-', '+', '\n|', '\n!', '\n|-'), { maxLength: 8 }),
        fc.nat(3),
        (parts, index) => {
          const small = readSource('{|\n! a !! b\n|-\n| c || d\n|}\nend', { rules });
          const cell = tables(small)[0]?.cells[index];
          if (!cell) throw new Error('The table has four cells.');
          const after = readSource(edit(small, [setCell(small, cell, parts.join(''))]), { rules });
          const table = after.page.children[0];
          if (table?.type !== 'table') throw new Error(`No table: ${JSON.stringify(after.source)}`);
          const own = table.cells.filter(({ kind }) => kind !== 'caption');
          expect([after.source, own.map(({ row, column }) => [row, column])]).toEqual([
            after.source,
            [
              [0, 0],
              [0, 1],
              [1, 0],
              [1, 1],
            ],
          ]);
          expect(after.source.slice(table.end)).toBe('\nend');
        },
      ),
      { numRuns: 300, seed: 1 },
    );
  });

  it('of a label or a title to any text leaves one link and one heading', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...nasty), { minLength: 1, maxLength: 8 }), (parts) => {
        const value = `x${parts.join('')}`;
        const small = readSource('== T ==\n[[a|b]] [https://x.example y]\n== U ==\n', { rules });
        const [link] = links(small);
        const [external] = externalLinks(small);
        const [heading] = headings(small);
        if (!link || !external || !heading) throw new Error('The source has these.');
        const changes = [
          setLabel(small, link, value),
          setLabel(small, external, value),
          setHeading(small, heading, { title: value }),
        ];
        const after = readSource(edit(small, changes), { rules });
        lossless(after.source);
        expect([after.source, headings(after).length]).toEqual([after.source, 2]);
        expect([after.source, links(after).filter(({ target }) => target === 'A').length]).toEqual([
          after.source,
          1,
        ]);
        expect([after.source, externalLinks(after)[0]?.url]).toEqual([after.source, 'https://x.example']);
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  it('shows plain text unchanged when it is escaped', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            ...nasty,
            '__TOC__',
            'http://a.example',
            'RFC 1',
            '----',
            '~~~~',
            '&lt;',
            '#',
            ';',
            ':',
            "'",
          ),
          { maxLength: 8 },
        ),
        (parts) => {
          const value = parts.join('').trim().replace(/\s+/g, ' ');
          expect(plainText(parse(escapeWikitext(value), { rules }))).toBe(value);
        },
      ),
    );
  });
});

const folder = process.env.COPPICE_CORPUS;
const names = folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith('.mediawiki'));
const shared = process.env.COPPICE_PARSER_TESTS ?? '';
const cases: { wikitext: string }[] = existsSync(shared) ? JSON.parse(readFileSync(shared, 'utf8')) : [];

describe.skipIf(names.length + cases.length === 0)('real sources', () => {
  const sources = [
    ...names.map((name) => readFileSync(join(folder ?? '', name), 'utf8')),
    ...cases.map(({ wikitext }) => wikitext),
  ];

  it('equal their leaves, and both trees agree on links and headings', () => {
    let known = 0;
    let missing = 0;
    for (const one of sources) {
      const nodes = lossless(one);
      const places = new Set([...walk(nodes.page)].map(({ type, start, end }) => `${type} ${start} ${end}`));
      for (const node of all(parse(one, { rules }).children)) {
        if (!/^(?:link|external-link|heading)$/.test(node.type) || !/[[=<h]/.test(one[node.start] ?? ''))
          continue;
        known++;
        if (!places.has(`${node.type} ${node.start} ${node.end}`)) missing++;
      }
    }
    expect(known).toBeGreaterThan(1000);
    expect(missing / known).toBeLessThan(0.005);
  });

  it('keep everything else when a parameter changes', () => {
    for (const one of sources) {
      const before = readSource(one, { rules });
      const call = templates(before).find(({ parameters }) => parameters.length > 0);
      const first = call?.parameters[0];
      if (!call || !first) continue;
      const after = readSource(edit(before, [setParameter(before, call, first.name, 'a|b}}')]), { rules });
      const again = templates(after).find(({ start }) => start === call.start);
      expect([one, again && parameter(again, first.name)?.value.trim()]).toEqual([
        one,
        'a{{!}}b&#125;&#125;',
      ]);
      expect(after.source.slice(again?.end)).toBe(one.slice(call.end));
    }
  });
});

/** Visible text, without white space. */
function meaning(value: string): string {
  const empty = {
    templates: new Map([['Template:X', 'X']]),
    exists: new Map(),
    listings: new Map(),
    now: 0,
    rules,
  };
  const { text: shown } = expand(value, { page: { title: '', path: '/' }, ...empty });
  return plainText(parse(`\n${shown}`, { expanded: true, rules })).replace(/\s+/g, '');
}

function lossless(one: string): SourceTree {
  const found = readSource(one, { rules });
  let out = '';
  for (const { start, end } of leaves(found)) out += one.slice(start, end);
  expect(out).toBe(one);
  const check = (node: SourceNode): void => {
    if (!('children' in node)) return;
    let at = node.start;
    for (const child of node.children) {
      expect(child.start).toBe(at);
      at = child.end;
      check(child);
    }
    if (node.children.length > 0) expect(at).toBe(node.end);
  };
  check(found.page);
  return found;
}

function* all(nodes: readonly Node[]): Generator<Node> {
  for (const node of nodes) {
    yield node;
    if ('children' in node && node.children) yield* all(node.children);
    if (node.type === 'file') yield* all(node.caption);
    if (node.type === 'template') for (const argument of node.arguments) yield* all(argument.children);
  }
}
