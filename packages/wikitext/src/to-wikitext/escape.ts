/**
 * Text as wikitext that shows it. What would be markup stands in `<nowiki>`, and only that: a bracket alone stays a bracket.
 */
import { schemesWithout, schemesWithSlashes } from '../html.ts';
import type { Rules } from '../options.ts';
import { allowedElements } from '../sanitize.ts';
import { extensionNames } from '../scan.ts';
import { switchNames } from '../switch.ts';

export type Surroundings = {
  /** Undefined: the dialect is not known, so every tag and every `__WORD__` may mean something. */
  rules: Rules | undefined;
  /** Brackets close a link, and addresses are none. */
  inLink?: 'page' | 'file' | 'external';
  /** On the first line of a cell or caption. */
  inCell?: 'td' | 'th' | undefined;
  /** A colon would end the term. */
  inTerm?: boolean;
  /** The text here begins a line. */
  isLineStart: boolean;
  /** Indented text is no code here. */
  keepsIndent: boolean;
  /** Right after the bar of a cell: `|-`, `|}` and `|+` mean something else. */
  isAfterBar?: boolean;
  /** Two brackets stand before it, which two here would close. */
  hasOpenBrackets?: boolean;
  /** Something follows on the last line: it may end with `=`, as a heading does. */
  goesOn?: boolean;
  /** Bare addresses stay links. */
  keepsAddresses?: boolean;
};

const schemes = [
  ...schemesWithSlashes.map((scheme) => `${scheme}:\\/\\/`),
  ...schemesWithout.map((scheme) => `${scheme}:`),
];
/** An address where a word begins, up to what cannot belong to it. */
const address = `(?<![\\p{L}\\p{N}_])(?:${schemes.join('|')})(?=[^\\s"<>[\\]])[^\\s"<>[\\]]*[^\\s"<>[\\],;.:!?]`;
const marks = [
  '\\[\\[[^[\\]\\n]*\\]\\]',
  // Its end may come in an element further on.
  `\\[(?=\\/\\/|${schemes.join('|')})(?:[^[\\]\\n]*\\])?`,
  '\\{\\{[^{}\\n]*\\}\\}|\\{\\{+',
  "'{2,}",
  '~{3,}',
  '__[\\p{L}_]{1,40}?__',
].join('|');
/** By the cell that the text is in: bars part cells, and two exclamation marks part header cells. */
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
/** Characters of all constructs: a text without any, like most, needs no escaping. */
const suspicious = /[[\]{}'~_<&:|!=*#;+\-\u00a0]|\b(?:RFC|PMID|ISBN)\b|^ |\n/;

export function nowiki(text: string): string {
  return `<nowiki>${text.replace(/&(?=#?\w{1,40};)/g, '&amp;').replace(/<(?=\/?nowiki)/gi, '&lt;')}</nowiki>`;
}

/** `text` holds no line ends but those between its lines. */
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
    if (first > 0) {
      start = nowiki(line.slice(0, first));
      rest = line.slice(first);
    }
  }
  return start + escapeMarks(rest, at);
}

/** Text that is escaped as a whole, because a mark in it counts for what is around it. */
function needsAll(line: string, at: Surroundings): boolean {
  if (at.isAfterBar && /^[-+}]/.test(line)) return true;
  if (at.inLink === 'page') return /\]\]|\[\[/.test(line) || (line.endsWith(']') && !line.includes('['));
  if (at.inLink === 'file') return /\]\]|\[\[|\|/.test(line) || (line.endsWith(']') && !line.includes('['));
  if (at.inLink === 'external') return /\]|\[\[/.test(line);
  if (at.inTerm && /:/.test(line)) return true;
  return at.isLineStart && /^=.*=\s*$/.test(line);
}

/** How many characters at the start of a line would be markup there. */
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
  // One tag from the first mark to the last one is easier to read than one around each.
  const end = last.index + last[0].length;
  return (
    plain(text.slice(0, first.index), at) + nowiki(text.slice(first.index, end)) + plain(text.slice(end), at)
  );
}

/** Tags and references are written as references, numbers of books in dialects that link them in `<nowiki>`. */
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
    extensionNames.has(name) ||
    tags?.has(name) ||
    moreElements?.has(name) ||
    (name === 'img' && imageTags) ||
    /^(?:noinclude|includeonly|onlyinclude)$/.test(name)
  );
}

/** The value of an attribute between double quotes. */
export function escapeAttribute(value: string): string {
  return value
    .replace(/&(?=#?\w{1,40};)/g, '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('{{', '&#123;&#123;')
    .replace(/\s*\n\s*/g, ' ');
}

/** Whether `__WORD__` switches something in the dialect. */
function isSwitch(mark: string, rules: Rules | undefined): boolean {
  if (!rules) return true;
  const word = mark.slice(2, -2).toLowerCase();
  return switchNames.has(word) || Object.hasOwn(rules.switches ?? {}, word);
}

export function comment(value: string): string {
  const decoded = value
    .replace(/&#x2D;/g, '-')
    .replace(/&#x3E;/g, '>')
    .replace(/&amp;/g, '&');
  return `<!--${decoded.replaceAll('-->', '--&gt;')}-->`;
}
