import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Node, parse } from '../src/index.ts';

function* all(nodes: readonly Node[]): Generator<Node> {
  for (const node of nodes) {
    yield node;
    if ('children' in node && node.children) yield* all(node.children);
    if (node.type === 'file') yield* all(node.caption);
    if (node.type === 'template') for (const argument of node.arguments) yield* all(argument.children);
  }
}

const source = `== Oak ==
A '''big''' [[Oak|tree]] with [https://example.org leaves]. [[Height: 20 m]]<!-- tall -->
{{Box|title=A|[[Elm]] [[Colour: green]]}}
* [[File:oak.jpg|thumb|An [[Ash]]]]
{|
| a || <b>c</b>
|}
<ref name="x">[[Beech]]</ref> <nowiki>[[no]]</nowiki> &eacute;
`;

describe('positions', () => {
  const found = [...all(parse(source).children)];
  const slices = (type: Node['type']) =>
    found.filter((node) => node.type === type).map((node) => source.slice(node.start, node.end));

  it('links', () => expect(slices('link')).toEqual(['[[Oak|tree]]', '[[Elm]]', '[[Ash]]', '[[Beech]]']));
  it('markers, in arguments too', () =>
    expect(slices('marker')).toEqual(['[[Height: 20 m]]', '[[Colour: green]]']));
  it('calls', () => expect(slices('template')).toEqual(['{{Box|title=A|[[Elm]] [[Colour: green]]}}']));
  it('files', () => expect(slices('file')).toEqual(['[[File:oak.jpg|thumb|An [[Ash]]]]']));
  it('addresses', () => expect(slices('external-link')).toEqual(['[https://example.org leaves]']));
  it('headings', () => expect(slices('heading')).toEqual(['== Oak ==']));
  it('notes', () => expect(slices('extension')).toEqual(['<ref name="x">[[Beech]]</ref>']));
  it('elements begin at their tags', () => {
    const bold = found.find(
      (node) =>
        node.type === 'element' &&
        node.name === 'b' &&
        node.children[0]?.type === 'text' &&
        node.children[0].value === 'c',
    );
    expect(bold && source.slice(bold.start, bold.end)).toBe('<b>c</b>');
  });
  it('text', () => {
    const text = found.find((node) => node.type === 'text' && node.value === 'leaves');
    expect(text && source.slice(text.start, text.end)).toBe('leaves');
  });

  it('every node has a position in the source, in order, whatever the source', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(...source.split(/(?<=\s)/), '<b>', '</b>', '[[', ']]', '{{', '}}', "''", '\n', '|'),
          { maxLength: 30 },
        ),
        (parts) => {
          const text = parts.join('');
          for (const node of all(parse(text).children)) {
            expect(node.start).toBeGreaterThanOrEqual(0);
            expect(node.end).toBeGreaterThanOrEqual(node.start);
            expect(node.end).toBeLessThanOrEqual(text.length);
          }
        },
      ),
    );
  });
});
