import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareBodies, diffBodies } from './diff.ts';
import { diffHtml } from './diff-html.ts';

test('changed lines show which words changed', () => {
  const [hunk] = diffBodies('one\nthe old mill stands\nthree', 'one\nthe new mill stands\nthree');
  expect(hunk?.lines.map(({ kind, text }) => [kind, text])).toEqual([
    ['same', 'one'],
    ['removed', 'the old mill stands'],
    ['added', 'the new mill stands'],
    ['same', 'three'],
  ]);
  expect(hunk?.lines[1]?.words).toEqual([
    { kind: 'same', text: 'the ' },
    { kind: 'removed', text: 'old' },
    { kind: 'same', text: ' mill stands' },
  ]);
});

test('hunks with their line numbers turn one text into the other', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', 'd e f', ''), { maxLength: 40 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (from, to) => {
      const lines = from === '' ? [] : from.split('\n');
      const target = to === '' ? [] : to.split('\n');
      const changed = diffBodies(from, to).flatMap((hunk) => hunk.lines);
      const removed = new Set(
        changed.filter(({ kind }) => kind === 'removed').map(({ fromLine }) => fromLine),
      );
      const result = lines.filter((_, i) => !removed.has(i + 1));
      for (const line of changed)
        if (line.kind === 'added') result.splice((line.toLine ?? 0) - 1, 0, line.text);
      expect(result).toEqual(target);
      // No line appears twice or out of order.
      const numbers = changed.map(({ toLine }) => toLine).filter((line) => line !== null);
      expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    }),
  );
});

test('a hopelessly different text is replaced instead of compared for ever', () => {
  const from = Array.from({ length: 60_000 }, (_, i) => `from ${i}`).join('\n');
  const to = Array.from({ length: 60_000 }, (_, i) => `to ${i}`).join('\n');
  expect(diffBodies(from, to)[0]?.lines).toHaveLength(120_000);
});

test('a very long comparison is shortened, with the number of remaining lines', () => {
  const text = (word: string) => Array.from({ length: 60_000 }, (_, i) => `${word} ${i}`).join('\n');
  const { hunks, linesLeftOut } = compareBodies(text('from'), text('to'));
  expect(hunks.flatMap(({ lines }) => lines)).toHaveLength(2500);
  expect(linesLeftOut).toBe(117_500);
  expect(diffHtml([], { hunks, linesLeftOut })).toContain('117500 more lines');
  const long = compareBodies('', `${'x'.repeat(500_000)}\nshort`);
  expect(long).toEqual({ hunks: [], linesLeftOut: 2 });
  expect(diffHtml([], long)).toContain('2 more lines');
  const few = compareBodies('a\nb', 'a\nc');
  expect(few).toEqual({ hunks: diffBodies('a\nb', 'a\nc'), linesLeftOut: 0 });
});

test('only a limited amount of text is compared by words', () => {
  const line = (word: string) => `${'many words '.repeat(900)}${word}`;
  const text = (word: string) => Array.from({ length: 40 }, (_, i) => line(`${word} ${i}`)).join('\n');
  const lines = diffBodies(text('old'), text('new'))[0]?.lines ?? [];
  expect(lines).toHaveLength(80);
  expect(lines[0]?.words).toBeDefined();
  expect(lines.filter(({ words }) => words).length).toBeLessThan(45);
});

test('the table escapes everything', () => {
  const html = diffHtml(
    [{ field: 'title', from: '<b>', to: '<script>alert(1)</script>' }],
    compareBodies('x <i>', 'x <img src=x onerror=alert(1)>'),
  );
  expect(html).not.toMatch(/<(script|img|i|b)\b/);
});
