/** How pages are read, by the wiki's settings: its language, what it calls other wikis, tags within text. */
import type { Dialect } from '@coppice/wikitext/dialect';
import { commonInterwiki, localNames, tags } from '@coppice/wikitext/locales';

/** `interwiki`: prefixes besides those that every wiki knows; an empty address takes one away. `hashtags`: see `Dialect`. */
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
