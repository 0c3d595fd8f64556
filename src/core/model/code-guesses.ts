/**
 * Limit on guessing codes of a second factor, for somebody who has the passphrase. Wrong codes are counted for each account:
 * the fifth makes the client wait for a minute, and each further one twice as long as the one before. One of them is forgotten
 * every week, so that a guesser ends up with about one attempt a week. Nothing else takes the count back: an owner who signs in
 * every day would otherwise give the guesser a new allowance every day.
 */
import type { LocalText } from '#html/html.ts';
import { inLanguage, say } from '#words/say.ts';
import { tooManyRequests } from './problem.ts';

const minuteMs = 60_000;
const forgottenEveryMs = 7 * 24 * 60 * minuteMs;
/** Number of wrong codes from which on clients have to wait. */
const firstWaitAt = 5;

export interface CodeGuesses {
  /** Time of the latest wrong code. */
  failedAt: number;
  /** When all wrong codes will be forgotten. */
  forgottenAt: number;
}

/** The count after one more wrong code. */
export function countGuess(guesses: CodeGuesses | undefined, now: number): CodeGuesses {
  const before = isOfWrongClock(guesses, now) ? now : (guesses?.forgottenAt ?? now);
  return { failedAt: now, forgottenAt: Math.max(now, before) + forgottenEveryMs };
}

/** Whether this wrong code is the first one after which the client has to wait. */
export function startsWaiting(guesses: CodeGuesses): boolean {
  return countedIn(guesses) === firstWaitAt;
}

/** When the next code may be tried. */
export function nextGuessAt(guesses: CodeGuesses): number {
  const beyond = countedIn(guesses) - firstWaitAt;
  return beyond < 0 ? guesses.failedAt : guesses.failedAt + minuteMs * 2 ** beyond;
}

/** Refuses `too-many-requests` with the seconds to wait while wrong codes still delay the next attempt. */
export function refuseWhileWaiting(guesses: CodeGuesses | undefined, now: number): void {
  const waitMs = guesses && !isOfWrongClock(guesses, now) ? nextGuessAt(guesses) - now : 0;
  if (waitMs <= 0) return;
  throw tooManyRequests(
    say('problem.tooManyWrongCodesWereSentFor2', { time: words(waitMs) }),
    Math.ceil(waitMs / 1000),
  );
}

/** Clocks of several servers differ a little; a code from the future was counted by a clock that was wrong. */
function isOfWrongClock(guesses: CodeGuesses | undefined, now: number): boolean {
  return guesses !== undefined && guesses.failedAt > now + minuteMs;
}

/** Number of wrong codes that were not forgotten at the time of the latest one. */
function countedIn({ failedAt, forgottenAt }: CodeGuesses): number {
  return Math.ceil((forgottenAt - failedAt) / forgottenEveryMs);
}

function words(ms: number): LocalText {
  const minutes = Math.ceil(ms / minuteMs);
  const hours = Math.ceil(minutes / 60);
  const [count, unit]: [number, string] =
    minutes <= 90 ? [minutes, 'minute'] : hours <= 48 ? [hours, 'hour'] : [Math.ceil(hours / 24), 'day'];
  return inLanguage((locale) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count),
  );
}
