/** Comments and proposals of people without an account, which wait for a moderator. */
import { column, id, integer, integerOrNull, type TableDefinitions, text, textOrNull } from './column.ts';

export const strangerTables = {
  submissions: {
    meaning: 'Comments and proposals of people without an account, which wait for a moderator.',
    columns: {
      id: id('ID by which moderators approve or refuse it.'),
      kind: column<'comment' | 'proposal'>('`comment` or `proposal`.'),
      page_id: integerOrNull('The page, or the nearest one above a new page. Null for a new root page.'),
      contents: text('The comment with its quoted words, or the proposal with its change, as JSON.'),
      stranger: text('Name that the person gave.'),
      email: textOrNull('E-mail address that the person gave. Null without one.'),
      sender: text('Keyed hash of the network address, so that spam can be refused at once.'),
      at: integer('When the comment or proposal was submitted.'),
    },
  },
  stranger_days: {
    meaning: 'Number of submissions from each network address today. Not part of backups.',
    isLeftOutOfBackups: true,
    columns: {
      sender: text('Keyed hash of the network address.'),
      day: integer('Day, counted from 1970-01-01 (UTC). Rows of earlier days are deleted.'),
      submitted: integer('Number of comments and proposals on that day.'),
    },
  },
} satisfies TableDefinitions;
