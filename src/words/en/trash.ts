/** Words of “trash”. */
import { message } from '../message.ts';

export const trashWords = {
  'trash.afterDayTheyAreDeleted': message(
    'After {trashDays, plural, one {# day} other {# days}} they are deleted permanently.',
    'Words',
  ),
  'trash.deletePagePermanently': message(
    'Delete {pages, plural, one {# page} other {# pages}} permanently',
    'Button',
  ),
  'trash.deletePermanently': message('Delete permanently', 'Title of a part that opens'),
  'trash.historyFilesAndLikesAre': message(
    'History, files and likes are deleted as well. Only a backup can restore them.',
    'Paragraph',
  ),
  'trash.newAddress': message('New address', 'Label of a field'),
  'trash.nothingHasBeenDeletedThat': message('Nothing has been deleted that could be restored.', 'Words'),
  'trash.restoreThere': message('Restore there', 'Button'),
  'trash.restoreTo': message('Restore to', 'Words'),
  'trash.toAnotherAddress': message('To another address', 'Title of a part that opens'),
  'trash.trash': message('Trash', 'Title of the page'),
  'trash.restore': message('Restore', 'Button'),
  'trash.deletedBy': message('Deleted by {name} {time}', '{time} is like “3 days ago”'),
  'trash.deletedWithMore': message(
    'Deleted by {name} {time} with {count, plural, one {# page} other {# pages}} beneath it',
    '{time} is like “3 days ago”',
  ),
  'trash.latestFirst': message('Deleted pages, latest first.', 'Paragraph'),
};
