/** Back shows a page as it was left. Where somebody signed in or out since, in whichever tab, it is loaded anew. */
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
