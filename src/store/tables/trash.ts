/** Deleted pages that can be restored. */
import {
  id,
  integer,
  integerOrNull,
  type TableDefinitions,
  text,
  textOrNull,
  withDefault,
} from './column.ts';

export const trashTables = {
  trash: {
    meaning: 'Deletions that can be undone: one row for each deleted page, including everything beneath it.',
    columns: {
      id: id('ID of the deletion, in order of deletion.'),
      page_id: integer('The page that was deleted, with the pages beneath it.'),
      path: text('Path that the page had.'),
      title: text('Its title.'),
      trail: text(
        'IDs of its ancestors as in `pages`. When restored, the page goes beneath the nearest one that still exists.',
      ),
      audience: integer('Audience that could read the page and may see that it was deleted.'),
      owner_id: integer('Its owner.'),
      pages: integer('Number of deleted pages, including the page itself.'),
      world_pages: integer('Number of these pages that everyone could read.'),
      members_pages: integer('Number of these pages that members could read.'),
      deleted_at: integer('When.'),
      deleted_by: integer('The member who deleted it.'),
    },
  },
  trashed_pages: {
    meaning:
      'Pages in the trash: the columns that cannot be derived from their current change. Their changes, files, likes and old paths stay in their tables.',
    columns: {
      id: integer('ID that the page had and will have again when restored.'),
      trash_id: integer('The deletion that removed the page.'),
      path: text('Path that the page had.'),
      title: text('Its title.'),
      parent_id: integerOrNull('Parent page. Null for a root page.'),
      depth: integer('Number of its ancestors. Parents are restored before their children.'),
      permissions: integer('As in `pages`.'),
      audience: integer('Audience that could read the page, as in `pages`.'),
      audience_id: withDefault(integerOrNull('As in `pages`.')),
      owner_id: integer('As in `pages`.'),
      group_id: integerOrNull('As in `pages`.'),
      default_group_id: integerOrNull('As in `pages`.'),
      protection: textOrNull('As in `pages`.'),
      rule: withDefault(textOrNull('As in `pages`.')),
      type: textOrNull('As in `pages`.'),
      change_id: integer('The latest change of the page.'),
      history_bytes: integer('As in `pages`.'),
      history_from: integer('As in `pages`.'),
      created_at: integer('As in `pages`.'),
      updated_at: integer('As in `pages`.'),
      sibling_rank: withDefault(integer('As in `pages`.')),
      original_id: withDefault(integerOrNull('As in `pages`.')),
      rendered_id: withDefault(integerOrNull('As in `pages`.')),
    },
  },
  trashed_tags: {
    meaning: 'Tags that pages in the trash had, for filtering events.',
    columns: {
      page_id: integer('The page in the trash.'),
      seq: integer('As in `tags`.'),
      key: text('As in `tags`.'),
      value: text('As in `tags`.'),
      value_key: text('As in `tags`.'),
    },
  },
  trashed_searches: {
    meaning:
      'Watched searches that found pages when they were moved to the trash, for matching their events.',
    columns: {
      page_id: integer('The page in the trash.'),
      target: text('As in `watches`.'),
    },
  },
} satisfies TableDefinitions;
