/** Notifies members by mail about changes of their account, within the transaction that makes the change. */

import type { Notice } from '../model/mail.ts';
import type { Store } from '../ports/store.ts';

/** Queues a notice. `unlessAfter`: unless the same notice was queued since then. Without a mail server, does nothing. */
export async function notify(store: Store, notice: Notice, now: number, unlessAfter?: number): Promise<void> {
  if (store.mails.isOn) await store.mails.insert(notice, now, unlessAfter);
}
