import { expect, test } from 'vitest';
import { mergeWithMarks } from './merge-bodies.ts';

test('changes in different places merge without markers', () => {
  expect(mergeWithMarks('A\nb\nc\nd', 'a\nb\nc\nd', 'a\nb\nc\nD')).toEqual({
    text: 'A\nb\nc\nD',
    conflicts: 0,
  });
});

test('overlapping changes are both kept between markers', () => {
  expect(mergeWithMarks('mine\nb', 'a\nb', 'theirs\nb')).toEqual({
    text: '<<<<<<< yours\nmine\n=======\ntheirs\n>>>>>>> theirs\nb',
    conflicts: 1,
  });
});

test('changes of different words of a line merge, unless they touch or a line was added', () => {
  const base = 'An old oak stands by the mill.';
  const merge = (yours: string, theirs: string) =>
    mergeWithMarks(`${yours}\nz`, `${base}\nz`, `${theirs}\nz`);
  expect(merge('The old oak stands by the mill.', 'An old oak stands by the pond.')).toEqual({
    text: 'The old oak stands by the pond.\nz',
    conflicts: 0,
  });
  expect(merge(`${base} Yours.`, `So: ${base}`)).toEqual({ text: `So: ${base} Yours.\nz`, conflicts: 0 });
  expect(merge('An old elm stands by the mill.', 'An tall oak stands by the mill.').conflicts).toBe(1);
  expect(merge(`${base} Yours.`, `${base} Theirs.`).conflicts).toBe(1);
  expect(merge('', 'An old oak stands by the pond.').conflicts).toBe(1);
  expect(merge('The old oak\nstands by the mill.', 'An old oak stands by the pond.').conflicts).toBe(1);
});

test('the same change on both sides is not a conflict', () => {
  expect(mergeWithMarks('x\nb', 'a\nb', 'x\nb')).toEqual({ text: 'x\nb', conflicts: 0 });
});

test('common beginnings and ends stay outside of a conflict, and removed text leaves no line behind', () => {
  expect(mergeWithMarks('a\nz', 'a\nb\nz', 'a\nb\nz')).toEqual({ text: 'a\nz', conflicts: 0 });
  expect(mergeWithMarks('a\na', 'a', 'a')).toEqual({ text: 'a\na', conflicts: 0 });
  expect(mergeWithMarks('', 'a', 'a')).toEqual({ text: '', conflicts: 0 });
  expect(mergeWithMarks('a\nmine\nz', 'a\nz', 'a\ntheirs\nz')).toEqual({
    text: 'a\n<<<<<<< yours\nmine\n=======\ntheirs\n>>>>>>> theirs\nz',
    conflicts: 1,
  });
});

test('a few lines repeated many times are one conflict, without a long search', () => {
  const lines = Array.from({ length: 1500 }, () => 'same');
  const [mine, theirs] = [
    ['mine', ...lines, 'end'],
    ['start', ...lines, 'theirs'],
  ];
  const base = ['start', ...lines, 'end'];
  const merged = mergeWithMarks(mine.join('\n'), base.join('\n'), theirs.join('\n'));
  expect(merged.conflicts).toBe(1);
  for (const side of [mine, theirs]) expect(merged.text).toContain(side.join('\n'));
});

test('all lines of a merge share its bound, however short each of them is', () => {
  const words = 'a '.repeat(600);
  const lines = (before: string, after: string) =>
    Array.from({ length: 50 }, (_, n) => `${before}${n} ${words}${after}`).join('\n');
  const [yours, theirs] = [lines('x', ''), lines('o', 'z')];
  expect(mergeWithMarks(yours, lines('o', ''), theirs)).toEqual({
    text: `<<<<<<< yours\n${yours}\n=======\n${theirs}\n>>>>>>> theirs`,
    conflicts: 1,
  });
});
