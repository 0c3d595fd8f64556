import { expect, test } from 'vitest';
import { parameters } from '../src/parameters.ts';

test('a parameter without a default is required, one with a default is not', () => {
  expect(parameters('{{{1}}} of {{{ kind | wood }}} {{{size|}}}')).toEqual([
    { name: '1', isRequired: true, default: '' },
    { name: 'kind', isRequired: false, default: 'wood' },
    { name: 'size', isRequired: false, default: '' },
  ]);
});

test('a default anywhere makes it optional, as at its first use', () => {
  for (const source of ['{{#if:{{{a|}}}|{{{a}}}}}', '{{{a}}} {{{a|}}}'])
    expect(parameters(source)).toEqual([{ name: 'a', isRequired: false, default: '' }]);
});

test('parameters are found in arguments, links, tables and defaults', () => {
  const source = '{{Box|title={{{title}}}|[[{{{link|{{{title}}}}}}]]}}\n{| class="{{{class|wikitable}}}"\n|}';
  expect(parameters(source).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['title', 'link', 'class']),
  );
});

test('only text for including pages counts', () => {
  const source =
    '<noinclude>{{{no}}}</noinclude><!-- {{{no}}} --><nowiki>{{{no}}}</nowiki><includeonly>{{{yes}}}</includeonly>';
  expect(parameters(source).map(({ name }) => name)).toEqual(['yes']);
  expect(parameters('{{{no}}}<onlyinclude>{{{yes}}}</onlyinclude>').map(({ name }) => name)).toEqual(['yes']);
});

test('computed names and empty ones are left out', () => {
  expect(parameters('{{{ {{{1}}} }}} {{{}}} {{{a\nb}}} {{{a=b}}}').map(({ name }) => name)).toEqual(['1']);
  expect(parameters('no {{call}} and {{{unclosed')).toEqual([]);
});

test('the number of parameters is limited', () => {
  const many = Array.from({ length: 5000 }, (_, at) => `{{{p${at}}}}`).join('');
  expect(parameters(many)).toHaveLength(200);
});
