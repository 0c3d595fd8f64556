/** The chance of somebody who has the passphrase to guess a code of the second factor. */
import { expect, test } from 'vitest';
import { type CodeGuesses, countGuess, nextGuessAt, refuseWhileWaiting } from './code-guesses.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
/** The codes of three time steps are taken at any time. */
const chanceOfOne = 3 / 1_000_000;

/** Number of codes that can be tried until then, by somebody who always tries as soon as possible. */
function triesWithin(ms: number): number {
  let guesses: CodeGuesses | undefined;
  for (let tries = 0; ; tries++) {
    const at = guesses ? nextGuessAt(guesses) : 0;
    if (at > ms) return tries;
    guesses = countGuess(guesses, at);
  }
}

test('a guesser has a chance of less than 0.01 % in the first day and of less than 0.03 % in a year', () => {
  const [inADay, inAYear, inTenYears] = [triesWithin(day), triesWithin(365 * day), triesWithin(3650 * day)];
  expect(inADay).toBe(15);
  expect(inADay * chanceOfOne).toBeLessThan(0.0001);
  expect(inAYear * chanceOfOne).toBeLessThan(0.0003);
  expect(inTenYears).toBeLessThan(10 * inAYear);
});

test('one wrong code a week never causes a wait', () => {
  let guesses: CodeGuesses | undefined;
  for (let week = 0; week < 100; week++) {
    guesses = countGuess(guesses, week * 7 * day);
    refuseWhileWaiting(guesses, week * 7 * day);
  }
});

test('the wait doubles with each wrong code, and the refusal says how long it is', () => {
  let guesses: CodeGuesses | undefined;
  const waits: number[] = [];
  for (let code = 0; code < 9; code++) {
    guesses = countGuess(guesses, 0);
    waits.push(nextGuessAt(guesses) / minute);
  }
  expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16]);
  expect(() => refuseWhileWaiting(guesses, 10 * minute)).toThrow('in 6 minutes');
  refuseWhileWaiting(guesses, 16 * minute);
});

test('codes counted by a wrong clock delay nobody, and slightly different clocks lose no count', () => {
  let guesses: CodeGuesses | undefined;
  for (let code = 0; code < 12; code++) guesses = countGuess(guesses, 365 * day);
  refuseWhileWaiting(guesses, 0);
  expect(countGuess(guesses, 0)).toEqual(countGuess(undefined, 0));
  expect(() => refuseWhileWaiting(guesses, 365 * day - minute)).toThrow('Too many wrong codes');
});
