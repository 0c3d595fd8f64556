/**
 * Words that an administrator declared to mean the same. A query that has one of a group finds the others, too. A word of the list
 * counts for every word with its folded form or one of its stems, and several words for that phrase.
 */
import { isMarked } from './stems.ts';
import { type Phrase, phraseIn, wordsIn } from './terms.ts';

export const maxSynonymGroups = 500;
export const maxSynonymsOfGroup = 10;
export const maxSynonymLength = 60;
/** Terms that synonyms add to one query, at most. */
const maxAddedTerms = 64;
/** Sets of languages for which the list is kept by its words; readers of one wiki seldom differ in them. */
const maxKnown = 10;

/** Words and phrases of a group, which commas of any language separate, each once. */
export function readSynonyms(group: string): string[] {
  const words = group.normalize('NFC').split(/[,،、，;；]/u);
  return [...new Set(words.map((word) => word.replace(/\s+/gu, ' ').trim()).filter((word) => word !== ''))];
}

interface Entry {
  /** The words that a query must have one after the other. */
  words: Phrase[];
  /** The rest of the group. */
  others: Phrase[];
}

/** Entries by the forms of their first word. */
type Entries = ReadonlyMap<string, readonly Entry[]>;

export class Synonyms {
  readonly #groups: readonly string[][];
  readonly #known = new Map<string, Entries>();

  constructor(groups: readonly string[]) {
    this.#groups = groups.map(readSynonyms);
  }

  /**
   * Phrases of a query, each with what may occur instead. For a synonym of several words, every one of them may be replaced:
   * (a or c) and (b or c) is the same as (a and b) or c.
   */
  addTo(phrases: readonly Phrase[], languages: readonly string[]): Phrase[] {
    if (this.#groups.length === 0) return [...phrases];
    const entries = this.#entriesIn(languages);
    const added = phrases.map((): Phrase[] => []);
    let left = maxAddedTerms;
    const add = (to: Phrase[], others: readonly Phrase[], inTitle: Phrase['inTitle']) => {
      for (const other of others) {
        left -= other.terms.length;
        if (left >= 0) to.push(inTitle ? { ...other, inTitle } : other);
      }
    };
    for (const [i, first] of phrases.entries()) {
      const { or = [], inTitle } = first;
      for (const { words, others } of entriesOf(first, entries)) {
        const run = phrases.slice(i, i + words.length);
        if (
          !isRunOf(run, words) ||
          (words.length > 1 && run.some((one) => one.or || one.inTitle !== inTitle))
        )
          continue;
        for (let at = i; at < i + words.length; at++) add(added[at] as Phrase[], others, inTitle);
      }
      for (const one of or)
        for (const { words, others } of entriesOf(one, entries))
          if (isRunOf([one], words)) add(added[i] as Phrase[], others, one.inTitle);
    }
    return phrases.map((phrase, i) => {
      const some = added[i] ?? [];
      return some.length === 0 ? phrase : { ...phrase, or: [...(phrase.or ?? []), ...some] };
    });
  }

  #entriesIn(languages: readonly string[]): Entries {
    const key = languages.join(' ');
    let entries = this.#known.get(key);
    if (!entries) {
      if (this.#known.size >= maxKnown) this.#known.clear();
      entries = entriesByWord(this.#groups, languages);
      this.#known.set(key, entries);
    }
    return entries;
  }
}

function entriesByWord(groups: readonly string[][], languages: readonly string[]): Entries {
  const entries = new Map<string, Entry[]>();
  for (const group of groups) {
    const all = group.map((text) => ({
      words: wordsIn(text, languages),
      phrase: synonymOf(text, languages),
    }));
    for (const { words } of all) {
      const others = all.flatMap((other) =>
        other.phrase.terms.length === 0 || isRunOf(words, other.words) ? [] : [other.phrase],
      );
      for (const form of words[0] ? formsOf(words[0]) : [])
        entries.set(form, [...(entries.get(form) ?? []), { words, others }]);
    }
  }
  return entries;
}

/** A synonym is found as it is, not as the beginning of longer words. */
function synonymOf(text: string, languages: readonly string[]): Phrase {
  const [word, another] = wordsIn(text, languages);
  const { terms, prefix } = phraseIn(text);
  const stems = another === undefined ? word?.stems : undefined;
  return { terms, prefix, ...(stems ? { stems } : {}), isSynonym: true };
}

function entriesOf(phrase: Phrase, entries: Entries): Set<Entry> {
  if (phrase.isQuoted) return new Set();
  return new Set(formsOf(phrase).flatMap((form) => entries.get(form) ?? []));
}

function isRunOf(phrases: readonly Phrase[], words: readonly Phrase[]): boolean {
  return phrases.length === words.length && words.every((word, i) => isSame(phrases[i] as Phrase, word));
}

function isSame(one: Phrase, other: Phrase): boolean {
  if (one.isQuoted) return false;
  const forms = formsOf(one);
  return formsOf(other).some((form) => forms.includes(form));
}

/** The word itself and its stems, with their mark. */
function formsOf({ terms, stems = [] }: Phrase): string[] {
  return [terms.join(' '), ...stems.filter(isMarked)];
}
