/**
 * Text functions.
 *
 *   {{lc:A}} {{uc:a}} {{lcfirst:AB}} {{ucfirst:ab}}            a A aB Ab
 *   {{padleft:7|3}} {{padright:7|3|.}}                         007 7..
 *   {{formatnum:1234567.8}} {{plural:2|tree|trees}}            1,234,567.8 trees
 *   {{#len:word}} {{#pos:word|r}} {{#rpos:…}} {{#sub:word|1|2}} {{#replace:word|o|a|1}} {{#explode:a,b|,|1}} {{#count:aa|a}}
 *   {{urlencode:a b|PATH}} {{#urldecode:a+b}} {{anchorencode:a b}}
 *
 * Lengths and positions are in code points. Nowiki and other tags are not counted.
 */
import { anchor } from '../headings.ts';
import { encodeSegment } from '../html.ts';
import type { Call, Functions } from './call.ts';
import { outsideExtensions, withoutExtensions } from './markers.ts';
import { number } from './numbers.ts';

const longestPad = 500;

export const string: Functions = {
  // JavaScript lower-cases a final sigma to a separate letter; MediaWiki does not.
  lc: (call) => changed(call, (text) => text.toLowerCase().replaceAll('ς', 'σ')),
  uc: (call) => changed(call, (text) => text.toUpperCase()),
  lcfirst: (call) => onFirst(call.text(0), (first) => first.toLowerCase()),
  ucfirst: (call) => onFirst(call.text(0), (first) => first.toUpperCase()),
  padleft: (call) => pad(call, true),
  padright: (call) => pad(call, false),
  urlencode: (call) => counted(call, encode(plain(call, 0), call.text(1))),
  '#urlencode': (call) => counted(call, encode(plain(call, 0), call.text(1))),
  '#urldecode': (call) => decode(plain(call, 0)),
  anchorencode: (call) => counted(call, protect(anchorOf(call))),
  formatnum: (call) =>
    changed(call, (text) => formatNumber(text, call.text(1), call.expander.rules.language)),
  plural: (call) => plural(call),
  grammar: (call) => call.text(1),
  gender: (call) => (call.arguments.length > 3 ? call.text(3) : call.text(1)),
  bidi: (call) => bidi(call.text(0)),
  '#len': (call) => String([...plain(call, 0)].length),
  '#pos': (call) => {
    const text = [...plain(call, 0)];
    const found = find(text, [...(plain(call, 1) || ' ')], number(call.text(2), 0), 1);
    return found < 0 ? '' : String(found);
  },
  '#rpos': (call) => {
    const text = [...plain(call, 0)];
    return String(find(text, [...(plain(call, 1) || ' ')], text.length, -1));
  },
  '#sub': (call) => {
    const text = [...plain(call, 0)];
    const from = number(call.text(1), 0);
    const length = number(call.text(2), 0);
    const start = from < 0 ? Math.max(0, text.length + from) : from;
    const end = length === 0 ? text.length : length < 0 ? text.length + length : start + length;
    return text.slice(start, Math.max(start, end)).join('');
  },
  '#replace': (call) => {
    const text = plain(call, 0);
    const what = plain(call, 1) || ' ';
    const by = plain(call, 2);
    const most = number(call.text(3), -1);
    const count = text.split(what, 100_000).length - 1;
    if (!call.expander.budget.grow(count * by.length)) return '';
    let left = most < 0 ? Number.POSITIVE_INFINITY : most;
    return text.replaceAll(what, (found) => (left-- > 0 ? by : found));
  },
  '#explode': (call) => {
    const by = plain(call, 1) || ' ';
    const limit = number(call.text(3), 0);
    // With a limit below -1, the text is not split.
    const parts = limit < -1 ? [plain(call, 0)] : plain(call, 0).split(by);
    if (limit > 0 && parts.length > limit)
      parts.splice(limit - 1, parts.length, parts.slice(limit - 1).join(by));
    const position = call.text(2);
    if (call.arguments.length < 3) return parts[0] ?? '';
    return /^(?:-\d.*|0|[1-9]\d*)$/.test(position) ? (parts.at(number(position, 0)) ?? '') : '';
  },
  '#count': (call) => String(plain(call, 0).split(plain(call, 1) || ' ').length - 1),
};

/** Returns a result that may be much longer than its arguments; empty if the page becomes too long. */
function counted(call: Call, result: string): string {
  return call.expander.budget.grow(result.length) ? result : '';
}

/** Returns an argument without extensions and their content. */
function plain(call: Call, position: number): string {
  return withoutExtensions(call.expander, call.text(position));
}

function changed(call: Call, change: (text: string) => string): string {
  return outsideExtensions(call.expander, call.text(0), change);
}

/** Returns the anchor of a heading with this text. Links count as their label. */
function anchorOf(call: Call): string {
  const text = plain(call, 0).replace(/\[\[:?(?:[^[|\]]+\|)?([^[|\]]+)\]\]/g, '$1');
  // The `<nowiki/>` and the joined lines keep the text from beginning a list or other line construct.
  const line = `<nowiki/>${text.replace(/\s+/g, ' ')}`;
  return anchor(call.expander.inlineText(line)).replace(/%(?=[0-9a-f]{2})/gi, '%25');
}

