import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, plainText, references, render } from '../src/index.ts';
import { attacks } from './attacks.ts';
import { readExamples } from './examples.ts';
import { imbalance, offences } from './safety.ts';
import { show } from './world.ts';

const pieces = [
  "''",
  "'''",
  '[[',
  ']]',
  '{{',
  '}}',
  '{{{',
  '}}}',
  '[',
  ']',
  '|',
  '||',
  '!!',
  '\n',
  '\n\n',
  '{|',
  '|-',
  '|}',
  '|+',
  '\n|',
  '\n!',
  '\n*',
  '\n#',
  '\n;',
  ':',
  '\n ',
  '==',
  '\n==',
  '----',
  '<nowiki>',
  '</nowiki>',
  '<pre>',
  '</pre>',
  '<ref>',
  '</ref>',
  '<ref name=a/>',
  '<references/>',
  '<!--',
  '-->',
  '<b>',
  '</b>',
  '<i>',
  '</i>',
  '<div>',
  '</div>',
  '<span>',
  '</span>',
  '<p>',
  '</p>',
  '<table>',
  '</table>',
  '<tr>',
  '<td>',
  '</td>',
  '<li>',
  '<ul>',
  '</ul>',
  '<dl>',
  '<dt>',
  '<blockquote>',
  '</blockquote>',
  '<h2>',
  '</h2>',
  '<br>',
  '<a>',
  '</a>',
  '<center>',
  '<font color=red>',
  '</font>',
  '<s>',
  '</s>',
  '<ruby>',
  '<rt>',
  '<caption>',
  '<gallery>',
  '</gallery>',
  '<poem>',
  '</poem>',
  '<includeonly>',
  '<noinclude>',
  '</noinclude>',
  '<onlyinclude>',
  '<div title="',
  '" onclick="x"',
  '>',
  '<',
  '&lt;',
  '&#60;',
  'https://a.b',
  'mailto:x',
  'javascript:',
  'File:oak.jpg',
  'thumb',
  'Greeting',
  'Box',
  'Loop',
  '{{Attributes|',
  '{{Cells|',
  '{{Tag|',
  '{{Note|',
  '{{Address|',
  '{{Pictures|',
  '#if:',
  '#switch:',
  '#tag:ref',
  '=',
  'Key: v',
  'Oak',
  '__TOC__',
  '#REDIRECT [[Oak]]',
  'a',
  'b ',
  ' ',
  '\t',
  '\r\n',
  '\0',
  '\u0001',
  'é',
  '😀',
  '\ud800',
];
const wikitext = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 6 })), { maxLength: 60 })
  .map((parts) => parts.join(''));

/** Examples, changed by inserting pieces of others and of the language and removing parts. */
const examples = readdirSync(new URL('./cases/', import.meta.url)).flatMap((file) =>
  readExamples(readFileSync(new URL(`./cases/${file}`, import.meta.url), 'utf8')),
);
const sources = [...examples.map(({ source }) => source), ...attacks];
const change = fc.tuple(fc.nat(), fc.nat(12), fc.constantFrom(...pieces, ...sources));
const changed = fc
  .tuple(fc.constantFrom(...sources), fc.array(change, { minLength: 1, maxLength: 6 }))
  .map(([source, changes]) =>
    changes.reduce((text, [at, length, put]) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + put + text.slice(start + length);
    }, source),
  );

describe('attacks', () => {
  it('are many', () => expect(attacks.length).toBeGreaterThanOrEqual(200));

  it('leave only allowed content, and balanced', () => {
    for (const attack of attacks) {
      const { html } = show(attack);
      expect(offences(html), attack).toEqual([]);
      expect(imbalance(html), attack).toBeUndefined();
    }
  });
});

describe('any text', () => {
  it('renders to balanced HTML of allowed elements, and never throws', () => {
    fc.assert(
      fc.property(wikitext, (source) => {
        const { html } = show(source);
        expect(offences(html)).toEqual([]);
        expect(imbalance(html)).toBeUndefined();
      }),
      { numRuns: Number(process.env.COPPICE_RUNS ?? 1500) },
    );
  });

  it('that was a page before random changes is as safe, in every form', () => {
    fc.assert(
      fc.property(changed, (source) => {
        const { html } = show(source);
        expect(offences(html)).toEqual([]);
        expect(imbalance(html)).toBeUndefined();
        const tree = parse(source, { path: '/a/b' });
        references(tree);
        plainText(tree);
        const raw = render(tree, { pages: new Map(), files: new Map(), page: { path: '/a/b', title: 'B' } });
        expect(offences(raw.html)).toEqual([]);
        expect(imbalance(raw.html)).toBeUndefined();
      }),
      { numRuns: Number(process.env.COPPICE_RUNS ?? 1000) },
    );
  });
});
