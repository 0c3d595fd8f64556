/**
 * Passages that two people changed, as the server marks them in the text: shown in two colours, each with a choice
 * above it. Choosing rewrites the passage; the marks can as well be edited like any text.
 */
import { type EditorState, type Extension, type Range, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import { button, element } from '../element.ts';

export interface MarkedPassage {
  from: number;
  to: number;
  yours: string;
  theirs: string;
}

export type Choice = 'yours' | 'theirs' | 'both';

/** `<<<<<<< yours`, `=======`, `>>>>>>> theirs`, each on a line of its own and in this order. */
export function markedPassages(state: EditorState): MarkedPassage[] {
  if (!state.doc.length || state.doc.lines < 3) return [];
  const passages: MarkedPassage[] = [];
  let start: number | undefined;
  let middle: { from: number; to: number } | undefined;
  let yoursFrom = 0;
  for (let number = 1; number <= state.doc.lines; number++) {
    const line = state.doc.line(number);
    if (line.text === '<<<<<<< yours') {
      start = line.from;
      yoursFrom = Math.min(line.to + 1, state.doc.length);
      middle = undefined;
    } else if (start !== undefined && !middle && line.text === '=======')
      middle = { from: line.from, to: line.to };
    else if (start !== undefined && middle && line.text === '>>>>>>> theirs') {
      passages.push({
        from: start,
        to: line.to,
        yours: state.sliceDoc(yoursFrom, Math.max(yoursFrom, middle.from - 1)),
        theirs: state.sliceDoc(middle.to + 1, Math.max(middle.to + 1, line.from - 1)),
      });
      start = middle = undefined;
    }
  }
  return passages;
}

export function choose(view: EditorView, index: number, choice: Choice): void {
  const passage = markedPassages(view.state)[index];
  if (!passage) return;
  const { yours, theirs, from, to } = passage;
  const text =
    choice === 'yours'
      ? yours
      : choice === 'theirs'
        ? theirs
        : [yours, theirs].filter((part) => part !== '').join('\n');
  // A side that has nothing here takes the line end along, so that no blank line is left.
  const end = text === '' ? Math.min(to + 1, view.state.doc.length) : to;
  view.dispatch({
    changes: { from, to: end, insert: text },
    selection: { anchor: from },
    scrollIntoView: true,
    userEvent: 'input',
  });
}

export function conflictMarks(): Extension {
  return StateField.define<DecorationSet>({
    create: decorate,
    update(decorations, { docChanged, changes, state }) {
      if (!docChanged) return decorations;
      // Looking through every line is for texts that have marks or get some.
      let mayHaveMarks = decorations.size > 0;
      changes.iterChanges((_fromA, _toA, _fromB, _toB, inserted) => {
        mayHaveMarks ||= /[<=>]/.test(inserted.toString());
      });
      return mayHaveMarks ? decorate(state) : decorations;
    },
    provide: (field) => EditorView.decorations.from(field),
  });
}

function decorate(state: EditorState): DecorationSet {
  const ranges: Range<Decoration>[] = [];
  for (const [index, { from, to }] of markedPassages(state).entries()) {
    ranges.push(Decoration.widget({ widget: new ChoiceWidget(index), block: true, side: -1 }).range(from));
    let side = 'yours';
    for (let at = from; at <= to; ) {
      const line = state.doc.lineAt(at);
      const isMark =
        line.text === '<<<<<<< yours' || line.text === '=======' || line.text === '>>>>>>> theirs';
      if (line.text === '=======') side = 'theirs';
      ranges.push(Decoration.line({ class: isMark ? 'merge-mark' : `merge-${side}` }).range(line.from));
      at = line.to + 1;
    }
  }
  return Decoration.set(ranges, true);
}

class ChoiceWidget extends WidgetType {
  readonly #index: number;
  constructor(index: number) {
    super();
    this.#index = index;
  }
  override eq(other: ChoiceWidget): boolean {
    return other.#index === this.#index;
  }
  override toDOM(view: EditorView): HTMLElement {
    const index = this.#index;
    const take = (choice: Choice, words: string) =>
      button(words, {}, () => {
        choose(view, index, choice);
        view.focus();
      });
    return element(
      'div',
      { class: 'merge-choice', role: 'group', 'aria-label': `Place ${index + 1} that both changed` },
      take('yours', 'Keep yours'),
      take('theirs', 'Keep theirs'),
      take('both', 'Keep both'),
    );
  }
  override ignoreEvent(): boolean {
    return true;
  }
}
