/** Language tags (BCP 47), of the wiki and of its pages. */

/** Long enough for language, script, region and variants. */
const maxLength = 35;

/** The tag in its canonical form; undefined if it is none. */
export function languageOf(text: string): string | undefined {
  try {
    const [tag] = text.length > maxLength ? [] : Intl.getCanonicalLocales(text);
    // Every registered language has two or three letters; a longer word is the name of one.
    return tag !== undefined && /^[a-z]{2,3}(?:-|$)/.test(tag) ? tag : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The language that a word in a name of a file or a page stands for, written as such words are: `de`, `pt-br`, `zh_Hant`. Undefined
 * for words that no language has as its code.
 */
export function namedLanguage(word: string): string | undefined {
  const tag = /^[a-z]{2,3}(?:[-_][A-Za-z0-9_-]+)?$/.test(word)
    ? languageOf(word.replaceAll('_', '-'))
    : undefined;
  return tag !== undefined && languageNames.of(tag.split('-', 1)[0] ?? '') !== undefined ? tag : undefined;
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** Language and direction of a text. Without a language of its own, it has that of the wiki, and the direction of its first letters. */
export function writtenIn(own: string | null, wiki: string): { lang: string; dir: 'ltr' | 'rtl' | 'auto' } {
  return { lang: own ?? wiki, dir: own === null ? 'auto' : directionOf(own) };
}

function directionOf(tag: string): 'ltr' | 'rtl' {
  const { script } = new Intl.Locale(tag).maximize();
  return script !== undefined && rightToLeft.has(script) ? 'rtl' : 'ltr';
}

const rightToLeft = new Set(['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg', 'Mand', 'Samr', 'Mend']);
