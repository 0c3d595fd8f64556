/** The dialect in which pages are parsed, from the wiki's settings: language, prefixes of other wikis, hashtags. */
import type { Dialect } from '@coppice/wikitext/dialect';
import { commonInterwiki, localNames, tags } from '@coppice/wikitext/locales';

/** `interwiki`: prefixes besides the preset ones; an empty address removes a preset prefix. `hashtags`: see `Dialect`. */
export function dialectOf(
  language: string,
  interwiki: Readonly<Record<string, string>>,
  hashtags = false,
): Dialect {
  const all = { ...commonInterwiki(language), ...interwiki };
  return {
    language,
    interwiki: Object.fromEntries(Object.entries(all).filter(([, address]) => address !== '')),
    names: localNames(language),
    hashtags,
    tags,
  };
}

export const defaultDialect: Dialect = dialectOf('en', {});
