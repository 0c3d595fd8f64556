/**
 * Passphrases that are guessed first (NIST SP 800-63B §3.1.1.2): common ones, repetitions, sequences, and what is known of the
 * member and the wiki. Length alone, which is checked elsewhere, does not keep these out.
 */

/** Characters that nothing foretells: a passphrase with fewer is as weak as one of this length. */
const minUnforeseen = 6;
/** Minimum length of a passphrase without the names in it. */
const minBesideNames = 6;
/** Shorter parts of names and addresses, such as `an` or `org`, are in many good passphrases. */
const minNamePart = 4;
const maxUnit = 12;

/** Neighbours on a keyboard, by row and by column; the alphabet and digits are neighbours by their code points. */
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

/** Why it is weak, as a sentence; undefined if it is not. `names`: the member's own and the wiki's. */
export function weaknessOf(
  passphrase: string,
  names: readonly string[],
  isCommon: (folded: string) => boolean,
): string | undefined {
  const folded = passphrase.normalize('NFKC').toLowerCase();
  if (isCommon(folded))
    return 'This passphrase is one of the most common ones. Choose a few words of your own.';
  if (isRepetition(folded) || unforeseenIn(folded) < minUnforeseen) {
    return 'This passphrase repeats itself or follows the keyboard. Choose a few words of your own.';
  }
  if (besideNames(folded, names).length < minBesideNames) {
    return 'This passphrase is little more than a name or address of yours, or the wiki’s name. Choose a few words of your own.';
  }
  return undefined;
}

/** A short unit over and over, the last time perhaps cut: `abcabcabcabca`. */
function isRepetition(text: string): boolean {
  for (let unit = 1; unit < maxUnit && unit * 2 <= text.length; unit++) {
    if (text.startsWith(text.slice(0, -unit), unit)) return true;
  }
  return false;
}

/** Characters that are neither the same as the one before nor its neighbour in the alphabet or on a keyboard. */
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
