/** Checks every few seconds whether mail is due, in every process of a server. The queue assigns each letter to one process. */

import type { LetterWriter } from '#core/mail/letter-writer.ts';
import { sendMails } from '#core/mail/send-mails.ts';
import type { MailServer, QueuedMail } from '#core/ports/mail.ts';

const everyMs = 5000;

export interface MailLoop {
  /** Sends due mail now, without waiting for the next round. */
  sendDue(): Promise<void>;
  /** Waits until the mail being sent is done. */
  stop(): Promise<void>;
}

/** Log of failures. `failed`: the queue could not be read; the next round tries again. */
export interface MailLog {
  givenUp(mail: QueuedMail, error: string): void;
  failed(error: unknown): void;
}

export function startMailLoop(
  writer: LetterWriter,
  server: MailServer,
  log: MailLog,
  { clock, lookEveryMs = everyMs }: { clock: () => number; lookEveryMs?: number | undefined },
): MailLoop {
  let timer: NodeJS.Timeout | undefined;
  let round = Promise.resolve();
  let isStopped = false;
  let hasFailed = false;
  const failed = (error: unknown) => {
    // Once for each time that the database is unavailable.
    if (!hasFailed) log.failed(error);
    hasFailed = true;
  };
  const next = () => {
    if (isStopped) return;
    timer = setTimeout(() => {
      round = sendDue()
        .then(() => {
          hasFailed = false;
        }, failed)
        .then(next);
    }, lookEveryMs);
    timer.unref();
  };
  const sendDue = async () => {
    while (!isStopped && (await sendMails(writer, server, clock, log.givenUp)) > 0);
  };
  next();
  return {
    sendDue,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await round;
      server.close();
    },
  };
}
