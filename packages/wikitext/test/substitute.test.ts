/**
 * `{{subst:…}}` and signatures, by the rules of Help:Substitution and Help:Signatures: text replaced when a page is saved, and
 * text kept.
 */
import { describe, expect, it } from 'vitest';
import { coppiceRules } from '../src/rules.ts';
import { substitute } from '../src/substitute.ts';

const templates = new Map<string, string | null>([
  ['Greeting', 'Hello {{{1|you}}}!'],
  ['Notice', '<!-- Notice -->Be {{lc:{{{1}}}}} {{Greeting|{{{1}}}}}<noinclude> (about)</noinclude>'],
  ['Whole', 'Be {{{{{|safesubst:}}}lc:{{{1}}}}} {{<includeonly>safesubst:</includeonly>Greeting|{{{1}}}}}'],
  ['Rows', '* one\n* two'],
  ['Loop', '{{subst:Loop}}'],
  ['Signed', 'By ~~<noinclude></noinclude>~~'],
  ['Part', '{{subst:None}} and {{subst:Greeting}}'],
  ['None', null],
  ['NUMBEROFUSERS', null],
]);
const context = {
  page: { title: 'Bark', path: '/oak/bark', author: 'Ann' },
  templates,
  exists: new Map(),
  listings: new Map(),
  now: Date.UTC(2026, 4, 1, 12, 30),
  rules: { ...coppiceRules, marksMissing: true },
  signature: '[[Ann]]',
};

describe('substituted', () => {
  it.each([
    ['{{subst:Greeting}} {{ Subst: Greeting | Ann }}', 'Hello you! Hello  Ann !'],
    ['{{subst:Greeting|1=Ann}} {{SAFESUBST:Greeting|x}}', 'Hello Ann! Hello x!'],
    [
      '{{subst:CURRENTYEAR}}-{{subst:CURRENTMONTH}} {{subst:PAGENAME}} {{subst:REVISIONUSER}}',
      '2026-05 Bark Ann',
    ],
    ['{{subst:uc:a}} {{subst:#if:|yes|no}} {{subst:#expr:2*3}} {{subst:padleft:7|2}}', 'A no 6 07'],
    ['{{subst:#time:j xg Y}}', '1 May 2026'],
    ['{{subst:Notice|ANN}}', '<!-- Notice -->Be {{lc:ANN}} {{Greeting|ANN}}'],
    ['{{subst:Whole|ANN}}', 'Be ann Hello ANN!'],
    ['see {{subst:Rows}}', 'see \n* one\n* two'],
    ['{{Box|a={{subst:Greeting}}|\n b = {{ x }} }}', '{{Box|a=Hello you!|\n b = {{ x }} }}'],
    ['[[Oak|{{subst:Greeting}}]] {{{1|{{subst:Greeting}}|x}}}', '[[Oak|Hello you!]] {{{1|Hello you!|x}}}'],
    ['<ref name=a>{{subst:Greeting}} {{b}}</ref>', '<ref name=a>Hello you! {{b}}</ref>'],
    ['<gallery>\na.png|{{subst:Greeting}}\n</gallery>', '<gallery>\na.png|Hello you!\n</gallery>'],
    ['<noinclude>{{subst:Greeting}}</noinclude>', '<noinclude>Hello you!</noinclude>'],
    ['{{subst:#tag:ref|a<nowiki>b</nowiki>|name=c}}', '<ref name="c">a<nowiki>b</nowiki></ref>'],
    ['{{subst:msgnw:Rows}}', '<nowiki>* one\n* two</nowiki>'],
    ['a ~~~, ~~~~', 'a [[Ann]], [[Ann]] 12:30, 1 May 2026 (UTC)'],
    ['~~~~~~ ~~ ~~~~~', '12:30, 1 May 2026 (UTC)~ ~~ 12:30, 1 May 2026 (UTC)'],
    [
      '{{Box|~~~}}<ref>~~~<nowiki>~~~</nowiki></ref> {{subst:Signed}}',
      '{{Box|[[Ann]]}}<ref>[[Ann]]<nowiki>~~~</nowiki></ref> By [[Ann]] 12:30, 1 May 2026 (UTC)',
    ],
    ['{{subst:Part}}', '{{subst:None}} and Hello you!'],
  ])('%s', (source, saved) => expect(substitute(source, context).text).toBe(saved));
});

describe('left as written', () => {
  it.each([
    '{{Greeting}} {{#if:|a|{{{b| c }}}}}  {{ Box\n| a = [[b|c]] <!-- d -->\n}}',
    '{{subst:None|a}} {{subst:None}}',
    '{{subst:Loop}}',
    '{{subst:#property:P1}} {{subst:#invoke:A|b}} {{subst:NUMBEROFUSERS}} {{subst:Children}}',
    '<nowiki>{{subst:Greeting}}</nowiki><pre>{{subst:Greeting}}</pre><!-- {{subst:Greeting}} -->',
    '<syntaxhighlight lang="lua">{{subst:Greeting}}</syntaxhighlight><math>{{subst:Greeting}}</math>',
    '{{<includeonly>subst:</includeonly>Greeting}}<includeonly>{{subst:Greeting}}</includeonly>',
    '<nowiki>~~~~</nowiki> <pre>~~~~</pre> <!-- ~~~~ --> <code lang="~~"> ~~<includeonly>~~~~</includeonly>',
    '{{subst:Greeting',
    '{{subst:}} {{subst: }} {{subst:[[a]]}}',
    '<listing name="x"/> subst: <unsupported name="x"/>',
  ])('%s', (source) => {
    // A substitution in front shows that the source was read.
    expect(substitute(`{{subst:uc:a}}${source}`, context).text).toBe(`A${source}`);
  });

  it('a signature without a member', () => {
    const { signature, ...stranger } = context;
    expect(substitute(`${signature} ~~~ ~~~~`, stranger).text).toBe('[[Ann]] ~~~ ~~~~');
    const german = { ...stranger, rules: { ...coppiceRules, language: 'de' } };
    expect(substitute('~~~~~', german).text).toBe('12:30, 1. Mai 2026 (UTC)');
  });

  it('pages that became too long', () => {
    const source = '{{subst:Greeting}}'.repeat(20);
    const bounds = { expandedLength: 100, calls: 1000 };
    expect(substitute(source, { ...context, bounds })).toMatchObject({ text: source, isCut: true });
  });
});

it('asks for unknown parts', () => {
  const { needs } = substitute('{{subst:Other}} {{Unasked}} {{subst:uc:{{subst:Inner}}}}', context);
  expect(needs.templates).toEqual(['Other', 'Inner']);
});
