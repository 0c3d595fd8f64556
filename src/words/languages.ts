/** Languages of the site: their catalogues, and which one a reader gets. */
import { readFileSync } from 'node:fs';
import type { Language } from '#html/html.ts';
import { type Key, keys } from './en.ts';
import type { Parsed } from './evaluate.ts';
import { parseMessage } from './parse.ts';

interface SiteLanguage {
  tag: Language;
  /** Its name in itself. */
  name: string;
  direction: 'ltr' | 'rtl';
  /** Locale of dates and numbers. */
  locale: string;
}

/** A new language is a line here and its file in `languages/`. */
export const siteLanguages: readonly SiteLanguage[] = [
  { tag: 'en', name: 'English', direction: 'ltr', locale: 'en-GB' },
  { tag: 'ar', name: 'العربية', direction: 'rtl', locale: 'ar' },
  { tag: 'de', name: 'Deutsch', direction: 'ltr', locale: 'de' },
  { tag: 'es', name: 'Español', direction: 'ltr', locale: 'es' },
  { tag: 'fr', name: 'Français', direction: 'ltr', locale: 'fr' },
  { tag: 'he', name: 'עברית', direction: 'rtl', locale: 'he' },
  { tag: 'it', name: 'Italiano', direction: 'ltr', locale: 'it' },
  { tag: 'ja', name: '日本語', direction: 'ltr', locale: 'ja' },
  { tag: 'nl', name: 'Nederlands', direction: 'ltr', locale: 'nl' },
  { tag: 'pl', name: 'Polski', direction: 'ltr', locale: 'pl' },
  { tag: 'pt-BR', name: 'Português (Brasil)', direction: 'ltr', locale: 'pt-BR' },
  { tag: 'ru', name: 'Русский', direction: 'ltr', locale: 'ru' },
  { tag: 'zh-Hans', name: '简体中文', direction: 'ltr', locale: 'zh-Hans' },
];

export const english: Language = 'en';

/**
 * Marks every message and makes it longer by 40 %, so that words outside the catalogues and layouts without room are seen. Nobody
 * is offered it: only a cookie or header with exactly this tag chooses it. `XA` is the region of such languages in CLDR.
 */
export const pseudoLanguage: SiteLanguage = {
  tag: 'en-XA',
  name: '⟦English⟧',
  direction: 'ltr',
  locale: 'en-GB',
};

const byTag = new Map([...siteLanguages, pseudoLanguage].map((language) => [language.tag, language]));

/** The site's language with this tag, or English. */
export function siteLanguage(tag: Language): SiteLanguage {
  return byTag.get(tag) ?? (siteLanguages[0] as SiteLanguage);
}

/** Catalogues are read and parsed when they are first needed, a message at a time. */
const catalogues = new Map<Language, Record<string, string>>();
const parsed = new Map<Language, Map<Key, Parsed>>();

/** Messages of a language as its file has them; for English, all. */
export function catalogueOf(tag: Language): Readonly<Record<string, string>> {
  return catalogues.getOrInsertComputed(tag, () => {
    if (tag === english || !byTag.has(tag))
      return Object.fromEntries(Object.entries(keys).map(([key, { english }]) => [key, english]));
    if (tag === pseudoLanguage.tag)
      return Object.fromEntries(Object.entries(keys).map(([key, { english }]) => [key, marked(english)]));
    return JSON.parse(readFileSync(new URL(`languages/${tag}.json`, import.meta.url), 'utf8'));
  });
}

/** Letters are added as short words, which may be wrapped. */
function marked(message: string): string {
  const length = message.replace(/\{[^{}]*\}|<[^>]*>/g, '').length;
  return `⟦${message}${' ···'.repeat(Math.ceil((Math.min(length, 200) * 0.4) / 4))}⟧`;
}

/** The message in this language, or in English if it is not translated. */
export function parsedMessage(tag: Language, key: Key): Parsed {
  const known = parsed.getOrInsertComputed(tag, () => new Map<Key, Parsed>());
  return known.getOrInsertComputed(key, () => parseMessage(catalogueOf(tag)[key] ?? keys[key].english));
}

/** Bounds the memory that invented headers take. */
const maxKnownHeaders = 500;
const knownHeaders = new Map<string, Language | undefined>();

/** The best language of the site for `Accept-Language` (RFC 9110 §12.5.4); undefined if it names none that the site has. */
export function negotiated(header: string | undefined): Language | undefined {
  if (header === undefined || header.length > 1000) return undefined;
  if (knownHeaders.size > maxKnownHeaders) knownHeaders.clear();
  return knownHeaders.getOrInsertComputed(header, () => bestOf(header));
}

function bestOf(header: string): Language | undefined {
  const wanted = header
    .split(',', 50)
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
      const weight = parameters.map((one) => /^q=([01](?:\.\d{0,3})?)$/i.exec(one)?.[1]).find(Boolean);
      return { tag, weight: Number(weight ?? 1) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { tag } of wanted) {
    const found = languageLike(tag);
    if (found) return found;
  }
  return undefined;
}

/** The site's language for a tag of any form: `de-AT` is `de`, `pt` is `pt-BR`, `zh-CN` is `zh-Hans`. */
export function languageLike(tag: string): Language | undefined {
  if (byTag.has(tag)) return tag;
  if (!/^[a-z]{2,3}(-[a-z\d]{1,8})*$/i.test(tag)) return undefined;
  let wanted: Intl.Locale;
  try {
    wanted = new Intl.Locale(tag).maximize();
  } catch {
    return undefined;
  }
  const alike = ownLocales().filter(
    ({ maximal }) => maximal.language === wanted.language && maximal.script === wanted.script,
  );
  return (alike.find(({ region }) => region === wanted.region) ?? alike[0])?.tag;
}

interface OwnLocale {
  tag: Language;
  region: string | undefined;
  maximal: Intl.Locale;
}

let locales: OwnLocale[] | undefined;

/** Made once: most browsers ask for a language with its region in every request. */
function ownLocales(): readonly OwnLocale[] {
  locales ??= siteLanguages.map(({ tag }) => {
    const locale = new Intl.Locale(tag);
    return { tag, region: locale.region, maximal: locale.maximize() };
  });
  return locales;
}

/** The language of the site for the language of a wiki's texts: English if the site does not have it. */
export function siteLanguageOf(tag: string): Language {
  return languageLike(tag) ?? english;
}
