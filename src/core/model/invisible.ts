/**
 * Removes characters that show nothing and make two names look alike: zero-width characters and controls of direction. Joiners
 * stay where a script or an emoji needs them (UAX 31 §2.3, rules A1, A2 and B; UTS 51 for emoji).
 */

/** Scripts whose letters join, or whose letters form conjuncts. */
const joining =
  '\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Nkoo}\\p{scx=Mand}\\p{scx=Phag}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Mymr}\\p{scx=Khmr}\\p{scx=Tibt}';
const joiner = `(?<=[${joining}])[\\u200c\\u200d](?=[${joining}])`;
/** The old form of the chillu letters of Malayalam ends in a joiner, and so do half forms: both follow a virama. */
const afterVirama = '(?<=[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca])\\u200d';
const inEmoji =
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})';
/** Variation selectors: choose the form of the character before them. */
const variation = '(?<=\\P{White_Space})[\\ufe00-\\ufe0f\\u180b-\\u180d\\u{e0100}-\\u{e01ef}]';
/** Default_Ignorable_Code_Point of Unicode, and the controls of direction that do not belong to it. */
const invisible = '[\\p{Default_Ignorable_Code_Point}\\p{Bidi_Control}\\ufff9-\\ufffb]';
const kept = new RegExp(`(${joiner}|${afterVirama}|${inEmoji}|${variation})|${invisible}`, 'gu');
const any = new RegExp(invisible, 'u');

/** The text without invisible characters, except where scripts and emoji need them to be joined. */
export function withoutInvisible(text: string): string {
  return any.test(text) ? text.replace(kept, (_found, needed: string | undefined) => needed ?? '') : text;
}
