/**
 * Asking for a new passphrase by mail. The answer and its time are the same for every address: the request is only queued, and whether
 * somebody has the address is found out when the mail is sent.
 */
import type { Store } from '../ports/store.ts';
import { checkEmail } from './manage-members.ts';

/** Asking again within this time sends no second mail. */
const askedAgainMs = 5 * 60 * 1000;

/** Refuses `invalid` for what is no address at all. */
export async function askForPassphrase(store: Store, email: string, now: number): Promise<void> {
  const address = checkEmail(email);
  await store.mails.insert({ kind: 'passphrase-forgotten', address }, now, now - askedAgainMs);
}
