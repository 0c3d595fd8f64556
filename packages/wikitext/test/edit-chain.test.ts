/** Changes that touch are made one after the other, in both orders; parameters follow the spacing of the others. */
import { describe, expect, it } from 'vitest';
import {
  type Change,
  edit,
  externalLinks,
  find,
  headings,
  insertAfter,
  insertBefore,
  links,
  readSource,
  remove,
  renameParameter,
  renameTemplate,
  replaceNode,
  type SourceTree,
  sections,
  setAttribute,
  setBody,
  setHeading,
  setLabel,
  setParameter,
  setSection,
  setTarget,
  type TemplateNode,
  templates,
} from '../src/edit/index.ts';

type Make = (tree: SourceTree, call: TemplateNode) => Change | Change[];

const set =
  (name: string, value?: string): Make =>
  (tree, call) =>
    setParameter(tree, call, name, value);

function both(source: string, one: Make, other: Make): [string, string] {
  const tree = readSource(source);
  const [call] = templates(tree);
  if (!call) throw new Error('The source has a call.');
  return [edit(tree, [one(tree, call), other(tree, call)]), edit(tree, [other(tree, call), one(tree, call)])];
}

describe('two changes of a call', () => {
  it.each<[string, string, Make, Make, string, string?]>([
    ['remove two unnamed', '{{T|a|b|c}}', set('1'), set('2'), '{{T|3=c}}'],
    ['remove and set unnamed', '{{T|a|b|c}}', set('1'), set('2', 'x'), '{{T|2=x|3=c}}'],
    ['remove the last and add', '{{T|a=1|b=2}}', set('b'), set('c', '3'), '{{T|a=1|c=3}}'],
    [
      'remove and add on lines',
      '{{T\n| a = 1\n| b = 2\n}}',
      set('b'),
      set('c', '3'),
      '{{T\n| a = 1\n| c = 3\n}}',
    ],
    ['remove all and add', '{{T|a=1}}', set('a'), set('c', '3'), '{{T|c=3}}'],
    [
      'add two',
      '{{T | a = 1 }}',
      set('b', '2'),
      set('c', '3'),
      '{{T | a = 1 | b = 2 | c = 3 }}',
      '{{T | a = 1 | c = 3 | b = 2 }}',
    ],
    ['add the same twice', '{{T}}', set('b', '2'), set('b', '3'), '{{T|b=3}}', '{{T|b=2}}'],
    ['add two unnamed', '{{T}}', set('1', 'a'), set('2', 'b'), '{{T|a|b}}', '{{T|2=b|a}}'],
    ['set and remove', '{{T|a=1|b=2}}', set('a', 'x'), set('a'), '{{T|b=2}}', '{{T|b=2|a=x}}'],
    ['set twice', '{{T|a=1}}', set('a', 'x'), set('a', 'y'), '{{T|a=y}}', '{{T|a=x}}'],
    [
      'rename a parameter and add',
      '{{T| a = 1 }}',
      (tree, call) => renameParameter(tree, call, 'a', 'b'),
      set('c', '3'),
      '{{T| b = 1| c = 3 }}',
    ],
    [
      'name an unnamed one and remove the next',
      '{{T|x|y|z}}',
      (tree, call) => renameParameter(tree, call, '1', 'b'),
      set('2'),
      '{{T|b=x|3=z}}',
    ],
    [
      'rename and set',
      '{{T|a=1}}',
      (tree, call) => renameTemplate(tree, call, 'U'),
      set('a', 'x'),
      '{{U|a=x}}',
    ],
    ['rename and add', '{{T}}', (tree, call) => renameTemplate(tree, call, 'U'), set('a', 'x'), '{{U|a=x}}'],
    ['insert before and add', '{{T}}', (_, call) => insertBefore(call, 'x '), set('a', 'y'), 'x {{T|a=y}}'],
    [
      'insert before and remove a parameter',
      '{{T|a|b}}',
      (_, call) => insertBefore(call, 'x '),
      set('1'),
      'x {{T|2=b}}',
    ],
    ['remove the call and set', '{{T|a=1}}.', (_, call) => remove(call), set('a', 'x'), '.'],
    [
      'insert on both sides',
      '{{T}}',
      (_, call) => insertBefore(call, '['),
      (_, call) => insertAfter(call, ']'),
      '[{{T}}]',
    ],
    [
      'replace the call and set',
      '{{T|a=1}}',
      (_, call) => replaceNode(call, '{{U}}'),
      set('a', 'x'),
      '{{U|a=x}}',
      '{{U}}',
    ],
  ])('%s', (_name, source, one, other, result, reversed = result) => {
    expect(both(source, one, other)).toEqual([result, reversed]);
  });
});

