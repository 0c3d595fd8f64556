/** Comments, whom they mention, and the texts that they quote. */
import { column, id, integer, integerOrNull, type TableDefinitions, text, textOrNull } from './column.ts';

export const commentTables = {
  comments: {
    meaning: 'Comments on pages, including those of pages in the trash.',
    columns: {
      id: id('Public ID of the comment, in order of writing.'),
      page_id: integer('The page, which may be in the trash.'),
      author_id: integer('The member who wrote the comment.'),
      reply_to: integerOrNull('The first comment of the thread. Null for the first comment itself.'),
      body: text('Text as Markdown. Empty once the comment is deleted.'),
      at: integer('When the comment was written.'),
      edited_at: integerOrNull('When the text of the comment was last changed. Null if never.'),
      deleted_at: integerOrNull(
        'When the first comment of a thread was deleted, whose row stays while it has replies. Null otherwise.',
      ),
      resolved_at: integerOrNull('When the thread was resolved. Null while it is open, and for replies.'),
      resolved_by: integerOrNull('The member who resolved the thread. Null while it is open.'),
      quote: textOrNull('The words of the page that the comment is about. Null for the whole page.'),
      quote_before: textOrNull('Text of the page before these words when the comment was written.'),
      quote_after: textOrNull('Text of the page after these words when the comment was written.'),
      quote_start: integerOrNull(
        'Position of the words in the text of `comment_texts`, or the place where they were if they are gone.',
      ),
      quote_end: integerOrNull('Position after the words.'),
      quote_state: column<'present' | 'changed' | 'gone' | null>(
        '`present`, `changed` or `gone`. Null without a quote.',
      ),
      quote_gone_id: integerOrNull('The change that removed the words. Null if they are not gone.'),
      stranger: textOrNull(
        'Name of the person without an account who wrote the comment; the author approved it. Null for members.',
      ),
    },
  },
  comment_mentions: {
    meaning: 'Members whom comments mention, and who could read the page then.',
    columns: {
      member_id: integer('The member.'),
      comment_id: integer('The comment.'),
      name: text('Name as written in the comment.'),
    },
  },
  comment_texts: {
    meaning: 'Plain text of pages with quoting comments, in which the positions of the quotes count.',
    columns: {
      page_id: integer('The page.'),
      change_id: integer('The change whose text this is.'),
      body: text('The text.'),
    },
  },
} satisfies TableDefinitions;
