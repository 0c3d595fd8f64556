/** Webhooks and their deliveries. */
import { holder, id, integer, integerOrNull, type TableDefinitions, text, textOrNull } from './column.ts';

export const webhookTables = {
  webhooks: {
    meaning:
      'Addresses to which events are sent. Not part of backups, so that a copy of the wiki sends nothing.',
    columns: {
      id: id('ID of the webhook, in order of creation.'),
      member_id: integer(
        'The administrator who owns the webhook. Events are sent while the owner is an administrator, and only those that the owner may read.',
      ),
      url: text('URL to which events are sent.'),
      kinds: textOrNull('Kinds of events, separated by commas. Null for all kinds.'),
      body_format: textOrNull(
        'Chat program in whose message format events are sent. Null for the format of the change feed.',
      ),
      ancestor_id: integerOrNull(
        'Page to which the webhook is limited, with everything beneath it. Null for the whole wiki.',
      ),
      secret: text(
        'Key of the signatures, as it was shown. It is stored in clear text because signing requires it.',
      ),
      created_at: integer('When.'),
      disabled_at: integerOrNull('When the webhook was disabled. Null while it is enabled.'),
      disabled_reason: textOrNull('Why the webhook was disabled, in one sentence.'),
      position: integer(
        'Position in the order of events. Later events have not been sent yet; earlier ones have been sent or wait in the log.',
      ),
      last_success_at: integerOrNull('When the address last accepted an event. Null if it never did.'),
      leased_until: integerOrNull(
        'End of the lease of the process that sends for it, even if that process dies. Null if no process holds one.',
      ),
      leased_by: textOrNull('Random name of that process.'),
      holder: holder(),
    },
    isLeftOutOfBackups: true,
  },
  webhook_deliveries: {
    meaning:
      'Log of the latest deliveries of each webhook, including those that are tried again. Not part of backups.',
    columns: {
      id: id('ID of the delivery, in order of the first attempt.'),
      webhook_id: integer('The webhook.'),
      position: integerOrNull(
        'Position of the event, whose text is written for each attempt. Null for a test.',
      ),
      message_id: text('Cursor of the event, by which the receiver recognises a repeated delivery.'),
      kind: text('Kind of the event, or test.'),
      created_at: integer(
        'When the event was first tried, or first tried again after the webhook was disabled.',
      ),
      state: text(
        'waiting: it is tried again. delivered. failed: no further attempts. left-out: the owner may not read the event any more.',
      ),
      due_at: integerOrNull('Time of the next attempt. Null unless the state is waiting.'),
      attempts: integer('Number of attempts.'),
      attempted_at: integer('Time of the latest attempt.'),
      status: integerOrNull('HTTP status of the latest response. Null if there was none.'),
      answer: text('Beginning of the latest response, or why there was none.'),
      took_ms: integer('Duration of the latest attempt.'),
    },
    isLeftOutOfBackups: true,
  },
} satisfies TableDefinitions;
