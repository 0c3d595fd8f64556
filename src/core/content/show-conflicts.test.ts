/** Sides of a conflict before they are rendered. */
import { expect, test } from 'vitest';
import { withoutOuterLines } from './show-conflicts.ts';

test('line ends at both ends go, and others are read once', () => {
  expect(withoutOuterLines('\n\na\n\nb\n')).toBe('a\n\nb');
  // Reading the rest of the run at each of them would take minutes.
  const text = `a${'\n'.repeat(300_000)}b`;
  expect(withoutOuterLines(text)).toBe(text);
});
