/**
 * Escapes text for wikitext. Only text that would be markup is put in `<nowiki>`; a single bracket stays as it is.
 */

import { char } from '../characters.ts';
import { extensionTags, switches } from '../constructs.ts';
import { schemesWithout, schemesWithSlashes } from '../html.ts';
import type { Rules } from '../options.ts';
import { allowedElements } from '../sanitize.ts';

export type Surroundings = {
  /** Undefined if the dialect is unknown, in which case every tag and every `__WORD__` is escaped. */
  rules: Rules | undefined;
  /** Set inside a link, where brackets would close it and addresses are plain text. */
  inLink?: 'page' | 'file' | 'external';
  /** Set on the first line of a cell or caption, where bars are separators. */
  inCell?: 'td' | 'th' | undefined;
  /** Whether the text is in the term of a definition list, which a colon would end. */
  inTerm?: boolean;
  /** Whether the text begins a line. */
  isLineStart: boolean;
  /** Whether indented lines are not code here. */
  keepsIndent: boolean;
  /** Whether the text directly follows the bar of a cell, where `-`, `}` and `+` would form `|-`, `|}` and `|+`. */
  isAfterBar?: boolean;
  /** Whether an earlier `[[` in the text is open, so that `]]` would complete a link. */
  hasOpenBrackets?: boolean;
  /** Whether more content follows. The line may then end with `=` and become a heading. */
  goesOn?: boolean;
  /** Whether bare addresses stay unescaped, so that they become links. */
  keepsAddresses?: boolean;
};

const schemes = [
  ...schemesWithSlashes.map((scheme) => `${scheme}:\\/\\/`),
  ...schemesWithout.map((scheme) => `${scheme}:`),
];
/** Matches an address at the start of a word, or after a switch, without punctuation at its end. */
const address = `(?<![\\p{L}\\p{N}]|(?<!_)_)(?:${schemes.join('|')})(?=[^\\s"<>[\\]])[^\\s"<>[\\]]*[^\\s"<>[\\],;.:!?]`;
const marks = [
  '\\[\\[[^[\\]\\n]*\\]\\]',
  // The closing bracket may follow in another node.
  `\\[(?=\\/\\/|${schemes.join('|')})(?:[^[\\]\\n]*\\])?`,
  '\\{\\{[^{}\\n]*\\}\\}|\\{\\{+',
  "'{2,}",
  '~{3,}',
  '__[\\p{L}_]{1,40}?__',
].join('|');
/** Cell separators by the kind of cell that contains the text. */
const barsOf = { none: '', td: '|\\|', th: '|\\||!!' };
const withoutAddresses = { none: marksIn('none'), td: marksIn('td'), th: marksIn('th') };
const withAddresses = {
  none: marksIn('none', address),
  td: marksIn('td', address),
  th: marksIn('th', address),
};

function marksIn(cell: keyof typeof barsOf, more?: string): RegExp {
  return new RegExp(marks + barsOf[cell] + (more === undefined ? '' : `|${more}`), 'giu');
}

