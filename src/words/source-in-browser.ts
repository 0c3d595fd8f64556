/** The source of messages in scripts: the site's file of words for the language of the page, which is loaded before them. */
import type { Language } from '#html/html.ts';
import type { Parsed } from './evaluate.ts';

interface ScriptWords {
  locale: string;
  messages: Record<string, Parsed>;
}

declare global {
  var coppiceWords: ScriptWords | undefined;
}

/** A key that is missing shows itself, because a script without its words is better than none. */
export function parsedMessage(_language: Language, key: string): Parsed {
  return globalThis.coppiceWords?.messages[key] ?? [key];
}

export function siteLanguage(tag: Language): { locale: string } {
  return { locale: globalThis.coppiceWords?.locale ?? tag };
}
