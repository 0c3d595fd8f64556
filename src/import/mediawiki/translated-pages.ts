/**
 * Translations in a MediaWiki: `Oak/de` is one of `Oak` if that page is marked for Extension:Translate, or if several pages have a
 * subpage for the language, or if an export of this wiki says so. Marks for translators are left out of texts:
 *
 *   <languages/> <translate> <!--T:1--> <tvar name="x">…</tvar>
 */
import { namedLanguage } from '#core/model/language-tag.ts';
import type { LargeMap, LargeMaps } from '../large-map.ts';
import type { Approximation, Translated } from '../source.ts';
import { endOfElement } from '../wikitext-links.ts';
import { namespace, type WikiTitle } from './titles.ts';

const marksConstruct = 'translation, by marks of Extension:Translate';
const statedConstruct = 'translation, by the export';
const subpagesConstruct = 'translation, by subpages of languages';

/** Number of pages with a subpage for a language from which such subpages are translations without marks. */
const several = 3;
/** Namespaces whose subpages are named otherwise: those of users, of files, of templates and of modules. */
const otherwise: ReadonlySet<number> = new Set([2, namespace.file, 8, namespace.template, namespace.module]);

interface Subpage {
  original: string;
  language: string;
  /** Whether the subpage is a translation even if nothing marks it as one. Longer codes need marks, because they are also words. */
  isPlain: boolean;
}

export class TranslatedPages {
  readonly #marked: LargeMap<true>;
  readonly #subpages: LargeMap<Subpage>;
  readonly #stated: LargeMap<{ language?: string; original?: string }>;

  constructor(maps: LargeMaps) {
    this.#marked = maps.make();
    this.#subpages = maps.make();
    this.#stated = maps.make();
  }

  /** `original`: key of the page that an export of this wiki names. */
  state(key: string, stated: { language?: string; original?: string }): void {
    this.#stated.set(key, stated);
  }

  note(key: string, { ns, name }: WikiTitle, isMarked: boolean): void {
    if (isMarked) this.#marked.set(key, true);
    const slash = name.lastIndexOf('/');
    const code = name.slice(slash + 1);
    const language = slash > 0 && code === code.toLowerCase() ? namedLanguage(code) : undefined;
    if (language === undefined || ns % 2 !== 0) return;
    const isPlain = /^..(?:-|$)/.test(code) && !otherwise.has(ns);
    this.#subpages.set(key, { original: `${ns}:${name.slice(0, slash)}`, language, isPlain });
  }

  /** `language`: of the wiki. A subpage for it is a copy of its page. */
  *all(language: string | undefined, isPage: (key: string) => boolean): Generator<[string, Translated]> {
    for (const [key, { language, original }] of this.#stated.entries()) {
      const isKnown = original !== undefined && original !== key && isPage(original);
      if (language === undefined && !isKnown) continue;
      yield [
        key,
        {
          ...(language === undefined ? {} : { language }),
          ...(isKnown ? { original: { key: original, construct: statedConstruct } } : {}),
        },
      ];
    }
    const counts = new Map<string, number>();
    for (const { original, language, isPlain } of this.#subpages.values())
      if (isPlain && isPage(original)) counts.set(language, (counts.get(language) ?? 0) + 1);
    for (const [key, page] of this.#subpages.entries()) {
      if (page.language === language || !isPage(page.original) || this.#stated.has(key)) continue;
      const isMarked = this.#marked.has(page.original);
      if (!isMarked && !(page.isPlain && (counts.get(page.language) ?? 0) >= several)) continue;
      const construct = isMarked ? marksConstruct : subpagesConstruct;
      yield [key, { language: page.language, original: { key: page.original, construct } }];
    }
  }
}

/** Whether the text is divided into units for translators. */
export function isMarked(text: string): boolean {
  return /<translate\b[^<>]{0,100}>/i.test(text);
}

const mark =
  /(<translate\b[^<>]{0,100}>\n?|<\/translate\s*>|<languages\b[^<>]{0,100}\/>\n?|^<!--T:[\w-]{1,20}-->\n?|[ \t]?<!--T:[\w-]{1,20}-->|<tvar\b[^<>]{0,200}>|<\/tvar\s*>|<\/>)|<!--|<(nowiki|pre|syntaxhighlight|source)\b[^<>]*>/gim;

/** Leaves out marks for translators, except where they are shown as text. */
export function withoutMarks(text: string): { text: string; approximated: Approximation[] } {
  if (!/<(?:translate|languages|tvar)\b|<!--T:/i.test(text)) return { text, approximated: [] };
  const matcher = new RegExp(mark);
  const unclosed = new Set<string>();
  let out = '';
  let from = 0;
  let first: string | undefined;
  for (let match = matcher.exec(text); match; match = matcher.exec(text)) {
    const [whole, found, tag] = match;
    if (found !== undefined) {
      out += text.slice(from, match.index);
      from = matcher.lastIndex;
      first ??= found.trim();
    } else if (!whole.endsWith('/>')) {
      const end = endOfElement(text, tag?.toLowerCase() ?? '--', matcher.lastIndex, unclosed);
      if (end > 0) matcher.lastIndex = end;
    }
  }
  const approximated =
    first === undefined ? [] : [{ construct: 'marks for translators, left out', before: first, after: '' }];
  return { text: out + text.slice(from), approximated };
}
