/**
 * Normalises titles and words for comparison, once and in JavaScript, so that both engines sort and match alike: results are
 * stored and compared byte by byte (UTF-8 order, which is code point order).
 *
 * `fold` is for searching and sorting; what is stored and what is asked pass through it alike. `foldLatin` makes addresses,
 * which do not change with the rules of searching. `titleKey` compares titles in links.
 */

/** Letters that Unicode does not decompose, although Latin readers treat them as their base letter. */
const latinLetters: Record<string, string> = {
  ß: 'ss',
  ẞ: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  þ: 'th',
  ı: 'i',
  ĸ: 'k',
  ŋ: 'n',
};

/** Final sigma; forms of alef, yeh, kaf and heh in Arabic, Persian and Urdu; digits of these languages. */
const letters: Record<string, string> = {
  ...latinLetters,
  ς: 'σ',
  '\u0671': '\u0627',
  '\u0649': '\u064a',
  '\u06cc': '\u064a',
  '\u06a9': '\u0643',
  '\u06c1': '\u0647',
  '\u0629': '\u0647',
  ...digitsFrom(0x660),
  ...digitsFrom(0x6f0),
};

/**
 * Patterns of what `fold` removes or replaces in decomposed lower case, in this order. The search of an exported site, which
 * runs in browsers, uses the same.
 */
export const foldRules = {
  /**
   * Soft hyphens, zero-width characters, controls of direction; the tatweel that stretches Arabic words; points of Hebrew and
   * vowels of Arabic.
   */
  ignored:
    /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u0640\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u0652\u0656-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0898-\u089f\u08ca-\u08e1\u08e3-\u08ff]+/gu,
  letters,
  letter: new RegExp(`[${Object.keys(letters).join('')}]`, 'gu'),
  /** Marks of Latin and Greek letters, and accents that stand alone; hamza and madda of an alef. Other marks carry meaning. */
  marks:
    /(?<=[\p{sc=Latin}\p{sc=Greek}\p{Z}])[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f]+|(?<=\u0627)[\u0653-\u0655]+/gu,
  /** The dots of ё, and stress marks. Й, ї and ў have other marks and are letters of their own. */
  cyrillicMarks:
    /(?<=е)[\u0300\u0301\u0308\u030f\u0311]+|(?<=[аиоуыэюяєі]\u0308?)[\u0300\u0301\u030f\u0311]+/gu,
};

const beyond = /[^\0-\x7f]/;
/** Non-ASCII runs with the letter before them, which a combining mark may belong to. The rest of a text needs no folding. */
const beyondAscii = /[a-z]?[^\0-\x7f]+/g;

/**
 * Words as readers compare them: in lower case, without the diacritics of Latin and Greek, the points of Hebrew, the vowels of
 * Arabic, and characters that show nothing; compatibility forms, such as full width, are as their usual form.
 * Equal for NFC and NFD, and idempotent.
 */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  const { ignored, letter, marks, cyrillicMarks } = foldRules;
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(ignored, '')
    .replace(letter, (found) => letters[found] ?? found)
    .replace(marks, '')
    .replace(cyrillicMarks, '')
    .normalize('NFC');
}

/**
 * A character with everything after it that may join it or vanish when it is folded: marks, characters that show nothing, stretched
 * vowels of Arabic, parts of Hangul syllables. ASCII without such a neighbour is taken together.
 */
const joined =
  '[\\p{M}\\u1ab0-\\u1aff\\ufcf2-\\ufcf4\\ufe71\\ufe77\\ufe79\\ufe7b\\ufe7d\\ufe7f\\p{Default_Ignorable_Code_Point}\\p{Bidi_Control}\\u0640\\uff9e\\uff9f\\u1160-\\u11ff\\u3131-\\u318e\\ud7b0-\\ud7fb\\uffa0-\\uffdc]';
const clusters = new RegExp(`[\\0-\\x7f]+(?=[\\0-\\x7f])|[^]${joined}*`, 'gu');

/** A folded text with the ranges of the original from which its characters come. */
interface MappedText {
  folded: string;
  /** Original range of the characters from `start` to `end` of the folded text, which are at least one. */
  originalRange(start: number, end: number): { start: number; end: number };
}

/** For texts of a few thousand characters: each of the result takes an entry in two lists. */
export function foldMapped(text: string): MappedText {
  if (isAscii(text)) return { folded: text.toLowerCase(), originalRange: (start, end) => ({ start, end }) };
  let folded = '';
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { 0: cluster, index } of text.matchAll(clusters)) {
    const piece = fold(cluster);
    const isPlain = isAscii(cluster);
    for (let i = 0; i < piece.length; i++) {
      starts.push(isPlain ? index + i : index);
      ends.push(isPlain ? index + i + 1 : index + cluster.length);
    }
    folded += piece;
  }
  return {
    folded,
    originalRange: (start, end) => ({ start: starts[start] ?? 0, end: ends[end - 1] ?? text.length }),
  };
}

/** Lower case with Latin diacritics folded (`Éclair` → `eclair`); marks of other scripts stay. Compatibility forms fold. */
export function foldLatin(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text.normalize('NFKC').toLowerCase().replace(beyondAscii, foldLatinMarks).normalize('NFC');
}

/** ASCII text only needs lower-casing, and contains no other script. */
export function isAscii(text: string): boolean {
  return !beyond.test(text);
}

function foldLatinMarks(text: string): string {
  // U+0300–U+036F are the combining marks that Latin, Greek and Cyrillic letters decompose into;
  // the marks of Indic and Semitic scripts lie elsewhere and carry meaning. й is recomposed by the final NFC.
  return text
    .replace(/\p{Script=Latin}\p{M}*/gu, (letter) => letter.normalize('NFD').replace(/[\u0300-\u036f]+/g, ''))
    .replace(/[ßẞæœøđðłħŧþıĸŋ]/g, (letter) => latinLetters[letter] ?? letter);
}

/** Ten digits of another script, which follow each other in Unicode. */
function digitsFrom(zero: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: 10 }, (_, digit) => [String.fromCodePoint(zero + digit), String(digit)]),
  );
}

/** The key under which titles and link targets are the same: NFC, lower case, white space collapsed. */
export function titleKey(title: string): string {
  return title.normalize('NFC').replace(/\s+/gu, ' ').trim().toLowerCase();
}

/** The key that puts titles in alphabetical order: `Apple, banana, Éclair, Zoo`. Ties are broken by ID. */
export function sortKey(title: string): string {
  return fold(title).replace(/\s+/gu, ' ').trim();
}
