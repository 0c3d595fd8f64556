/** Notes that the cases in `cases/notes.md` cannot show: long lists, and the targets of notes. */
import { expect, it } from 'vitest';
import { expand, parse, references, render } from '../src/index.ts';
import { mediawiki } from '../src/mediawiki/index.ts';
import { show } from './world.ts';

const notes = (count: number) => Array.from({ length: count }, (_, i) => `<ref>n${i}</ref>`).join('');

it.each([
  [10, '', 'mw-references-wrap"'],
  [11, '', 'mw-references-wrap mw-references-columns"'],
  [11, '<references responsive="1"/>', 'mw-references-wrap mw-references-columns"'],
])('a list of %i notes with %j is wrapped in %s', (count, list, wrapped) =>
  expect(show(notes(count) + list).html).toContain(`<div class="${wrapped}>`),
);

it('a list without permission to use columns has none', () =>
  expect(show(`${notes(11)}<references responsive="0"/>`).html).not.toContain('columns'));

it('details refer to pages like the text does', () => {
  const tree = parse('<ref name="a" details="[[Oak]], page 7"/>', { expanded: true });
  expect(references(tree).links).toEqual([{ target: 'Oak', isPath: false, count: 1 }]);
});

it('details cannot add markup of their own', () => {
  const tree = parse(`<ref name="a" details="<script>x</script>&quot;><img src=x onerror=y>"/>`, {
    expanded: true,
  });
  const page = { path: '/', title: '' };
  const { html } = render(tree, { pages: new Map(), files: new Map(), page });
  expect(html).not.toMatch(/<script|<img/);
});

it('very many parts of one note take time in proportion to their number', () => {
  const parts = Array.from({ length: 20_000 }, (_, i) => `<ref name="a" details="p. ${i}"/>`).join('');
  const { html } = show(`<ref name="a">b</ref>${parts}`);
  expect(html).toContain('&#91;1.20000&#93;');
});

const error = (text: string) =>
  `<span class="error mw-ext-cite-error" lang="en" dir="ltr">Cite error: ${text}</span>`;
const bad = (reason: string) => error(`Invalid <code>&lt;ref&gt;</code> tag; ${reason}`);
const isTooMany = bad('invalid names, e.g. too many');
const isNumber = bad('name cannot be a simple integer. Use a descriptive title');
const isTwice = (name: string) => bad(`name "${name}" defined multiple times with different content`);
const isUnclosed = error('Closing <code>&lt;/ref&gt;</code> missing for <code>&lt;ref&gt;</code> tag');
const isWrongDirection = error('Invalid <code>dir="up"</code>, must be <code>ltr</code> or <code>rtl</code>');

