/**
 * Passphrases that are guessed first (NIST SP 800-63B §3.1.1.2): common ones, repetitions, sequences, and names of the member
 * and the wiki. Length is checked elsewhere and does not exclude these.
 */
import type { Words } from '#html/html.ts';
import { say } from '#words/say.ts';

/** Minimum number of unpredictable characters. */
const minUnforeseen = 6;
/** Minimum length of a passphrase without the names in it. */
const minBesideNames = 6;
/** Shorter parts of names and addresses, such as `an` or `org`, occur in many good passphrases. */
const minNamePart = 4;
const maxUnit = 12;

/** Adjacent keys of a keyboard, by row and by column; letters of the alphabet and digits are adjacent by code point. */
const keyboard = [
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'yxcvbnm',
  'azertyuiop',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '!@#$%^&*()',
].join(' ');

/** Returns why it is weak, as a sentence, or undefined. `names`: the member's own and the wiki's. */
export function weaknessOf(
  passphrase: string,
  names: readonly string[],
  isCommon: (folded: string) => boolean,
): Words | undefined {
  const folded = passphrase.normalize('NFKC').toLowerCase();
  if (isCommon(folded)) return say('problem.thisPassphraseIsOneOfTheMost');
  if (isRepetition(folded) || unforeseenIn(folded) < minUnforeseen) {
    return say('problem.thisPassphraseRepeatsItselfOrFollowsThe');
  }
  if (besideNames(folded, names).length < minBesideNames) {
    return say('problem.thisPassphraseIsLittleMoreThanYour');
  }
  return undefined;
}

/** Whether the text repeats a short unit, possibly cut at the end: `abcabcabcabca`. */
function isRepetition(text: string): boolean {
  for (let unit = 1; unit < maxUnit && unit * 2 <= text.length; unit++) {
    if (text.startsWith(text.slice(0, -unit), unit)) return true;
  }
  return false;
}

/** Number of characters that neither repeat the one before nor are adjacent to it in the alphabet or on a keyboard. */
function unforeseenIn(text: string): number {
  let count = 0;
  let before = '';
  for (const character of text) {
    const step = before === '' ? 2 : (character.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0);
    const isForeseen =
      Math.abs(step) <= 1 || keyboard.includes(before + character) || keyboard.includes(character + before);
    if (!isForeseen || before === '') count++;
    before = character;
  }
  return count;
}

function besideNames(folded: string, names: readonly string[]): string {
  const parts = names
    .flatMap((name) => {
      const whole = name.normalize('NFKC').toLowerCase();
      const words = whole.split(/[^\p{L}\p{N}]+/u);
      return [whole, words.join(''), ...words];
    })
    .filter((part) => part.length >= minNamePart)
    .sort((a, b) => b.length - a.length);
  let left = folded;
  for (const part of parts) left = left.replaceAll(part, '');
  return left.replace(/[^\p{L}\p{N}]+/gu, '');
}
