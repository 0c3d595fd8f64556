/** Commands of the visual editor: what toolbar, keys, menus and typed signs do. */
import { lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands';
import type { Attrs, MarkType, Node, NodeType } from 'prosemirror-model';
import { liftListItem, sinkListItem, wrapInList } from 'prosemirror-schema-list';
import { type Command, type EditorState, NodeSelection, TextSelection } from 'prosemirror-state';
import { canSplit } from 'prosemirror-transform';
import { schema } from './schema.ts';

const { nodes, marks } = schema;

export type MarkName = 'bold' | 'italic' | 'code' | 'sub' | 'sup' | 'strike' | 'underline';

export function markType(name: string): MarkType {
  const found = marks[name];
  if (!found) throw new Error(`No mark ${name}`);
  return found;
}

export function nodeType(name: string): NodeType {
  const found = nodes[name];
  if (!found) throw new Error(`No node ${name}`);
  return found;
}

export function toggle(name: MarkName): Command {
  return toggleMark(markType(name), null, { includeWhitespace: false });
}

/** Whether the text at the caret, or all of the selection, has the mark. */
export function hasMark({ selection, storedMarks, doc }: EditorState, name: string): boolean {
  const type = markType(name);
  const { $from, from, to, empty } = selection;
  if (empty) return type.isInSet(storedMarks ?? $from.marks()) !== undefined;
  return doc.rangeHasMark(from, to, type);
}

/** The nearest node of one of these types around the caret, and the position before it. */
export function around(state: EditorState, ...names: string[]): { node: Node; pos: number } | undefined {
  const { selection } = state;
  if (selection instanceof NodeSelection && names.includes(selection.node.type.name))
    return { node: selection.node, pos: selection.from };
  const { $from } = selection;
  for (let depth = $from.depth; depth > 0; depth--) {
    const node = $from.node(depth);
    if (names.includes(node.type.name)) return { node, pos: $from.before(depth) };
  }
  return undefined;
}

/** Makes the block a heading, or a paragraph if it is one of this level already. */
export function toggleHeading(level: number): Command {
  return (state, dispatch) => {
    const found = around(state, 'heading');
    return found?.node.attrs.level === level
      ? setBlockType(nodeType('paragraph'))(state, dispatch)
      : setKeepingOrigin(nodeType('heading'), { level })(state, dispatch);
  };
}

/** Another level of the same heading keeps its origin: only its signs change. */
function setKeepingOrigin(type: NodeType, attrs: Attrs): Command {
  return (state, dispatch) => {
    const found = around(state, type.name);
    if (!found) return setBlockType(type, attrs)(state, dispatch);
    dispatch?.(state.tr.setNodeMarkup(found.pos, null, { ...found.node.attrs, ...attrs }).scrollIntoView());
    return true;
  };
}

export function toParagraph(): Command {
  return setBlockType(nodeType('paragraph'));
}

export function toggleCodeBlock(): Command {
  return (state, dispatch) =>
    setBlockType(nodeType(around(state, 'codeBlock') ? 'paragraph' : 'codeBlock'))(state, dispatch);
}

const lists = ['bulletList', 'orderedList'];

/** Makes a list of the blocks, changes its kind, or ends it if it is of this kind already. */
export function toggleList(name: 'bulletList' | 'orderedList'): Command {
  return (state, dispatch) => {
    const list = around(state, ...lists);
    if (!list) return wrapInList(nodeType(name))(state, dispatch);
    const isTasks = around(state, 'taskItem') !== undefined;
    if (list.node.type.name === name && !isTasks) return liftItem(state, dispatch);
    dispatch?.(changeList(state, list, name, 'listItem'));
    return true;
  };
}

/** Makes a list of tasks, or plain items of tasks. */
export function toggleTasks(): Command {
  return (state, dispatch) => {
    const list = around(state, ...lists);
    if (!list) {
      return wrapInList(nodeType('bulletList'))(state, (tr) => {
        const made = around(state.apply(tr), 'bulletList');
        if (made) replaceItems(tr, made.pos, made.node, 'taskItem');
        dispatch?.(tr);
      });
    }
    const becomes = around(state, 'taskItem') ? 'listItem' : 'taskItem';
    dispatch?.(changeList(state, list, list.node.type.name, becomes));
    return true;
  };
}

function changeList(
  state: EditorState,
  { node, pos }: { node: Node; pos: number },
  name: string,
  item: string,
) {
  const { tr } = state;
  if (node.type.name !== name) tr.setNodeMarkup(pos, nodeType(name), {});
  replaceItems(tr, pos, node, item);
  return tr.scrollIntoView();
}

function replaceItems(tr: EditorState['tr'], pos: number, list: Node, item: string): void {
  list.forEach((child, offset) => {
    if (child.type.name !== item) tr.setNodeMarkup(pos + 1 + offset, nodeType(item), {});
  });
}

const itemTypes = ['listItem', 'taskItem'] as const;

export const sinkItem: Command = (state, dispatch) =>
  itemTypes.some((name) => sinkListItem(nodeType(name))(state, dispatch));

export const liftItem: Command = (state, dispatch) =>
  itemTypes.some((name) => liftListItem(nodeType(name))(state, dispatch));

/** Enter in a list: a new item, or the end of the list in an empty one. The second half of an item is a new one. */
export const splitItem: Command = (state, dispatch) => {
  const { $from, $to } = state.selection;
  const item = $from.depth >= 2 ? $from.node(-1) : undefined;
  if (!item || !itemTypes.some((name) => name === item.type.name) || !$from.sameParent($to)) return false;
  if ($from.parent.content.size === 0) {
    if ($from.node(-2).childCount === $from.indexAfter(-2) || item.childCount === 1)
      return liftItem(state, dispatch);
    return false;
  }
  if ($from.index(-1) > 0) return false;
  const tr = state.tr.delete($from.pos, $to.pos);
  const types = [{ type: item.type, attrs: {} }, { type: nodeType('paragraph') }];
  if (!canSplit(tr.doc, $from.pos, 2, types)) return false;
  dispatch?.(tr.split($from.pos, 2, types).scrollIntoView());
  return true;
};

export function toggleQuote(): Command {
  return (state, dispatch) =>
    around(state, 'quote') ? lift(state, dispatch) : wrapIn(nodeType('quote'))(state, dispatch);
}

export function wrapInCallout(kind: string): Command {
  return (state, dispatch) =>
    around(state, 'callout') ? lift(state, dispatch) : wrapIn(nodeType('callout'), { kind })(state, dispatch);
}

/**
 * Puts a block after the one with the caret, or in its place if that is empty. The caret moves into the block, or into a
 * paragraph after it if it has no text.
 */
export function insertBlock(made: Node): Command {
  return (state, dispatch) => {
    if (!dispatch) return true;
    const { $from, to } = state.selection;
    const { tr } = state;
    // The outermost container that takes any block: not a figure or a heading.
    let depth = $from.depth;
    while (
      depth > 0 &&
      !$from.node(depth - 1).canReplaceWith($from.index(depth - 1), $from.indexAfter(depth - 1), made.type)
    )
      depth--;
    if (depth === 0 && $from.depth > 0) return false;
    const isEmpty =
      depth > 0 &&
      $from.parent.type.name === 'paragraph' &&
      $from.parent.content.size === 0 &&
      depth === $from.depth;
    const isFirstOfItem =
      depth > 1 && $from.index(depth - 1) === 0 && /Item$/.test($from.node(depth - 1).type.name);
    const at = depth === 0 ? to : isEmpty && !isFirstOfItem ? $from.before(depth) : $from.after(depth);
    if (isEmpty && !isFirstOfItem) tr.replaceWith(at, $from.after(depth), made);
    else tr.insert(at, made);
    const after = at + made.nodeSize;
    const $after = tr.doc.resolve(after);
    if (!$after.nodeAfter?.isTextblock && !made.type.spec.tableRole)
      tr.insert(after, nodeType('paragraph').create());
    const inside = TextSelection.findFrom(tr.doc.resolve(made.isAtom ? after : at), 1, true);
    if (inside) tr.setSelection(inside);
    dispatch(tr.scrollIntoView());
    return true;
  };
}

/** Puts a picture on a line of its own. Markdown has no captions, so the caret is in italics on the line below. */
export function insertPicture(file: string): Command {
  const picture = nodeType('paragraph').create(null, nodeType('image').create({ file, kind: 'plain' }));
  return (state, dispatch) =>
    insertBlock(picture)(state, (tr) => {
      const below = tr.selection.$from.after();
      tr.insert(below, nodeType('paragraph').create());
      tr.setSelection(TextSelection.create(tr.doc, below + 1)).addStoredMark(markType('italic').create());
      dispatch?.(tr.scrollIntoView());
    });
}

/** Words in the document, for the count below the text. */
export function countWords(document: Node): number {
  const text = document.textBetween(0, document.content.size, ' ', ' ');
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu)?.length ?? 0;
}
