import { expect, test } from 'vitest';
import { mergeWithMarks } from './merge-bodies.ts';

test('what does not touch is merged without marks', () => {
  expect(mergeWithMarks('A\nb\nc\nd', 'a\nb\nc\nd', 'a\nb\nc\nD')).toEqual({
    text: 'A\nb\nc\nD',
    conflicts: 0,
  });
});

test('what touches stands there twice between marks', () => {
  expect(mergeWithMarks('mine\nb', 'a\nb', 'theirs\nb')).toEqual({
    text: '<<<<<<< yours\nmine\n=======\ntheirs\n>>>>>>> theirs\nb',
    conflicts: 1,
  });
});

test('the same change on both sides is no conflict', () => {
  expect(mergeWithMarks('x\nb', 'a\nb', 'x\nb')).toEqual({ text: 'x\nb', conflicts: 0 });
});
