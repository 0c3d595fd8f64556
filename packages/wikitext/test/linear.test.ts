import { describe, expect, it } from 'vitest';
import { rulesOf } from '../src/dialect.ts';
import { changeCall, documentsOf, wikitextDocuments, writeCall } from '../src/document/index.ts';
import { edit, isNamed, readSource, renameTemplate, setCell, tables, templates } from '../src/edit/index.ts';
import { expand, parse, references, render } from '../src/index.ts';
import { commonInterwiki, localNames, tags } from '../src/locales.ts';
import { toWikitext } from '../src/to-wikitext/index.ts';
import { expectLinear, isThorough } from './expect-linear.ts';

const nothing: ReadonlyMap<string, never> = new Map<string, never>();
const resolved = { pages: nothing, files: nothing, page: { path: '/a', title: 'A' } };
const rules = rulesOf({
  language: 'de',
  interwiki: commonInterwiki('de'),
  names: localNames('de'),
  tags,
});
const bomb = new Map<string, string>([['a', 'x']]);
for (let level = 0; level < 60; level++) bomb.set(`b${level}`, `{{b${level + 1}}}{{b${level + 1}}}`);

const families: Readonly<Record<string, (count: number) => string>> = {
  'open links': (count) => '[['.repeat(count),
  'open calls': (count) => '{{'.repeat(count),
  'open arguments': (count) => '{{{'.repeat(count),
  apostrophes: (count) => "'".repeat(count),
  'mixed emphasis': (count) => "''a'''b ".repeat(count),
  'open tables': (count) => '{|\n|\n'.repeat(count),
  'table cells': (count) => `{|\n${'|a||b\n'.repeat(count)}|}`,
  'deep lists': (count) => '*'.repeat(count),
  divs: (count) => '<div>'.repeat(count),
  'formatting split at blocks': (count) =>
    `<hr>${'<b><i><u><s><tt><big>'.repeat(2)}${'<div>a</div>b'.repeat(count)}`,
  'formatting ended at blocks': (count) => `<hr>${'<b><i>a<p>b</b>c</i><span>d<div>'.repeat(count)}`,
  'open tags': (count) => '<b '.repeat(count),
  comments: (count) => '<!--'.repeat(count),
  addresses: (count) => '[http://a '.repeat(count),
  'bare addresses': (count) => 'http://a.b/c '.repeat(count),
  'call starts': (count) => '{{a|'.repeat(count),
  'link starts': (count) => '[[a|'.repeat(count),
  'file starts': (count) => '[[File:a|'.repeat(count),
  'nested files': (count) => '[[File:a|'.repeat(count) + ']]'.repeat(count),
  'nested links': (count) => '[[a|'.repeat(count) + ']]'.repeat(count),
  'nested calls': (count) => '{{a|'.repeat(count) + '}}'.repeat(count),
  'nested conditions': (count) => '{{#if:x|'.repeat(count) + '}}'.repeat(count),
  'nested unknown calls': (count) => '{{<a|'.repeat(count) + '}}'.repeat(count),
  'nested notes by function': (count) => '{{#tag:ref|'.repeat(count) + '}}'.repeat(count),
  notes: (count) => '<ref>'.repeat(count),
  'line ends in a note': (count) => `<ref>a${'\n'.repeat(count)}b</ref>`,
  'open tags in a note': (count) => `<ref><ref ${'<a'.repeat(count)}</ref>`,
  'closed notes': (count) => '<ref>a</ref>'.repeat(count),
  'heading starts': (count) => '=x\n'.repeat(count),
  headings: (count) => '== a ==\n'.repeat(count),
  nowikis: (count) => '<nowiki>'.repeat(count),
  'plain calls': (count) => '{{a}}'.repeat(count),
  'formatting to reopen': (count) =>
    Array.from({ length: count }, (_, index) => `<font color=c${index}>x\n\n`).join(''),
  'blocks in formatting': (count) => '<b><div></b>'.repeat(count),
  'text in a table': (count) => `<table>${'x<b>y</b>'.repeat(count)}`,
  'white space': (count) => ' '.repeat(count),
  'empty lines': (count) => '\n'.repeat(count),
  markers: (count) => '[[a:b]]\n'.repeat(count),
  ampersands: (count) => '&amp'.repeat(count),
  'a long style': (count) => `<b style="${'/*'.repeat(count)}">x</b>`,
  'forbidden declarations': (count) => `<b style="${'position:fixed;x:y;'.repeat(count)}">x</b>`,
  switches: (count) => '__KEIN_INHALTSVERZEICHNIS__ '.repeat(count),
  'open switches': (count) => '__ä'.repeat(count),
  'links to other wikis': (count) => '[[w:a]]b '.repeat(count),
  'links to files': (count) => '[[Media:a|[b] '.repeat(count),
  'missing functions': (count) => '{{#invoke:a|b}}'.repeat(count),
  'open missing tags': (count) => '<score>'.repeat(count),
  'options in the language': (count) => `[[Datei:a${'|mini|alternativtext=b'.repeat(count)}]]`,
  'many attributes': (count) => `<b ${'a=b '.repeat(count)}>x</b>`,
  'many arguments': (count) => `{{a${'|b'.repeat(count)}}}`,
  'many calls in arguments': (count) => `{{a${'|{{b}}'.repeat(count)}}}`,
  pipes: (count) => `{{a${'|'.repeat(count)}}}`,
  'a long expression': (count) => `{{#expr:${'(1+'.repeat(count)}}}`,
  'a long replacement': (count) => `{{#replace:${'a'.repeat(count)}|a|bb}}`,
};

