/** Rows of groups. */
import { id, integer, type TableDefinitions, text, truth } from './column.ts';

export const groupTables = {
  groups: {
    meaning:
      'Groups of members. If a page belongs to a group, the second digit of its permissions applies to that group.',
    columns: {
      id: id('ID of the group. It is never reused, because audiences and changes refer to it.'),
      name: text('Unique without regard to case.'),
      name_key: text('The name in NFC and lower case.'),
      created_at: integer('When the group was made.'),
    },
  },
  group_members: {
    meaning: 'Members of each group.',
    columns: {
      group_id: integer('The group.'),
      member_id: integer('The member.'),
      by_provider: truth(
        'Whether a sign-in by a provider added the member. If so, a later sign-in may remove the member again.',
      ),
      added_at: integer('When the member was added.'),
    },
  },
} satisfies TableDefinitions;
