/**
 * Numbers the terms of many texts, as `termsOf` splits them. Reading hundreds of texts, most time goes into making a string of
 * each word and looking it up; here a word is found by its characters, and is a string only once.
 */
import { fold } from './fold.ts';
import { stemOf } from './stems.ts';
import { maxTermLength, termsOfFolded } from './terms.ts';

const slotsAtFirst = 1 << 13;

export class NumberedTerms {
  /** Each term by its number. */
  readonly terms: string[] = [];
  readonly #hashes: number[] = [];
  /** Numbers by hash, plus 1; 0 is free. Collisions take the next free slot. At most half of them are taken. */
  #slots = new Int32Array(slotsAtFirst);
  /** Numbers of stems by language, then by number of the term, plus 1; 0 is not known yet. */
  readonly #stems = new Map<string, Int32Array>();

  /** Appends the numbers of the terms of a text, in order. */
  read(text: string, to: number[] = []): number[] {
    const folded = fold(text);
    const { length } = folded;
    for (let at = 0; at < length; ) {
      const from = at;
      let isAscii = true;
      for (; at < length; at++) {
        const code = folded.charCodeAt(at);
        if (code >= 0x80) isAscii = false;
        else if (!((code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39))) break;
      }
      if (at === from) at++;
      else if (isAscii) to.push(this.#numberOf(folded, from, Math.min(at, from + maxTermLength)));
      // No term goes beyond ASCII characters that are neither letters nor digits.
      else
        for (const term of termsOfFolded(folded.slice(from, at)))
          to.push(this.#numberOf(term, 0, term.length));
    }
    return to;
  }

  /** The number of the stem of a term in a language, or of the term itself if it has none. */
  stemOf(number: number, language: string): number {
    let stems = this.#stems.get(language);
    if (!stems || number >= stems.length) {
      const longer = new Int32Array(2 * Math.max(number, this.terms.length));
      if (stems) longer.set(stems);
      this.#stems.set(language, longer);
      stems = longer;
    }
    const known = stems[number] ?? 0;
    if (known > 0) return known - 1;
    const stem = stemOf(this.terms[number] ?? '', language);
    const found = stem === undefined ? number : this.#numberOf(stem, 0, stem.length);
    stems[number] = found + 1;
    return found;
  }

  #numberOf(text: string, from: number, to: number): number {
    let hash = 0x811c9dc5;
    for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    const last = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & last;
    for (let taken = this.#slots[slot] ?? 0; taken !== 0; taken = this.#slots[slot] ?? 0) {
      if (this.#hashes[taken - 1] === hash && this.#is(taken - 1, text, from, to)) return taken - 1;
      slot = (slot + 1) & last;
    }
    this.terms.push(text.slice(from, to));
    this.#hashes.push(hash);
    this.#slots[slot] = this.terms.length;
    if (2 * this.terms.length > last) this.#grow();
    return this.terms.length - 1;
  }

  #is(number: number, text: string, from: number, to: number): boolean {
    const term = this.terms[number] ?? '';
    if (term.length !== to - from) return false;
    for (let i = 0; i < term.length; i++) if (term.charCodeAt(i) !== text.charCodeAt(from + i)) return false;
    return true;
  }

  #grow(): void {
    const slots = new Int32Array(2 * this.#slots.length);
    const last = slots.length - 1;
    for (const [number, hash] of this.#hashes.entries()) {
      let slot = (hash ^ (hash >>> 15)) & last;
      while (slots[slot] !== 0) slot = (slot + 1) & last;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }
}
