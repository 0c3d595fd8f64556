/** Titles of pages and files in a MediaWiki: unique, and made only of characters that MediaWiki allows. */
import { canonicalNamespaces } from '#import/mediawiki/titles.ts';

export interface MediaWikiTitle {
  ns: number;
  /** Title with its namespace. */
  title: string;
}

const byName = new Map(
  Object.entries(canonicalNamespaces).map(([ns, name]) => [name.toLowerCase(), Number(ns)]),
);
const inTitles: Readonly<Record<string, string>> = {
  '[': '(',
  ']': ')',
  '{': '(',
  '}': ')',
  '<': '‹',
  '>': '›',
  '|': '¦',
  '#': '♯',
};
const maxBytes = 240;

export class MediaWikiTitles {
  readonly #taken = new Set<string>();

  /** If two pages have the same title, the later one gets its path as a suffix. */
  ofPage({ title, type, path }: { title: string; type: string | null; path: string }): MediaWikiTitle {
    const prefix = type === 'Template' || type === 'Module' ? `${type}:` : '';
    const name = cleanTitle(title.startsWith(prefix) ? title : prefix + title);
    return this.#take(name, ` (${cleanTitle(path.slice(1))})`);
  }

  /** `Oak/de`, where MediaWiki looks for the translation of Oak into German; undefined if a page has this title. */
  ofTranslation(original: MediaWikiTitle, language: string): MediaWikiTitle | undefined {
    const title = `${original.title}/${language.toLowerCase()}`;
    if (this.#taken.has(title) || Buffer.byteLength(title) > maxBytes) return undefined;
    this.#taken.add(title);
    return { ns: original.ns, title };
  }

  /** Returns the filename without the namespace. */
  ofFile(filename: string): string {
    return this.#take(`File:${cleanTitle(filename).replaceAll(/[:/]/g, '-')}`, '').title.slice(
      'File:'.length,
    );
  }

  #take(name: string, suffix: string): MediaWikiTitle {
    for (let number = 1; ; number++) {
      const title = capitalised(number === 1 ? name : numbered(name, number === 2 ? suffix : ` (${number})`));
      if (this.#taken.has(title)) continue;
      this.#taken.add(title);
      return { ns: namespaceOf(title), title };
    }
  }
}

function namespaceOf(title: string): number {
  const colon = title.indexOf(':');
  const ns = colon < 0 ? undefined : byName.get(title.slice(0, colon).toLowerCase());
  // Pages cannot have titles in namespaces that MediaWiki generates.
  return ns === undefined || ns < 0 ? 0 : ns;
}

/** Puts the suffix before the extension of a filename. */
function numbered(name: string, suffix: string): string {
  const [, stem = name, ending = ''] = /^(File:.*?)(\.\w{1,10})$/.exec(name) ?? [];
  return `${stem}${suffix}${ending}`;
}

function cleanTitle(text: string): string {
  let title = text
    .normalize('NFC')
    .toWellFormed()
    .replace(/[[\]{}<>|#]/g, (character) => inTitles[character] ?? '-')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s_]+/gu, ' ')
    .replace(/^[\s:]+|\s+$/g, '')
    .replace(/(^|\/)(\.{1,2})(?=\/|$)/g, '$1-');
  while (Buffer.byteLength(title) > maxBytes) title = [...title].slice(0, -10).join('').trimEnd();
  return title === '' ? 'Untitled' : title;
}

function capitalised(title: string): string {
  const at = namespaceOf(title) === 0 ? 0 : title.indexOf(':') + 1;
  const [first = ''] = title.slice(at);
  const capital = first.toUpperCase();
  return [...capital].length === 1 ? title.slice(0, at) + capital + title.slice(at + first.length) : title;
}
