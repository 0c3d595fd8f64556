/** Telling a member by mail what happened to their account, in the transaction in which it happens. */
import type { Store } from '../ports/store.ts';
import type { Notice } from './mail.ts';

/** `unlessAfter`: nothing is queued if the member was told the same since then. Without a mail server nothing is. */
export async function notify(store: Store, notice: Notice, now: number, unlessAfter?: number): Promise<void> {
  if (store.mails.isOn) await store.mails.insert(notice, now, unlessAfter);
}
