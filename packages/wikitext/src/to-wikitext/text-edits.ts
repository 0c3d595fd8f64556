/**
 * Edits of texts. Text of the rendered HTML is aligned with the text that the source shows between the places of the elements
 * around it, word by word, and each difference is made in the source itself, so that everything else keeps its bytes.
 *
 *   A {{Word}} c        with `A` changed to `B` becomes        B {{Word}} c
 *
 * Afterwards, the outline of the changed source must be that of the source with the new words: text that would be markup is
 * escaped, or the edit is refused.
 */
import type { Rules } from '../options.ts';
import { escapeText } from './escape.ts';
import { longestMatch } from './match.ts';
import type { Range } from './source-blocks.ts';
import { type Character, SourceText } from './source-text.ts';

/** A replacement of a part of the source. `isPlain`: `text` is text of the page, which may have to be escaped. */
export type Change = Range & { text: string; isPlain?: boolean };

type Token = Range & { key: string };

const words = /[\p{L}\p{N}\p{M}_]+|\s+|[\s\S]/gu;

/** Returns words, white space and single signs with their offsets, counted from `from`. White space of any length is equal. */
export function tokensOf(text: string, from = 0): Token[] {
  return Array.from(text.matchAll(words), ({ 0: token, index }) => ({
    key: token.trim() === '' ? ' ' : token,
    start: from + index,
    end: from + index + token.length,
  }));
}

const keysOf = (tokens: readonly Token[]) => tokens.map(({ key }) => key);

/** Texts of the rendered HTML, aligned with the text of the part of the source that they come from. */
export class AlignedTexts {
  readonly #source: SourceText;
  readonly #texts: readonly (readonly Token[])[];
  readonly #tokens: readonly Token[];
  readonly #within: Range;
  /** Words of the source, whose offsets are indexes of characters. */
  readonly #shown: readonly Token[];
  /** Index of a word of the HTML → index of the same word in the source. */
  readonly #matched: ReadonlyMap<number, number>;

  constructor(source: SourceText, within: Range, texts: readonly string[]) {
    this.#source = source;
    this.#texts = texts.map((text) => tokensOf(text));
    this.#shown = shownTokens(source, within);
    this.#within = within;
    this.#tokens = this.#texts.flat();
    const keys = keysOf(this.#tokens);
    // White space at the end of a block is no white space that stands before words or calls in the source.
    const last = this.#shown.at(-1);
    const rest = source.source.slice(
      source.characters[(last?.end ?? 0) - 1]?.end ?? within.start,
      within.end,
    );
    const isInSource = last?.key === ' ' && !rest.includes('}}');
    if (keys.at(-1) === ' ' && !isInSource) keys.pop();
    this.#matched = longestMatch(keys, keysOf(this.#shown));
  }

  /** Returns the changes of the source for the new form of a text; undefined if a place is uncertain. */
  changes(text: number, now: string): Change[] | undefined {
    const before = this.#texts[text] ?? [];
    const first = this.#texts.slice(0, text).reduce((sum, { length }) => sum + length, 0);
    const after = tokensOf(now);
    const kept = longestMatch(keysOf(before), keysOf(after));
    const changes: Change[] = [];
    let passed = 0;
    let to = 0;
    for (let from = 0; from <= before.length; from++) {
      const match = from === before.length ? after.length : kept.get(from);
      if (match === undefined) continue;
      if (passed < from || match > to) {
        const range = this.#place(first + passed, first + from);
        if (!range) return undefined;
        changes.push({
          ...range,
          text: this.#atEnd(
            first + from,
            passed === from,
            now.slice(after[to]?.start ?? now.length, after[match]?.start ?? now.length),
          ),
          isPlain: true,
        });
      }
      passed = from + 1;
      to = match + 1;
    }
    return changes;
  }

