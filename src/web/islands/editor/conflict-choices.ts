/**
 * Conflicts that are solved as they look: the server shows both versions of each place, and the choices are put into the text
 * before it is opened. Nothing else is seen until then, because the text with its marks would not look like the page.
 */
import {
  type ConflictChoice,
  conflictKey,
  markedConflicts,
  solveConflicts,
} from '#core/content/conflict-marks.ts';
import { announce, button, element } from '../element.ts';
import { say } from '../words.ts';
import type { PageText } from './page-text.ts';

interface ConflictChoicesOptions {
  section: HTMLElement;
  form: HTMLFormElement;
  text: PageText;
  /** Opens the text. `isSource`: conflicts are left in it, which only the source shows. */
  open(isSource: boolean): void;
}

export function offerChoices({ section, form, text, open }: ConflictChoicesOptions): void {
  for (const one of section.querySelectorAll('.by-hand')) one.remove();
  // Without scripts a place may be solved in the text instead.
  for (const one of section.querySelectorAll<HTMLInputElement>('[type=radio]')) one.required = true;
  form.classList.add('is-choosing');
  const advice = document.querySelector<HTMLElement>('.conflict-advice');
  // Its markers are seen in the source only.
  if (advice) advice.hidden = true;
  const end = (isSource: boolean) => {
    section.remove();
    form.classList.remove('is-choosing');
    if (advice) advice.hidden = false;
    open(isSource);
  };
  const takeOver = () => {
    for (const one of section.querySelectorAll('input')) if (!one.reportValidity()) return;
    const chosen = new FormData(form);
    const solved = solveConflicts(text.get(), (conflict) => {
      const choice = chosen.get(`keep-${conflictKey(conflict)}`);
      return typeof choice === 'string' ? (choice as ConflictChoice) : undefined;
    });
    text.set(solved.text);
    text.fillTextarea();
    const isLeft = markedConflicts(solved.text).length > 0;
    if (advice && !isLeft) advice.textContent = say('editorConflictMarks.noConflictsAreLeftCheckThe');
    end(isLeft);
    if (!isLeft) announce(say('editorConflictMarks.noConflictsAreLeftCheckThe'));
  };
  section.append(
    element(
      'div',
      { class: 'buttons' },
      button(say('editorConflictChoices.takeOver'), { class: 'button' }, takeOver),
      button(say('editorConflictChoices.inTheSource'), { class: 'quiet-button' }, () => end(true)),
    ),
  );
}
