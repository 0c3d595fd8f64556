/** Tools of the table at the caret: rows, columns, headers, merged cells, alignment. Shown above the text while in a table. */
import type { Command } from 'prosemirror-state';
import {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  deleteColumn,
  deleteRow,
  deleteTable,
  isInTable,
  mergeCells,
  selectedRect,
  splitCell,
  toggleHeaderColumn,
  toggleHeaderRow,
} from 'prosemirror-tables';
import type { EditorView } from 'prosemirror-view';
import { button, element } from '../../element.ts';
import { say } from '../../words.ts';
import { around, nodeType } from './commands.ts';

const addCaption: Command = (state, dispatch) => {
  const found = around(state, 'table');
  if (!found || state.doc.resolve(found.pos).parent.type.name === 'captionedTable') return false;
  const caption = nodeType('caption').create();
  dispatch?.(
    state.tr.replaceWith(
      found.pos,
      found.pos + found.node.nodeSize,
      nodeType('captionedTable').create(null, [caption, found.node]),
    ),
  );
  return true;
};

/** Aligns all cells of the column with the caret. */
const alignColumn =
  (side: string | null): Command =>
  (state, dispatch) => {
    if (!isInTable(state)) return false;
    const rect = selectedRect(state);
    const { tr } = state;
    const cells = new Set(
      Array.from(
        { length: rect.map.height },
        (_, row) => rect.map.map[row * rect.map.width + rect.left] ?? 0,
      ),
    );
    for (const cell of cells) {
      const node = rect.table.nodeAt(cell);
      if (node) tr.setNodeMarkup(rect.tableStart + cell, null, { ...node.attrs, align: side });
    }
    dispatch?.(tr);
    return true;
  };

const tools: [string, string, Command][] = [
  [say('visualTableBar.rowAbove'), '↑+', addRowBefore],
  [say('visualTableBar.rowBelow'), '↓+', addRowAfter],
  [say('visualTableBar.columnBefore'), '←+', addColumnBefore],
  [say('visualTableBar.columnAfter'), '→+', addColumnAfter],
  [say('visualTableBar.deleteRow'), '↔×', deleteRow],
  [say('visualTableBar.deleteColumn'), '↕×', deleteColumn],
  [say('visualTableBar.headerRow'), 'H↔', toggleHeaderRow],
  [say('visualTableBar.headerColumn'), 'H↕', toggleHeaderColumn],
  [say('visualTableBar.mergeCells'), '⊞', mergeCells],
  [say('visualTableBar.splitCell'), '⊟', splitCell],
  [say('visualTableBar.alignColumnLeft'), '⇤', alignColumn(null)],
  [say('visualTableBar.alignColumnInTheMiddle'), '↹', alignColumn('center')],
  [say('visualTableBar.alignColumnRight'), '⇥', alignColumn('right')],
  [say('visualTableBar.caption'), 'Abc', addCaption],
  [say('visualTableBar.deleteTable'), '×', deleteTable],
];

export class TableBar {
  readonly dom = element('div', {
    class: 'table-bar',
    role: 'toolbar',
    'aria-label': say('visualTableBar.table'),
  });
  readonly #view: () => EditorView;
  readonly #buttons: [HTMLButtonElement, Command][];

  constructor(view: () => EditorView) {
    this.#view = view;
    this.dom.hidden = true;
    this.#buttons = tools.map(([label, sign, command]) => {
      const made = button(sign, { 'aria-label': label, title: label }, () => {
        command(view().state, view().dispatch, view());
        view().focus();
      });
      return [made, command];
    });
    this.dom.addEventListener('mousedown', (event) => event.preventDefault());
    this.dom.append(...this.#buttons.map(([made]) => made));
  }

  update(): void {
    const { state } = this.#view();
    this.dom.hidden = !isInTable(state);
    if (this.dom.hidden) return;
    for (const [made, command] of this.#buttons) made.disabled = !command(state);
  }
}
