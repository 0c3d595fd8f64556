/** Ends of elements. An end tag that is missing once is not looked for again: linear, however many elements begin. */
import { isSpace } from './characters.ts';

export type EndTag = { start: number; end: number };

export class EndTags {
  readonly #text: string;
  readonly #missing = new Set<string>();
  #ofNotes: ReadonlyMap<number, EndTag> | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** The first `</name>` at or after `from`. */
  find(name: string, from: number): EndTag | undefined {
    if (this.#missing.has(name)) return undefined;
    const text = this.#text;
    for (let found = text.indexOf('</', from); found >= 0; found = text.indexOf('</', found + 2)) {
      let end = found + 2 + name.length;
      if (text.slice(found + 2, end).toLowerCase() !== name) continue;
      while (isSpace(text.charCodeAt(end))) end++;
      if (text.charCodeAt(end) === 62) return { start: found, end: end + 1 };
    }
    this.#missing.add(name);
    return undefined;
  }

  /** End tag of the `<ref>` at `start`, whose content begins at `from` and may hold others. */
  findOfNote(start: number, from: number): EndTag | undefined {
    const first = this.find('ref', from);
    if (!first || !/<ref[\s>]/i.test(this.#text.slice(from, first.start))) return first;
    this.#ofNotes ??= pairNotes(this.#text);
    return this.#ofNotes.get(start) ?? first;
  }
}

/** By the offsets of their start tags, inner ones first, in one walk. */
function pairNotes(text: string): Map<number, EndTag> {
  const pairs = new Map<number, EndTag>();
  const open: number[] = [];
  for (const tag of text.matchAll(/<ref(?=[\s>])[^<>]*>|<\/ref\s{0,100}>/gi)) {
    const [written] = tag;
    if (written.charCodeAt(1) !== 47) {
      if (!written.endsWith('/>')) open.push(tag.index);
      continue;
    }
    const start = open.pop();
    if (start !== undefined) pairs.set(start, { start: tag.index, end: tag.index + written.length });
  }
  return pairs;
}
