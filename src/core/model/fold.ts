/**
 * Normalises titles and words for comparison, once and in JavaScript, so that both engines sort and match alike: results are
 * stored and compared byte by byte (UTF-8 order, which is code point order).
 */

/** Letters that Unicode does not decompose, although Latin readers treat them as their base letter. */
const undecomposed: Record<string, string> = {
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

const beyond = /[^\0-\x7f]/;
/** Non-ASCII runs with the letter before them, which a combining mark may belong to. The rest of a text needs no folding. */
const beyondAscii = /[a-z]?[^\0-\x7f]+/g;

/** Lower case with Latin diacritics folded (`Éclair` → `eclair`); marks of other scripts stay. Compatibility forms fold. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text.normalize('NFKC').toLowerCase().replace(beyondAscii, foldMarks).normalize('NFC');
}

/** ASCII text only needs lower-casing, and contains no other script. */
export function isAscii(text: string): boolean {
  return !beyond.test(text);
}

function foldMarks(text: string): string {
  // U+0300–U+036F are the combining marks that Latin, Greek and Cyrillic letters decompose into;
  // the marks of Indic and Semitic scripts lie elsewhere and carry meaning. й is recomposed by the final NFC.
  return text
    .replace(/\p{Script=Latin}\p{M}*/gu, (letter) => letter.normalize('NFD').replace(/[\u0300-\u036f]+/g, ''))
    .replace(/[ßẞæœøđðłħŧþıĸŋ]/g, (letter) => undecomposed[letter] ?? letter);
}

/** The key under which titles and link targets are the same: NFC, lower case, white space collapsed. */
export function titleKey(title: string): string {
  return title.normalize('NFC').replace(/\s+/gu, ' ').trim().toLowerCase();
}

/** The key that puts titles in alphabetical order: `Apple, banana, Éclair, Zoo`. Ties are broken by ID. */
export function sortKey(title: string): string {
  return fold(title).replace(/\s+/gu, ' ').trim();
}
