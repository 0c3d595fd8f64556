/**
 * Wraps bare text on the page or in a `<blockquote>` in paragraphs, so that text beside blocks is styled alike. Paragraphs are
 * added while the tree is built, by the rules of MediaWiki's tidying:
 *
 *   a<div>b</div>c              <p>a</p><div>b</div><p>c</p>
 *   <b>a<div>b</div></b>        <p><b>a</b></p><b><div>b</div></b>            formatting is split at the block
 *   a<span>b<div>c</div></span> <p>a</p><span>b<div>c</div></span>            other inline elements leave the paragraph
 */
import { type Context, mayAddNode } from '../context.ts';
import {
  addChild,
  type Container,
  emptyCopy,
  endAfter,
  type Holder,
  type Place,
  placeOf,
} from '../open-element.ts';
import type { ElementNode } from '../tree.ts';

export class ImpliedParagraphs {
  readonly #context: Context;
  readonly #paragraphs: Place[] = [];

  constructor(context: Context) {
    this.#context = context;
  }

  /** Returns the place that receives text at the end of `place`. */
  forText(place: Place, isBlank: boolean, at: number): Place {
    let inside = place.open ?? place;
    if (inside.isBase && !isBlank) inside = this.#begin(inside, at);
    else if (inside.isSplittable && !inside.paragraph) inside = this.#split(inside, true, at);
    if (!isBlank) inside.visible++;
    return inside;
  }

  /** Returns the place that receives an element, or a similar node, at the end of `place`. */
  forElement(place: Place, isInline: boolean, at: number): Place {
    let inside = place.open ?? place;
    if (inside.isParagraph && !isInline) {
      inside = place;
      inside.open = undefined;
    } else if (inside.isSplittable && (inside.paragraph !== undefined) !== isInline) {
      inside = this.#split(inside, isInline, at);
    } else if (inside.isBase && isInline) inside = this.#begin(inside, at);
    else if (!isInline) release(inside);
    inside.visible++;
    return inside;
  }

  /** Removes paragraphs without visible content and keeps their children. */
  finish(): void {
    const parents = new Set<Holder>();
    const blank = new Map<unknown, Place>();
    for (const place of this.#paragraphs) {
      const { children, start } = place.node as ElementNode;
      (place.node as ElementNode).end = children[children.length - 1]?.end ?? start;
      if (place.visible > 0 || !place.parent) continue;
      parents.add(place.parent.node);
      blank.set(place.node, place);
    }
    for (const parent of parents)
      parent.children = parent.children.flatMap((child) => blank.get(child)?.node.children ?? child);
  }

  #begin(base: Place, at: number): Place {
    const node: ElementNode = {
      type: 'element',
      name: 'p',
      attributes: undefined,
      children: [],
      start: at,
      end: at,
    };
    const paragraph: Place = { ...placeOf(node, false), parent: base, isParagraph: true, base };
    addChild(base.node, node);
    this.#paragraphs.push(paragraph);
    base.open = paragraph;
    return paragraph;
  }

  /** Closes the formatting around `inside` and reopens it, in a paragraph or outside one. */
  #split(inside: Place, isInline: boolean, at: number): Place {
    const { base } = inside;
    const end = inside.paragraph ?? base;
    const chain: Place[] = [];
    for (let place = inside; place !== end; place = place.parent) {
      if (!place.parent) return inside;
      chain.push(place);
    }
    if (!base || !chain.every(() => mayAddNode(this.#context))) return inside;
    for (const place of chain) if (place.visible === 0) removeBlank(place);
    base.open = undefined;
    let parent = isInline ? this.#begin(base, at) : base;
    const paragraph = isInline ? parent : undefined;
    for (const place of chain.reverse()) {
      const split = place.node as Container;
      const node = emptyCopy(split, at);
      endAfter(split, at);
      addChild(parent.node, node);
      parent.visible++;
      place.next = { ...placeOf(node, false), parent, isSplittable: true, base, paragraph };
      parent = place.next;
    }
    return parent;
  }
}

/** Removes formatting that holds only white space, because its copy replaces it. Markers in it are kept. */
function removeBlank({ parent, node }: Place): void {
  if (!parent) return;
  const at = parent.node.children.lastIndexOf(node as Container);
  const markers = node.children.filter((child) => child.type !== 'text');
  if (at >= 0) parent.node.children.splice(at, 1, ...markers);
  parent.visible--;
}

/** Moves the element around `inside` to after the implied paragraph, because a block is about to be added to it. */
function release(inside: Place): void {
  const { paragraph } = inside;
  const outside = paragraph?.parent;
  if (!paragraph || !outside || outside.node.children.at(-1) !== paragraph.node) return;
  let moved = inside;
  for (;;) {
    moved.paragraph = undefined;
    if (moved.parent === paragraph || !moved.parent) break;
    moved = moved.parent;
  }
  const at = paragraph.node.children.lastIndexOf(moved.node as Container);
  if (at < 0) return;
  paragraph.node.children.splice(at, 1);
  paragraph.visible--;
  addChild(outside.node, moved.node as Container);
  moved.parent = outside;
  outside.open = undefined;
}
