/**
 * The next free address, offered where an address is taken: a button that sends the same form for that address, so that nothing
 * that was written is lost. It stands after the form's own button, which Enter in a field presses.
 */
import type { Form } from './forms.ts';
import { type Html, html, type Words } from './html.ts';

const name = 'use-path';

export function freePathButton(path: string | undefined, words: Words): Html | undefined {
  if (path === undefined) return undefined;
  return html`<button type="submit" name="${name}" value="${path}" class="button">${words} <bdi>${path}</bdi></button>`;
}

/** The address of the pressed button. */
export function pickedFreePath(form: Form): string | undefined {
  return form.text(name) || undefined;
}
