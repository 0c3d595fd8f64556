/**
 * The document of a text that somebody else changed too, in the place of the one that is written in: as a step that says which
 * places differ, so that carets stay where they are and undo still finds one's own steps.
 */
import { Fragment, type Node } from 'prosemirror-model';
import type { Transaction } from 'prosemirror-state';
import { Step, StepMap, StepResult } from 'prosemirror-transform';

/** Beyond this many pairs of children, all between the first and the last difference counts as one. */
const maxPairs = 1_000_000;

/** Puts the document in the place of the transaction's. That is no step of the person here, so it is not undone. */
export function adopt(tr: Transaction, document: Node): Transaction {
  return tr.step(new Adopting(document, differences(tr.doc, document))).setMeta('addToHistory', false);
}

class Adopting extends Step {
  readonly #document: Node;
  readonly #ranges: readonly number[];

  constructor(document: Node, ranges: readonly number[]) {
    super();
    this.#document = document;
    this.#ranges = ranges;
  }

  override apply(): StepResult {
    return StepResult.ok(this.#document);
  }

  override getMap(): StepMap {
    return new StepMap(this.#ranges);
  }

  override invert(before: Node): Step {
    let grown = 0;
    const ranges: number[] = [];
    for (let index = 0; index < this.#ranges.length; index += 3) {
      const [at = 0, removed = 0, added = 0] = this.#ranges.slice(index, index + 3);
      ranges.push(at + grown, added, removed);
      grown += added - removed;
    }
    return new Adopting(before, ranges);
  }

  /** It names no place within another document. */
  override map(): null {
    return null;
  }

  override toJSON(): never {
    throw new Error('Such a step is never sent.');
  }
}

/** Places of the first document that the second has otherwise: start, size in the first, size in the second, for each. */
function differences(one: Node, other: Node): number[] {
  const found: number[] = [];
  compare(plain(one), plain(other), 0, found);
  return found;
}

/** The node without the ranges of a source, which say nothing about how it looks. */
function plain(node: Node): Node {
  if (node.isText) return node;
  const attrs = 'origin' in node.attrs ? { ...node.attrs, origin: null } : node.attrs;
  return node.type.create(attrs, Fragment.from(node.children.map(plain)), node.marks);
}

/** `at`: place of the content in the first document. */
function compare(one: Node, other: Node, at: number, found: number[]): void {
  if (one.inlineContent) {
    const start = one.content.findDiffStart(other.content);
    const end = one.content.findDiffEnd(other.content);
    if (start === null || end === null) return;
    // In `aa` → `aaa` both ends would overlap.
    const overlap = Math.max(0, start - Math.min(end.a, end.b));
    found.push(at + start, end.a + overlap - start, end.b + overlap - start);
    return;
  }
  const [before, after] = [one.children, other.children];
  for (const { old, now } of gaps(before, after)) {
    const removed = before.slice(...old);
    const added = after.slice(...now);
    let place = at + sizeOf(before.slice(0, old[0]));
    const isPaired = removed.length === added.length;
    if (!isPaired || removed.some((node, index) => node.isLeaf || !added[index]?.sameMarkup(node))) {
      found.push(place, sizeOf(removed), sizeOf(added));
      continue;
    }
    for (const [index, node] of removed.entries()) {
      compare(node, added[index] ?? node, place + 1, found);
      place += node.nodeSize;
    }
  }
}

/** Start and end among the children. */
type Part = [number, number];

/** Parts of two lists between what is the same in both. */
function gaps(one: readonly Node[], other: readonly Node[]): { old: Part; now: Part }[] {
  let start = 0;
  while (start < one.length && start < other.length && isSame(one[start], other[start])) start++;
  let tail = 0;
  const most = Math.min(one.length, other.length) - start;
  while (tail < most && isSame(one.at(-1 - tail), other.at(-1 - tail))) tail++;
  const [oneEnd, otherEnd] = [one.length - tail, other.length - tail];
  const pairs = matched(one.slice(start, oneEnd), other.slice(start, otherEnd));
  const found: { old: Part; now: Part }[] = [];
  let [from, fromOther] = [start, start];
  for (const [a, b] of [...pairs, [oneEnd - start, otherEnd - start] as const]) {
    const [old, now]: Part[] = [
      [from, start + a],
      [fromOther, start + b],
    ];
    if (old && now && (old[0] < old[1] || now[0] < now[1])) found.push({ old, now });
    [from, fromOther] = [start + a + 1, start + b + 1];
  }
  return found;
}

/** Indexes of children that are the same, in order: as many as possible. */
function matched(one: readonly Node[], other: readonly Node[]): (readonly [number, number])[] {
  if (one.length * other.length > maxPairs) return [];
  const width = other.length + 1;
  const lengths = new Uint32Array((one.length + 1) * width);
  const at = (a: number, b: number) => lengths[a * width + b] ?? 0;
  const keys = [one, other].map((nodes) => nodes.map((node) => JSON.stringify(node)));
  const isEqual = (a: number, b: number) => keys[0]?.[a] === keys[1]?.[b];
  for (let a = one.length - 1; a >= 0; a--)
    for (let b = other.length - 1; b >= 0; b--)
      lengths[a * width + b] = isEqual(a, b) ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1));
  const pairs: (readonly [number, number])[] = [];
  for (let a = 0, b = 0; a < one.length && b < other.length; ) {
    if (isEqual(a, b)) pairs.push([a++, b++]);
    else if (at(a + 1, b) >= at(a, b + 1)) a++;
    else b++;
  }
  return pairs;
}

function isSame(one: Node | undefined, other: Node | undefined): boolean {
  return one !== undefined && other !== undefined && one.eq(other);
}

function sizeOf(nodes: readonly Node[]): number {
  return nodes.reduce((sum, { nodeSize }) => sum + nodeSize, 0);
}
