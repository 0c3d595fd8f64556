/** The visual editor and the documents of the server together: whatever is written, no word is lost and no other block changes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownDocuments } from '@coppice/markdown/document';
import { documentsOf, wikitextDocuments } from '@coppice/wikitext/document';
import { describe, expect, test } from 'vitest';
import { type Format, Session } from '#test/support/editing-sessions.ts';
import { effort } from '#test/support/effort.ts';
import { randomFrom } from '../../packages/wikitext/test/document-steps.ts';

const documents = { wikitext: documentsOf(wikitextDocuments()), markdown: documentsOf(markdownDocuments()) };
const extensions = { wikitext: '.mediawiki', markdown: '.md' };

const pages = {
  wikitext: `{{Infobox
| name = Oak
}}
An '''[[oak]]''' is a ''tree''&nbsp;that  grows.<ref name="a">Ash {{p|3}}</ref> <!-- aside -->

== Leaves  ==
* lobed [https://example.org leaves]
** green
* ☐ rake
# one<br>more
; Bark
: thick, <code>grey</code>
[[File:Oak.jpg|thumb|alt=A tree|The ''yard'']]
{| class="wikitable"
! Name !! Height
|-
| Oak
|-
| Elm || 30 | m
|}
<blockquote>Said.<ref name="a" /></blockquote>
<syntaxhighlight lang="js">
let a;
</syntaxhighlight>
----
<div class="callout callout-tip">
Bring boots
</div>`,
  markdown: `---
tags: [tree]
---
# Oak

An **[[oak]]** is a _tree_ &amp; grows.[^a]  
Two [[Elm|elms]], \`code\`, [link](https://example.org "T").

- one
  - two
- [x] done

3. three

| Name | Height |
|:-----|-----:|
| Oak |
| Elm | 30 |

> said

> [!tip] Boots
> Bring some.

\`\`\`js
let a;
\`\`\`

![A tree](oak.jpg)

{{Note|x}}

[^a]: Ash.`,
};

function session(format: Format, source: string, seed = 1): Session {
  return new Session(documents[format], format, source, randomFrom(seed));
}

describe.each(['wikitext', 'markdown'] as const)('in %s', (format) => {
  function writeAtRandom(sources: readonly string[], sessions: number, steps: number): number {
    let written = 0;
    let refused = 0;
    for (const [index, source] of sources.entries())
      for (let seed = 1; seed <= sessions; seed++) {
        const one = session(format, source, seed * 10_000 + index);
        expect(one.check()).toEqual({ written: source });
        for (let step = 0; step < steps; step++) {
          one.step();
          try {
            if ('refused' in one.check()) {
              refused++;
              break;
            }
          } catch (error) {
            throw new Error(`Seed ${seed}: ${one.log.slice(-6).join('; ')}`, { cause: error });
          }
          written++;
        }
        while (one.undo());
        expect(one.check()).toEqual({ written: source });
      }
    return refused / (written + refused);
  }

  test('no session loses a word or changes another block, and few are refused', () => {
    expect(writeAtRandom([pages[format]], effort(8, 400), 20)).toBeLessThan(effort(0.1, 0.02));
  });

  const folder = process.env.COPPICE_CORPUS;
  test.skipIf(folder === undefined)('nor do sessions in real pages', () => {
    const names = readdirSync(folder ?? '', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith(extensions[format]))
      .filter((_, index) => index % effort(20, 1) === 0);
    const sources = names.map((name) => readFileSync(join(folder ?? '', name), 'utf8'));
    const short = sources.filter(({ length }) => length < 8000);
    expect(writeAtRandom(short, 1, effort(4, 12))).toBeLessThan(0.02);
  });

  test('rows shorter than others stay so, unless they are edited', () => {
    const one = session(format, pages[format]);
    one.write('Oak', 'Oaks', 'headerCell', 'cell');
    const row = format === 'wikitext' ? '| Oak\n' : '| Oak |\n';
    expect(one.check()).toEqual({ written: pages[format].replace(row, row.replace('Oak', 'Oaks')) });
    one.write('let', 'const', 'codeBlock');
    expect(one.check()).toMatchObject({ written: expect.stringContaining(row.replace('Oak', 'Oaks')) });
  });
});

test('signs that a link to a page in Markdown cannot have leave the link', () => {
  const one = session('markdown', 'See [[Elm|the elms]] here.');
  one.write('the elms', 'the [elms]');
  expect(one.check()).toEqual({ written: 'See [[Elm|the]] &#91;[[Elm|elms]]&#93; here.' });
});

test('data at the top of a page in Markdown stay at the top', () => {
  const one = session('markdown', '---\ntags: [x]\n---\nWords.');
  one.selectAt(0);
  one.run('quote');
  expect(one.check()).toEqual({ written: '---\ntags: [x]\n---\nWords.' });
  one.selectAt(0);
  one.run('rule');
  expect(one.check()).toEqual({ written: '---\ntags: [x]\n---\n\n---\n\nWords.' });
});

test('definitions in Markdown become bold lines above what they mean', () => {
  const one = session('markdown', '');
  const list = one.state.schema.nodeFromJSON({
    type: 'definitionList',
    content: [
      { type: 'term', content: [{ type: 'text', text: 'Bark' }] },
      { type: 'definition', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'thick' }] }] },
    ],
  });
  one.dispatch(one.state.tr.insert(0, list));
  expect(one.check()).toEqual({ written: '**Bark**\n\nthick' });
});

test('undo of a deleted row brings it back as it was, though the column was aligned before', () => {
  const body = '{|\n| a\n|-\n|  b\n|}';
  const one = session('wikitext', body);
  const { from } = one.place('a');
  one.dispatch(one.state.tr.setNodeAttribute(from - 2, 'align', 'right'));
  one.place('b');
  one.run('deleteRow');
  while (one.undo());
  expect(one.check()).toEqual({ written: body });
});

test('a column in Markdown stands as it is shown', () => {
  const one = session('markdown', '');
  const cell = (words: string, align: string | null) => ({
    type: 'cell',
    attrs: { align },
    content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
  });
  const rows = [
    [cell('a', null), cell('b', 'center')],
    [cell('1', 'right'), cell('c', null)],
  ];
  const table = { type: 'table', content: rows.map((content) => ({ type: 'row', content })) };
  one.dispatch(one.state.tr.insert(0, one.state.schema.nodeFromJSON(table)));
  expect(one.check()).toEqual({ written: '| a | b |\n| ---: | :---: |\n| 1 | c |' });
  const shown = one.state.doc.firstChild?.lastChild?.children.map(({ attrs }) => attrs.align);
  expect(shown).toEqual(['right', 'center']);
});

test('a year at the start of a line in wikitext begins no list, and the first row of a table in Markdown is its header', () => {
  const year = session('wikitext', '');
  year.type('1990. A year');
  expect(year.check()).toEqual({ written: '1990. A year' });
  const table = session('markdown', '| a | b |\n|---|---|\n| c | d |\n| e | f |');
  table.place('a', 'headerCell');
  table.run('deleteRow');
  expect(table.check()).toEqual({ written: '| c | d |\n|---|---|\n| e | f |' });
});
