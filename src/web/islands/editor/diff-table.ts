/** A single-column diff with the markup of the server's diffs. */
import type { Hunk } from '#core/content/diff.ts';
import { element } from '../element.ts';
import { say } from '../words.ts';

const signs = { same: '', removed: '−', added: '+' };

/** `from` and `to`: words before a line of one side, for screen readers. */
export function diffTable(hunks: Hunk[], from: string, to: string): HTMLElement {
  if (hunks.length === 0) return element('p', { class: 'quiet' }, say('editorDiffTable.theTextIsTheSame'));
  const spoken = { same: '', removed: `${from} `, added: `${to} ` };
  const table = element('table', { class: 'diff diff-inline' });
  for (const { lines } of hunks) {
    const body = element('tbody');
    for (const line of lines) {
      const cell = element(
        'td',
        { class: `text ${line.kind}`, dir: 'auto' },
        element('span', { class: 'sign', 'aria-hidden': 'true' }, signs[line.kind]),
        element('span', { class: 'unseen' }, spoken[line.kind]),
      );
      for (const { kind, text } of line.words ?? [{ kind: line.kind, text: line.text }]) {
        cell.append(
          kind === 'removed' ? element('del', {}, text) : kind === 'added' ? element('ins', {}, text) : text,
        );
      }
      body.append(element('tr', { class: line.kind }, cell));
    }
    table.append(body);
  }
  return element('div', { class: 'wide-box' }, table);
}
