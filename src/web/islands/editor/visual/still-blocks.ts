/**
 * Blocks of a long page that nobody has edited: the browser lays out and paints only those in sight (`is-still`, CSS
 * `content-visibility`). In a page of 200 kB, the others took most of a key's time. A block loses the mark with its first edit,
 * and new ones never have it: the browser moves the caret out of a new element that it has not laid out yet.
 */
import { DOMSerializer, type Node } from 'prosemirror-model';
import { type Command, Selection, type Transaction } from 'prosemirror-state';
import type { EditorView, NodeView } from 'prosemirror-view';

/** Shorter documents are drawn as a whole. */
const leastSize = 30_000;

/** Blocks after a picture that may stand beside it: text does not flow around it in a block that is drawn on its own. */
const besidePicture = 4;

/** Types of blocks that may be still. A table with a caption is not among them, because it may leave the box around both. */
const types = [
  'paragraph',
  'heading',
  'bulletList',
  'orderedList',
  'definitionList',
  'quote',
  'codeBlock',
  'table',
];

/** The blocks of a document that are still, as long as they are the same nodes. */
export function stillBlocks(document: Node): ReadonlySet<Node> {
  const still = new Set<Node>();
  if (document.content.size < leastSize) return still;
  let sincePicture = besidePicture;
  document.forEach((block) => {
    sincePicture = block.type.name === 'figure' ? 0 : sincePicture + 1;
    if (sincePicture > besidePicture) still.add(block);
  });
  return still;
}

/** Node views for the still blocks; others are drawn as ever. */
export function stillViews(isStill: (node: Node) => boolean) {
  const view = (node: Node) => (isStill(node) ? new StillView(node) : undefined);
  // ProseMirror draws the node itself if it gets no view.
  return Object.fromEntries(types.map((type) => [type, view as (node: Node) => NodeView]));
}

/** Has the block drawn that the caret is about to be in, before the browser is told about the caret. */
export function wake(view: EditorView, { docChanged, selection }: Transaction): void {
  const { $head } = selection;
  if (docChanged || $head.depth === 0) return;
  const block = view.nodeDOM($head.before(1));
  if (block instanceof HTMLElement) block.classList.remove('is-still');
}

/** Goes to the start or the end of the text: by itself, the browser would stay among the blocks that are drawn. */
export function jump(to: 1 | -1, hasStill: () => boolean): Command {
  return ({ doc, tr }, dispatch) => {
    if (!hasStill()) return false;
    dispatch?.(tr.setSelection(to < 0 ? Selection.atStart(doc) : Selection.atEnd(doc)).scrollIntoView());
    return true;
  };
}

class StillView implements NodeView {
  readonly dom: HTMLElement;
  readonly contentDOM: HTMLElement | undefined;
  #node: Node;

  constructor(node: Node) {
    this.#node = node;
    const spec = node.type.spec.toDOM?.(node) ?? ['div', 0];
    const { dom, contentDOM } = DOMSerializer.renderSpec(document, spec);
    this.dom = dom as HTMLElement;
    this.contentDOM = contentDOM;
    this.dom.classList.add('is-still');
  }

  update(node: Node): boolean {
    if (!node.sameMarkup(this.#node)) return false;
    if (node !== this.#node) this.dom.classList.remove('is-still');
    this.#node = node;
    return true;
  }

  ignoreMutation({ type, target }: { type: string; target: globalThis.Node }): boolean {
    return type === 'attributes' && target === this.dom;
  }
}
