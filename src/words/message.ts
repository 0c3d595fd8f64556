/** Messages of the catalogues: declared once in English, and said with their arguments. */
import type { Html, HtmlValue } from '#html/html.ts';

/** A message in English, in ICU MessageFormat, and what its translators have to know. */
export interface Message<Text extends string = string> {
  readonly english: Text;
  readonly description: string;
}

/** `description`: where the message stands, and what its arguments are, for translators. */
export function message<const Text extends string>(english: Text, description: string): Message<Text> {
  return { english, description };
}

/** Puts an element around words, for a tag of the message: `<link>all pages</link>`. */
export type Wrap = (words: Html) => Html;

/**
 * Arguments of a message: a value for `{name}`, a number for `{count, plural, …}`, an element for `<link>…</link>`. A text
 * within a plural or select that is one word alone, other than in capitals, would look like an argument: give it a space or a `#`.
 */
export type ArgumentsOf<Text extends string> = {
  [Name in ValuesIn<Text>]: HtmlValue;
} & { [Name in TagsIn<Text>]: Wrap };

type ValuesIn<Text extends string> = Text extends `${string}{${infer Rest}`
  ? NameBefore<Rest> | ValuesIn<Rest>
  : never;
type NameBefore<Text extends string> = Text extends `${infer Head}}${string}`
  ? Head extends `${infer Name},${string}`
    ? OneWord<Name>
    : OneWord<Head>
  : never;
type OneWord<Text extends string> = Text extends
  | ''
  | Uppercase<Text>
  | `${string}${' ' | '#' | '{' | "'" | '.' | '<'}${string}`
  ? never
  : Text;
type TagsIn<Text extends string> = Text extends `${string}</${infer Name}>${infer Rest}`
  ? Name | TagsIn<Rest>
  : never;
