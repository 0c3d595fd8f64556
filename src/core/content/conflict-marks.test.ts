import { expect, test } from 'vitest';
import { markedConflicts, withMarks, yourSide } from './conflict-marks.ts';

const marked = `Above\n${withMarks(['mine', '== 2 =='], ['theirs'])}\nbetween\n${withMarks([], ['added'])}\nbelow`;

test('conflicts are found with both sides and their position', () => {
  const found = markedConflicts(marked);
  expect(found).toMatchObject([
    { yours: 'mine\n== 2 ==', theirs: 'theirs' },
    { yours: '', theirs: 'added' },
  ]);
  for (const { from, to } of found)
    expect(marked.slice(from, to)).toMatch(/^<<<<<<< yours\n[\s\S]*>>>>>>> theirs$/);
});

test('your side of a text has neither markers nor their version', () => {
  expect(yourSide(marked)).toBe('Above\nmine\n== 2 ==\nbetween\nbelow');
});

test('incomplete markers, and lines that only look like them, are text', () => {
  for (const text of [
    '',
    'a\n=======\nb',
    '<<<<<<< yours\na\n>>>>>>> theirs',
    '<<<<<<< yours\na\n=======\nb',
    ' <<<<<<< yours\na\n=======\nb\n>>>>>>> theirs',
  ]) {
    expect(markedConflicts(text)).toEqual([]);
    expect(yourSide(text)).toBe(text);
  }
  const twice = `<<<<<<< yours\nlost\n${withMarks(['a'], ['b'])}`;
  expect(markedConflicts(twice)).toHaveLength(1);
  expect(yourSide(twice)).toBe('<<<<<<< yours\nlost\na');
});
