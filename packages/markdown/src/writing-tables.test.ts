/** One table of cells for all that writes tables: HTML that is imported or pasted, and pages that are exported. */
import { parse } from '@coppice/wikitext';
import type { Root } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { describe, expect, test } from 'vitest';
import { markdownFromHtml } from './from-html/index.ts';
import { toMarkdown } from './from-wikitext/index.ts';
import { parseMarkdown } from './index.ts';

const writers = {
  html: (cell: string) => {
    const html = `<table><tr><th>a<th>b<th>c<tr><td>left<td>${cell}<td>right</table>`;
    return markdownFromHtml(fromHtml(html, { fragment: true }) as Root).markdown;
  },
  wikitext: (cell: string) => {
    const tree = parse(`{|\n! a\n! b\n! c\n|-\n| left\n|\n${cell}\n| right\n|}`);
    return toMarkdown(tree, {
      page: { path: '/here', title: 'Here' },
      pages: new Map(),
      files: new Map(),
    }).trimEnd();
  },
};

/** Contents of a cell between two others, which must neither end the table nor join words. `wikitext`: if it is written otherwise there. */
const cells: Record<string, { html: string; wikitext?: string; markdown: string }> = {
  'a line break': { html: 'one<br>two', markdown: 'one<br>two' },
  'a line break in emphasis': {
    html: '<i>one<br>two</i>',
    wikitext: "''one<br>two''",
    markdown: '*one<br>two*',
  },
  'one paragraph': { html: '<p>one</p>', markdown: 'one' },
  'several paragraphs': { html: '<p>one</p><p>two</p>', wikitext: 'one\n\ntwo', markdown: 'one<br>two' },
  'words beside a paragraph': { html: 'one<p>two</p>three', markdown: 'one<br>two<br>three' },
  'a list': {
    html: '<ul><li>one</li><li>two</li></ul>',
    wikitext: '* one\n* two',
    markdown: '• one<br>• two',
  },
  'a numbered list': {
    html: '<ol start="3"><li>one</li><li>two</li></ol>',
    markdown: '3. one<br>4. two',
  },
  'a nested list': {
    html: '<ul><li>one<ul><li>two</li></ul></li></ul>',
    wikitext: '* one\n** two',
    markdown: '• one<br>\u00a0\u00a0• two',
  },
  'a numbered list within a list': {
    html: '<ul><li>one<ol><li>two</li><li>three</li></ol></li></ul>',
    wikitext: '* one\n*# two\n*# three',
    markdown: '• one<br>\u00a0\u00a01. two<br>\u00a0\u00a02. three',
  },
  'a list directly within a list': {
    html: '<ul><li>one</li><ul><li>two</li></ul></ul>',
    wikitext: '* one\n** two',
    markdown: '• one<br>\u00a0\u00a0• two',
  },
  'boxes in emphasis': { html: '<b><div>one</div><div>two</div></b>', markdown: 'one<br>two' },
  'emphasis and a link': {
    html: '<b>one</b> <a href="https://two.example/">two</a>',
    wikitext: "'''one''' [https://two.example/ two]",
    markdown: '**one** [two](https://two.example/)',
  },
  'items of paragraphs': { html: '<ul><li><p>one</p><p>two</p></li></ul>', markdown: '• one<br>two' },
  'a program': {
    html: '<pre><code>let a;\nif (a | b)\n</code></pre>',
    wikitext: '<syntaxhighlight lang="js">\nlet a;\nif (a | b)\n</syntaxhighlight>',
    markdown: '`let a;`<br>`if (a \\| b)`',
  },
  'preformatted text': { html: '<pre>one\ntwo</pre>', markdown: '`one`<br>`two`' },
  'a heading': { html: '<h3>one</h3>two', markdown: '**one**<br>two' },
  'a quotation': { html: '<blockquote><p>one</p></blockquote>', markdown: 'one' },
  'a table': {
    html: '<table><tr><td>one</td><td>two</td></tr><tr><td>three</td></tr></table>',
    wikitext: '{|\n| one || two\n|-\n| three\n|}',
    markdown: 'one \\| two<br>three',
  },
  'a definition list': {
    html: '<dl><dt>one</dt><dd>two</dd></dl>',
    wikitext: '; one\n: two',
    markdown: '**one**<br>two',
  },
  'boxes in boxes': { html: '<div><div>one</div><div>two</div></div>', markdown: 'one<br>two' },
  'a bar': { html: 'one | two', wikitext: 'one <nowiki>|</nowiki> two', markdown: 'one \\| two' },
  'a line end': { html: 'one\ntwo', markdown: 'one two' },
};

describe.each(Object.entries(writers))('from %s', (language, write) => {
  test.each(Object.entries(cells))(
    'a cell that contains %s stays one cell',
    (_, { html, wikitext, markdown }) => {
      const table = write(language === 'html' ? html : (wikitext ?? html));
      expect(table.replace(/_(one<br>two)_/, '*$1*')).toBe(
        `| a | b | c |\n| - | - | - |\n| left | ${markdown} | right |`,
      );
      const { children } = parseMarkdown(table);
      expect(children.filter(({ type }) => type !== 'text')).toHaveLength(1);
    },
  );
});
