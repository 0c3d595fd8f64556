/**
 * Finds end tags. A missing end tag is searched for only once, so the time is linear in the text's length, however many
 * elements it opens.
 */
import { char, isSpace } from './characters.ts';

export type EndTag = { start: number; end: number };

export class EndTags {
  readonly #text: string;
  readonly #missing = new Set<string>();
  readonly #pairs = new Map<string, ReadonlyMap<number, EndTag>>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the first `</name>` at or after `from`. */
  find(name: string, from: number): EndTag | undefined {
    if (this.#missing.has(name)) return undefined;
    const text = this.#text;
    for (let found = text.indexOf('</', from); found >= 0; found = text.indexOf('</', found + 2)) {
      let end = found + 2 + name.length;
      if (text.slice(found + 2, end).toLowerCase() !== name) continue;
      while (isSpace(text.charCodeAt(end))) end++;
      if (text.charCodeAt(end) === char.greaterThan) return { start: found, end: end + 1 };
    }
    this.#missing.add(name);
    return undefined;
  }

  /**
   * Returns the end tag of the element at `start`, whose content begins at `from` and may contain elements of the same name.
   */
  findNested(name: string, start: number, from: number): EndTag | undefined {
    const first = this.find(name, from);
    if (!first || !new RegExp(`<${name}[\\s>]`, 'i').test(this.#text.slice(from, first.start))) return first;
    const pairs = this.#pairs.get(name) ?? pairTags(this.#text, name);
    this.#pairs.set(name, pairs);
    return pairs.get(start) ?? first;
  }
}

/** Pairs tags in one walk. Returns end tags by the offset of their start tag, inner ones first. */
function pairTags(text: string, name: string): Map<number, EndTag> {
  const pairs = new Map<number, EndTag>();
  const open: number[] = [];
  for (const tag of text.matchAll(new RegExp(`<${name}(?=[\\s>])[^<>]*>|</${name}\\s{0,100}>`, 'gi'))) {
    const [written] = tag;
    if (written.charCodeAt(1) !== char.slash) {
      if (!written.endsWith('/>')) open.push(tag.index);
      continue;
    }
    const start = open.pop();
    if (start !== undefined) pairs.set(start, { start: tag.index, end: tag.index + written.length });
  }
  return pairs;
}
