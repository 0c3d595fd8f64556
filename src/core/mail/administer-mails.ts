/** Unsent mail, for administrators: list it, pass its link on, retry it, discard it. */
import { say } from '#words/say.ts';
import {
  administratorOf,
  type Operator,
  type RecentOperator,
  recentAdministratorOf,
} from '../members/get-administrator.ts';
import { hasLink } from '../model/mail.ts';
import { invalid, Problem } from '../model/problem.ts';
import type { Letter, QueuedMail } from '../ports/mail.ts';
import type { Store } from '../ports/store.ts';
import type { LetterWriter } from './letter-writer.ts';
import { writeLetter } from './write-letter.ts';

/** Maximum number of mails listed. */
export const maxListedMails = 200;

/** Latest first. Refuses `unauthenticated` and `administrators-only`, as do all of these functions. */
export async function listMails(store: Store, actor: Operator): Promise<QueuedMail[]> {
  await administratorOf(store, actor);
  return store.mails.list(maxListedMails);
}

/**
 * Returns the letter with a working link for an administrator to pass on; the mail is no longer sent. Refuses `unauthenticated`
 * with the detail `again` unless the administrator signed in a moment ago, because the link may give access to an account;
 * `invalid` for a mail without such a link; and `not-found` if it has no recipient.
 */
export async function handOverMail(
  writer: LetterWriter,
  by: RecentOperator,
  id: number,
  now: number,
): Promise<Letter> {
  const { store } = writer;
  await recentAdministratorOf(store, by, now, 'Showing the link of a mail');
  const queued = await store.mails.find(id);
  if (!queued) throw noSuchMail();
  if (!hasLink(queued.mail)) throw invalid('/id', say('problem.thisMailHasNoLinkToPass'));
  const letter = await writeLetter(writer, queued.mail, now);
  await store.transact(async (store) => {
    await store.mails.remove(id);
    const subject = { kind: 'mail', id, name: queued.mail.kind } as const;
    if (letter) await store.audit.record({ kind: 'link-handed-over', subject });
  });
  if (!letter) throw new Problem('not-found', say('problem.nobodyHasThisAddressOrTheLink'));
  return letter;
}

/** Makes the mail due at once, with all attempts of a new mail. */
export async function retryMail(store: Store, actor: Operator, id: number, now: number): Promise<void> {
  await administratorOf(store, actor);
  if (!(await store.mails.retry(id, now))) throw noSuchMail();
}

/** Removes a queued mail. Refuses `not-found`, and `not-permitted` unless an administrator asks. */
export async function discardMail(store: Store, actor: Operator, id: number): Promise<void> {
  await administratorOf(store, actor);
  if (!(await store.mails.remove(id))) throw noSuchMail();
}

function noSuchMail(): Problem {
  return new Problem('not-found', say('problem.mailNotFoundItWasSentOr'));
}
