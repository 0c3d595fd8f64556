/** History of pages, and everything derived from their content. */
import {
  column,
  id,
  integer,
  integerOrNull,
  type TableDefinitions,
  text,
  textOrNull,
  truth,
} from './column.ts';

export const historyTables = {
  changes: {
    meaning:
      'Every version of every page, complete, including pages in the trash. Only an erasure alters rows, and only purging a page from the trash removes them.',
    columns: {
      id: id('Public ID of the change, in order of saving; also the version of its page.'),
      page_id: integer('The page that was changed.'),
      at: integer('When.'),
      editor_id: integer('The member who made the change.'),
      content: text(
        'The explicit state of the page after the change, with body and names of files, as a JSON object.',
      ),
    },
  },
  aliases: {
    meaning:
      'Paths at which pages once lived, or which their front matter declares. A reader who sees no page at such a path is redirected to the readable page that left it last.',
    columns: {
      id: id(
        'ID of the alias, in order of leaving. If several pages had the same path, the one with the highest ID left it last.',
      ),
      path: text('The old path. Another page may use it now.'),
      path_key: text('The old path in lower case.'),
      page_id: integer('The page that had the path.'),
    },
  },
  likes: {
    meaning: 'Likes of pages by members.',
    columns: {
      page_id: integer('The page.'),
      member_id: integer('The member.'),
      at: integer('When the page was liked.'),
    },
  },
  tags: {
    meaning: 'Tags of the current content. Derived: rebuilt from the changes.',
    columns: {
      page_id: integer('The page that carries the tag.'),
      seq: integer('Position among the tags of the page, from 0.'),
      key: text('Name, lower case.'),
      value: text('Value as written.'),
      value_key: text('The value. If it is too long for an index, its beginning and its SHA-256.'),
    },
  },
  files: {
    meaning:
      'Files of pages, current and replaced: one row for each file that a change names, removed only with its page. The file store keeps the bytes under their hash.',
    columns: {
      name: text('Name that the server made, unique in the wiki, by which the file is served.'),
      page_id: integer('Page that the file belongs to and whose permissions apply to it.'),
      filename: text('Name that the uploader gave; unique among the current files of the page.'),
      hash: text('SHA-256 of the bytes, hex.'),
      mime: text('Media type, detected from the bytes, with charset for a text.'),
      size_bytes: integer('Length.'),
      width: integerOrNull('Width in pixels; images only.'),
      height: integerOrNull('Height in pixels; images only.'),
      thumbnail: textOrNull('Name by which the thumbnail is served; images only.'),
      thumbnail_hash: textOrNull('SHA-256 of the bytes of the thumbnail, hex.'),
      thumbnail_mime: textOrNull('Type of the thumbnail.'),
      uploaded_at: integer('When.'),
      uploader_id: integer('The member who uploaded it.'),
      until_change_id: integerOrNull(
        'The latest change that removed the file from the page. Null while the page has it.',
      ),
      sort_key: text(
        'The uploader’s name for the file, folded for alphabetical order and for finding parts of it.',
      ),
    },
  },
  links: {
    meaning: 'Links of the current content. Derived: rebuilt from the changes.',
    columns: {
      source_id: integer('The page that contains the link.'),
      kind: column<'page' | 'template' | 'file'>(
        'page for a wiki link, template for a call of a template or module, file for an embedded or linked file.',
      ),
      target: text('Target as written, normalised: a path if it starts with a slash, otherwise a title.'),
      key: text('The target in lower case. Links with the same key count as one wanted link.'),
      is_path: truth('Whether the target is a path.'),
      count: integer('Number of times that the link occurs in the page.'),
      audience: integer('Copy of the audience of the source, so that counting does not read the page.'),
    },
  },
  wanted: {
    meaning:
      'Number of pages that link to each missing target, for each audience. Every write updates it; rows exist only while one of the counts is above 0.',
    columns: {
      key: text('Key of the links.'),
      sort_key: text('The key folded for alphabetical order.'),
      world_count: integer('Pages that everyone can read and whose link leads nowhere for everyone.'),
      members_count: integer(
        'Pages that members can read and whose link leads to no page that every member can read.',
      ),
      all_count: integer('Pages of any audience whose link leads to no existing page.'),
      private_count: integer(
        'Pages that only their owner or a group can read and whose link leads to no page that every member can read.',
      ),
    },
  },
} satisfies TableDefinitions;
