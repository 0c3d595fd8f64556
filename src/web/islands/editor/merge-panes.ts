/**
 * Somebody saved first: what both changed, place by place, in three columns (theirs, before, yours), each place with a choice.
 * The text made of both is the editor below, where the same places are marked; choosing here or there is the same.
 */

import type { EditorView } from '@codemirror/view';
import { mergeRegions } from '#domain/merge-bodies.ts';
import { button, element } from '../element.ts';
import { type Choice, choose, markedPassages } from './conflict-marks.ts';
import type { ThreeBodies } from './three-bodies.ts';

/** Puts the panes into the server's page in the place of its own. */
export function mergePanes(place: HTMLElement, bodies: ThreeBodies, view: EditorView): { update(): void } {
  const conflicts = conflictsOf(bodies);
  const rest = element('p', { class: 'merge-rest', role: 'status' });
  const rows = conflicts.map((conflict, index) => {
    const take = (choice: Choice, words: string) =>
      button(words, { 'data-choice': choice }, () => settle(index, choice));
    const row = element(
      'section',
      { class: 'merge-place', 'aria-label': `Place ${index + 1} of ${conflicts.length}` },
      pane('What they wrote', conflict.theirs, 'theirs'),
      pane('Before both', conflict.base, 'base'),
      pane('What you wrote', conflict.yours, 'yours'),
      element(
        'div',
        { class: 'merge-buttons' },
        take('theirs', 'Take theirs'),
        take('both', 'Take both'),
        take('yours', 'Take yours'),
      ),
    );
    return row;
  });
  const settled = new Map<number, Choice>();

  function settle(index: number, choice: Choice): void {
    const at = openPlace(index);
    if (at < 0) return;
    settled.set(index, choice);
    choose(view, at, choice);
    update();
    const next = rows.find((_row, other) => openPlace(other) >= 0);
    (next?.querySelector('button') ?? view.contentDOM).focus();
  }

  /** Which of the marks in the text this place is: they are told apart by what stands in them. */
  function openPlace(index: number): number {
    const { yours, theirs } = conflicts[index] ?? { yours: '', theirs: '' };
    return markedPassages(view.state).findIndex(
      (passage) => passage.yours === yours && passage.theirs === theirs,
    );
  }

  function update(): void {
    for (const [index, row] of rows.entries()) {
      const isOpen = openPlace(index) >= 0;
      row.classList.toggle('is-settled', !isOpen);
      for (const one of row.querySelectorAll('button')) {
        one.disabled = !isOpen;
        one.classList.toggle('is-chosen', !isOpen && settled.get(index) === one.dataset.choice);
      }
    }
    const left = markedPassages(view.state).length;
    const sentence =
      left === 0
        ? 'Nothing is left to choose: look at the text below and save it.'
        : left === 1
          ? '1 place is left to choose.'
          : `${left} places are left to choose.`;
    if (rest.textContent !== sentence) rest.textContent = sentence;
  }

  place.replaceChildren(element('div', { class: 'merge-places' }, ...rows), rest);
  update();
  return { update };
}

interface Conflict {
  base: string;
  theirs: string;
  yours: string;
}

/** The same places as the server marks. */
function conflictsOf({ base, theirs, yours }: ThreeBodies): Conflict[] {
  return mergeRegions(yours, base, theirs).flatMap(({ conflict }) =>
    conflict
      ? [{ yours: conflict.a.join('\n'), base: conflict.o.join('\n'), theirs: conflict.b.join('\n') }]
      : [],
  );
}

function pane(title: string, text: string, side: string): HTMLElement {
  return element(
    'div',
    { class: `merge-pane merge-pane-${side}` },
    element('h2', {}, title),
    text === ''
      ? element('p', { class: 'quiet' }, 'nothing')
      : element('pre', { class: 'source', tabindex: 0, dir: 'auto' }, text),
  );
}