describe('two changes of neighbours or of nested parts', () => {
  const source = 'a [[b]][[c]] d\n== One ==\nx [[e]]\n== Two ==\ny\n';
  const tree = readSource(source);
  const [b, c, e] = links(tree);
  const [one, two] = headings(tree);
  const [first] = sections(tree);
  if (!b || !c || !e || !one || !two || !first) throw new Error('The source has these parts.');
  it.each<[string, Change | Change[], Change | Change[], string]>([
    ['insertions between two', insertAfter(b, 'x'), insertBefore(c, 'y'), source.replace(']][[', ']]xy[[')],
    ['removal and insertion beside it', remove(b), insertAfter(b, 'x'), source.replace('[[b]]', 'x')],
    ['removal and insertion before the next', remove(b), insertBefore(c, 'x'), source.replace('[[b]]', 'x')],
    ['target and label', setTarget(tree, c, 'z'), setLabel(tree, c, 'l'), source.replace('[[c]]', '[[z|l]]')],
    [
      'removal of a section and a link in it',
      remove(first),
      setTarget(tree, e, 'z'),
      'a [[b]][[c]] d\n== Two ==\ny\n',
    ],
    [
      'title and level',
      setHeading(tree, one, { title: 'New' }),
      setHeading(tree, one, { level: 3 }),
      source.replace('== One ==', '=== New ==='),
    ],
    [
      'heading and section',
      setHeading(tree, one, { title: 'New' }),
      setSection(tree, first, 'z'),
      source.replace('One', 'New').replace('x [[e]]', 'z'),
    ],
  ])('%s', (_name, left, right, result) => {
    expect([edit(tree, [left, right]), edit(tree, [right, left])]).toEqual([result, result]);
  });
});

describe('a change within a parameter', () => {
  const within = (source: string, make: (tree: SourceTree) => (Change | Change[])[]) => {
    const tree = readSource(source);
    return edit(tree, make(tree));
  };
  const tags = (tree: SourceTree) => find(tree, 'tag');

  it.each<[string, (tree: SourceTree) => (Change | Change[])[], string]>([
    [
      '{{T|<b>x</b>}}',
      (tree) => tags(tree).map((one) => setBody(tree, one, 'a|b}}')),
      '{{T|<b>a{{!}}b&#125;&#125;</b>}}',
    ],
    [
      '{{T|a\n== H ==\nx}}',
      (tree) => headings(tree).map((one) => setHeading(tree, one, { title: 'a|b' })),
      '{{T|a\n== a{{!}}b ==\nx}}',
    ],
    [
      '{{T|[http://a b]|c}}',
      (tree) => externalLinks(tree).map((one) => setTarget(tree, one, 'http://q?a=b')),
      '{{T|1=[http://q?a=b b]|2=c}}',
    ],
    [
      '{{T|x|<b>y</b><i>z</i>|<ref>n</ref>}}',
      (tree) => [...tags(tree), ...find(tree, 'extension')].map((one) => setAttribute(tree, one, 'id', 'q')),
      '{{T|x|2=<b id="q">y</b><i id="q">z</i>|3=<ref id="q">n</ref>}}',
    ],
    ['{{T|[[a|b]]}}', (tree) => links(tree).map((one) => setLabel(tree, one, 'c|d=')), '{{T|[[a|c|d=]]}}'],
    [
      '{{{p|<b id="a">x</b>}}}',
      (tree) => tags(tree).map((one) => setBody(tree, one, 'a|b')),
      '{{{p|<b id="a">a{{!}}b</b>}}}',
    ],
    [
      '{{T||b}}',
      (tree) => templates(tree).map((one) => renameParameter(tree, one, '1', 'n')),
      '{{T|n=|2=b}}',
    ],
    [
      '{{T<!-- a --> B<!-- c -->|x}}',
      (tree) => templates(tree).map((one) => renameTemplate(tree, one, 'N')),
      '{{N<!-- c -->|x}}',
    ],
    // Changes of one call stay together, also as parts of one list.
    [
      '{{T|a|b}}',
      (tree) => templates(tree).flatMap((one) => setParameter(tree, one, '1', undefined)),
      '{{T|2=b}}',
    ],
    // The formatting goes on behind the table, but there is no second tag.
    [
      '<b>x</td></tr></table>|-\n<br>',
      (tree) => tags(tree).flatMap((one) => setAttribute(tree, one, 'id', 'q')),
      '<b id="q">x</td></tr></table>|-\n<br id="q">',
    ],
  ])('stays in it: %j', (source, make, result) => expect(within(source, make)).toBe(result));
});

describe('a new parameter', () => {
  it.each([
    ['{{T|a=1 |b=2 |c=3}}', '{{T|a=1 |b=2 |c=3 |n=v}}'],
    ['{{T| a= 1 | b= 2 | c= 3 }}', '{{T| a= 1 | b= 2 | c= 3 | n= v }}'],
    ['{{T\n|a=1\n|b=2}}', '{{T\n|a=1\n|b=2\n|n=v}}'],
    ['{{T\n|a=1\n|b=\n}}', '{{T\n|a=1\n|b=\n|n=v\n}}'],
    ['{{T|\n a = 1 |\n b = 2\n}}', '{{T|\n a = 1 |\n b = 2 |\n n = v\n}}'],
    ['{{T\n  | name = 1\n  | b    = 2\n}}', '{{T\n  | name = 1\n  | b    = 2\n  | n    = v\n}}'],
    ['{{T\n| a = 1 | b = 2\n| c = 3 | d = 4\n}}', '{{T\n| a = 1 | b = 2\n| c = 3 | d = 4\n| n = v\n}}'],
    ['{{T\n}}', '{{T\n|n=v\n}}'],
    ['{{T\n|x\n}}', '{{T\n|x\n|n=v\n}}'],
    ['{{T|a = |b = }}', '{{T|a = |b = |n = v}}'],
  ])('follows the spacing of the others: %j', (source, result) => {
    const tree = readSource(source);
    const [call] = templates(tree);
    if (!call) throw new Error('The source is a call.');
    expect(edit(tree, [setParameter(tree, call, 'n', 'v')])).toBe(result);
  });
});
