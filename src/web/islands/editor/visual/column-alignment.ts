/** Cells that are added to a table, by a key, a button or a paste, stand as the others of their column do. */
import { isHistoryTransaction } from 'prosemirror-history';
import type { Node } from 'prosemirror-model';
import { Plugin } from 'prosemirror-state';
import { TableMap } from 'prosemirror-tables';
import { around } from './commands.ts';

export function columnAlignment(): Plugin {
  return new Plugin({
    appendTransaction(transactions, before, state) {
      // Undo brings rows back as they were.
      if (transactions.some(isHistoryTransaction)) return null;
      const found = around(state, 'table');
      const former = around(before, 'table');
      if (!found || !former || found.node.childCount <= former.node.childCount) return null;
      const { tr } = state;
      const map = TableMap.get(found.node);
      const old = new Set<Node>();
      former.node.descendants((node) => void old.add(node));
      for (const [index, at] of map.map.entries()) {
        const cell = found.node.nodeAt(at);
        const column = index % map.width;
        const model = found.node.nodeAt(map.map[column] ?? 0);
        // A cell over several columns is met once in each.
        if (!cell || old.has(cell) || cell.attrs.align !== null || map.findCell(at).left !== column) continue;
        if (model?.attrs.align)
          tr.setNodeMarkup(found.pos + 1 + at, null, { ...cell.attrs, align: model.attrs.align });
      }
      return tr.docChanged ? tr : null;
    },
  });
}
