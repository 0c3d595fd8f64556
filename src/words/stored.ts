/**
 * Sentences that are stored in English, such as those in the report of an import, for readers in their own language: each is found
 * by its English message, and what stands at the placeholders becomes its arguments. So programs keep one language, and reports
 * that were written earlier are read in all of them.
 */
import type { LocalText, Words } from '#html/html.ts';
import { type Key, keys } from './en.ts';
import type { Parsed } from './evaluate.ts';
import { english, parsedMessage } from './languages.ts';
import { say } from './say.ts';

/** Longer ones are shown as they are: a pattern with several placeholders takes quadratic time. */
const maxLength = 2000;
/** Sentences within sentences: the reason within a reason. */
const maxDepth = 2;

interface Pattern {
  key: Key;
  expression: RegExp;
  names: string[];
  /** Number of its characters outside of placeholders. */
  weight: number;
}

interface Messages {
  whole: Map<string, Key>;
  patterns: Pattern[];
}

/** Kinds of stored texts by the keys of their messages. Refusals are stored as well, as reasons. */
const kinds = { sentence: /^(?:stored|problem)\./, construct: /^construct\./, auditNote: /^auditNote\./ };
type Kind = keyof typeof kinds;

const known: Partial<Record<Kind, Messages>> = {};

/** The text in the reader's language, or the text itself if no message of its kind is like it. */
export function stored(text: Words, kind: Kind = 'sentence', depth = 0): Words {
  if (typeof text !== 'string') return text;
  known[kind] ??= messagesOf(kinds[kind]);
  const { whole: wholes, patterns } = known[kind];
  const whole = wholes.get(text);
  if (whole !== undefined) return sayAny(whole, {});
  if (text.length > maxLength || depth > maxDepth) return text;
  for (const { key, expression, names } of patterns) {
    const found = expression.exec(text);
    if (!found) continue;
    const values = names.map((name, index) => [name, stored(found[index + 1] ?? '', kind, depth + 1)]);
    return sayAny(key, Object.fromEntries(values));
  }
  return text;
}

function sayAny(key: Key, values: Record<string, Words>): LocalText {
  return (say as unknown as (key: Key, values: Record<string, Words>) => LocalText)(key, values);
}

/** Messages with plurals are never stored. The most specific pattern comes first. */
function messagesOf(kind: RegExp): Messages {
  const whole = new Map<string, Key>();
  const patterns: Pattern[] = [];
  for (const key of Object.keys(keys) as Key[]) {
    if (!kind.test(key)) continue;
    const parsed = parsedMessage(english, key);
    if (parsed.every((piece) => typeof piece === 'string')) whole.set(parsed.join(''), key);
    else if (parsed.every((piece) => typeof piece === 'string' || (piece !== 0 && piece[0] === 'v')))
      patterns.push(patternOf(key, parsed));
  }
  return { whole, patterns: patterns.toSorted((a, b) => b.weight - a.weight) };
}

function patternOf(key: Key, parsed: Parsed): Pattern {
  const names = parsed.flatMap((piece) => (Array.isArray(piece) ? [piece[1] as string] : []));
  const texts = parsed.filter((piece) => typeof piece === 'string');
  const source = parsed.map((piece) => (typeof piece === 'string' ? RegExp.escape(piece) : '(.+?)')).join('');
  return { key, names, expression: new RegExp(`^${source}$`, 's'), weight: texts.join('').length };
}
