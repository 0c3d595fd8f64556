/** Words of “delete”. */
import { message } from '../message.ts';

export const deleteWords = {
  'delete.deleteThisPage': message('Delete this page', 'Heading'),
  'delete.itIsMovedToTheTrashFromWhere': message(
    'It is moved to the trash, from where it can be restored with its history, files and likes.',
    'Paragraph',
  ),
  'delete.noPageLinksToIt': message('No page links to it.', 'Words'),
  'delete.pagesWereAddedBeneathItInThe': message(
    'Pages were added beneath it in the meantime. They would be deleted as well.',
    'Words',
  ),
  'delete.thePageWasEditedInThe': message(
    'The page was edited in the meantime. Look at it again before you delete it.',
    'Words',
  ),
  'delete.cancel': message('Cancel', 'Link'),
  'delete.foreignPages': message(
    '{count, plural, one {# page beneath it cannot be deleted with it, because you may not edit it} other {# pages beneath it cannot be deleted with it, because you may not edit them}}. Ask an administrator.',
    'Why the page cannot be deleted',
  ),
  'delete.deletePages': message('Delete {count, plural, one {# page} other {# pages}}', 'Button'),
  'delete.deleteTitle': message('Delete {title}', 'Title of the page'),
  'delete.beneathAreDeleted': message(
    '{count, plural, one {# page beneath it is deleted as well.} other {# pages beneath it are deleted as well.}}',
    'What deleting does',
  ),
  'delete.filesOnlyInTheTrash': message(
    '{count, plural, one {# file will be available only in the trash, and pictures of it will disappear from other pages.} other {# files will be available only in the trash, and pictures of them will disappear from other pages.}}',
    'What deleting does',
  ),
  'delete.linksWillLeadNowhere': message(
    '{count, plural, one {# page links to it.} other {# pages link to it.}} These links will lead nowhere: {pages}',
    'What deleting does; {pages} is a list',
  ),
};
