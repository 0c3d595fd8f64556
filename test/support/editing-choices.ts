/** Choices of sessions of writing at random: words, keys, attributes of nodes, and commands of tables. */
import { redo, undo } from 'prosemirror-history';
import type { Command } from 'prosemirror-state';
import {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  deleteColumn,
  deleteRow,
  mergeCells,
  splitCell,
  toggleHeaderColumn,
  toggleHeaderRow,
} from 'prosemirror-tables';
import { moveColumns, moveRows } from '#web/islands/editor/visual/move-cells.ts';

/** Words that people type, most of which mean something in one of the languages. */
export const typed = [
  `oak/ /a b/ elm/ash /42/é/森/שלום/👩‍🌾/\u00a0/\t/  /''/'''/''x''/[[/]]/[[Oak]]/{{/}}/{{x}}/{{{1}}}/|/||/!!/!/|-/|}/{|`,
  `* /# /: /; /= /== x ==/----/---/<b>/<br>/<!--/-->/&amp;/&/</>/> /1. /- /+ /**/**x**/*/_/_x_/~~/~~~~/^/$/$x$/\\\\`,
  '`/`x`/```/#tag/[x](y)/![x](y)/[^1]/^[x]/==/%%/%%x%%/__TOC__/-{/ISBN 0/a@b.org/<nowiki>/<ref>/:::/[ ] /[x] /☐ ',
  ':smile:/@ada/#REDIRECT [[x]]/[/]/(/)/{/}/\'/"/RFC 1',
]
  .flatMap((line) => line.split('/'))
  .concat('https://example.org/a_b', 'http://x.y/?a=1&b=2', '</b>', '</nowiki>', '//');

export const keys = [
  ...['Enter', 'Enter', 'Backspace', 'Backspace', 'Delete', 'Tab', 'Shift-Tab', 'Shift-Enter', 'Mod-Enter'],
  ...['Mod-b', 'Mod-i', 'Mod-u', 'Mod-e', 'Mod-.', 'Mod-,', 'Mod-Shift-x', 'Mod-z', 'Mod-Shift-z'],
];

/** Values by type of node and attribute. Of parameters, one gets the value. */
export const attributes: Record<string, Record<string, readonly unknown[]>> = {
  figure: {
    width: [null, 200],
    side: [null, 'left', 'right', 'center'],
    alt: [null, 'x', 'a|b', 'a ]] b'],
    kind: ['thumb', 'frame', 'frameless', 'plain'],
    link: [null, 'Oak'],
    file: ['Elm.png'],
  },
  image: { width: [null, 200], alt: [null, 'x', 'a]b'], file: ['Elm.png'] },
  call: { params: typed },
  inlineCall: { params: typed },
  note: { text: typed },
  taskItem: { checked: [true, false] },
  codeBlock: { language: ['', 'js'] },
  formula: { source: ['y', 'a < b'] },
  inlineFormula: { source: ['y', 'a < b'] },
  cell: { align: [null, 'left', 'center', 'right'] },
  headerCell: { align: [null, 'left', 'center', 'right'] },
  callout: { kind: ['tip', 'note'] },
};

export const tableCommands: Record<string, Command> = {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  deleteColumn,
  deleteRow,
  mergeCells,
  splitCell,
  toggleHeaderColumn,
  toggleHeaderRow,
  up: moveRows(-1),
  down: moveRows(1),
  back: moveColumns(-1),
  on: moveColumns(1),
  undo,
  redo,
};
