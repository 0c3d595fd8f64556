import { expect, test } from 'vitest';
import { conflictKey, markedConflicts, solveConflicts, withMarks, yourSide } from './conflict-marks.ts';

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

test('choices solve their conflicts, and say where their text stands', () => {
  const [first, second] = markedConflicts(marked);
  const { text, places } = solveConflicts(marked, ({ yours }) => (yours === '' ? 'theirs' : 'both'));
  expect(text).toBe('Above\nmine\n== 2 ==\ntheirs\nbetween\nadded\nbelow');
  expect(places.map(({ from, to }) => text.slice(from, to))).toEqual(['mine\n== 2 ==\ntheirs', 'added']);
  const one = solveConflicts(marked, ({ yours }) => (yours === '' ? undefined : 'theirs'));
  expect(one.text).toBe(`Above\ntheirs\nbetween\n${withMarks([], ['added'])}\nbelow`);
  const [left] = markedConflicts(one.text);
  expect(left && second && conflictKey(left) === conflictKey(second)).toBe(true);
  expect(first && second && conflictKey(first) !== conflictKey(second)).toBe(true);
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
