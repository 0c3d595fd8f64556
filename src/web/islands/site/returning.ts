/** Reloads a page from the back/forward cache if the user has signed in or out since, in any tab. */
import { recall, remember } from '../remembered.ts';

const storageKey = 'coppice:member';

export function reloadForOthers(): void {
  const member = document.body.dataset.member ?? '';
  remember(storageKey, member);
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted || (recall(storageKey) ?? member) === member) return;
    document.documentElement.hidden = true;
    location.reload();
  });
}
