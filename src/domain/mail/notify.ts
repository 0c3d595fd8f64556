/** Telling a member by mail what happened to their account, in the transaction in which it happens. */
import type { Store } from '../ports/store.ts';
import type { Notice } from './mail.ts';

/** Queues a notice. `unlessAfter`: unless the same notice was queued since then. Without a mail server, does nothing. */
export async function notify(store: Store, notice: Notice, now: number, unlessAfter?: number): Promise<void> {
  if (store.mails.isOn) await store.mails.insert(notice, now, unlessAfter);
}
