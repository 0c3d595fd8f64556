/**
 * Languages and originals of documents, as their front matter and the layouts of programs state them:
 *
 *   language: de, translationOf: /oak.md     front matter, as exports of this wiki write it
 *   i18n/de/…/current/oak.md                 Docusaurus: a translation of docs/oak.md
 *   oak.de.md, de/oak.md                     MkDocs and Hugo, if their settings name the language
 *   de/oak.md                                GitBook, if LANGS.md lists the folder; vaults with the same notes in several languages
 *
 * Words that no language has as its code mean nothing. Documents without a counterpart only get their language.
 */
import { languageOf, namedLanguage } from '#core/model/language-tag.ts';
import type { Kind, Translated } from '../source.ts';
import type { Flavour } from './flavour.ts';
import type { PageFacts } from './page-facts.ts';
import { assigned, type Facts, isFacts, type SiteSettings, textIn } from './settings.ts';

/** Front matter about languages. */
export interface StatedTranslation {
  language: string | undefined;
  /** Name of the original, as it is written. */
  translationOf: string | undefined;
  /** Whether `translationOf` is a path of this wiki, as its exports write it. Otherwise it is a path within the source. */
  isPath: boolean;
  /** Names that translations have in common, whatever their files are called. */
  shared: string | undefined;
}

/** Signs of translations, for the certificate. */
const frontMatterConstruct = 'translation, by its front matter';
const exportConstruct = 'translation, by the export';
const i18nConstruct = 'translation, by the folder i18n';
const settingsConstruct = 'translation, by the languages of the settings';
const langsConstruct = 'translation, by LANGS.md';
const foldersConstruct = 'translation, by folders of languages';

/** Kinds in which folders at the top may be the same notes in several languages. */
const vaults: ReadonlySet<Kind> = new Set(['obsidian', 'quartz', 'foam', 'markdown']);
const ending = /\.(?:md|mdx|markdown|org|textile|html?)$/i;

/** A layout says of a document which page it is, and in which language. */
interface Place {
  name: string;
  /** Undefined if the layout does not say. */
  language: string | undefined;
  isOriginal: boolean;
}
interface Layout {
  construct: string;
  placeOf(key: string): Place | undefined;
}

/** The language that front matter states; undefined if it is no known one. */
export function languageIn(facts: Facts): string | undefined {
  for (const written of [facts.language, facts.lang]) {
    const tag = typeof written === 'string' ? namedLanguage(written.trim()) : undefined;
    if (tag !== undefined) return tag;
  }
  return undefined;
}

/** `known`: what the list of an export says of the document, before its front matter. */
export function statedTranslation(facts: Facts, known: PageFacts | undefined): StatedTranslation {
  return {
    language: known?.language ?? languageIn(facts),
    translationOf: known?.translationOf ?? textIn(facts, 'translationOf'),
    isPath: known?.translationOf !== undefined,
    shared: textIn(facts, 'translationKey') ?? textIn(facts, 'permalink'),
  };
}

export interface Surroundings {
  kind: Kind;
  settings: SiteSettings;
  flavour: Pick<Flavour, 'root' | 'placedIn'>;
  base: string;
  /** Language of the wiki. */
  language: string;
  /** Text of `LANGS.md`, if there is one. */
  langs: string | undefined;
  /** Key of the document that another one names. */
  find(from: string, stated: StatedTranslation): string | undefined;
}

/** `documents`: by key, in order. `missing`: called for originals that are no other page of the source. */
export function translationsIn(
  documents: ReadonlyMap<string, StatedTranslation>,
  around: Surroundings,
  missing: (key: string, named: string) => void,
): Map<string, Translated> {
  const layout = layoutOf([...documents.keys()], documents, around);
  const places = new Map(
    [...documents.keys()].flatMap((key) => {
      const place = layout?.placeOf(key);
      return place ? [[key, place] as const] : [];
    }),
  );
  const originals = new Map<string, string>();
  for (const [key, { name, isOriginal }] of places) {
    if (!isOriginal) continue;
    for (const one of namesOf(name, documents.get(key))) if (!originals.has(one)) originals.set(one, key);
  }
  const found = new Map<string, Translated>();
  for (const [key, stated] of documents) {
    const place = places.get(key);
    const language = stated.language ?? place?.language;
    const original = originalOf(key, stated, place);
    // The language of the wiki goes without saying, except for translations into it.
    const isSaid = language !== undefined && (language !== around.language || original !== undefined);
    if (original === undefined && !isSaid && stated.language === undefined) continue;
    found.set(key, { ...(language === undefined ? {} : { language }), ...(original ? { original } : {}) });
  }
  return found;

  function originalOf(
    key: string,
    stated: StatedTranslation,
    place: Place | undefined,
  ): Translated['original'] {
    if (stated.translationOf !== undefined) {
      const named = around.find(key, stated);
      if (named === undefined || named === key) missing(key, stated.translationOf);
      else return { key: named, construct: stated.isPath ? exportConstruct : frontMatterConstruct };
    }
    if (!layout || !place || place.isOriginal) return undefined;
    const original = namesOf(place.name, stated)
      .map((name) => originals.get(name))
      .find(Boolean);
    return original === undefined ? undefined : { key: original, construct: layout.construct };
  }
}

