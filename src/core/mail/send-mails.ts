/**
 * Sends due mail, a few letters at a time. What the mail server did not accept is retried after a minute, then at growing
 * intervals for two days. Delivery is at least once: if the process dies between the server's reply and the removal of the row,
 * the mail is sent again, with the same Message-ID.
 */

import { shownForMs, usefulForMs } from '../model/mail.ts';
import { MailRefused, type MailServer, type QueuedMail } from '../ports/mail.ts';
import type { LetterWriter } from './letter-writer.ts';
import { writeLetter } from './write-letter.ts';

const minute = 60_000;
const pausesMs = [1, 5, 15, 60, 180, 360, 720, 1440].map((minutes) => minutes * minute);
/** Lease of a queued mail; longer than a mail server may take for one letter. */
const leaseMs = 5 * minute;
const takenAtOnce = 20;
/** Longest time for which a notice is not repeated. */
const sentForMs = 24 * 60 * minute;

/** Returns the number of mails taken from the queue; mails given up are reported to `onGivenUp`. */
export async function sendMails(
  writer: LetterWriter,
  server: MailServer,
  clock: () => number,
  onGivenUp: (mail: QueuedMail, error: string) => void,
): Promise<number> {
  const { mails } = writer.store;
  const sendOne = async (queued: QueuedMail) => {
    const { id, mail, createdAt, attempts } = queued;
    if (clock() > createdAt + usefulForMs[mail.kind]) {
      const error = queued.error ?? 'The mail was not sent, because it is too late for it.';
      await mails.postpone(id, null, error);
      return onGivenUp(queued, error);
    }
    try {
      const letter = await writeLetter(writer, mail, clock(), id);
      if (letter) await server.send(letter, writer.wiki.name, `${id} ${createdAt} ${mail.address}`);
      await mails.removeSent(id);
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown.message : String(thrown);
      const pause = thrown instanceof MailRefused && thrown.isFinal ? undefined : pausesMs[attempts - 1];
      await mails.postpone(id, pause === undefined ? null : clock() + pause, error.slice(0, 500));
      if (pause === undefined) onGivenUp(queued, error);
    }
  };
  const taken = await mails.take(clock(), clock() + leaseMs, takenAtOnce);
  // Concurrently, so that a mailbox that hangs does not delay others.
  await Promise.all(taken.map(sendOne));
  if (taken.length > 0) await mails.forgetSent(clock() - sentForMs);
  else await mails.removeOlderThan(clock() - shownForMs);
  return taken.length;
}
