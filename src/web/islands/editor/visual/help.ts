/** Help: keys and signs of the visual editor. */
import type { EditorView } from 'prosemirror-view';
import { button, element } from '../../element.ts';
import { shownKey } from '../toolbar.ts';

const rows: [string, string][] = [
  ['Bold, italic, underlined', ['Mod-b', 'Mod-i', 'Mod-u'].map(shownKey).join('  ')],
  ['Link', `${shownKey('Mod-k')}, or [[`],
  ['Heading', `${shownKey('Mod-Alt-2')}, or ## and a space`],
  ['List, numbered list', '- and a space, 1. and a space'],
  ['Item one level in or out', 'Tab, Shift+Tab'],
  ['Quotation', '> and a space'],
  ['Anything to insert', '/'],
  ['Next cell of a table', 'Tab; a new row after the last'],
  ['Open what is selected: template, formula, note', 'Enter'],
  ['Take back, do again', [shownKey('Mod-z'), shownKey('Mod-Shift-z')].join('  ')],
  ['Find and replace', shownKey('Mod-f')],
  ['Source of the page', shownKey('Mod-Alt-s')],
  ['Save', shownKey('Mod-s')],
  ['Toolbar', 'Shift+Tab from the text, then arrows'],
];

export function openHelp(view: EditorView): void {
  const dialog = element(
    'dialog',
    { class: 'visual-card', 'aria-label': 'Help' },
    element('p', { class: 'card-title' }, 'Writing'),
    element(
      'dl',
      { class: 'visual-help' },
      ...rows.flatMap(([what, how]) => [element('dt', {}, what), element('dd', {}, how)]),
    ),
  );
  dialog.append(button('Close', { class: 'button' }, () => dialog.close()));
  dialog.addEventListener('close', () => {
    dialog.remove();
    view.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}
