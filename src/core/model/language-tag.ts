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

/** Language and direction of a text. Without a language of its own, it has that of the wiki, and the direction of its first letters. */
export function writtenIn(own: string | null, wiki: string): { lang: string; dir: 'ltr' | 'rtl' | 'auto' } {
  return { lang: own ?? wiki, dir: own === null ? 'auto' : directionOf(own) };
}

function directionOf(tag: string): 'ltr' | 'rtl' {
  const { script } = new Intl.Locale(tag).maximize();
  return script !== undefined && rightToLeft.has(script) ? 'rtl' : 'ltr';
}

const rightToLeft = new Set(['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg', 'Mand', 'Samr', 'Mend']);
