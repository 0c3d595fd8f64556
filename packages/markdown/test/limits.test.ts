import { limits, references, render } from '@coppice/wikitext';
import { describe, expect, test } from 'vitest';
import { parseMarkdown } from '../src/index.ts';

const world = { pages: new Map(), files: new Map(), page: { path: '/a', title: 'A' } };

describe('a text with more parts than a page may have', () => {
  test.each([
    ['headings', '# c\n'],
    ['items', '- a\n'],
    ['emphasis', '*a* '],
    ['emphasis in items', '- *a* b\n'],
    ['links', '[a](b) '],
    ['definitions', 'a\n: b\n\n'],
  ])('%s: reports it, and shows the rest as plain text', (_, part) => {
    const clock = () => 0;
    const text = part.repeat(limits.nodes + 10);
    const tree = parseMarkdown(`${text}\n\nthe end`, { clock });
    expect(tree.excess).toMatch(/^A page can have at most \d+ .*: divide it/);
    expect(references(tree).excess).toBe(tree.excess);
    const { html } = render(tree, world);
    expect(html).toContain('the end');
    expect(parseMarkdown(part.repeat(1000), { clock }).excess).toBeUndefined();
  });
});
