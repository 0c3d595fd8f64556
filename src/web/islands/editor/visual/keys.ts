/** Keys of the visual editor. Tab moves through lists and tables, and leaves the text everywhere else (WCAG 2.1.2). */
import { baseKeymap, chainCommands, exitCode } from 'prosemirror-commands';
import { redo, undo } from 'prosemirror-history';
import { undoInputRule } from 'prosemirror-inputrules';
import { keymap } from 'prosemirror-keymap';
import { type Command, Plugin, Selection } from 'prosemirror-state';
import { addRowAfter, goToNextCell, isInTable } from 'prosemirror-tables';
import {
  around,
  liftItem,
  nodeType,
  sinkItem,
  splitItem,
  toggle,
  toggleCodeBlock,
  toggleHeading,
  toggleList,
  toggleQuote,
  toParagraph,
} from './commands.ts';

const hardBreak: Command = (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(nodeType('hardBreak').create()).scrollIntoView());
  return true;
};

/** In the last cell, adds a row and goes to its first cell. */
const nextCellOrRow: Command = (state, dispatch, view) => {
  if (!isInTable(state)) return false;
  if (goToNextCell(1)(state, dispatch, view)) return true;
  if (!view || !addRowAfter(state, dispatch)) return false;
  return goToNextCell(1)(view.state, dispatch, view);
};

/** The caret leaves a caption or a figure with Enter, as these are one line. */
const leaveCaption: Command = (state, dispatch) => {
  const found = around(state, 'figure', 'caption');
  if (!found || state.selection.$from.parent !== found.node) return false;
  if (found.node.type.name === 'caption') return true;
  const { tr } = state;
  const after = found.pos + found.node.nodeSize;
  tr.insert(after, nodeType('paragraph').create());
  dispatch?.(tr.setSelection(Selection.near(tr.doc.resolve(after + 1))).scrollIntoView());
  return true;
};

/** Backspace at the start of a heading or code block makes it a paragraph. */
const plainAtStart: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parentOffset > 0 || !['heading', 'codeBlock'].includes($from.parent.type.name))
    return false;
  return toParagraph()(state, dispatch);
};

/**
 * Browsers tell of a selection only with the next frame. A key that follows sooner, as with fast typing or on a busy machine, would
 * act on the selection before, so the editor looks at it first.
 */
const upToDate = new Plugin({
  props: {
    handleDOMEvents: {
      keydown(view, event) {
        if (!event.isComposing && event.keyCode !== 229)
          view.dom.ownerDocument.dispatchEvent(new Event('selectionchange'));
        return false;
      },
    },
  },
});

export function keyPlugins(own: Record<string, Command>): Plugin[] {
  return [
    upToDate,
    keymap({
      ...own,
      'Mod-z': undo,
      'Mod-Shift-z': redo,
      'Mod-y': redo,
      'Mod-b': toggle('bold'),
      'Mod-i': toggle('italic'),
      'Mod-u': toggle('underline'),
      'Mod-e': toggle('code'),
      'Mod-.': toggle('sup'),
      'Mod-,': toggle('sub'),
      'Mod-Shift-x': toggle('strike'),
      'Mod-Alt-0': toParagraph(),
      ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`Mod-Alt-${level}`, toggleHeading(level)])),
      'Mod-Alt-c': toggleCodeBlock(),
      'Mod-Shift-7': toggleList('orderedList'),
      'Mod-Shift-8': toggleList('bulletList'),
      'Mod-Shift-9': toggleQuote(),
      'Mod-Enter': exitCode,
      'Shift-Enter': chainCommands(exitCode, hardBreak),
      Enter: chainCommands(leaveCaption, splitItem),
      Backspace: chainCommands(undoInputRule, plainAtStart),
      Tab: chainCommands(sinkItem, nextCellOrRow),
      'Shift-Tab': chainCommands(liftItem, goToNextCell(-1)),
    }),
    keymap(baseKeymap),
  ];
}