  /**
   * Returns the offset in the source of the place between two words of a text, `at` words after its start; undefined if it is
   * uncertain. `side`: the word that the place belongs to, if the source has something else between the two.
   */
  offset(text: number, at: number, side: 'before' | 'after'): number | undefined {
    const first = this.#texts.slice(0, text).reduce((sum, { length }) => sum + length, 0);
    const length = this.#texts[text]?.length ?? 0;
    // White space at the ends of a block is not in the source. A word that is not there comes from a call.
    const isSpace = (index: number) => this.#texts[text]?.[index]?.key === ' ';
    const before =
      this.#matched.get(first + at - 1) ??
      (at > 1 && isSpace(at - 1) ? this.#matched.get(first + at - 2) : undefined);
    const after =
      this.#matched.get(first + at) ??
      (at + 1 < length && isSpace(at) ? this.#matched.get(first + at + 1) : undefined);
    const edge = before === undefined || after === undefined ? this.#edgeAt(first + at) : undefined;
    if (edge !== undefined) return edge;
    const end = at === 0 || before === undefined ? undefined : this.#rangeOf(before, before, 'end')?.end;
    const start =
      at === length || after === undefined ? undefined : this.#rangeOf(after, after, 'start')?.start;
    return side === 'before' ? (end ?? start) : (start ?? end);
  }

  /** Returns text added at the end with a space before it for a line end that is not in the source. */
  #atEnd(index: number, isAdded: boolean, text: string): string {
    const isBlank = ({ key }: Token) => key === ' ';
    if (!isAdded || !this.#tokens.slice(index).every(isBlank)) return text;
    const before = this.#matched.get(index - 1);
    const range = before === undefined ? undefined : this.#rangeOf(before, before);
    if (range && range.start < range.end) return text;
    const space = this.#tokens[index - 1]?.key === ' ' || /^\s/.test(text) ? ' ' : '';
    return space + (range ? text.trimStart() : text.trim());
  }

  /**
   * Returns the end of the part of the source if it ends with a call, or its start if it begins with one, for a place behind or before
   * all words.
   */
  #edgeAt(index: number): number | undefined {
    const { start, end } = this.#within;
    const part = this.#source.source.slice(start, end);
    const isBlank = ({ key }: Token) => key === ' ';
    if (this.#tokens.slice(index).every(isBlank)) {
      if (/^\s*(?:=*|\]\])\s*$/.test(part)) return start;
      const word = this.#matched.get(index - 2);
      const isEnd = this.#matched.get(index - 1) === undefined && word === this.#shown.length - 1;
      const after = isEnd && word !== undefined ? this.#rangeOf(word, word)?.end : undefined;
      if (after !== undefined && !part.includes('}}', after - start)) return after;
      const last = /\}\}[ \t]*(?:=*|\]\])\s*$/.exec(part);
      return last ? start + last.index + 2 : undefined;
    }
    if (!this.#tokens.slice(0, index).every(isBlank)) return undefined;
    const first = /^(?:[*#:;]+|\|\|?|!!?|=+)?\s*(?=\{\{)/.exec(part);
    return first ? start + first[0].length : undefined;
  }

  /** Returns the source range of the words from `from` to before `to`, or of the place between two words. */
  #place(from: number, to: number): Range | undefined {
    const before = this.#matched.get(from - 1);
    const after = this.#matched.get(to);
    if (from === to) {
      if (before !== undefined) return this.#rangeOf(before, before, 'end');
      const edge = this.#edgeAt(from);
      if (edge !== undefined) return { start: edge, end: edge };
      return after === undefined ? undefined : this.#rangeOf(after, after, 'start');
    }
    const first = this.#matched.get(from);
    if (first === undefined) return undefined;
    for (let at = from; at < to; at++) if (this.#matched.get(at) !== first + at - from) return undefined;
    const last = first + to - from - 1;
    // A word that a call produced may also stand elsewhere in the source.
    const isSure =
      (first > 0 && before === first - 1) ||
      after === last + 1 ||
      (from === 0 && first === 0) ||
      (to === this.#tokens.length && last === this.#shown.length - 1);
    return isSure ? this.#rangeOf(first, last) : undefined;
  }

  /** Returns the source range of words, or one end of it; undefined if the source has something else within it. */
  #rangeOf(first: number, last: number, side?: 'start' | 'end'): Range | undefined {
    const { characters } = this.#source;
    for (let at = first + 1; at <= last; at++) {
      const next = characters[this.#shown[at]?.start ?? 0]?.start;
      if (characters[(this.#shown[at]?.start ?? 0) - 1]?.end !== next) return undefined;
    }
    const start = characters[this.#shown[first]?.start ?? 0]?.start ?? 0;
    const end = characters[(this.#shown[last]?.end ?? 0) - 1]?.end ?? 0;
    return side === 'start' ? { start, end: start } : side === 'end' ? { start: end, end } : { start, end };
  }
}

/** Returns the words of a part of the source. Where something invisible stands within a word, there are two. */
function shownTokens(source: SourceText, within: Range): Token[] {
  const { start, end } = source.indexes(within);
  const tokens: Token[] = [];
  let part = '';
  for (let at = start; at <= end; at++) {
    const one = source.characters[at];
    const last = source.characters[at - 1];
    // The two units of one character reference have the same place.
    if (part !== '' && (at === end || !one || (one.start !== last?.end && one.start !== last?.start))) {
      tokens.push(...tokensOf(part, at - part.length));
      part = '';
    }
    if (at < end) part += one?.value ?? '';
  }
  return tokens;
}

/** Returns the source with changes in source order; undefined if they overlap. */
export function withChanges(source: string, changes: readonly Change[]): string | undefined {
  let out = '';
  let at = 0;
  for (const { start, end, text } of changes) {
    if (start < at) return undefined;
    out += source.slice(at, start) + text;
    at = end;
  }
  return out + source.slice(at);
}

/** Returns changes of the text as they are written; undefined if the new text cannot be written there. */
export function writtenTexts(
  text: SourceText,
  unsorted: readonly Change[],
  rules: Rules,
): readonly Change[] | undefined {
  const changes = unsorted.toSorted((one, other) => one.start - other.start || one.end - other.end);
  const expected = expectedOutline(text, changes);
  if (expected === undefined) return undefined;
  const escaped = changes.map(({ text: words, ...range }) => ({
    ...range,
    text: escapeText(words, {
      rules,
      isLineStart: isLineStart(text.source, range.start),
      keepsIndent: false,
    }),
  }));
  for (const tried of [changes, escaped]) {
    const written = withChanges(text.source, tried);
    if (written !== undefined && spaced(new SourceText(written, rules).outline) === expected) return tried;
  }
  return undefined;
}

function isLineStart(source: string, at: number): boolean {
  return at === 0 || source[at - 1] === '\n';
}

function spaced(outline: string): string {
  return outline.replace(/\s+/g, ' ');
}

/** Returns the place in the outline behind or before a call or other markup, where no shown text is next to it in the source. */
function placeBeside(
  { source, outline }: SourceText,
  { start }: Range,
  before: Character | undefined,
  after: Character | undefined,
): number | undefined {
  if (after?.start === start) return undefined;
  const from = before ? before.inOutline + 1 : 0;
  const gap = outline.slice(from, after?.inOutline);
  const written = source.slice(before?.end ?? 0, start);
  if (source.startsWith('{{', start) && !written.includes('{{')) {
    const at = gap.indexOf('<{"type":"template"');
    return at < 0 ? undefined : from + at;
  }
  // Behind the end of emphasis, links and tags.
  const ends = /^(?:'{2,3}|'{5}|\]\]?|<\/\w+>)+$/.test(written)
    ? written.match(/'{5}|'{2,3}|\]\]?|<\/\w+>/g)
    : null;
  const closed = '</>'.repeat(
    ends?.reduce((sum, one) => sum + (one.length === 5 && one[0] === "'" ? 2 : 1), 0) ?? 0,
  );
  if (ends) return gap.startsWith(closed) ? from + closed.length : undefined;
  if (!written.endsWith('}}')) return undefined;
  const end = `${written.slice(written.lastIndexOf('{{'))}></>`;
  const at = gap.indexOf(end);
  return at < 0 ? undefined : from + at + end.length;
}

/** Returns the outline that the source must have after the changes. */
function expectedOutline(text: SourceText, changes: readonly Change[]): string | undefined {
  const { characters, outline } = text;
  const inOutline: Change[] = [];
  for (const change of changes) {
    const { start, end } = text.indexes(change);
    const before = characters[start - 1];
    const first = characters[start];
    const last = characters[end - 1];
    if (start < end && first && last)
      inOutline.push({ start: first.inOutline, end: last.inOutline + 1, text: change.text });
    else if (before?.end === change.start) {
      // A bare address ends before a space.
      const isAddress =
        /^\s/.test(change.text) &&
        /\w:\/\/\S+$/.test(text.source.slice(Math.max(0, change.start - 1000), change.start));
      const at = before.inOutline + 1;
      const place = isAddress && outline.startsWith('</>', at) ? at + 3 : at;
      inOutline.push({ start: place, end: place, text: change.text });
    } else {
      const place = placeBeside(text, change, before, first) ?? first?.inOutline;
      if (place === undefined) return undefined;
      inOutline.push({ start: place, end: place, text: change.text });
    }
  }
  inOutline.sort((one, other) => one.start - other.start);
  const expected = withChanges(outline, inOutline);
  return expected === undefined ? undefined : spaced(expected);
}