const numbers = /\b(?:(?:RFC|PMID)[ \t\u00a0]+\d+\b|ISBN[ \t\u00a0]+(?:97[89][ -]?)?(?:\d[ -]?){9}[\dxX]\b)/g;
/** Characters of all constructs. Most texts contain none and need no escaping. */
const suspicious = /[[\]{}'~_<&:|!=*#;+\-\u00a0]|\b(?:RFC|PMID|ISBN)\b|^ |\n/;

function nowiki(text: string): string {
  return `<nowiki>${text.replace(/&(?=#?\w{1,40};)/g, '&amp;').replace(/<(?=\/?nowiki)/gi, '&lt;')}</nowiki>`;
}

/** Returns wikitext that shows `text`, line by line. */
export function escapeText(text: string, at: Surroundings): string {
  if (!suspicious.test(text)) return text;
  return text
    .split('\n')
    .map((line, index) =>
      escapeLine(line, index === 0 ? at : { ...at, inCell: undefined, isLineStart: true, isAfterBar: false }),
    )
    .join('\n');
}

function escapeLine(line: string, at: Surroundings): string {
  const whole = needsAll(line, at);
  if (whole) return line === '' ? '' : nowiki(line);
  let start = '';
  let rest = line;
  if (at.isLineStart) {
    const first = lineStart(line, at);
    if (first > char.nul) {
      start = nowiki(line.slice(0, first));
      rest = line.slice(first);
    }
  }
  return start + escapeMarks(rest, at);
}

/** Whether the whole line must be escaped, because markup in it would change the meaning of its surroundings. */
function needsAll(line: string, at: Surroundings): boolean {
  if (at.isAfterBar && /^[-+}]/.test(line)) return true;
  if (at.inLink === 'page') return /\]\]|\[\[/.test(line) || (line.endsWith(']') && !line.includes('['));
  if (at.inLink === 'file') return /\]\]|\[\[|\|/.test(line) || (line.endsWith(']') && !line.includes('['));
  if (at.inLink === 'external') return /\]|\[\[/.test(line);
  if (at.inTerm && /:/.test(line)) return true;
  return at.isLineStart && /^=.*=\s*$/.test(line);
}

/** Returns the number of characters at the start of a line that would be markup. */
function lineStart(line: string, at: Surroundings): number {
  if (/^[*#:;]/.test(line) || (at.goesOn && line.startsWith('='))) return 1;
  if (line.startsWith('----')) return 4;
  if (line.startsWith('{|')) return 2;
  if (line.startsWith(' ') && !at.keepsIndent && line.trim() !== '') return 1;
  if (!at.keepsIndent) return 0;
  return /^\s*(?=\{\|)/.test(line) ? line.indexOf('{|') + 2 : 0;
}

function escapeMarks(text: string, at: Surroundings): string {
  const isAddressText = at.keepsAddresses || at.inLink === 'page' || at.inLink === 'external';
  const pattern = (isAddressText ? withoutAddresses : withAddresses)[at.inCell ?? 'none'];
  const found = [...text.matchAll(pattern)].filter(
    ({ 0: mark }) => !mark.startsWith('__') || isSwitch(mark, at.rules),
  );
  if (at.hasOpenBrackets) {
    const close = text.indexOf(']]');
    if (close >= 0) {
      const around = { ...at, hasOpenBrackets: false };
      return (
        escapeMarks(text.slice(0, close), around) + nowiki(']]') + escapeMarks(text.slice(close + 2), around)
      );
    }
  }
  const [first] = found;
  const last = found[found.length - 1];
  if (!first || !last) return plain(text, at);
  // One `<nowiki>` from the first mark to the last is easier to read than one around each.
  const end = last.index + last[0].length;
  return (
    plain(text.slice(0, first.index), at) + nowiki(text.slice(first.index, end)) + plain(text.slice(end), at)
  );
}

/**
 * Escapes tags and character references with references, and ISBNs and RFC numbers with `<nowiki>` in dialects that link them.
 */
function plain(text: string, { rules, inLink }: Surroundings): string {
  const safe = text
    .replace(/&(?=#?\w{1,40};)/g, '&amp;')
    .replace(/<(?=!--|\/?([a-z][a-z0-9]{0,15})(?=[\s/>]|$))/gi, (sign, name: string | undefined) =>
      name === undefined || isTag(name.toLowerCase(), rules) ? '&lt;' : sign,
    );
  return rules?.letters && !inLink ? safe.replace(numbers, nowiki) : safe;
}

function isTag(name: string, rules: Rules | undefined): boolean {
  if (!rules) return true;
  const { tags, moreElements, imageTags } = rules;
  return (
    allowedElements.has(name) ||
    extensionTags.has(name) ||
    tags?.has(name) ||
    moreElements?.has(name) ||
    (name === 'img' && imageTags) ||
    /^(?:noinclude|includeonly|onlyinclude)$/.test(name)
  );
}

/** Escapes the value of an attribute in double quotes. */
export function escapeAttribute(value: string): string {
  return value
    .replace(/&(?=#?\w{1,40};)/g, '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('{{', '&#123;&#123;')
    .replace(/(?<!\s)\s*\n\s*/g, ' ');
}

/** Whether `__WORD__` is a switch of the dialect. */
function isSwitch(mark: string, rules: Rules | undefined): boolean {
  if (!rules) return true;
  const word = mark.slice(2, -2).toLowerCase();
  return switches.has(word) || Object.hasOwn(rules.switches ?? {}, word);
}

/** Returns a comment. Text in it that would end the comment is written by references. */
export function comment(value: string): string {
  const decoded = value
    .replace(/&#x2D;/g, '-')
    .replace(/&#x3E;/g, '>')
    .replace(/&amp;/g, '&');
  return `<!--${decoded.replaceAll('-->', '--&gt;')}-->`;
}
