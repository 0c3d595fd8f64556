/** Words of the browser scripts: for each language one file for all pages, and one more for the editor. */
import { type Key, keys } from '#words/en.ts';
import { parsedMessage, pseudoLanguage, siteLanguages } from '#words/languages.ts';

/** Messages that scripts of all pages say, or of the editor alone. */
const ofSite = /^(?:script[A-Z]|access\.|count\.|format\.)/;
const ofEditor = /^(?:editor|visual)[A-Z]/;

/** Scripts by name: each puts messages where `#words/source-in-browser.ts` finds them, and is loaded before those that say them. */
export function scriptWords(): Map<string, string> {
  return new Map(
    [...siteLanguages, pseudoLanguage].flatMap(({ tag, locale }) => {
      const script = (pattern: RegExp) => {
        const named = (Object.keys(keys) as Key[]).filter((key) => pattern.test(key));
        const messages = Object.fromEntries(named.map((key) => [key, parsedMessage(tag, key)]));
        return `{const w=globalThis.coppiceWords??={locale:${JSON.stringify(locale)},messages:{}};Object.assign(w.messages,${JSON.stringify(messages)})}`;
      };
      return [
        [wordsOfSite(tag), script(ofSite)],
        [wordsOfEditor(tag), script(ofEditor)],
      ] as const;
    }),
  );
}

export function wordsOfSite(language: string): string {
  return `words-${language}.js`;
}

export function wordsOfEditor(language: string): string {
  return `editor-words-${language}.js`;
}
