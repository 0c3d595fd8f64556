/**
 * Text.
 *
 *   {{lc:A}} {{uc:a}} {{lcfirst:AB}} {{ucfirst:ab}}            a A aB Ab
 *   {{padleft:7|3}} {{padright:7|3|.}}                         007 7..
 *   {{formatnum:1234567.8}} {{plural:2|tree|trees}}            1,234,567.8 trees
 *   {{#len:word}} {{#pos:word|r}} {{#rpos:…}} {{#sub:word|1|2}} {{#replace:word|o|a|1}} {{#explode:a,b|,|1}} {{#count:aa|a}}
 *   {{urlencode:a b|PATH}} {{#urldecode:a+b}} {{anchorencode:a b}}
 *
 * Lengths and positions count characters as people see code points; nowiki and other tags count for nothing.
 */
import { anchor } from '../headings.ts';
import type { Call, Functions } from './call.ts';

const longestPad = 500;

export const string: Functions = {
  lc: (call) => outsideTags(call.text(0), (text) => text.toLowerCase()),
  uc: (call) => outsideTags(call.text(0), (text) => text.toUpperCase()),
  lcfirst: (call) => onFirst(call.text(0), (first) => first.toLowerCase()),
  ucfirst: (call) => onFirst(call.text(0), (first) => first.toUpperCase()),
  padleft: (call) => pad(call, true),
  padright: (call) => pad(call, false),
  urlencode: (call) => counted(call, encode(call.text(0), call.text(1))),
  '#urlencode': (call) => counted(call, encode(call.text(0), call.text(1))),
  '#urldecode': (call) => decode(withoutExtensions(call, 0)),
  anchorencode: (call) => counted(call, protect(anchor(call.expander.inlineText(call.text(0))))),
  formatnum: (call) =>
    formatNumber(withoutTags(call.text(0)), call.text(1).toUpperCase(), call.expander.rules.language),
  plural: (call) => plural(call),
  grammar: (call) => call.text(1),
  gender: (call) => call.text(3) || call.text(1),
  bidi: (call) => call.text(0),
  '#len': (call) => String([...withoutExtensions(call, 0)].length),
  '#pos': (call) => {
    const text = [...withoutExtensions(call, 0)];
    const found = find(text, [...(withoutExtensions(call, 1) || ' ')], number(call.text(2), 0), 1);
    return found < 0 ? '' : String(found);
  },
  '#rpos': (call) => {
    const text = [...withoutExtensions(call, 0)];
    return String(find(text, [...(withoutExtensions(call, 1) || ' ')], text.length, -1));
  },
  '#sub': (call) => {
    const text = [...withoutExtensions(call, 0)];
    const from = number(call.text(1), 0);
    const length = number(call.text(2), 0);
    const start = from < 0 ? Math.max(0, text.length + from) : from;
    const end = length === 0 ? text.length : length < 0 ? text.length + length : start + length;
    return text.slice(start, Math.max(start, end)).join('');
  },
  '#replace': (call) => {
    const text = withoutExtensions(call, 0);
    const what = withoutExtensions(call, 1) || ' ';
    const by = withoutExtensions(call, 2);
    const most = number(call.text(3), -1);
    const count = text.split(what, 100_000).length - 1;
    if (!call.expander.budget.grow(count * by.length)) return '';
    let left = most < 0 ? Number.POSITIVE_INFINITY : most;
    return text.replaceAll(what, (found) => (left-- > 0 ? by : found));
  },
  '#explode': (call) => {
    const parts = withoutExtensions(call, 0).split(withoutExtensions(call, 1) || ' ');
    const limit = number(call.text(3), 0);
    if (limit > 0 && parts.length > limit) {
      parts.splice(limit - 1, parts.length, parts.slice(limit - 1).join(withoutExtensions(call, 1) || ' '));
    }
    return parts.at(number(call.text(2), 0)) ?? '';
  },
  '#count': (call) => String(withoutExtensions(call, 0).split(withoutExtensions(call, 1) || ' ').length - 1),
};