/** Names by which a document is found among the originals, stated ones first. */
function namesOf(name: string, stated: StatedTranslation | undefined): string[] {
  const own = `name ${name.replace(ending, '')}`;
  return stated?.shared === undefined ? [own] : [`shared ${stated.shared}`, own];
}

function layoutOf(
  keys: readonly string[],
  documents: ReadonlyMap<string, StatedTranslation>,
  around: Surroundings,
): Layout | undefined {
  const { kind, settings, flavour, base, langs } = around;
  const { root } = flavour;
  if (langs !== undefined) return byFolders(root, listedFolders(langs), undefined, langsConstruct);
  if (kind === 'docusaurus') return i18n(flavour, assigned(settings.program, 'defaultLocale'));
  if (kind === 'mkdocs') return mkdocsLayout(root, settings.facts);
  if (kind === 'hugo') return hugoLayout(keys, root, base, settings.facts);
  return vaults.has(kind) ? vaultLayout(root, keys, documents, around.language) : undefined;
}

/** `folders`: by name, with the language. The first one is that of the originals, if `original` names none. */
function byFolders(
  root: string,
  folders: ReadonlyMap<string, string>,
  original: string | undefined,
  construct: string,
): Layout | undefined {
  const first = original ?? folders.keys().next().value;
  if (folders.size < 2 || first === undefined) return undefined;
  return {
    construct,
    placeOf(key) {
      const [, folder = '', name = ''] =
        /^([^/]+)\/(.+)$/.exec(key.startsWith(root) ? key.slice(root.length) : '') ?? [];
      const language = folders.get(folder);
      return language === undefined ? undefined : { name, language, isOriginal: folder === first };
    },
  };
}

/** `* [Deutsch](de/)`; the first language is that of the originals. */
function listedFolders(langs: string): Map<string, string> {
  const folders = new Map<string, string>();
  for (const [, folder = ''] of langs.matchAll(
    /^[ \t]*[-*+][ \t]+\[[^\]\n]{0,200}\]\((?:\.\/)?([^()/\s]{1,40})\/?[^()\s]{0,100}\)/gm,
  )) {
    const language = namedLanguage(folder);
    if (language !== undefined) folders.set(folder, language);
  }
  return folders;
}

function i18n(
  { root, placedIn }: Pick<Flavour, 'root' | 'placedIn'>,
  defaultLocale: string | undefined,
): Layout {
  return {
    construct: i18nConstruct,
    placeOf(key) {
      const placed = key.startsWith(root) && root !== '' ? undefined : placedIn?.(key);
      if (!placed && !key.startsWith(root)) return undefined;
      const { locale = defaultLocale ?? '', path: name } = placed ?? { path: key.slice(root.length) };
      const language = namedLanguage(locale);
      const isOriginal = placed?.locale === undefined || locale === defaultLocale;
      // A folder that is called like no language holds no translations.
      return language === undefined && !isOriginal ? undefined : { name, language, isOriginal };
    },
  };
}

/** Settings of the plugin `i18n`: a list of languages, or names by language in earlier versions. */
function mkdocsLayout(root: string, { plugins }: Facts): Layout | undefined {
  const listed = Array.isArray(plugins) ? plugins : [plugins];
  const plugin = listed.map((one) => (isFacts(one) ? one.i18n : undefined)).find(isFacts);
  if (!plugin) return undefined;
  const entries: [string, boolean][] = Array.isArray(plugin.languages)
    ? plugin.languages.filter(isFacts).map((one) => [textIn(one, 'locale') ?? '', one.default === true])
    : Object.keys(isFacts(plugin.languages) ? plugin.languages : {}).map((code) => [code, false]);
  const original = entries.find(([, isDefault]) => isDefault)?.[0] ?? textIn(plugin, 'default_language');
  const folders = knownAmong(entries.map(([code]) => code));
  if (original === undefined || !folders.has(original)) return undefined;
  return plugin.docs_structure === 'folder'
    ? byFolders(root, folders, original, settingsConstruct)
    : bySuffix(root, folders, original);
}

