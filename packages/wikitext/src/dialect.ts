/**
 * How a wiki reads wikitext, by its settings: its language, prefixes of other sites, tags. Plain data, so that threads can have it.
 *
 * English names always count; those of the wiki's own language count besides.
 */

import { encodeSegment } from './html.ts';
import { limits } from './limits.ts';
import type { Rules } from './options.ts';
import { createRules, englishNamespaces } from './rules.ts';

export type Dialect = {
  /** BCP 47. */
  language: string;
  /**
   * Prefix in lower case → address, with `$1` for the title: `[[wikipedia:Oak]]`. One that begins with a colon counts only
   * where it is written with one: `[[:fr:Chêne]]`.
   */
  interwiki: Names;
  names: LocalNames;
  /** `#oak` in the text of Markdown is a tag. */
  hashtags?: boolean;
  /** Tags of MediaWiki's extensions: see `Rules`. */
  tags: Readonly<Record<string, 'missing' | 'silent' | 'chemistry' | 'transparent'>>;
};

export type Names = Readonly<Record<string, string>>;

/** Names in a language other than English, in lower case but for variables → those that the engine knows. */
export type LocalNames = {
  /** → `file`, `media`, `category`, `template`, or `page` for any other. */
  namespaces: Names;
  /** `#WEITERLEITUNG`, without the sign. */
  redirects: readonly string[];
  /** Options of files. */
  options: Names;
  /** `__INHALTSVERZEICHNIS__`, without the underscores around it. */
  switches: Names;
  /** Variables and functions. */
  words: Names;
};

const byDialect = new WeakMap<Dialect, Rules>();

/** The rules of a wiki in a language, with its prefixes of other wikis. */
export function rulesOf(dialect: Dialect): Rules {
  let rules = byDialect.get(dialect);
  if (!rules) {
    const { language, interwiki, names, hashtags = false, tags } = dialect;
    const hasNames = Object.keys(names.namespaces).length > 0;
    const local: Partial<Rules> = {
      option: (written) => englishOption(written, names.options),
      word: (written) => englishWord(written, names.words),
      redirects: names.redirects,
      switches: names.switches,
    };
    rules = createRules(
      new Map([...Object.entries(names.namespaces), ...englishNamespaces]),
      (key, value, isForced) => otherWiki(interwiki, key, value, isForced),
      { language, hashtags, tags: new Map(Object.entries(tags)), ...(hasNames ? local : {}) },
    );
    byDialect.set(dialect, rules);
  }
  return rules;
}

/** Address of a page on another wiki, if the key is a prefix. */
function otherWiki(interwiki: Names, key: string, value: string, isForced: boolean): string | undefined {
  const prefix = [key, `:${key}`].find(
    (one) => Object.hasOwn(interwiki, one) && (isForced || !one.startsWith(':')),
  );
  const pattern = prefix === undefined ? undefined : interwiki[prefix];
  if (pattern === undefined) return undefined;
  const hash = value.indexOf('#');
  const title = hash < 0 ? value : value.slice(0, hash);
  const page = pattern.replace('$1', () => addressPart(title.trim()));
  return hash < 0 ? page : `${page}#${addressPart(value.slice(hash + 1).trim())}`;
}

function addressPart(text: string): string {
  return encodeSegment(text.replaceAll(' ', '_')).replace(/%(?:2F|3A|2C|3B|40)/g, decodeURIComponent);
}

/** An option in the wiki's language as it is in English: `mini`, `alternativtext=…`, `200пкс`. */
function englishOption(written: string, names: Names): string {
  if (written.length > limits.keyLength * 32) return written;
  const [, size = '', name = '', rest = ''] = /^(\d*x?\d+)? ?([^=\s]+)(.*)$/s.exec(written) ?? [];
  const known = Object.hasOwn(names, name) ? names[name] : undefined;
  // A unit needs a number, and nothing else may have one.
  return known === undefined || (known === 'px') === (size === '') ? written : size + known + rest;
}

/** `{{SEITENNAME}}`, `{{#wenn:…}}` in English. */
function englishWord(written: string, names: Names): string {
  const colon = written.indexOf(':');
  const word = colon < 0 ? written : written.slice(0, colon);
  const known = [word, word.toLowerCase()].find((one) => Object.hasOwn(names, one));
  if (known === undefined) return written;
  return (names[known] ?? '') + (colon < 0 ? '' : written.slice(colon));
}
