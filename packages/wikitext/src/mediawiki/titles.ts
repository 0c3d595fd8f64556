/**
 * MediaWiki's titles: namespaces and their aliases, capital first letters, subpages, invalid titles.
 *
 *   user_talk:ann/notes#Top  →  { namespace: 'User talk', text: 'Ann/notes' }
 */
import { encodeSegment } from '../html.ts';

/** The parts of a page's title; the main namespace is empty. */
export type Title = {
  namespace: string;
  text: string;
  /** Prefix of another wiki. */
  wiki?: string;
};

/** Number → name of the namespaces that every MediaWiki has. The main namespace is 0 and has no name. */
export const standardNamespaces: Readonly<Record<number, string>> = Object.freeze({
  [-2]: 'Media',
  [-1]: 'Special',
  1: 'Talk',
  2: 'User',
  3: 'User talk',
  4: 'Project',
  5: 'Project talk',
  6: 'File',
  7: 'File talk',
  8: 'MediaWiki',
  9: 'MediaWiki talk',
  10: 'Template',
  11: 'Template talk',
  12: 'Help',
  13: 'Help talk',
  14: 'Category',
  15: 'Category talk',
});

export class Titles {
  readonly #byName = new Map<string, string>();
  readonly #byNumber = new Map<number, string>([[0, '']]);
  readonly #numbers = new Map<string, number>([['', 0]]);
  readonly #keepsCase: boolean;
  readonly #isWiki: (prefix: string) => boolean;

  constructor(
    namespaces: Readonly<Record<number, string>>,
    aliases: Readonly<Record<string, string>>,
    keepsCase: boolean,
    isWiki: (prefix: string) => boolean,
  ) {
    this.#keepsCase = keepsCase;
    this.#isWiki = isWiki;
    for (const [number, name] of Object.entries(namespaces)) {
      this.#byName.set(name.toLowerCase(), name);
      this.#byNumber.set(Number(number), name);
      this.#numbers.set(name, Number(number));
    }
    for (const [alias, name] of Object.entries(aliases)) this.#byName.set(alias.toLowerCase(), name);
  }

  /** Returns undefined if MediaWiki does not accept the title. A title without a namespace is in `fallback`. */
  read(written: string, fallback = ''): Title | undefined {
    let text = written
      .trim()
      .replace(/[\p{Zs}\u2028\u2029_]+/gu, ' ')
      .trim();
    let namespace = fallback;
    if (text.startsWith(':')) {
      namespace = '';
      text = text.slice(1).trim();
    }
    const colon = text.indexOf(':');
    const prefix = colon > 0 ? text.slice(0, colon).trim().toLowerCase() : '';
    const known = this.#byName.get(prefix);
    if (known === undefined && this.#isWiki(prefix))
      return { namespace: '', text: text.slice(colon + 1).trim(), wiki: prefix };
    if (known !== undefined) {
      namespace = known;
      text = text.slice(colon + 1).trim();
    }
    if (text === '' || text.startsWith(':') || /[\0-\x1f\x7f<>[\]{}|\uFFFD]|~~~|&[a-z0-9#]+;/i.test(text))
      return undefined;
    if (/^\.{1,2}(?:\/|$)|\/\.{1,2}(?:\/|$)/.test(text) || /%[0-9a-f]{2}/i.test(text)) return undefined;
    if (new TextEncoder().encode(text).length > 255) return undefined;
    return { namespace, text: this.#keepsCase ? text : text.charAt(0).toUpperCase() + text.slice(1) };
  }

  /** Finds a namespace by number or by name in any case; undefined if there is none. */
  namespace(written: string): string | undefined {
    const text = written.trim().replaceAll('_', ' ');
    return /^-?\d+$/.test(text) ? this.#byNumber.get(Number(text)) : this.#byName.get(text.toLowerCase());
  }

  number(namespace: string): number {
    return this.#numbers.get(namespace) ?? 0;
  }

  /** Returns the talk namespace. Even numbers are subject namespaces, odd ones talk namespaces. */
  talk(namespace: string): string | undefined {
    const number = this.number(namespace);
    return number < 0 ? undefined : (this.#byNumber.get(number | 1) ?? namespace);
  }

  subject(namespace: string): string {
    const number = this.number(namespace);
    return (number < 0 ? undefined : this.#byNumber.get(number & ~1)) ?? namespace;
  }
}

/** Returns `Namespace:Title`. */
export function fullName({ namespace, text, wiki }: Title): string {
  const prefix = wiki ?? namespace;
  return prefix === '' ? text : `${prefix}:${text}`;
}

/** Returns a title as MediaWiki writes it in addresses. */
export function titleSegment(title: string): string {
  return encodeSegment(title.replaceAll(' ', '_')).replaceAll('%2F', '/').replaceAll('%3A', ':');
}

/** Resolves `/x` below the page, and `../x` beside or above it; undefined if the text is neither or leads too far up. */
export function readSubpage(written: string, page: string): { target: string; label?: string } | undefined {
  if (written.startsWith('/')) {
    const isPlain = written.endsWith('/');
    const rest = isPlain ? written.slice(1).replace(/(?<!\/)\/+$/, '') : written.slice(1);
    if (rest === '') return { target: `${page}/`, label: `${page}/` };
    return isPlain ? { target: `${page}/${rest}`, label: rest } : { target: `${page}/${rest}` };
  }
  if (!written.startsWith('../')) return undefined;
  let up = 0;
  let rest = written;
  while (rest.startsWith('../')) {
    up++;
    rest = rest.slice(3);
  }
  const segments = page.split('/');
  if (segments.length <= up) return undefined;
  const base = segments.slice(0, segments.length - up).join('/');
  const isPlain = rest.endsWith('/');
  rest = rest.replace(/(?<!\/)\/+$/, '');
  const target = rest === '' ? base : `${base}/${rest}`;
  return { target, label: isPlain && rest !== '' ? rest : target };
}
