/** Commands of toolbar and shortcuts in both languages. Each is a single undo step. */
import {
  type ChangeSpec,
  EditorSelection,
  type EditorState,
  type Line,
  type TransactionSpec,
} from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

export type Format = 'wikitext' | 'markdown';

const wraps = {
  wikitext: { bold: ["'''", "'''"], italic: ["''", "''"], reference: ['<ref>', '</ref>'] },
  markdown: { bold: ['**', '**'], italic: ['*', '*'], reference: ['<ref>', '</ref>'] },
} as const;

/** Adds or removes marks around the selection. */
export function toggleWrap(view: EditorView, format: Format, kind: 'bold' | 'italic' | 'reference'): void {
  const [before, after] = wraps[format][kind];
  const { state } = view;
  view.dispatch(
    state.changeByRange((given) => {
      const range = given.empty && kind !== 'reference' ? (state.wordAt(given.head) ?? given) : given;
      const inside = state.sliceDoc(range.from, range.to);
      const isAround =
        state.sliceDoc(range.from - before.length, range.from) === before &&
        state.sliceDoc(range.to, range.to + after.length) === after &&
        !isLongerRun(state, range.from - before.length, before);
      if (isAround) {
        return {
          changes: [
            { from: range.from - before.length, to: range.from },
            { from: range.to, to: range.to + after.length },
          ],
          range: EditorSelection.range(range.from - before.length, range.to - before.length),
        };
      }
      return {
        changes: [
          { from: range.from, insert: before },
          { from: range.to, insert: after },
        ],
        range: EditorSelection.range(range.from + before.length, range.from + before.length + inside.length),
      };
    }),
    { scrollIntoView: true, userEvent: 'input' },
  );
  view.focus();
}

/** The inner two quotes of `'''bold'''` are no italic marks, but those of `'''''both'''''` are. */
function isLongerRun(state: EditorState, from: number, mark: string): boolean {
  const sign = mark[0] ?? '';
  if (mark.length !== (sign === "'" ? 2 : 1) || (sign !== "'" && sign !== '*')) return false;
  const run = state.sliceDoc(Math.max(0, from - 3), from);
  const extra = run.length - run.replace(new RegExp(`${sign === '*' ? '\\*' : sign}+$`), '').length;
  return extra === 1;
}

/** Makes the selected lines headings of a level; headings of that level become text again. */
export function toggleHeading(view: EditorView, format: Format, level: number): void {
  const { state } = view;
  const sign = format === 'markdown' ? '#'.repeat(level) : '='.repeat(level);
  const changes = selectedLines(state).map((line): ChangeSpec => {
    const bare = line.text.replace(/^#{1,6}\s+/, '').replace(/^={1,6}\s*(.*?)\s*={1,6}\s*$/, '$1');
    const wanted = format === 'markdown' ? `${sign} ${bare}` : `${sign} ${bare || 'Heading'} ${sign}`;
    return { from: line.from, to: line.to, insert: wanted === line.text ? bare : wanted };
  });
  apply(view, { changes });
}

/** List markers: the one an item begins with, and patterns for its kind and for any kind. */
const lists = {
  wikitext: {
    any: /^[*#:;]+\s*/,
    bullets: { own: /^\*+\s*/, mark: () => '* ' },
    numbers: { own: /^#+\s*/, mark: () => '# ' },
  },
  markdown: {
    any: /^([-*+]|\d+[.)])\s+/,
    bullets: { own: /^[-*+]\s+/, mark: () => '- ' },
    numbers: { own: /^\d+[.)]\s+/, mark: (index: number) => `${index + 1}. ` },
  },
} as const;

export function toggleList(view: EditorView, format: Format, kind: 'bullets' | 'numbers'): void {
  const {
    any,
    [kind]: { own, mark },
  } = lists[format];
  const lines = selectedLines(view.state);
  const isList = lines.every(({ text }) => own.test(text));
  const changes = lines.map((line, index): ChangeSpec => {
    const before = any.exec(line.text)?.[0].length ?? 0;
    return { from: line.from, to: line.from + before, insert: isList ? '' : mark(index) };
  });
  apply(view, { changes });
}

/** Inserts `[[selection]]` with the cursor where a target is typed and completed. */
export function insertLink(view: EditorView): void {
  const { state } = view;
  view.dispatch(
    state.changeByRange(({ from, to }) => {
      const isAddress = /^https?:\/\/\S+$/.test(state.sliceDoc(from, to));
      const [before, after] = isAddress ? ['[', ' ]'] : ['[[', ']]'];
      return {
        changes: [
          { from, insert: before },
          { from: to, insert: after },
        ],
        range: EditorSelection.cursor(to + 2),
      };
    }),
    { scrollIntoView: true, userEvent: 'input.type' },
  );
  view.focus();
}

export function insertTable(view: EditorView, format: Format): void {
  const table =
    format === 'markdown'
      ? '| Heading | Heading |\n| --- | --- |\n| Cell | Cell |\n| Cell | Cell |\n'
      : '{| class="wikitable"\n! Heading !! Heading\n|-\n| Cell || Cell\n|-\n| Cell || Cell\n|}\n';
  insertBlock(view, table, table.indexOf('Heading'), 'Heading'.length);
}

/** Inserts text on separate lines, with a part selected for overwriting. */
export function insertBlock(
  view: EditorView,
  text: string,
  selectFrom = text.length,
  selectLength = 0,
): void {
  const { state } = view;
  const { to } = state.selection.main;
  const line = state.doc.lineAt(to);
  const at = line.text.trim() === '' ? line.from : line.to;
  const before = line.text.trim() === '' ? '' : '\n';
  apply(view, {
    changes: { from: at, insert: before + text },
    selection: {
      anchor: at + before.length + selectFrom,
      head: at + before.length + selectFrom + selectLength,
    },
  });
}

export function insertInline(view: EditorView, text: string): void {
  const { from, to } = view.state.selection.main;
  apply(view, { changes: { from, to, insert: text }, selection: { anchor: from + text.length } });
}

function selectedLines(state: EditorState): Line[] {
  const { from, to } = state.selection.main;
  const lines: Line[] = [];
  for (let at = from; ; ) {
    const line = state.doc.lineAt(at);
    lines.push(line);
    if (line.to >= to) return lines;
    at = line.to + 1;
  }
}

function apply(view: EditorView, spec: TransactionSpec): void {
  view.dispatch({ scrollIntoView: true, userEvent: 'input', ...spec });
  view.focus();
}
