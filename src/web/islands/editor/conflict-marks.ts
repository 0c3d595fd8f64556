/**
 * Conflicts in the text, as marked by the server: each is shown in two colours with buttons above, and words instead of its
 * marks. Choosing replaces the passage; both sides can be edited.
 */
import { type EditorState, type Extension, type Range, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import { markedConflicts, conflictMarks as marks } from '#core/content/conflict-marks.ts';
import { button, element } from '../element.ts';
import { say } from '../words.ts';

type Choice = 'yours' | 'theirs' | 'both';

function conflictsOf(state: EditorState): ReturnType<typeof markedConflicts> {
  return markedConflicts(state.doc.toString());
}

function choose(view: EditorView, index: number, choice: Choice): void {
  const conflict = conflictsOf(view.state)[index];
  if (!conflict) return;
  const { yours, theirs, from, to } = conflict;
  const text =
    choice === 'yours'
      ? yours
      : choice === 'theirs'
        ? theirs
        : [yours, theirs].filter((part) => part !== '').join('\n');
  // An empty side is removed together with its line end, so that no blank line remains.
  const end = text === '' ? Math.min(to + 1, view.state.doc.length) : to;
  view.dispatch({
    changes: { from, to: end, insert: text },
    selection: { anchor: from },
    scrollIntoView: true,
    userEvent: 'input',
  });
}

interface Shown {
  all: DecorationSet;
  /** Only the marks, which the cursor skips. */
  marks: DecorationSet;
}

/** `them`: name of the other author; undefined if unknown. */
export function conflictMarks(them: string | undefined): Extension {
  return StateField.define<Shown>({
    create: (state) => decorate(state, them),
    update(shown, { docChanged, changes, state }) {
      if (!docChanged) return shown;
      // Lines are only scanned if the text has marks or gets some.
      let mayHaveMarks = shown.all.size > 0;
      changes.iterChanges((...[, , , , inserted]) => {
        mayHaveMarks ||= /[<=>]/.test(inserted.toString());
      });
      return mayHaveMarks ? decorate(state, them) : shown;
    },
    provide: (field) => [
      EditorView.decorations.from(field, ({ all }) => all),
      EditorView.atomicRanges.of((view) => view.state.field(field).marks),
    ],
  });
}

function decorate(state: EditorState, them = say('editorConflictMarks.they')): Shown {
  const shown: Range<Decoration>[] = [];
  const replaced: Range<Decoration>[] = [];
  for (const [index, { from, to }] of conflictsOf(state).entries()) {
    shown.push(Decoration.widget({ widget: new ChoiceWidget(index), block: true, side: -1 }).range(from));
    let side = 'yours';
    for (let at = from; at <= to; ) {
      const line = state.doc.lineAt(at);
      if (line.text === marks.middle) side = 'theirs';
      const words = {
        [marks.start]: say('editorConflictMarks.youWrote'),
        [marks.middle]: say('editorConflictMarks.wrote', { name: them }),
        [marks.end]: '',
      }[line.text];
      const end = line.text === marks.end ? ' merge-end' : '';
      shown.push(Decoration.line({ class: `merge-${side}${end}` }).range(line.from));
      if (words !== undefined)
        replaced.push(Decoration.replace({ widget: new WordsWidget(words) }).range(line.from, line.to));
      at = line.to + 1;
    }
  }
  return { all: Decoration.set([...shown, ...replaced], true), marks: Decoration.set(replaced) };
}

/** Shows the number of remaining conflicts and a button for the next. Replaces the server's hint in `place`. */
export function countConflicts(place: HTMLElement, view: EditorView): { update(): void } {
  const status = element('p', { class: 'merge-rest', role: 'status' });
  const next = button(say('editorConflictMarks.nextConflict'), {}, () => {
    const conflicts = conflictsOf(view.state);
    const after = conflicts.find(({ from }) => from > view.state.selection.main.head) ?? conflicts[0];
    if (!after) return;
    view.dispatch({
      // Start of your side.
      selection: { anchor: after.from + marks.start.length + 1 },
      effects: EditorView.scrollIntoView(after.from, { y: 'center' }),
    });
    view.focus();
  });
  place.querySelector('.conflict-advice')?.remove();
  place.append(element('div', { class: 'buttons' }, status, next));
  const update = () => {
    const left = conflictsOf(view.state).length;
    const sentence =
      left === 0
        ? say('editorConflictMarks.noConflictsAreLeftCheckThe')
        : say('editorConflictMarks.left', { count: left });
    if (status.textContent !== sentence) status.textContent = sentence;
    next.hidden = left === 0;
  };
  update();
  return { update };
}

/** A widget that equals another one of its kind if both show the same. */
abstract class ShownWidget<Shows> extends WidgetType {
  readonly shows: Shows;
  constructor(shows: Shows) {
    super();
    this.shows = shows;
  }
  override eq(other: ShownWidget<Shows>): boolean {
    return other.shows === this.shows;
  }
}

class WordsWidget extends ShownWidget<string> {
  override toDOM(): HTMLElement {
    return element('span', { class: 'merge-mark' }, this.shows);
  }
}

/** Widget for the conflict at an index. */
class ChoiceWidget extends ShownWidget<number> {
  override toDOM(view: EditorView): HTMLElement {
    const take = (choice: Choice, words: string) =>
      button(words, {}, () => {
        choose(view, this.shows, choice);
        view.focus();
      });
    return element(
      'div',
      {
        class: 'merge-choice',
        role: 'group',
        'aria-label': say('editorConflictMarks.conflictNumber', { number: this.shows + 1 }),
      },
      take('yours', say('editorConflictMarks.keepYours')),
      take('theirs', say('editorConflictMarks.keepTheirs')),
      take('both', say('editorConflictMarks.keepBoth')),
    );
  }
  override ignoreEvent(): boolean {
    return true;
  }
}
