/** Pages and tables of Notion's exports, before and after. */
import { expect, test } from 'vitest';
import { htmlToMarkdown } from './html.ts';
import { readNotionPage, tableOf } from './notion.ts';
import { inMarkdownTerms } from './notion-html.ts';

test('only lines beneath the title of a page of a database are its properties', () => {
  const page = '# Oak\n\nHeight: 30\nNote: two\nlines\nHidden: x\n\nText\n';
  expect(readNotionPage(page, new Set(['Name', 'Height', 'Note']))).toEqual({
    text: '# Oak\n\nText',
    data: { Height: '30', Note: 'two\nlines', Hidden: 'x' },
  });
  const text = '# Oak\n\nRemember: [elm](elm.md)\n';
  expect(readNotionPage(text, undefined)).toEqual({ text });
  expect(readNotionPage(text, new Set(['Name']))).toEqual({ text });
});

test('indented blocks are not read as code, while lists and code keep their lines', () => {
  const list = '- Toggle\n    \n    Inside\n    \n    ```js\n      a\n    ```\n\n';
  expect(
    readNotionPage(
      `# A\n\n${list}## B\n\n    Beneath\n\n    - x\n        - y\n\n\`\`\`\n    code\n\`\`\`\n`,
      undefined,
    ).text,
  ).toBe(`# A\n\n${list}## B\n\nBeneath\n\n- x\n    - y\n\n\`\`\`\n    code\n\`\`\`\n`);
});

test('the icon of a callout is no picture of the text', () => {
  const icon = '<img src="https://www.notion.so/icons/warning_red.svg" alt="x" width="40px" />';
  expect(readNotionPage(`<aside>\n${icon}\n\nCareful\n\n</aside>\n`, undefined).text).toBe(
    '> [!note]\n> Careful\n',
  );
});

test('rows lead to their pages, whatever their names contain, and relations to theirs', () => {
  const csv =
    'Name,Of\nBug #1,"Oak (https://www.notion.so/Oak-1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d?pvs=21), Elm (Elm%201a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d.md)"\n,x (y)\n,\n';
  expect(tableOf(csv, ({ Name }) => `/t/${Name || 'Untitled'}.md`).text).toBe(
    '| Name | Of |\n| --- | --- |\n| [Bug #1](</t/Bug %231.md>) | [Oak](<https://www.notion.so/Oak-1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d?pvs=21>), [Elm](<Elm%201a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d.md>) |\n| [Untitled](</t/Untitled.md>) | x (y) |\n',
  );
});

test.each([
  [
    'items that are lists of their own make one list',
    '<div style="display:contents"><ul class="bulleted-list"><li>a</li></ul></div> <div style="display:contents"><ul class="bulleted-list"><li>b</li></ul></div><ol class="numbered-list" start="1"><li>c</li></ol><ol class="numbered-list" start="2"><li>d</li></ol><ol class="numbered-list" start="1"><li>e</li></ol>',
    '- a\n- b\n\n1. c\n2. d\n\n1) e',
  ],
  [
    'toggles fold',
    '<ul class="toggle"><li><details open=""><summary>T &lt;i></summary><p>In</p></details></li></ul>',
    '- <details>\n  <summary>T &#60;i&#62;</summary>\n\n  In\n\n  </details>',
  ],
  [
    'a bookmark is one link',
    '<figure><a href="https://example.org" class="bookmark source"><div class="bookmark-info"><div class="bookmark-text"><div class="bookmark-title">Title</div><div class="bookmark-description">Words</div></div><div class="bookmark-href"><img src="i.ico" class="icon bookmark-icon"/>https://example.org</div></div><img src="i.png" class="bookmark-image"/></a></figure>',
    '[Title](https://example.org)\n\nWords',
  ],
  [
    'values in cells are separated',
    '<table><tr><th>A</th><th>B</th></tr><tr><td><span class="selected-value">x</span><span class="selected-value">y</span></td><td><div class="checkbox checkbox-on"></div></td></tr></table>',
    '| A | B |\n| - | - |\n| x, y | Yes |',
  ],
  [
    'icons of Notion are left out, and pictures link to nothing',
    '<div class="page-header-icon"><span class="icon">X</span></div><p><a href="a.html" class="link-to-page">Y</a></p><figure class="link-to-page"><a href="b.html"><span class="icon">Z</span>B</a></figure><figure class="image"><a href="a.png"><img src="a.png"/></a></figure>',
    '[Y](a.html)\n\n[B](b.html)\n\n![](a.png)',
  ],
  ['a table of contents stays one', '<nav class="table_of_contents"><a href="#x">X</a></nav>', '[TOC]'],
])('%s', (_, html, markdown) => {
  expect(htmlToMarkdown(html, inMarkdownTerms).text).toBe(markdown);
});

test('properties of a page become data', () => {
  const html =
    '<table class="properties"><tr><th>Tags</th><td><span class="selected-value">x</span><span class="selected-value">y</span></td></tr></table><p>Text</p>';
  expect(htmlToMarkdown(html, inMarkdownTerms)).toMatchObject({ text: 'Text', data: { Tags: 'x, y' } });
});
