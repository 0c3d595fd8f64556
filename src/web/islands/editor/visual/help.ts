/** Help: keys and signs of the visual editor. */
import type { EditorView } from 'prosemirror-view';
import { button, element } from '../../element.ts';
import { say } from '../../words.ts';
import { shownKey } from '../toolbar.ts';

const rows: [string, string][] = [
  ['Bold, italic, underlined', ['Mod-b', 'Mod-i', 'Mod-u'].map(shownKey).join('  ')],
  [say('visualHelp.link'), say('visualHelp.keyOr', { key: shownKey('Mod-k'), other: '[[' })],
  [
    say('visualHelp.heading'),
    say('visualHelp.keyOr', {
      key: shownKey('Mod-Alt-2'),
      other: say('visualHelp.andASpace', { sign: '##' }),
    }),
  ],
  [
    say('visualHelp.listNumberedList'),
    `${say('visualHelp.andASpace', { sign: '-' })}, ${say('visualHelp.andASpace', { sign: '1.' })}`,
  ],
  [say('visualHelp.itemOneLevelInOrOut'), 'Tab, Shift+Tab'],
  [say('visualHelp.quotation'), say('visualHelp.andASpace', { sign: '>' })],
  [say('visualHelp.anythingToInsert'), '/'],
  [say('visualHelp.nextCellOfATable'), say('visualHelp.tabANewRowAfterTheLast')],
  [say('visualHelp.openWhatIsSelectedTemplate'), say('visualHelp.enter')],
  [say('visualHelp.takeBackDoAgain'), [shownKey('Mod-z'), shownKey('Mod-Shift-z')].join('  ')],
  [say('visualHelp.findAndReplace'), shownKey('Mod-f')],
  [say('visualHelp.sourceOfThePage'), shownKey('Mod-Alt-s')],
  [say('visualHelp.save'), shownKey('Mod-s')],
  [say('visualHelp.toolbar'), say('visualHelp.shiftTabFromTheTextThen')],
];

export function openHelp(view: EditorView): void {
  const dialog = element(
    'dialog',
    { class: 'visual-card', 'aria-label': say('visualHelp.help') },
    element('p', { class: 'card-title' }, say('visualHelp.writing')),
    element(
      'dl',
      { class: 'visual-help' },
      ...rows.flatMap(([what, how]) => [element('dt', {}, what), element('dd', {}, how)]),
    ),
  );
  dialog.append(button(say('visualHelp.close'), { class: 'button' }, () => dialog.close()));
  dialog.addEventListener('close', () => {
    dialog.remove();
    view.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}
