/** The banner that offers a draft, with its differences from the form. */
import { diffBodies } from '#core/content/diff.ts';
import { button, element } from '../element.ts';
import { timeElement } from '../site/local-times.ts';
import { say, slot, withElement } from '../words.ts';
import { diffTable } from './diff-table.ts';
import type { Draft } from './draft-store.ts';
import { bodyOf, changedFields, type Written } from './written.ts';

interface DraftOffer {
  found: Draft;
  now: Written;
  /** Number of older drafts. */
  older: number;
  onTake(): void;
  onThrowAway(): void;
}

export function draftOffer({ found, now, older, onTake, onThrowAway }: DraftOffer): HTMLElement {
  const { files } = found;
  const besides = [
    files.length > 0 ? say('count.files', { count: files.length }) : '',
    changedFields(now, found).join(', '),
  ]
    .filter((words) => words !== '')
    .join('; ');
  const banner = element(
    'section',
    { class: 'banner draft-offer', 'aria-label': say('editorDraftOffer.unsavedText') },
    element(
      'p',
      {},
      ...withElement(say('editorDraftOffer.youHaveADraft', { time: slot }), timeElement(found.at)),
      found.base === now.base ? undefined : ` ${say('editorDraftOffer.thePageWasChanged')}`,
      besides ? ` ${say('editorDraftOffer.itAlsoContains', { besides })}` : undefined,
      older > 0 ? ` ${say('editorDraftOffer.olderDrafts', { count: older })}` : undefined,
    ),
    differences(now, found),
    element(
      'div',
      { class: 'buttons' },
      button(say('editorDraftOffer.restoreDraft'), { class: 'button' }, () => {
        onTake();
        banner.remove();
      }),
      button(say('editorDraftOffer.discardDraft'), {}, () => {
        onThrowAway();
        banner.remove();
      }),
    ),
  );
  return banner;
}

/** Computed when it is opened. */
function differences(now: Written, found: Written): HTMLElement {
  const details = element(
    'details',
    { class: 'draft-diff' },
    element('summary', {}, say('editorDraftOffer.showDifferences')),
  );
  details.addEventListener('toggle', () => {
    if (details.open && details.children.length === 1)
      details.append(
        diffTable(
          diffBodies(bodyOf(now), bodyOf(found)),
          say('editorDraftOffer.onlyHere'),
          say('editorDraftOffer.onlyInTheDraft'),
        ),
      );
  });
  return details;
}
