/**
 * Stemmers for languages that the library lacks (Hebrew, Polish), in place of its Arabic one, and what its others miss: endings that
 * change the letter before them, and plurals of words that people often search for.
 */
import { fold } from './fold.ts';

/** At least so many letters of a word stay. */
const leastLeft = 3;

/**
 * Prefixes and endings as in Light10 (Larkey, Ballesteros and Connell 2002), with pronouns. The library takes the same word for a
 * noun or a verb, depending on its article.
 */
export function stemArabic(word: string): string {
  const folded = fold(word);
  const bare = without(without(folded, /^و/u), /^(?:بال|كال|فال|ال|لل)/u);
  const endings = [/(?:هما|هم|هن|كم|ها)$/u, /(?:ان|ات|ون|ين)$/u, /(?:يه|ه|ي)$/u];
  return endings.reduce(without, bare);
}

/**
 * Words with the same letters between the plural or feminine ending and the prefixes for “and”, “the”, “in”, “to”, “from”, “as” and “that”.
 * All prefixes are taken off, so that a word has the same stem with and without another one.
 */
export function stemHebrew(word: string): string {
  const plain = fold(word).replace(/יי/g, 'י').replace(/וו/g, 'ו');
  let stem = without(plain, /(?:ים|ות)$/u);
  while (/^[והבכלמש]/u.test(stem) && stem.length > leastLeft) stem = stem.slice(1);
  stem = without(stem, /[הת]$/u);
  return stem.replace(/[ךםןףץ]$/u, (letter) => withinWords[letter] ?? letter);
}

const withinWords: Readonly<Record<string, string>> = { ך: 'כ', ם: 'מ', ן: 'נ', ף: 'פ', ץ: 'צ' };

const polishCase =
  /(?:iami|ami|iach|ach|iowi|owi|iom|om|iow|ow|iego|ego|iemu|emu|ymi|imi|iej|ej|ych|ich|iem|em|ym|im|ie|ia|iu|io|a|e|i|o|u|y)$/;

/** Case endings of nouns and adjectives, verbal nouns, infinitives and the past; `ogród` and `ogrodzie` are one word. */
export function stemPolish(word: string): string {
  const folded = fold(word);
  const verb = without(
    folded,
    /[ćc]$/.test(word) && word.endsWith('ć') ? /[aeiy]c$/ : /[iy]l(?:i|a|o|y|em|am|es|as|ismy|ysmy)?$/,
  );
  if (verb !== folded) return hardened(verb);
  const noun = without(folded, polishCase);
  const nominal = /.{4}[ae]n$/.test(noun) ? noun.slice(0, -2) : noun;
  return hardened(nominal.replace(/i$/, ''));
}

function hardened(stem: string): string {
  return stem
    .replace(/(?<=[^aeiouy])i?e(?=[kc]$)/, '')
    .replace(/sc$/, 'sk')
    .replace(/dz$/, 'd')
    .replace(/(?<=[^c])c$/, 't');
}

function without(word: string, part: RegExp): string {
  const rest = word.replace(part, '');
  return rest.length < leastLeft ? word : rest;
}

/** The word of which another is an irregular form, or which ends as stemmers expect it. */
export function regular(word: string, language: string): string {
  const form = irregular[language]?.get(word);
  if (form !== undefined) return form;
  if (language !== 'pt' || word.length < 5) return word;
  return word
    .replace(/(?:ões|ães|ãos|oes|aes)$/, 'ão')
    .replace(/(?<=[áí]v)eis$/, 'el')
    .replace(/(?<=[áéíóú].*)eis$/, 'il')
    .replace(/éis$/, 'el')
    .replace(/[óo]is$/, 'ol')
    .replace(/ais$/, 'al')
    .replace(/uis$/, 'ul')
    .replace(/(?<=[aeiou])ns$/, 'm');
}

/** Endings of stems that differ in the forms of one word. */
export function normalizedStem(stem: string, language: string): string {
  if (language === 'nl') return stem.replace(/v$/, 'f').replace(/z$/, 's');
  if (language === 'es') return stem.replace(/z$/, 'c');
  if (language === 'fi') return stem.replace(/ks$/, 's');
  // The Greek stemmer leaves the last vowel of some forms of a word only.
  if (language === 'el') return stem.replace(/(?<=..)ι$/u, '');
  // The dot of letters such as ढ़, which many leave out.
  if (language === 'hi') return stem.replaceAll('\u093c', '');
  return stem;
}

/** Other spellings of a word in the language: `Mueller` for `Müller`, `Aarhus` for `Århus`. */
export function spellingsOf(word: string, language: string): string[] {
  const pairs = spellings[language];
  if (!pairs) return [word];
  const spelt = pairs.reduce((text, [letter, plain]) => text.replaceAll(letter, plain), word);
  const meant = pairs.reduce((text, [letter, , plainly]) => text.replace(plainly, letter), word);
  return [...new Set([word, spelt, meant])];
}

const danish: [string, string, RegExp][] = [['å', 'aa', /aa/g]];
const spellings: Readonly<Record<string, [letter: string, plain: string, plainly: RegExp][]>> = {
  de: [
    ['ä', 'ae', /ae/g],
    ['ö', 'oe', /oe/g],
    // Not in “neue”, “Trauer” and “Quelle”.
    ['ü', 'ue', /(?<![aeq])ue/g],
  ],
  da: danish,
  no: danish,
};

const irregular: Readonly<Record<string, ReadonlyMap<string, string>>> = formsOf({
  en: 'child children, man men, woman women, foot feet, tooth teeth, mouse mice, goose geese, leaf leaves, knife knives, shelf shelves, half halves, life lives, wolf wolves, thief thieves, loaf loaves, wife wives, index indices, criterion criteria',
  fr: 'travail travaux, nouveau nouvelle nouvelles nouveaux nouvel, œil yeux oeil, vitrail vitraux, bail baux, ciel cieux, beau belle belles beaux bel, vieux vieille vieilles vieil',
  it: 'uomo uomini, uovo uova, dito dita, braccio braccia',
  nl: 'stad steden, lid leden, schip schepen, smid smeden, ei eieren, museum musea',
  pl: 'dziecko dzieci dziecka dziećmi dzieciom dzieciach dzieckiem, człowiek ludzie ludzi ludziom ludźmi człowieka, rok lata lat',
  pt: 'perfil perfis, civil civis, mãe mães',
  sv: 'bok böcker böckerna, fot fötter, man män männen, hand händer, stad städer städerna, natt nätter, son söner, dotter döttrar',
  da: 'mand mænd, barn børn, hånd hænder',
  no: 'bok bøker bøkene, mann menn, natt netter, fot føtter, hånd hender',
});

function formsOf(lists: Record<string, string>): Record<string, ReadonlyMap<string, string>> {
  const maps = Object.entries(lists).map(([language, list]) => {
    const forms = list.split(', ').flatMap((words) => {
      const [base = '', ...others] = words.split(' ');
      return others.flatMap((form): [string, string][] => [
        [form, base],
        [fold(form), base],
      ]);
    });
    return [language, new Map(forms)] as const;
  });
  return Object.fromEntries(maps);
}