function knownAmong(codes: readonly string[]): Map<string, string> {
  return new Map(
    codes.flatMap((code) => {
      const language = namedLanguage(code);
      return language === undefined ? [] : [[code, language] as const];
    }),
  );
}

/** `oak.de.md` beside `oak.md`, which is in the language of the originals. */
function bySuffix(root: string, languages: ReadonlyMap<string, string>, original: string): Layout {
  return {
    construct: settingsConstruct,
    placeOf(key) {
      if (!key.startsWith(root)) return undefined;
      const path = key.slice(root.length);
      const [, stem = '', code = ''] = /^(.+)\.([\w-]{2,35})\.\w+$/.exec(path) ?? [];
      const language = languages.get(code);
      return language === undefined
        ? { name: path, language: languages.get(original), isOriginal: true }
        : { name: `${stem}.md`, language, isOriginal: code === original };
    },
  };
}

/** Languages of Hugo are folders of their own, folders by code, or stand in file names. */
function hugoLayout(keys: readonly string[], root: string, base: string, facts: Facts): Layout | undefined {
  const named = Object.entries(facts).find(([name]) => name.toLowerCase() === 'languages')?.[1];
  if (!isFacts(named) || Object.keys(named).length < 2) return undefined;
  const written = Object.entries(facts).find(
    ([name]) => name.toLowerCase() === 'defaultcontentlanguage',
  )?.[1];
  const original = typeof written === 'string' ? written : 'en';
  const languages = new Map<string, string>();
  const folders = new Map<string, string>();
  for (const [code, own] of Object.entries(named)) {
    const more = isFacts(own) ? own : {};
    const language =
      namedLanguage(code) ?? languageOf(textIn(more, 'locale') ?? textIn(more, 'languageCode') ?? '');
    if (language === undefined) continue;
    languages.set(code, language);
    const folder = textIn(more, 'contentDir') ?? textIn(more, 'contentdir');
    folders.set(
      code,
      folder === undefined ? `${root}${code}/` : `${base}${folder.replace(/^\.?\/|\/$/g, '')}/`,
    );
  }
  const suffixes = bySuffix(root, languages, original);
  const isBeside = (key: string) => suffixes.placeOf(key)?.isOriginal === false;
  // A folder that only its name makes one of originals is none if translations lie beside their originals.
  if (keys.some(isBeside) && folders.get(original) === `${root}${original}/`) folders.delete(original);
  return {
    construct: settingsConstruct,
    placeOf(key) {
      if (isBeside(key)) return suffixes.placeOf(key);
      for (const [code, folder] of folders)
        if (folder !== root && key.startsWith(folder))
          return {
            name: key.slice(folder.length),
            language: languages.get(code),
            isOriginal: code === original,
          };
      return suffixes.placeOf(key);
    },
  };
}

/**
 * Folders at the top that are called like languages count if at least half of the notes of each have a counterpart. The originals are
 * in English or in the language of the wiki, whichever has more notes.
 */
function vaultLayout(
  root: string,
  keys: readonly string[],
  documents: ReadonlyMap<string, StatedTranslation>,
  wiki: string,
): Layout | undefined {
  const byFolder = Map.groupBy(
    keys.filter((key) => key.startsWith(root) && key.indexOf('/', root.length) > 0),
    (key) => key.slice(root.length, key.indexOf('/', root.length)),
  );
  const languages = knownAmong([...byFolder.keys()]);
  const countOf = (folder: string) => byFolder.get(folder)?.length ?? 0;
  const [original] = [wiki, 'en']
    .filter((code) => languages.has(code))
    .sort((a, b) => countOf(b) - countOf(a));
  if (original === undefined) return undefined;
  const namesIn = (key: string, folder: string) =>
    namesOf(key.slice(root.length + folder.length + 1), documents.get(key));
  const known = new Set((byFolder.get(original) ?? []).flatMap((key) => namesIn(key, original)));
  const alike = [...languages].filter(([folder]) => {
    const own = byFolder.get(folder) ?? [];
    return 2 * own.filter((key) => namesIn(key, folder).some((name) => known.has(name))).length >= own.length;
  });
  return byFolders(root, new Map(alike), original, foldersConstruct);
}