/** A result that may be much longer than what it is made of. */
function counted(call: Call, result: string): string {
  return call.expander.budget.grow(result.length) ? result : '';
}

/** Text without tags of extensions; of nowiki the inside stays. */
function withoutTags(text: string): string {
  return text.includes('<')
    ? text.replace(/<\/?(?:nowiki|ref|references|pre|gallery|math)\b[^<>]*>/gi, '')
    : text;
}

const tags = /<(\/?)([a-z]+)\b[^<>]*>/gi;

/** Text without extensions and what stands in them. */
function withoutExtensions(call: Call, index: number): string {
  const text = call.text(index);
  if (!text.includes('<')) return text;
  let out = '';
  let at = 0;
  let open: { name: string; start: number } | undefined;
  for (const { 0: written, 1: slash, 2: name = '', index: start } of text.matchAll(tags)) {
    const tag = name.toLowerCase();
    if (!call.expander.isExtension(tag)) continue;
    const isAlone = written.endsWith('/>');
    if (open ? slash === '' || tag !== open.name : slash !== '') continue;
    if (!open && !isAlone) {
      open = { name: tag, start };
      continue;
    }
    out += text.slice(at, open?.start ?? start);
    at = start + written.length;
    open = undefined;
  }
  return out + text.slice(at);
}

function outsideTags(text: string, change: (text: string) => string): string {
  if (!text.includes('<')) return change(text);
  return text
    .split(/(<[^<>]*>)/)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('');
}

function onFirst(text: string, change: (first: string) => string): string {
  const [first = ''] = text;
  return change(first) + text.slice(first.length);
}

function pad(call: Call, isLeft: boolean): string {
  const text = call.text(0);
  const width = Math.min(number(call.text(1), 0), longestPad);
  const filler = [...(call.arguments.length > 2 ? withoutTags(call.text(2)) : '0')];
  const missing = width - [...text].length;
  if (missing <= 0 || filler.length === 0 || !call.expander.budget.grow(missing)) return text;
  let padding = '';
  for (let index = 0; index < missing; index++) padding += filler[index % filler.length] ?? '';
  return isLeft ? padding + text : text + padding;
}

function encode(text: string, kind: string): string {
  const strict = encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  switch (kind.toUpperCase()) {
    case 'WIKI':
      return encodeURIComponent(text.replaceAll(' ', '_').toWellFormed()).replace(
        /%(?:3B|40|24|2C|2F|3A)|'/g,
        (found) => (found === "'" ? '%27' : decodeURIComponent(found)),
      );
    case 'PATH':
      return strict;
    default:
      return strict.replaceAll('%20', '+').replaceAll('~', '%7E');
  }
}

