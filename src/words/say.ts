/** Says messages of the catalogues, and times and numbers, in the language of whoever reads them. */
import {
  escapeHtml,
  Html,
  type HtmlValue,
  html,
  type Language,
  type LocalText,
  MadeOnce,
  type Words,
} from '#html/html.ts';
import type { Key, Messages } from './en.ts';
import { evaluate, kept, numberIn } from './evaluate.ts';
import type { ArgumentsOf, Wrap } from './message.ts';
import { sizeIn } from './size.ts';
import { parsedMessage, siteLanguage } from './source.ts';

export type { Key } from './en.ts';

/** The arguments of a message with this key: none if it has no placeholders. */
export type Given<K extends Key> = keyof ArgumentsOf<Messages[K]['english']> extends never
  ? []
  : [values: ArgumentsOf<Messages[K]['english']>];

type Values = Readonly<Record<string, HtmlValue | Wrap>>;

/** A message for a reader whose language is not known yet. */
export function say<K extends Key>(key: K, ...[values]: Given<K>): LocalText {
  if (values !== undefined) return new SaidMessage(key, values as Values);
  return kept(plainMessages, key, () => new MadeOnce(new SaidMessage(key, {})));
}

class SaidMessage implements LocalText {
  readonly key: Key;
  readonly values: Values;
  constructor(key: Key, values: Values) {
    this.key = key;
    this.values = values;
  }

  textIn(language: Language): string {
    const parsed = parsedMessage(language, this.key);
    if (parsed.length === 1 && typeof parsed[0] === 'string') return parsed[0];
    return evaluate<string>(parsed, {
      locale: siteLanguage(language).locale,
      text: (text) => text,
      value: (name) => plainText(this.#value(name), language),
      chooser: (name) => this.#chooser(name),
      tag: (_name, children) => children,
      join: (parts) => parts.join(''),
    });
  }

  markupIn(language: Language): string {
    const parsed = parsedMessage(language, this.key);
    if (parsed.length === 1 && typeof parsed[0] === 'string') return escapeHtml(parsed[0]);
    return evaluate<string>(parsed, {
      locale: siteLanguage(language).locale,
      text: escapeHtml,
      value: (name) => markupOf(this.#value(name), language),
      chooser: (name) => this.#chooser(name),
      tag: (name, children) => {
        const wrap = this.values[name];
        return typeof wrap === 'function' ? wrap(new Html(children)).in(language) : children;
      },
      join: (parts) => parts.join(''),
    });
  }

  /** A message in a plain template would lose its language. */
  toString(): string {
    throw new Error(`“${this.key}” has no text until its language is known.`);
  }

  #value(name: string): HtmlValue {
    const value = this.values[name];
    return typeof value === 'function' ? undefined : value;
  }

  #chooser(name: string): string | number {
    const value = this.values[name];
    return typeof value === 'number' ? value : String(value);
  }
}

/** Messages without arguments are the same for all readers of a language. */
const plainMessages = new Map<string, LocalText>();

function markupOf(value: HtmlValue, language: Language): string {
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return numberIn(siteLanguage(language).locale, value);
  return html`${value}`.in(language);
}

/** Plain text of a value; of markup, the text without its tags. */
function plainText(value: HtmlValue, language: Language): string {
  if (typeof value === 'string') return value;
  return markupOf(value, language)
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39);/g, (entity) => characters[entity] ?? entity);
}

const characters: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** Locale of dates and numbers in a language. */
export function localeOf(language: Language): string {
  return siteLanguage(language).locale;
}

/** Text that a function makes for a language, such as a date. */
export function inLanguage(make: (locale: string, language: Language) => string): LocalText {
  const textIn = (language: Language) => make(siteLanguage(language).locale, language);
  return { textIn, markupIn: (language) => escapeHtml(textIn(language)) };
}

/** `1,204` */
export function number(value: number): LocalText {
  return inLanguage((locale) => numberIn(locale, value));
}

/** `104.9 kB` */
export function size(bytes: number): LocalText {
  return inLanguage((locale) => sizeIn(locale, bytes));
}

/** Plain text of words in a language. */
export function textOf(words: Words, language: Language): string {
  return typeof words === 'string' ? words : words.textIn(language);
}

/** Several words as a list of the language: `a, b and c`. */
export function listOf(
  words: readonly Words[],
  type: 'conjunction' | 'disjunction' | 'unit' = 'conjunction',
): LocalText {
  const format = (language: Language, make: (one: Words) => string) => {
    return listFormat(siteLanguage(language).locale, type).format(words.map(make));
  };
  return {
    textIn: (language) => format(language, (one) => textOf(one, language)),
    markupIn: (language) => format(language, (one) => escapeHtml(textOf(one, language))),
  };
}

/** Between links in a row: the comma of the script. `Intl.ListFormat` only joins texts. */
export function listComma(): LocalText {
  return inLanguage((locale) => (/^ar\b/.test(locale) ? '، ' : /^(?:ja|zh)\b/.test(locale) ? '、' : ', '));
}

const listFormats = new Map<string, Intl.ListFormat>();

/** Kept, because making one takes as long as a statement. */
function listFormat(locale: string, type: 'conjunction' | 'disjunction' | 'unit'): Intl.ListFormat {
  const style = type === 'unit' ? 'short' : 'long';
  return kept(listFormats, `${locale} ${type}`, () => new Intl.ListFormat(locale, { type, style }));
}

/** Several sentences, one after the other. */
export function sentences(all: readonly Words[]): LocalText {
  return {
    textIn: (language) => all.map((one) => textOf(one, language)).join(' '),
    markupIn: (language) => all.map((one) => escapeHtml(textOf(one, language))).join(' '),
  };
}
