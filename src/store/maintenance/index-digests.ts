/** Sums of which terms stand where in a search index, a number for each page, however the index is ordered. */

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
      // Below 2^32 each, so that sums of all the terms that a page can have stay exact.
      const place = mix(this.#hash ^ mix(offset + 1) ^ (col.length << 24));
      this.#sums.set(doc, (this.#sums.get(doc) ?? 0) + place + 1);
    }
  }

  /** IDs of the pages whose digest differs there. These pages are forgotten afterwards. */
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

/** The finalizer of MurmurHash3: every bit of the input changes half of the output. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
