/** HTML as Markdown: what other programs write differently. */
import { expect, test } from 'vitest';
import { htmlToMarkdown } from './html.ts';

test.each([
  // The visual editor of Wiki.js
  ['<ul><li><label><input type="checkbox" checked><span>done</span></label></li></ul>', '- [x] done'],
  ['<ul><li>a <label>b</label></li></ul>', '- a b'],
])('%s', (html, markdown) => {
  expect(htmlToMarkdown(html).text).toBe(markdown);
});
