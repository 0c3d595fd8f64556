/** `coppice mail`: tests the mail server and shows unsent mail. */

import type { LetterHead } from '#core/mail/letter-writer.ts';
import { mailDiscarding, mailHandover, mailJson, mailList, mailRetry } from '#core/mail/operations.ts';
import { writeLetter } from '#core/mail/write-letter.ts';
import { checkEmail } from '#core/model/email.ts';
import { isoTime } from '#core/model/iso-time.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import { MailRefused, type QueuedMail } from '#core/ports/mail.ts';
import { siteLanguageOf } from '#words/languages.ts';
import { commandOf } from './command/arguments.ts';
import type { CommandContext, OpenWiki } from './command/context.ts';
import { inWiki, listing, withId } from './command/in-wiki.ts';

const help = `Usage: coppice mail <what> [arguments]

  test ADDRESS      Sends a test there at once, and prints the reply of the mail server.
  list [--json]     Lists mail that waits, is tried again, or is not tried again, latest first.
  link ID           Prints the link of a mail, for you to pass on; the mail itself is then not sent.
  retry ID          Sends a mail again: a running server does so within a few seconds.
  discard ID        Deletes a mail without sending it.

The mail server is set by COPPICE_MAIL and COPPICE_MAIL_FROM. Without one, links that would be mailed wait in this list.
`;

const letterHead = ({ store }: OpenWiki, { settings }: CommandContext): LetterHead => ({
  name: store.settings.current().name,
  language: siteLanguageOf(store.settings.current().language),
  url: settings.address,
});

export const run = commandOf('mail', help, {
  test: inWiki(['ADDRESS'], {}, async ([address], _, { context }) => {
    const to = checkEmail(address);
    const server = await context.mailServer();
    if (!server) throw invalid('', 'No mail server is set. Set COPPICE_MAIL and COPPICE_MAIL_FROM.');
    return async (wiki, now) => {
      const writer = { ...wiki, wiki: letterHead(wiki, context) };
      try {
        const letter = await writeLetter(writer, { kind: 'test', address: to }, now);
        if (letter) await server.send(letter, writer.wiki.name);
      } catch (error) {
        if (!(error instanceof MailRefused)) throw error;
        throw new Problem('unavailable', `The mail server did not accept the mail: ${error.message}`);
      } finally {
        server.close();
      }
      return `The mail server accepted a test to ${to}.`;
    };
  }),
  list: listing([], ({ carry }) => carry(mailList, {}), {
    shown: mailJson,
    row,
    none: 'There is no unsent mail.',
  }),
  link: withId('mail list', async (wiki, id, _now, context) => {
    const letter = await wiki.carry(mailHandover, { id, wiki: letterHead(wiki, context) });
    return `${letter.link?.url}`;
  }),
  retry: withId('mail list', async ({ carry }, id) => {
    await carry(mailRetry, { id });
    return 'The mail will be sent as soon as possible.';
  }),
  discard: withId('mail list', async ({ carry }, id) => {
    await carry(mailDiscarding, { id });
    return 'Discarded.';
  }),
});

function row({ id, mail, createdAt, dueAt, attempts, error }: QueuedMail): string[] {
  const state = dueAt === null ? 'given up' : attempts === 0 ? 'waits' : `tried ${attempts}×`;
  return [String(id), mail.kind, mail.address, isoTime(createdAt), state, error ?? ''];
}
