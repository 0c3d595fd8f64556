/** Mail to be sent, and limits on how often. */
import {
  holder,
  id,
  integer,
  integerOrNull,
  type TableDefinitions,
  text,
  textOrNull,
  withDefault,
} from './column.ts';

export const mailTables = {
  mails: {
    meaning:
      'Mail that has not been sent yet or could not be sent. A row holds the subject matter only; text and links are made at sending, so that no secret is stored here. Not part of backups.',
    columns: {
      id: id('ID of the mail, in order of queueing.'),
      kind: text('Subject matter of the mail, such as passphrase-forgotten.'),
      address_key: text('Recipient address, in NFC and lower case.'),
      mail: text('Kind, address and values for the text, as a JSON object.'),
      created_at: integer('When the mail was queued.'),
      due_at: integerOrNull(
        'Time of the next attempt; the process that is sending postpones it. Null if no further attempts are made, or if no mail server is set and an administrator must pass on the mail.',
      ),
      attempts: withDefault(integer('Number of attempts.')),
      error: textOrNull('Reply of the mail server to the latest attempt, or why there was none.'),
      holder: holder(),
    },
    isLeftOutOfBackups: true,
  },
  sent_mails: {
    meaning:
      'When mail of each kind was last sent to an address within a day, so that repeated requests do not flood a mailbox. Not part of backups.',
    columns: {
      kind: text('As in `mails`.'),
      address_key: text('As in `mails`.'),
      asked_at: integer('When the mail was queued.'),
    },
    isLeftOutOfBackups: true,
  },
} satisfies TableDefinitions;
