/**
 * Words of MediaWiki in the language of the source (`mini`, `{{SEITENNAME}}`, `__KEIN_INHALTSVERZEICHNIS__`) as their English names,
 * which every wiki knows: this one knows local words only of its own language.
 */
import { type Dialect, rulesOf } from '@coppice/wikitext/dialect';
import { localNames } from '@coppice/wikitext/locales';
import type { DumpSite } from './dump-reader.ts';

/** Each returns the English name, or undefined if the word is none or is known in this wiki. */
export interface LocalWords {
  /** Option of a file link. */
  option(written: string): string | undefined;
  /** Variable or function, with its colon if it has one. */
  word(written: string): string | undefined;
  /** Name between underscores. */
  switch(written: string): string | undefined;
}

export function localWords({ language }: DumpSite, here: Dialect): LocalWords | undefined {
  const names = localNames(language);
  if (Object.keys(names.options).length === 0) return undefined;
  const source = rulesOf({ ...here, names });
  const own = rulesOf(here);
  const differing = (written: string, read: (rules: typeof source) => string | undefined) => {
    const english = read(source) ?? written;
    return english === written || english === (read(own) ?? written) ? undefined : english;
  };
  return {
    option: (written) => differing(written, ({ option }) => option?.(written)),
    word: (written) => differing(written, ({ word }) => word?.(written)),
    switch: (written) => {
      const name = written.toLowerCase();
      const english = differing(name, ({ switches }) => switches?.[name]);
      return english?.toUpperCase();
    },
  };
}

const option = /\|([^|[\]{}<>\n]{0,300})(?=\||\]\])/y;

/** Options of a file link with English names: the text from the place up to a caption that holds markup, and its end. */
export function englishOptions(text: string, from: number, words: LocalWords): { text: string; end: number } {
  let out = '';
  let end = from;
  for (;;) {
    option.lastIndex = end;
    const [whole, written = ''] = option.exec(text) ?? [];
    if (whole === undefined) return { text: out, end };
    const english = words.option(written.trim());
    out += `|${english ?? written}`;
    end += whole.length;
  }
}
