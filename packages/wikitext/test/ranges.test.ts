import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeEntities, type Node, parse } from '../src/index.ts';

type At = { type: string; start: number; end: number };

function insides(node: Node): (readonly Node[])[] {
  if (node.type === 'file') return [node.caption];
  if (node.type === 'template') return node.arguments.map(({ children }) => children);
  return 'children' in node && node.children ? [node.children] : [];
}

/** Returns the nodes that are not in the node around them, or not behind the one before them. */
function misplaced(source: string): string[] {
  const wrong: string[] = [];
  const visit = (nodes: readonly Node[], outer: At) => {
    let at = outer.start;
    for (const node of nodes) {
      if (node.start < at || node.end < node.start || node.end > outer.end)
        wrong.push(`${node.type} ${node.start}-${node.end} in ${outer.type} ${outer.start}-${outer.end}`);
      at = Math.max(at, node.end);
      for (const inside of insides(node)) visit(inside, node);
    }
  };
  visit(parse(source).children, { type: 'page', start: 0, end: source.length });
  return wrong;
}

function texts(source: string): [string, string][] {
  const found: [string, string][] = [];
  const visit = (nodes: readonly Node[]) => {
    for (const node of nodes) {
      if (node.type === 'text') found.push([node.value, source.slice(node.start, node.end)]);
      for (const inside of insides(node)) visit(inside);
    }
  };
  visit(parse(source).children);
  return found;
}

const trimmed = (text: string) => text.replace(/^\n+|\n+$/g, '');

/** Each form of a source: as it is, without a final line end, and with the line ends of Windows. */
const forms = (source: string) => [source, source.replace(/^\n+|\n+$/g, ''), source.replaceAll('\n', '\r\n')];

describe('ranges', () => {
  it.each([
    '<ref>foo</ref>',
    '<br>',
    'x<sub>2</sub>',
    '<span>x</span>',
    '<nowiki>x</nowiki>',
    '{{T|x}}',
    '<math>x</math>',
  ])('a paragraph that ends with %s has the right end', (last) => {
    const source = `B A ${last}`;
    expect(parse(source).children[0]).toMatchObject({ start: 0, end: source.length });
    const item = `* B A ${last}`;
    expect(parse(item).children[0]).toMatchObject({ start: 0, end: item.length });
    expect(parse(`${source}\n`).children[0]).toMatchObject({ start: 0, end: source.length + 1 });
  });

  it('apostrophes belong to the format that they begin or end', () => {
    const places = (source: string) => {
      const found: string[] = [];
      const visit = (nodes: readonly Node[]) => {
        for (const node of nodes) {
          if (node.type === 'element' && node.name !== 'p') found.push(source.slice(node.start, node.end));
          for (const inside of insides(node)) visit(inside);
        }
      };
      visit(parse(source).children);
      return found;
    };
    expect(places("'''''a'' b'''")).toEqual(["'''''a'' b'''", "''a''"]);
    expect(places("'''a'''''b''")).toEqual(["'''a'''", "''b''"]);
    expect(places("''''x'''")).toEqual(["'''x'''"]);
  });

  it.each(["'''[http://d.e f</b>]", '<b>[[a|b</b>c]]', '<div>[[a|<b>b</div>]]'])(
    'a link ends with the element around it: %s',
    (source) => expect(misplaced(source)).toEqual([]),
  );

  it('a text equals its range, and comments, indents and nowiki split texts', () => {
    expect(texts('a &amp; b<!-- c --> d<nowiki>[[e]]</nowiki>f')).toEqual([
      ['a & b', 'a &amp; b'],
      [' d', ' d'],
      ['[[e]]', '<nowiki>[[e]]</nowiki>'],
      ['f\n', 'f'],
    ]);
    expect(texts(' a\n b')).toEqual([
      ['a\n', 'a'],
      ['b\n', 'b'],
    ]);
    expect(texts('<poem>\na\n b\n::c</poem>').filter(([value]) => value.trim() !== '')).toEqual([
      ['a', 'a'],
      ['\n\u00a0b', '\n b'],
      ['c', 'c'],
    ]);
    expect(texts("<gallery caption=\"A ''b''\">\nx.jpg|c\n</gallery>")).toEqual([
      ['A ', 'A '],
      ['b', 'b'],
      ['c\n', 'c'],
    ]);
  });

  const pieces = [
    'a',
    ' ',
    '\n',
    '\n\n',
    "''",
    "'''",
    "'''''",
    '[[b]]',
    '[[c|',
    ']]',
    '[http://d.example e',
    ']',
    '{{f|',
    '}}',
    '|',
    '<ref>',
    '</ref>',
    '<nowiki>',
    '</nowiki>',
    '<!-- g -->',
    '<br>',
    '<b>',
    '</b>',
    '* ',
    '# ',
    ': ',
    '; h : i',
    '== j ==\n',
    '----',
    '<poem>',
    '</poem>',
    '<sub>',
    '</sub>',
    '&amp;',
    '__NOTOC__',
    '[[Category:K]]',
    '\n{|\n| l || m\n|}\n',
    '[[File:n.jpg|thumb|o ',
    '<references/>',
    '#REDIRECT [[p]]',
  ];

  it('of every node contain those of its children, in order, whatever the source', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 14 }), (parts) => {
        for (const source of forms(parts.join(''))) expect([source, misplaced(source)]).toEqual([source, []]);
      }),
      { numRuns: 1000, seed: 1 },
    );
  });

  const folder = process.env.COPPICE_CORPUS ?? '';
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.mediawiki')) : [];
  it.skipIf(names.length === 0)('of real documents nest, and each text equals its range', () => {
    for (const name of names)
      for (const source of forms(readFileSync(join(folder, name), 'utf8'))) {
        expect([name, misplaced(source)]).toEqual([name, []]);
        const other = texts(source).filter(
          ([value, written]) =>
            !/^(?:<nowiki|<img|https?:)|^\s* /.test(written) &&
            trimmed(value) !== trimmed(decodeEntities(written.replaceAll('\r\n', '\n'))),
        );
        expect([name, other]).toEqual([name, []]);
      }
  });
});
