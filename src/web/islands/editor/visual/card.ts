/** A small dialog for one thing of the text: a link, a picture, a template. Beside it on wide screens, a sheet on narrow ones. */
import { button, element } from '../../element.ts';
import { say } from '../../words.ts';

export interface CardOptions {
  title: string;
  /** The place in the window beside which it opens. */
  anchor: { left: number; top: number; bottom: number };
  content: (Node | undefined)[];
  /** Buttons beside Done, such as Remove. They close the card. */
  others?: { words: string; run(): void }[];
  /** Returns false to keep the card open. */
  done(): boolean | undefined;
  /** Called however the card is closed; gives the focus back. `isDone`: not cancelled. */
  closed(isDone: boolean): void;
}

export function openCard({
  title,
  anchor,
  content,
  others = [],
  done,
  closed,
}: CardOptions): HTMLDialogElement {
  let isDone = false;
  const form = element('form', { method: 'dialog', class: 'card-form' });
  const dialog = element('dialog', { class: 'visual-card', 'aria-label': title }, form);
  form.append(
    element('p', { class: 'card-title' }, title),
    ...content.filter((one) => one !== undefined),
    element(
      'div',
      { class: 'buttons' },
      element('button', { type: 'submit', class: 'button' }, say('visualCard.done')),
      ...others.map(({ words, run }) =>
        button(words, {}, () => {
          isDone = true;
          dialog.close();
          run();
        }),
      ),
      button(say('visualCard.cancel'), { class: 'as-link' }, () => dialog.close()),
    ),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (done() === false) return;
    isDone = true;
    dialog.close();
  });
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close());
  dialog.addEventListener('close', () => {
    dialog.remove();
    closed(isDone);
  });
  // Outside the page's form, so that its fields are not sent with it.
  document.body.append(dialog);
  dialog.showModal();
  if (matchMedia('(min-width: 600px)').matches) place(dialog, anchor);
  return dialog;
}

function place(dialog: HTMLElement, { left, top, bottom }: CardOptions['anchor']): void {
  const { width, height } = dialog.getBoundingClientRect();
  const isBelow = bottom + height + 12 < innerHeight || top - height - 8 < 0;
  // The place itself may be out of sight.
  const y = Math.min(isBelow ? bottom + 8 : top - height - 8, innerHeight - height - 8);
  dialog.style.inset = `${Math.max(8, y)}px auto auto ${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  dialog.style.margin = '0';
}

let made = 0;

/** A labelled field of a card. */
export function cardField<Field extends HTMLElement>(
  label: string,
  field: Field,
  hint?: string,
): HTMLElement {
  field.id ||= `card-field-${++made}`;
  const hintElement = hint ? element('p', { class: 'hint', id: `${field.id}-hint` }, hint) : undefined;
  if (hintElement) field.setAttribute('aria-describedby', hintElement.id);
  return element('div', { class: 'field' }, element('label', { for: field.id }, label), field, hintElement);
}

/** Rows that fit a text, within sensible limits. */
export function textArea(
  value: string,
  attributes: Record<string, string | number> = {},
): HTMLTextAreaElement {
  const rows = Math.min(14, Math.max(2, value.split('\n').length + 1));
  const area = element('textarea', { rows, dir: 'auto', ...attributes });
  area.value = value;
  return area;
}
