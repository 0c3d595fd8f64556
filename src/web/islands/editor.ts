/** The editor's entry: loaded on pages that have its form, which works as it is should anything here fail. */
import { openEditor } from './editor/page-editor.ts';

const form = document.querySelector<HTMLFormElement>('#page-form');
if (form) {
  try {
    openEditor(form);
  } catch (error) {
    // Half an editor is worse than none: the text area comes back with its text.
    console.error(error);
    form.querySelector('.cm-editor')?.remove();
    for (const hidden of form.querySelectorAll<HTMLElement>('#body, #source-pane')) hidden.hidden = false;
  }
}
