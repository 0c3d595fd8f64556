/** HTML as Markdown: what other programs write differently. */

import { expect, test } from 'vitest';
import { asBoxes } from './bookstack-boxes.ts';
import { htmlToMarkdown } from './html.ts';

test.each([
  // The visual editor of Wiki.js
  ['<ul><li><label><input type="checkbox" checked><span>done</span></label></li></ul>', '- [x] done'],
  ['<ul><li>a <label>b</label></li></ul>', '- a b'],
])('%s', (html, markdown) => {
  expect(htmlToMarkdown(html).text).toBe(markdown);
});

test('boxes of BookStack stay boxes, and other paragraphs of that class paragraphs', () => {
  const { text } = htmlToMarkdown(
    '<p class="callout warning">A <b>b</b></p><p class="callout">c</p>',
    asBoxes,
  );
  expect(text).toBe('> [!WARNING]\n>\n> A **b**\n\nc');
});
