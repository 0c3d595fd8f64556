import { rulesOf } from '@coppice/wikitext/dialect';
import { expect, test } from 'vitest';
import { defaultDialect } from '#core/content/dialect.ts';
import { foreignConstructs } from './foreign-constructs.ts';

const constructs = (text: string) =>
  foreignConstructs(text, rulesOf(defaultDialect)).map(({ construct }) => construct.replace(/, which.*/, ''));

test.each([
  ['<tabber>\nOne=a\n</tabber>', ['tag <tabber>']],
  ['<youtube>dQw4w9WgXcQ</youtube> <youtube width="5">x</youtube>', ['tag <youtube>', 'tag <youtube>']],
  ['<DPL>category=x</DPL>', ['tag <dpl>']],
  ['<iframe src="x"></iframe> <embedvideo id="x" />', ['tag <iframe>', 'tag <embedvideo>']],
  ['{{#ask: [[Category:Trees]] |?Height }}', ['function #ask']],
  ['{{#cargo_query:tables=Trees|fields=Height}} {{ #set:a=b}}', ['function #cargo_query', 'function #set']],
  ['{{#if:x|y}} {{#invoke:Trees|list}} {{#switch:a|b=c}} {{lc:A}} {{Tree}}', []],
  ['<b>x</b> <ref name="a">y</ref> <gallery>\na.jpg\n</gallery> <noinclude>z</noinclude> <br/>', []],
  ['Write to <yourname> and <a@b.example>.', []],
  [
    '<nowiki><tabber>a</tabber>{{#ask:x}}</nowiki><!-- <tabber>b</tabber> --><pre><youtube>c</youtube></pre>',
    [],
  ],
])('%j names %j', (text, names) => {
  expect(constructs(text)).toEqual(names);
});