/** Isolates text in the direction of its first letter that has one, so that surrounding text does not affect it. */
function bidi(text: string): string {
  const [first] = /[\p{Script=Latin}\p{Script=Hebrew}\p{Script=Arabic}]/u.exec(text) ?? [];
  if (first === undefined) return text;
  return `${/\p{Script=Latin}/u.test(first) ? '\u202a' : '\u202b'}${text}\u202c`;
}

function onFirst(text: string, change: (first: string) => string): string {
  const [first = ''] = text;
  return change(first) + text.slice(first.length);
}

function pad(call: Call, isLeft: boolean): string {
  const text = call.text(0);
  const width = Math.min(number(call.text(1), 0), longestPad);
  const filler = [...(call.arguments.length > 2 ? plain(call, 2) : '0')];
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
      return encodeTitle(text);
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
 * Formats the numbers in a text for a language: `1,234.5`, `1.234,5`. `R` converts back to plain numbers; `NOSEP` omits group
 * separators.
 */
export function formatNumber(text: string, option: string, language = 'en'): string {
  const { group, decimal, least, digits } = separatorsOf(language);
  if (option === 'R') {
    const latin = digits ? text.replace(/\p{Nd}/gu, (digit) => latinDigit(digits, digit)) : text;
    const plain = (group === '' ? latin : latin.replaceAll(group, ''))
      .replace('\u2212', '-')
      .replace('∞', 'INF');
    return decimal === '.' ? plain : plain.replaceAll(decimal, '.');
  }
  if (text === 'NAN') return 'Not a Number';
  if (/^-?INF$/.test(text)) return text.replace('-', '\u2212').replace('INF', '∞');
  return text.replace(/^\+(?=\.?\d)/, '').replace(number10, (found) => {
    const written = /e/i.test(found) ? withoutExponent(found) : found;
    const [, sign = '', whole = '', rest = ''] = /^(-?)(\d*)(.*)$/.exec(written) ?? [];
    let grouped = option.toUpperCase() === 'NOSEP' || whole.length < 3 + least ? whole : '';
    if (grouped === '' && whole !== '') {
      for (let at = whole.length; at > 0; at -= 3)
        grouped = whole.slice(Math.max(0, at - 3), at) + (grouped === '' ? '' : group + grouped);
    }
    const formatted = (sign === '' ? '' : '\u2212') + grouped + rest.replace('.', decimal);
    return digits ? formatted.replace(/\d/g, (digit) => digits[Number(digit)] ?? digit) : formatted;
  });
}

/** Writes `1.5e3` as `1500`, with at most as many decimals as the text has. */
function withoutExponent(written: string): string {
  const digits = written.includes('.') ? written.length - written.indexOf('.') - 1 : 0;
  const value = Number(written);
  if (!(Math.abs(value) < 1e21)) return written;
  const text = value.toFixed(Math.min(digits, 20));
  return digits === 0 ? text : text.replace(/\.?0+$/, '');
}

function latinDigit(digits: readonly string[], digit: string): string {
  const value = digits.indexOf(digit);
  return value < 0 ? digit : String(value);
}

/** `digits`: the language's digits from 0 on, if they are not 0 to 9. */
type Separators = { group: string; decimal: string; least: number; digits?: readonly string[] };
const english: Separators = { group: ',', decimal: '.', least: 1 };
const separators = new Map<string, Separators>();

/** `least`: minimum number of digits before the first separator. The cache stays small because languages are those of wikis. */
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

/** Returns undefined if the runtime does not know the language. */
function intl<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

const categories = 'zero one two few many'.split(' ');

/** `{{plural:n|one|many|0=none}}`, with as many forms as the wiki's language has, in CLDR order. */
function plural(call: Call): string {
  const count = Number.parseFloat(call.text(0).replaceAll(',', '')) || 0;
  const forms: string[] = [];
  for (const argument of call.arguments.slice(1)) {
    const exact = argument.name()?.trim();
    if (exact === undefined || !/^\d+$/.test(exact)) forms.push(argument.whole().trim());
    else if (Number(exact) === count) return argument.value().trim();
  }
  return pluralForm(count, forms, call.expander.rules.language);
}

/**
 * Returns the plural form for a count. The language's forms are in CLDR order; if the one needed is missing, the last one given
 * is used.
 */
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
  // Searching the joined text is linear. The result is converted back to code points.
  const whole = text.join('');
  const offset = text.slice(0, from).join('').length;
  const at = step > 0 ? whole.indexOf(what.join(''), offset) : whole.lastIndexOf(what.join(''));
  return at < 0 ? -1 : [...whole.slice(0, at)].length;
}

/** Encodes a title as part of an address. */
export function encodeTitle(title: string): string {
  return encodeSegment(title.replaceAll(' ', '_')).replace(/%(?:3B|40|24|2C|2F|3A)|'/g, (found) =>
    found === "'" ? '%27' : decodeURIComponent(found),
  );
}

/** Escapes text that must not be read as markup where it is inserted. */
export function protect(text: string): string {
  return text
    .replace(/["&'<=>[\]{|};]|__|~~~/g, (found) =>
      [...found].map((one) => `&#${one.charCodeAt(0)};`).join(''),
    )
    .replace(/^(?:[#*:! ]|-(?=---))/, (first) => `&#${first.charCodeAt(0)};`)
    .replace(/\b(RFC|PMID|ISBN) /g, '$1&#32;')
    .replaceAll('://', '&#58;//');
}
