/** The audit log. */
import { column, id, integer, integerOrNull, type TableDefinitions, text, textOrNull } from './column.ts';

export const auditTables = {
  audit: {
    meaning:
      'Log of actions on accounts, rights and content, with actor, time and origin. Rows are only added; the one exception is the count of failed sign-ins, which grows within its hour. Old rows are deleted, and rows contain no names of members.',
    columns: {
      id: id('Public ID of the entry, in order of writing.'),
      position: integerOrNull(
        'Position in the order of commits, assigned once the entry is committed. Null before. Also null on engines that write in order of commits; there the ID is the position.',
      ),
      at: integer('Time of the action; the first time for an entry that stands for several actions.'),
      kind: text('Kind of action, such as token-made.'),
      via: column<'site' | 'api' | 'command line' | 'wiki'>(
        'Origin: site, api, command line, or wiki for what the wiki does by itself.',
      ),
      from_address: textOrNull('Client address. Null for the command line and the wiki itself.'),
      actor_id: integerOrNull(
        'The member who acted. Null for the command line, the wiki itself and people who are not signed in.',
      ),
      token_id: integerOrNull('The API token that was used. Null if none was.'),
      subject_kind: textOrNull(
        'Kind of thing that was acted on, such as member or page. Null if it has no name.',
      ),
      subject_id: integerOrNull('ID of that thing. Null if it has none.'),
      subject_name: text('Name of that thing at that time. Empty for members, whose names are in `members`.'),
      note: text('Further details, as text.'),
      hour: integerOrNull(
        'Hour in which an entry that stands for several actions counts them, as hours since the epoch. Null for all other entries.',
      ),
      times: integer('Number of actions that the entry stands for; 1 except for failed sign-ins.'),
      last_at: integer('Time of the latest of these actions.'),
    },
  },
} satisfies TableDefinitions;
