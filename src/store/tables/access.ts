/** Sets of readers and writers that grants make. */
import { id, integer, type TableDefinitions, text } from './column.ts';

export const accessTables = {
  audiences: {
    meaning:
      'Sets of readers and writers that pages with grants have. A row never changes, and all pages of the same set share it.',
    columns: {
      id: id('Never used again, as audiences of pages and events refer to it.'),
      key: text(
        'The subject that reads by the digits, if any, a slash, and the effective grants by subject, writers marked: 0/5 12w.',
      ),
      key_entry: text('The key, or a unique prefix with a digest if it is long.'),
    },
  },
  audience_readers: {
    meaning: 'Who reads pages of an audience of `audiences`, their owners aside.',
    columns: {
      audience_id: integer('The row of `audiences`.'),
      subject: integer('0: all members; 2g: members of the group g; 2m + 1: the member m.'),
    },
  },
} satisfies TableDefinitions;
