/** Digests of the terms and positions of each page in a search index, independent of the index order. */

export interface Occurrence {
  term: string;
  doc: number;
  col: string;
  offset: number;
}

export class Digests {
  #sums = new Map<number, number>();
  #term = '';
  #hash = 0;

  add(occurrences: Occurrence[]): void {
    for (const { term, doc, col, offset } of occurrences) {
      if (term !== this.#term) {
        this.#term = term;
        this.#hash = hashOf(term);
      }
      // Each is below 2^32, so that sums over all terms of a page are exact.
      const place = mix(this.#hash ^ mix(offset + 1) ^ (col.length << 24));
      this.#sums.set(doc, (this.#sums.get(doc) ?? 0) + place + 1);
    }
  }

  /** Returns the IDs of pages with different digests there, and removes these pages. */
  takeDiffering(ids: number[], there: Digests): Set<number> {
    const differing = new Set<number>();
    for (const id of ids) {
      if (this.#sums.get(id) !== there.#sums.get(id)) differing.add(id);
      this.#sums.delete(id);
    }
    return differing;
  }

  ids(): number[] {
    return [...this.#sums.keys()];
  }
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

/** Finalizer of MurmurHash3: every input bit changes half of the output bits. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
