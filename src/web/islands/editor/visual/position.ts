/** Places in the document: by the server's path of child indexes, and between document and source. */
import { closeHistory } from 'prosemirror-history';
import type { Node } from 'prosemirror-model';
import { Selection, TextSelection, type Transaction } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';

/** Position before the node at a path of the server's document, in which a caption is the first child of its table. */
export function positionOf(document: Node, path: readonly number[]): number | undefined {
  let node = document;
  let at = -1;
  const rest = [...path];
  while (rest.length > 0) {
    let index = rest.shift() ?? 0;
    if (node.type.name === 'captionedTable' && index > 0) {
      at += 1 + (node.firstChild?.nodeSize ?? 0);
      node = node.child(1);
      index -= 1;
    }
    if (index >= node.childCount) return at < 0 ? undefined : at;
    let offset = 0;
    for (let before = 0; before < index; before++) offset += node.child(before).nodeSize;
    at += 1 + offset;
    node = node.child(index);
  }
  return at < 0 ? undefined : at;
}

/** Position in the document for a place of the source that it was made from. */
export function documentPlace(document: Node, place: number): number {
  let best = 0;
  document.descendants((node, at) => {
    const origin = node.attrs.origin as [number, number] | null | undefined;
    if (!origin) return true;
    if (origin[0] > place) return false;
    best = at + 1;
    if (node.isTextblock && origin[1] >= place) {
      // Signs of the language stand before most texts, so the place counts from the end.
      best = Math.max(at + 1, at + 1 + node.content.size - (origin[1] - place));
    }
    return origin[1] >= place;
  });
  return Math.min(best, document.content.size);
}

/** Letters before the caret by which its place in the source is found. */
const remembered = 30;

/** Place in the source of a document for a position in it. `origin` is the source that the document was made from. */
export function sourcePlace(document: Node, position: number, origin: string, source: string): number {
  const $at = document.resolve(Math.min(position, document.content.size));
  let from = 0;
  for (let depth = $at.depth; depth > 0; depth--) {
    const own = $at.node(depth).attrs.origin as [number, number] | null | undefined;
    if (!own) continue;
    from = own[0];
    break;
  }
  // Changes before the place moved it.
  let equal = 0;
  while (equal < from && origin[equal] === source[equal]) equal++;
  if (equal < from) from = Math.max(0, Math.min(source.length, source.length - (origin.length - from)));
  // The nearest words of one style stand in the source as they are.
  const words = ($at.nodeBefore?.text ?? '').slice(-remembered);
  if (words === '') return Math.min(from, source.length);
  const before = $at.parent.textBetween(0, $at.parentOffset, undefined, '\ufffc');
  let place = from;
  for (let left = before.split(words).length - 1; left > 0; left--) {
    const found = source.indexOf(words, place);
    if (found < 0) return Math.min(from, source.length);
    place = found + words.length;
  }
  return place;
}

/** Ends the change of a node, as one step to undo, with the caret behind it: what is typed next would replace a selected node. */
export function caretAfter(tr: Transaction, at: number): Transaction {
  const after = tr.doc.resolve(at + (tr.doc.nodeAt(at)?.nodeSize ?? 0));
  const next = after.parent.isTextblock
    ? TextSelection.create(tr.doc, after.pos)
    : Selection.findFrom(after, 1, true);
  return closeHistory(next ? tr.setSelection(next) : tr);
}

/** Opens a node that was just put into the text, once menus and cards are closed. */
export function openMade(view: EditorView, made: Node, open: (view: EditorView, at: number) => void): void {
  let placed: number | undefined;
  view.state.doc.descendants((node, at) => {
    if (node === made) placed = at;
    return placed === undefined;
  });
  const at = placed;
  if (at !== undefined) setTimeout(() => open(view, at));
}
