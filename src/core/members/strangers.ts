/** People without an account: whether the wiki lets them comment or propose, for a moderator to approve. */
import type { Store } from '../ports/store.ts';

/** Whether people without an account may comment or propose by the settings. Never in a private wiki. */
export function mayStrangers(
  { settings, isPrivate }: Pick<Store, 'settings' | 'isPrivate'>,
  what: 'comment' | 'propose',
): boolean {
  const { strangers } = settings.current();
  return !isPrivate && (strangers === 'proposals' || (strangers === 'comments' && what === 'comment'));
}
