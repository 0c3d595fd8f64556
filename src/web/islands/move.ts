/** Entry point of the form for moving a page. */
import { pickParent } from './parent-picker.ts';

const form = document.querySelector<HTMLFormElement>('form[data-complete-url]');
if (form) pickParent(form, form.dataset.completeUrl ?? '');