function decode(text: string): string {
  return text.replaceAll('+', ' ').replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

const number10 = /-?(?:\d+(?:\.\d*)?|\.\d+)(?:E[-+]?\d+)?/gi;

/**
 * Numbers in a text as a language writes them: `1,234.5`, `1.234,5`. `R`: from there to what can be calculated with;
 * `NOSEP`: groups stay together.
 */
export function formatNumber(text: string, option: string, language = 'en'): string {
  const { group, decimal, least, digits } = separatorsOf(language);
  if (option === 'R') {
    const latin = digits ? text.replace(/\p{Nd}/gu, (digit) => latinDigit(digits, digit)) : text;
    const plain = (group === '' ? latin : latin.replaceAll(group, '')).replace('\u2212', '-');
    return decimal === '.' ? plain : plain.replaceAll(decimal, '.');
  }
  if (text === 'NAN') return 'Not a number';
  return text.replace(/\bINF\b/, '∞').replace(number10, (written) => {
    const [, sign = '', whole = '', rest = ''] = /^(-?)(\d*)(.*)$/.exec(written) ?? [];
    let grouped = option === 'NOSEP' || whole.length < 3 + least ? whole : '';
    if (grouped === '' && whole !== '') {
      for (let at = whole.length; at > 0; at -= 3)
        grouped = whole.slice(Math.max(0, at - 3), at) + (grouped === '' ? '' : group + grouped);
    }
    const formatted = (sign === '' ? '' : '\u2212') + grouped + rest.replace('.', decimal);
    return digits ? formatted.replace(/\d/g, (digit) => digits[Number(digit)] ?? digit) : formatted;
  });
}

function latinDigit(digits: readonly string[], digit: string): string {
  const value = digits.indexOf(digit);
  return value < 0 ? digit : String(value);
}

/** `digits`: those of the language, from 0 on, where they are others. */
type Separators = { group: string; decimal: string; least: number; digits?: readonly string[] };
const english: Separators = { group: ',', decimal: '.', least: 1 };
const separators = new Map<string, Separators>();

/** `least`: how many digits stand before the first separator at least. Languages are those of wikis, so they are few. */
function separatorsOf(language: string): Separators {
  if (/^en\b/.test(language)) return english;
  let known = separators.get(language);
  if (!known) {
    const format = intl(() => new Intl.NumberFormat(language));
    const partsOf = (number: number) =>
      new Map(format?.formatToParts(number).map(({ type, value }) => [type, value]) ?? []);
    const parts = partsOf(12_345_678.5);
    const digits = [...'0123456789'].map((digit) => format?.format(Number(digit)) ?? digit);
    known = format
      ? {
          group: parts.get('group') ?? '',
          decimal: parts.get('decimal') ?? '.',
          least: partsOf(1234).has('group') ? 1 : 2,
          ...(digits[1] === '1' ? {} : { digits }),
        }
      : english;
    separators.set(language, known);
  }
  return known;
}

/** Undefined where the runtime does not know the language. */
function intl<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

const categories = 'zero one two few many'.split(' ');

/** `{{plural:n|one|many|0=none}}`, with as many forms as the wiki's language has, in the order of CLDR. */
function plural(call: Call): string {
  const count = Number(call.text(0).replaceAll(',', ''));
  const forms: string[] = [];
  for (const argument of call.arguments.slice(1)) {
    const exact = argument.name()?.trim();
    if (exact === undefined || !/^\d+$/.test(exact)) forms.push(argument.whole().trim());
    else if (Number(exact) === count) return argument.value().trim();
  }
  return pluralForm(count, forms, call.expander.rules.language);
}

/** Form for a count, of as many as the language has, in the order of CLDR; the last given where that one is missing. */
export function pluralForm(count: number, forms: readonly string[], language = 'en'): string {
  const rules = intl(() => new Intl.PluralRules(language));
  const known = categories.filter((one) =>
    rules?.resolvedOptions().pluralCategories.includes(one as Intl.LDMLPluralRule),
  );
  const found = known.indexOf(rules?.select(Math.abs(count)) ?? 'other');
  const index = found < 0 ? known.length : found;
  return forms[Math.min(index, forms.length - 1)] ?? '';
}

function find(text: readonly string[], what: readonly string[], from: number, step: 1 | -1): number {
  // One pass over a joined text keeps this linear; code points become positions again afterwards.
  const whole = text.join('');
  const offset = text.slice(0, Math.max(0, from)).join('').length;
  const at = step > 0 ? whole.indexOf(what.join(''), offset) : whole.lastIndexOf(what.join(''));
  return at < 0 ? -1 : [...whole.slice(0, at)].length;
}

export function number(text: string, fallback: number): number {
  const match = /^\s*([+-]?\d{1,9})/.exec(text);
  return match?.[1] ? Number(match[1]) : fallback;
}

/** Text that is no markup where it lands. */
export function protect(text: string): string {
  return text
    .replace(/["&'<=>[\]{|};]|__|~~~/g, (found) =>
      [...found].map((one) => `&#${one.charCodeAt(0)};`).join(''),
    )
    .replace(/^[#*: ]/, (first) => `&#${first.charCodeAt(0)};`)
    .replace(/\b(RFC|PMID|ISBN) /g, '$1&#32;')
    .replaceAll('://', '&#58;//');
}
