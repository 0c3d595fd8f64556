/** The banner that offers a draft, with its differences from the form. */
import { diffBodies } from '#core/content/diff.ts';
import { count } from '#web/format.ts';
import { button, element } from '../element.ts';
import { timeElement } from '../site/local-times.ts';
import { diffTable } from './diff-table.ts';
import type { Draft } from './draft-store.ts';
import { bodyOf, changedFields, type Written } from './written.ts';

export interface DraftOffer {
  found: Draft;
  now: Written;
  /** Number of older drafts. */
  older: number;
  onTake(): void;
  onThrowAway(): void;
}

export function draftOffer({ found, now, older, onTake, onThrowAway }: DraftOffer): HTMLElement {
  const { files } = found;
  const besides = [files.length > 0 ? count(files.length, 'file') : '', changedFields(now, found).join(', ')]
    .filter((words) => words !== '')
    .join('; ');
  const banner = element(
    'section',
    { class: 'banner draft-offer', 'aria-label': 'Unsaved text' },
    element(
      'p',
      {},
      'You have an unsaved draft from ',
      timeElement(found.at),
      '.',
      found.base === now.base ? undefined : ' The page was changed since then. Saving merges both versions.',
      besides ? ` It also contains changes to: ${besides}.` : undefined,
      older > 0 ? ` There ${older === 1 ? 'is 1 older draft' : `are ${older} older drafts`}.` : undefined,
    ),
    differences(now, found),
    element(
      'div',
      { class: 'buttons' },
      button('Restore draft', { class: 'button' }, () => {
        onTake();
        banner.remove();
      }),
      button('Discard draft', {}, () => {
        onThrowAway();
        banner.remove();
      }),
    ),
  );
  return banner;
}

/** Computed when it is opened. */
function differences(now: Written, found: Written): HTMLElement {
  const details = element('details', { class: 'draft-diff' }, element('summary', {}, 'Show differences'));
  details.addEventListener('toggle', () => {
    if (details.open && details.children.length === 1)
      details.append(diffTable(diffBodies(bodyOf(now), bodyOf(found)), 'here', 'in the draft'));
  });
  return details;
}
