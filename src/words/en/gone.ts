/** Words of “gone”. */
import { message } from '../message.ts';

export const goneWords = {
  'gone.createANewPageHere': message('Create a new page here', 'Link'),
  'gone.membersCanRestoreItSignIn': message('Members can restore it: <link>sign in</link>.', 'Paragraph'),
  'gone.openTheTrash': message('Open the trash', 'Link'),
  'gone.thisPageWasDeleted': message('This page was deleted', 'Title of the page'),
  'gone.undoRestoreThePage': message('Undo: restore the page', 'Button'),
  'gone.wasAt': message(
    '“{title}” was at {path} until {name} deleted it {time}.',
    '{time} is like “3 hours ago”',
  ),
};
