/** Open editors. */
import { integer, type TableDefinitions } from './column.ts';

export const editingTables = {
  open_editors: {
    meaning: 'Members who have a page open for editing, kept for a minute.',
    columns: {
      page_id: integer('The page.'),
      member_id: integer('The member.'),
      seen_at: integer('When the editor last said that it is open.'),
    },
    isLeftOutOfBackups: true,
  },
} satisfies TableDefinitions;
