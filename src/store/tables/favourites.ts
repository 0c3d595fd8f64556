/** Starred pages. */
import { integer, type TableDefinitions } from './column.ts';

export const favouriteTables = {
  favourites: {
    meaning: 'Pages that members starred for themselves.',
    columns: {
      member_id: integer('The member.'),
      page_id: integer('The page, which may be in the trash.'),
      at: integer('When the member starred it.'),
    },
  },
} satisfies TableDefinitions;
