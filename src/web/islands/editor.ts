/** Entry point of the editor, loaded on pages with its form, which works without it. */
import { openEditor } from './editor/page-editor.ts';

const form = document.querySelector<HTMLFormElement>('#page-form');
if (form) {
  try {
    openEditor(form);
  } catch (error) {
    // If anything fails, the plain text area is restored with its text.
    console.error(error);
    form.querySelector('.cm-editor')?.remove();
    for (const hidden of form.querySelectorAll<HTMLElement>('#body, #source-pane')) hidden.hidden = false;
  }
}