function work(source: string): void {
  const tree = parse(source, { rules });
  references(tree);
  const { text } = expand(source, {
    page: { title: 'A', path: '/a' },
    templates: bomb,
    exists: nothing,
    listings: nothing,
    now: 0,
    rules,
  });
  render(parse(text, { expanded: true, rules }), resolved);
}

const length = isThorough ? 30_000 : 15_000;

describe('time grows with the length of the text, not faster', () => {
  for (const [name, make] of Object.entries(families)) {
    it(name, () => {
      const unit = make(2).length - make(1).length;
      const count = Math.floor(length / unit);
      expectLinear(work, make(count), make(count * 4), 120);
    });
  }

  it('a template that doubles itself sixty times ends early, with a notice', () => {
    const { text, notices } = expand('{{b0}}', {
      page: { title: 'A', path: '/a' },
      templates: bomb,
      exists: nothing,
      listings: nothing,
      now: 0,
    });
    expect(text.length).toBeLessThan(3_000_000);
    expect(notices.length).toBeGreaterThan(0);
  });
});

const documents = documentsOf(wikitextDocuments());

function shown(source: string): string {
  const context = {
    page: resolved.page,
    templates: new Map([['none', '']]),
    exists: nothing,
    listings: nothing,
    now: 0,
  };
  const { text, origins = [] } = expand(source, { ...context, tracksOrigins: true });
  return render(parse(text, { expanded: true }), { ...resolved, origins }).html;
}

/** Writes a page to whose HTML a paragraph was added: before the second, or at the end if a comment hides that one. */
function addParagraph(gap: string): void {
  const source = `One\n\n${gap}\n\nTwo`;
  const html = shown(source);
  toWikitext(html.replace(/<p[^>]*>Two|$/, '<p>New</p>$&'), { original: { source, html } });
}

/** Adds a paragraph to the document of a page. */
function addBlock(source: string): void {
  const document = documents.documentOf(source);
  const added = { type: 'paragraph', content: [{ type: 'text', text: 'New' }] };
  documents.patch(source, { ...document, content: [added, ...(document.content ?? [])] });
}

/** Changes the first parameter of a call. */
function changeFirstParameter(source: string): void {
  const document = structuredClone(documents.documentOf(source));
  const parameters = document.content?.[0]?.attrs?.params as { value: string }[];
  for (const first of parameters.slice(0, 1)) first.value = 'new';
  documents.patch(source, document);
}

/** Sets each cell of a table. */
function setCells(source: string): void {
  const tree = readSource(source);
  const cells = tables(tree).flatMap((table) => table.cells);
  edit(
    tree,
    cells.map((cell) => setCell(tree, cell, 'new')),
  );
}

/** Writes a call with as many parameters as a text has letters, and adds them to another. */
function addParameters(letters: string): void {
  const params = Array.from(letters, (value, index) => ({ name: `p${index}`, value, positional: false }));
  writeCall({ name: 'A', params });
  changeCall('{{A|q=1}}', { name: 'A', params });
}

function rename(name: string): void {
  const tree = readSource(`{{${name}}}`);
  for (const call of templates(tree)) renameTemplate(tree, call, 'New');
}

function ask(name: string): void {
  const tree = readSource('{{a}}');
  for (const call of templates(tree)) isNamed(tree, call, name);
}

describe('time of edits grows with the length of the text, not faster', () => {
  const cases: [string, (text: string) => void, (count: number) => string][] = [
    ['comments without an end', addParagraph, (count) => '<!--'.repeat(count * 8)],
    ['comments in one line', addParagraph, (count) => `${'<!-- a -->'.repeat(count)}{{none}}`],
    ['lines that begin comments', addParagraph, (count) => `${'<!--\n'.repeat(count * 4)}-->{{none}}`],
    ['marks of rows', addBlock, (count) => `{|\n${'|-'.repeat(count)}\nx\n|-\n| a\n|}`],
    ['an address', addBlock, (count) => `https://a.b/${'c'.repeat(count * 4)}`],
    ['comments in a name', ask, (count) => `a${'<!--'.repeat(count * 8)}`],
    ['closed comments in a name', rename, (count) => `a${' <!-- -->'.repeat(count)} b`],
    [
      'parameters of a call',
      changeFirstParameter,
      (count) => `{{a${Array.from({ length: count / 8 }, (_, index) => `|p${index}=b`).join('')}}}`,
    ],
    ['cells of a table', setCells, (count) => `{|\n${'|a||b\n'.repeat(count)}|}`],
    ['parameters of a new call', addParameters, (count) => 'a'.repeat(count / 8)],
    ['space in a name', rename, (count) => `a${' '.repeat(count * 4)}b`],
  ];
  it.each(cases)('%s', (_name, work, make) => expectLinear(work, make(1500), make(6000), 60));
});
