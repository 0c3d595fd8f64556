/**
 * Requests a new passphrase by mail. Response and timing are the same for every address: the request is only queued, and the
 * address is looked up when the mail is sent.
 */

import { checkEmail } from '../model/email.ts';
import type { Store } from '../ports/store.ts';

/** A repeated request within this time sends no second mail. */
const askedAgainMs = 5 * 60 * 1000;

/** Refuses `invalid` for a malformed address. */
export async function askForPassphrase(store: Store, email: string, now: number): Promise<void> {
  const address = checkEmail(email);
  await store.mails.insert({ kind: 'passphrase-forgotten', address }, now, now - askedAgainMs);
}
