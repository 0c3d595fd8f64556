/**
 * How a wiki's settings change its wikitext: language, interwiki prefixes, tags. Plain data, so that it can be passed to
 * threads.
 *
 * English names always work; those of the wiki's language work in addition.
 */

import { encodeSegment } from './html.ts';
import { limits } from './limits.ts';
import type { Rules } from './options.ts';
import { createRules, englishNamespaces } from './rules.ts';

/** Settings of a wiki that change what its wikitext means. */
export type Dialect = {
  /** BCP 47 code. */
  language: string;
  /**
   * Prefix in lower case → address, with `$1` for the title: `[[wikipedia:Oak]]`. A prefix that begins with a colon matches
   * only if the link has a colon too: `[[:fr:Chêne]]`.
   */
  interwiki: Names;
  names: LocalNames;
  /** Whether `#oak` in Markdown text is a tag. */
  hashtags?: boolean;
  /** Tags of MediaWiki's extensions: see `Rules`. */
  tags: Readonly<Record<string, 'missing' | 'silent' | 'chemistry' | 'transparent'>>;
};

/** Written name → the engine's name or address. */
export type Names = Readonly<Record<string, string>>;

/** Names in a language other than English → the engine's names. Keys are in lower case, except those of variables. */
export type LocalNames = {
  /** → `file`, `media`, `category`, `template`, or `page` for any other. */
  namespaces: Names;
  /** Words like `#WEITERLEITUNG`, without the `#`. */
  redirects: readonly string[];
  /** Options of file links. */
  options: Names;
  /** `__INHALTSVERZEICHNIS__`, without the underscores around it. */
  switches: Names;
  /** Variables and functions. */
  words: Names;
};

const byDialect = new WeakMap<Dialect, Rules>();

/** Builds the rules of a wiki from its language, prefixes and tags. */
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

/** Returns the address of a page on another wiki if the key is an interwiki prefix. */
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

/** Translates a file option from the wiki's language to English: `mini`, `alternativtext=…`, `200пкс`. */
function englishOption(written: string, names: Names): string {
  if (written.length > limits.keyLength * 32) return written;
  const [, size = '', name = '', rest = ''] = /^(\d*x?\d+)? ?([^=\s]+)(.*)$/s.exec(written) ?? [];
  const known = Object.hasOwn(names, name) ? names[name] : undefined;
  // Only the unit takes a number, and it needs one.
  return known === undefined || (known === 'px') === (size === '') ? written : size + known + rest;
}

/** Translates the name of a call to English: `{{SEITENNAME}}`, `{{#wenn:…}}`. */
function englishWord(written: string, names: Names): string {
  const colon = written.indexOf(':');
  const word = colon < 0 ? written : written.slice(0, colon);
  const known = [word, word.toLowerCase()].find((one) => Object.hasOwn(names, one));
  if (known === undefined) return written;
  return (names[known] ?? '') + (colon < 0 ? '' : written.slice(colon));
}
