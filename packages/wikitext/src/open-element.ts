/** Open elements of the tree builder, and helpers that insert nodes into them and remove nodes from them. */
import { trait } from './traits.ts';
import type { ElementNode, ExternalLinkNode, HeadingNode, LinkNode, Node } from './tree.ts';

export type Container = ElementNode | HeadingNode | LinkNode | ExternalLinkNode;
export type Holder = Container | { children: Node[] };
/** An open element: its name, traits (`traits.ts`), and place in the tree. */
export type Open = { name: string; traits: number; place: Place };

/** A node in the tree that may receive children, with the implied paragraphs (`blocks/wrap.ts`) around and in it. */
export type Place = {
  node: Holder;
  parent: Place | undefined;
  /** The copy that receives further children after a split. */
  next: Place | undefined;
  /** Whether this is the page or a quote, whose inline children are wrapped in paragraphs. */
  readonly isBase: boolean;
  readonly isParagraph: boolean;
  /** Whether this is formatting that only other formatting separates from its paragraph, or a copy of such formatting. */
  isSplittable: boolean;
  base: Place | undefined;
  /** The implied paragraph around this place. */
  paragraph: Place | undefined;
  /** The implied paragraph in this base that receives further content. */
  open: Place | undefined;
  /** Number of children other than white space. */
  visible: number;
};

/** Returns a place without a parent. `isBase`: whether bare text in it is wrapped in paragraphs. */
export function placeOf(node: Holder, isBase: boolean): Place {
  return {
    node,
    parent: undefined,
    next: undefined,
    isBase,
    isParagraph: false,
    isSplittable: false,
    base: undefined,
    paragraph: undefined,
    open: undefined,
    visible: 0,
  };
}

/** Records that `parent` now holds the element, which has not been split. */
export function settle({ place, traits }: Open, parent: Place): void {
  place.parent = parent;
  if (traits & trait.formatting && (parent.isParagraph || parent.isSplittable)) place.isSplittable = true;
  const paragraph = parent.isParagraph ? parent : parent.paragraph;
  if (paragraph) place.paragraph = paragraph;
  const base = parent.base ?? (parent.isBase ? parent : undefined);
  if (base) place.base = base;
}

/** Returns the node of an open element: its last part, if it was split. */
export function nodeOf(open: Open): Container {
  return currentPlace(open).node as Container;
}

/** Returns the place to which content of the element goes now, after it was split. Shortens the way for later calls. */
export function currentPlace(open: Open): Place {
  while (open.place.next) open.place = open.place.next;
  return open.place;
}

/** Takes an element out of its parent, if it has one. */
export function detach(open: Open): void {
  const { node, parent } = currentPlace(open);
  const at = parent?.node.children.lastIndexOf(node as Container) ?? -1;
  if (at >= 0) parent?.node.children.splice(at, 1);
}

/** Most elements have few children, and an array grown by `push` reserves room for at least 17. */
export function addChild(parent: { children: Node[] }, node: Node): void {
  const { children } = parent;
  switch (children.length) {
    case 0:
      parent.children = [node];
      break;
    case 1:
      parent.children = [children[0] as Node, node];
      break;
    case 2:
      parent.children = [children[0] as Node, children[1] as Node, node];
      break;
    default:
      children.push(node);
  }
}

/** Whether a node can be filled with content instead of a plain element of its tag. */
export function isContainer(node: Node | undefined): node is HeadingNode | LinkNode | ExternalLinkNode {
  return node?.type === 'heading' || node?.type === 'link' || node?.type === 'external-link';
}

/** Whether the node's HTML may contain links, which are not allowed inside another link. */
export function bringsLinks(node: Node): boolean {
  if (node.type === 'extension') return node.bringsLinks;
  return node.type === 'file' && (node.options.link !== '' || node.caption.length > 0);
}

/** Returns a copy that continues the element from `at` on. */
export function emptyCopy(node: Container, at: number): Container {
  return { ...node, children: [], start: at, end: at };
}

/** Extends the node's range to `at`. */
export function endAfter(node: Container, at: number): void {
  if (node.end < at) node.end = at;
}

/** Ends a link at `at`, where within its brackets another one begins or the element around it ends. */
export function endLinkAt(node: Container, at: number): void {
  if (node.end <= at || (node.type !== 'link' && node.type !== 'external-link')) return;
  node.writtenEnd = node.end;
  node.end = at;
}

/** Whether a table may hold the node between its cells. Markers are not shown, so they stay where they are. */
export function mayStandInTable(node: Node): boolean {
  if (node.type === 'marker') return true;
  return (
    node.type === 'element' &&
    (node.name === 'tr' || node.name === 'td' || node.name === 'th' || node.name === 'caption')
  );
}

/** Whether two elements have equal attributes, in any order. Other nodes are equal to themselves only. */
export function sameAttributes(left: Container, right: Container): boolean {
  if (left.type !== 'element' || right.type !== 'element') return left === right;
  const { attributes: one } = left;
  const { attributes: two } = right;
  if (!one || !two) return one === two;
  const names = Object.keys(one);
  return names.length === Object.keys(two).length && names.every((name) => one[name] === two[name]);
}

/** Whether a text consists of HTML's white space; true for an empty one. A no-break space shows. */
export function isWhiteSpace(value: string): boolean {
  return !/[^ \n\t\f\r]/.test(value);
}
