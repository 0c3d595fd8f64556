/** The change feed. */
import {
  id,
  integer,
  integerOrNull,
  type TableDefinitions,
  text,
  textOrNull,
  withDefault,
} from './column.ts';

export const eventTables = {
  events: {
    meaning:
      'Feed of what happened to pages, for programs that follow the wiki. Rows are written with each change. Afterwards only `position` and `awaits_review` are updated.',
    columns: {
      id: id('Public ID of the event, in order of writing.'),
      position: integerOrNull(
        'Position in the order of commits, assigned once the event is committed. Null before. Also null on engines that write in order of commits; there the ID is the position.',
      ),
      kind: text(
        'created, edited, moved, permissions, deleted, restored, erased, ordered, commented, proposed, reviewed, merged or due.',
      ),
      at: integer('When.'),
      page_id: integer('The page, which may no longer exist.'),
      change_id: integer('The latest change of the page at that time.'),
      path: text('Path of the page after the event.'),
      title: text('Title of the page after the event.'),
      trail: text('IDs of the ancestors after the event, as in `pages`.'),
      audience: integer('Audience of the page after the event.'),
      lost_audience: integerOrNull(
        'Former audience, in an event that informs former readers that they can no longer read the page. Null in every other event.',
      ),
      owner_id: integer('Owner of the page.'),
      editor_id: integer('The member who caused the event.'),
      msg: text('Message of the change.'),
      facts: withDefault(
        integer(
          '1 if the event may have altered what pages beneath show of the page, which is everything except its content; otherwise 0.',
        ),
      ),
      from_path: textOrNull('Path of the page before a move. Null for other events.'),
      from_title: textOrNull(
        'Title of the page before the event, if it changed or the page was deleted. Null otherwise.',
      ),
      from_trail: textOrNull('IDs of the ancestors before a move. Null for other events.'),
      comment_id: withDefault(integerOrNull('The comment that the event is about. Null for other events.')),
      original_id: withDefault(
        integerOrNull(
          'The original of which the page was a translation before the event. Null if the page was not a translation.',
        ),
      ),
      awaits_review: withDefault(
        integer(
          '1 until a moderator marks the event as reviewed or it is old; 0 from the beginning if a moderator or administrator caused it.',
        ),
      ),
    },
  },
} satisfies TableDefinitions;
