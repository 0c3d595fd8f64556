/** Watches, and the notifications that follow from them. */
import { holder, id, integer, integerOrNull, type TableDefinitions, text, textOrNull } from './column.ts';

export const watchTables = {
  watches: {
    meaning: 'Watches of members: a page, a page with everything beneath it, a tag, a search, or comments.',
    columns: {
      id: id('Public ID of the watch, in order of creation.'),
      member_id: integer('Who watches.'),
      kind: text('page, subtree, tag, search, mentions, threads or proposals.'),
      target: text(
        'Target of the watch, in normal form: the ID of the page, the tag, or the query of the search.',
      ),
      page_id: integerOrNull(
        'The page of a page or subtree, which may no longer exist; 0 for the whole wiki.',
      ),
      tag_key: textOrNull('Key of a tag with key and value, lower case.'),
      value_key: textOrNull('Value of a tag, as in tags.'),
      tag_name: textOrNull(
        'Lower-case name of a tag without a value. Pages that have the tag with any value are watched, too.',
      ),
      criteria: textOrNull(
        'Criteria of a search, as the store takes them, as a JSON object. Null for other watches.',
      ),
      mail: text('Mail for the watch: off, now, daily or weekly.'),
      created_at: integer('When the member began to watch. Earlier events do not count.'),
    },
  },
  watchers: {
    meaning: 'Members who have watched something.',
    columns: {
      member_id: integer('The member.'),
      unsubscribe_key: text(
        '256 random bits in base64url, part of the unsubscribe links in mail. It allows nothing else and must stay valid for years.',
      ),
      feed_hash: textOrNull(
        'SHA-256 of the secret in the address of the private feed, hex. Null if the member has no feed.',
      ),
    },
  },
  notifications: {
    meaning:
      'Newest notifications of each member about events. The shown text follows from the event and the current page. Not part of backups.',
    columns: {
      id: id('ID of the notification, in order of writing.'),
      member_id: integer('The member who is notified.'),
      event_id: integer('The event.'),
      watch_id: integer(
        'The watch that matched the event. If several matched, the one with the earliest mail.',
      ),
      mail: text('Mail for the notification: off, now, daily or weekly.'),
      mail_id: integerOrNull('Mail that contains the notification, sent or not. Null if there is none yet.'),
      read_at: integerOrNull('When the member marked the notification as read. Null before.'),
    },
    isLeftOutOfBackups: true,
  },
  watched_events: {
    meaning:
      'Position up to which events have been matched with watches. One row. Not part of backups, so that restored events notify nobody again.',
    columns: {
      id: integer('1.'),
      position: integerOrNull(
        'Position of the latest matched event. Null before the first round, which begins after the latest event.',
      ),
      lease_until: integer(
        'End of the lease of the process that matches events; other processes wait until then.',
      ),
      holder: holder(),
    },
    isLeftOutOfBackups: true,
  },
} satisfies TableDefinitions;