it.each([
  ['<ref follow="1">x</ref>', isNumber],
  ['<ref extends="1">x</ref>', isNumber],
  ['<ref name="1" other="x">x</ref>', isTooMany],
  ['<ref name="a" follow="b">x</ref>', isTooMany],
  ['<ref extends="a" follow="b">x</ref>', isTooMany],
  ['<ref dir="up">x</ref>', isWrongDirection],
  ['<ref name="a"/><references><ref name="1">x</ref></references>', isNumber],
  ['<ref name="a"/><references><ref name="a" dir="up">x</ref></references>', isWrongDirection],
  ["<ref name='a'>''x''</ref><ref name='a'>x</ref>", isTwice('a')],
  ['<ref name="a">x</ref><ref name="a" extends="b">y</ref>', isTwice('a')],
  [
    '<ref name="b" extends="a">x</ref><ref extends="b">y</ref>',
    bad('<code>extends="b"</code> names a reference that is a part of another one'),
  ],
  ['<ref>a <ref>b', undefined],
  ['<ref>a <code><ref></code></ref>', undefined],
  ['<ref>a <nowiki><ref></nowiki></ref>', undefined],
  ["<ref name='a'>x</ref><ref name='a'> x </ref>", undefined],
  ['<ref dir="RTL">x</ref>', undefined],
  ['<ref extends="a">x</ref><ref name="a">y</ref>', undefined],
])('the problem of %s is reported', (source, problem) => {
  const { html } = show(source);
  const errors = html.match(/<span class="error.*?<\/span>/g) ?? [];
  if (problem === undefined) expect(errors).toEqual([]);
  else expect(errors).toContain(problem);
});

/** Labels in the text, and the list: backlink numbers in brackets, texts, sub-references in braces. */
function outline(source: string): string {
  const { html } = show(source);
  const [text = '', list = ''] = html.split('<div class="mw-references-wrap">');
  const labels = [...text.matchAll(/&#91;(.*?)&#93;/g)].map(([, label]) => label);
  const shown = list
    .replace('<ol class="references">', '')
    .replace(/<ol class="mw-subreference-list">/g, '{')
    .replace(/<\/ol>\s*<\/li>/g, '}')
    .replace(/<a href="#cite_ref-[^"]*">(.*?)<\/a>/g, '[$1]')
    .replace(/<[^>]*>|\s+/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
  return `${labels.join(' ')} → ${shown}`;
}

it.each([
  [
    '<ref name="a">A</ref><ref extends="a">p. 1</ref><ref extends="a">p. 1</ref>',
    '1 1.1 1.2 → [↑] A { [↑] p. 1 [↑] p. 1 }',
  ],
  [
    '<ref extends="a" name="b">p. 1</ref><ref>C</ref><ref name="a">A</ref><ref name="b"/>',
    '1.1 2 1 1.1 → [↑] A { ↑ [1.1.0] [1.1.1] p. 1 } [↑] C',
  ],
  ['<ref>A</ref><ref follow="x">late</ref><ref>B</ref>', '1 2 → late [↑] A [↑] B'],
  ['<ref name="a">A</ref><ref follow="a">more</ref>', '1 → [↑] A more'],
])('%s is %s', (source, expected) => expect(outline(source)).toBe(expected));

it('numbers of backlinks have as many digits as the last one', () => {
  const { html } = show('<ref name="a">A</ref>'.repeat(11));
  expect(html).toContain('>1.00</a>');
  expect(html).toContain('>1.10</a>');
  expect(show('<ref name="a">A</ref>'.repeat(10)).html).toContain('>1.9</a>');
});

it('very many tags in one note take time in proportion to their number', () => {
  const { html } = show(`<ref>${'<pre><ref>'.repeat(20_000)}</ref>`);
  expect(html).toContain(isUnclosed);
});

/** Labels in the text, texts of the list, and problems, for nested notes by MediaWiki's rules. */
function nested(source: string): string {
  const { rules } = mediawiki({ title: 'Page' });
  const templates = new Map([['Template:N', '<ref name="n">inner</ref>']]);
  const page = { path: 'Page', title: 'Page' };
  const none = { exists: new Map(), listings: new Map(), now: 0 };
  const { text } = expand(source, { page, templates, rules, ...none });
  const { html } = render(parse(text, { expanded: true, rules }), {
    pages: new Map(),
    files: new Map(),
    page,
  });
  return html
    .replace(/<span class="mw-cite-backlink">.*?<\/span> /g, '• ')
    .replace(/<[^>]*>|\s+/g, ' ')
    .replace(/&#91;(.*?)&#93;/g, '[$1]')
    .replace(/ +/g, ' ')
    .trim();
}

const noName = 'Cite error: &lt;ref&gt; tag defined in &lt;references&gt; has no name attribute.';
const unknown = (group: string) =>
  `Cite error: &lt;ref&gt; tag defined in &lt;references&gt; has group attribute "${group}" which does not appear in prior text.`;

it.each([
  // Arguments of #tag are expanded before the tag.
  ['a{{#tag:ref|b<ref>c</ref>}}', 'a [2] • c • b [1]'],
  // Other text is read with the list, after its note has been listed.
  ['a<ref>b{{#tag:ref|c}}</ref>\n<references/>', `a [1] • b ${noName}`],
  ['a<ref>b{{N}}</ref>\n<references/>', `a [1] • b ${unknown('')}`],
  ['a<ref>b{{N}}</ref>', 'a [1] • b [1] • inner'],
  [
    'a<ref name=n/>{{#tag:references|<ref name=n>b</ref>|group=g}}',
    `a [1] ${unknown('g')} • Cite error: Invalid &lt;ref&gt; tag; no text was provided for refs named n`,
  ],
  // A list inside a list is treated as unclosed, after it has listed the notes.
  [
    'a<ref>b</ref>{{#tag:references|<references/>}}',
    'a [1] Cite error: Closing tag missing for &lt;references&gt;',
  ],
  ['<ref>a <ref name=b/> c</ref>', 'Cite error: Closing &lt;/ref&gt; missing for &lt;ref&gt; tag'],
])('of notes in notes, %s is %s', (source, shown) => expect(nested(source)).toBe(shown));
