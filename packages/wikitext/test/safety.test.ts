import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attacks } from './attacks.ts';
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

describe('attacks', () => {
  it('are many', () => expect(attacks.length).toBeGreaterThanOrEqual(200));

  it('leave only what pages may contain, and balanced', () => {
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
});
