/** Unsent mail, for administrators: list it, pass its link on, retry it, discard it. */
import { say } from '#words/say.ts';
import { hasLink } from '../model/mail.ts';
import { invalid, Problem } from '../model/problem.ts';
import type { Letter, QueuedMail } from '../ports/mail.ts';
import type { Store } from '../ports/store.ts';
import type { LetterWriter } from './letter-writer.ts';
import { writeLetter } from './write-letter.ts';

/** Maximum number of mails listed. */
export const maxListedMails = 200;

/** Mails that wait or failed, latest first, at most `maxListedMails`. */
export async function listMails(store: Store): Promise<QueuedMail[]> {
  return store.mails.list(maxListedMails);
}

/**
 * Returns the letter with a working link for an administrator to pass on; the mail is no longer sent. The link may give access to
 * an account, so faces ask for a recent sign-in. Refuses `invalid` for a mail without such a link, and `not-found` if it has no
 * recipient.
 */
export async function handOverMail(writer: LetterWriter, id: number, now: number): Promise<Letter> {
  const { store } = writer;
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
export async function retryMail(store: Store, id: number, now: number): Promise<void> {
  if (!(await store.mails.retry(id, now))) throw noSuchMail();
}

/** Removes a queued mail. Refuses `not-found`. */
export async function discardMail(store: Store, id: number): Promise<void> {
  if (!(await store.mails.remove(id))) throw noSuchMail();
}

function noSuchMail(): Problem {
  return new Problem('not-found', say('problem.mailNotFoundItWasSentOr'));
}
