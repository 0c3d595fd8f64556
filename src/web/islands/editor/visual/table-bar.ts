/** Tools of the table at the caret: rows and columns, also moved, headers, merged cells, alignment. Shown above the text while in a table. */
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
import { drawing } from '../toolbar.ts';
import { around, nodeType } from './commands.ts';
import { moveColumns, moveRows } from './move-cells.ts';

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

/** Name, drawing of 20 × 20 units, and what it does. */
const tools: [string, string, Command][] = [
  [say('visualTableBar.rowAbove'), 'M3 11h14v6H3zM10 2.5v6M7 5.5h6', addRowBefore],
  [say('visualTableBar.rowBelow'), 'M3 3h14v6H3zM10 11.5v6M7 14.5h6', addRowAfter],
  [say('visualTableBar.columnBefore'), 'M11 3h6v14h-6zM2.5 10h6M5.5 7v6', addColumnBefore],
  [say('visualTableBar.columnAfter'), 'M3 3h6v14H3zM11.5 10h6M14.5 7v6', addColumnAfter],
  [say('visualTableBar.moveRowUp'), 'M3 11h14v6H3zM10 8.5v-6M7 5.5l3-3 3 3', moveRows(-1)],
  [say('visualTableBar.moveRowDown'), 'M3 3h14v6H3zM10 11.5v6M7 14.5l3 3 3-3', moveRows(1)],
  [say('visualTableBar.moveColumnBack'), 'M11 3h6v14h-6zM8.5 10h-6M5.5 7l-3 3 3 3', moveColumns(-1)],
  [say('visualTableBar.moveColumnOn'), 'M3 3h6v14H3zM11.5 10h6M14.5 7l3 3-3 3', moveColumns(1)],
  [say('visualTableBar.deleteRow'), 'M2 7h16v6H2zM7 4l6 12M13 4L7 16', deleteRow],
  [say('visualTableBar.deleteColumn'), 'M7 2h6v16H7zM4 7l12 6M16 7L4 13', deleteColumn],
  [say('visualTableBar.headerRow'), 'M3 4h14v12H3zM3 8.5h14M5.5 6.2h9', toggleHeaderRow],
  [say('visualTableBar.headerColumn'), 'M3 4h14v12H3zM8 4v12M5.5 6.5v7', toggleHeaderColumn],
  [
    say('visualTableBar.mergeCells'),
    'M2 5h16v10H2zM4.5 10h3.5M12 10h3.5M6.5 8.2L8.2 10l-1.7 1.8M13.5 8.2L11.8 10l1.7 1.8',
    mergeCells,
  ],
  [
    say('visualTableBar.splitCell'),
    'M2 5h16v10H2zM10 5v10M7.5 10h-3M12.5 10h3M6 8.2L4.2 10 6 11.8M14 8.2l1.8 1.8-1.8 1.8',
    splitCell,
  ],
  [say('visualTableBar.alignColumnLeft'), 'M3 5h14M3 10h8M3 15h11', alignColumn(null)],
  [say('visualTableBar.alignColumnInTheMiddle'), 'M3 5h14M6 10h8M4.5 15h11', alignColumn('center')],
  [say('visualTableBar.alignColumnRight'), 'M3 5h14M9 10h8M6 15h11', alignColumn('right')],
  [say('visualTableBar.caption'), 'M3 8h14v9H3zM3 12.5h14M5 4h10', addCaption],
  [
    say('visualTableBar.deleteTable'),
    'M3.5 6h13M8 6V3.5h4V6M5.5 6l1 11h7l1-11M8.5 9v5M11.5 9v5',
    deleteTable,
  ],
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
    this.#buttons = tools.map(([label, path, command]) => {
      const made = button('', { 'aria-label': label, title: label }, () => {
        command(view().state, view().dispatch, view());
        view().focus();
      });
      made.append(drawing(path));
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
