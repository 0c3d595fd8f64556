/** Words of “history”. */
import { message } from '../message.ts';

export const historyWords = {
  'history.chooseTheVersionToRestoreIn': message('Choose the version to restore in the history.', 'Refusal'),
  'history.compareSelectedVersions': message('Compare selected versions', 'Button'),
  'history.eraseVersionsOrFiles': message('Erase versions or files permanently', 'Link'),
  'history.erasedTime': message('Erased {time}', 'Words'),
  'history.followByFeedAtom': message('Follow by feed (Atom)', 'Link'),
  'history.historyOfThisPage': message('History of this page', 'Title'),
  'history.noMessage': message('No message', 'Words'),
  'history.signInToRestoreAnOlder': message('Sign in to restore an older version.', 'Refusal'),
  'history.whatChanged': message('What changed', 'Link'),
  'history.history': message('History', 'Heading'),
  'history.change': message('Change', 'Heading of a column'),
  'history.size': message('Size', 'Heading of a column'),
  'history.from': message('From', 'Heading of a column'),
  'history.to': message('To', 'Heading of a column'),
  'history.restore': message('Restore', 'Button'),
  'history.selectTwo': message('Select two to compare.', 'After the number of changes'),
  'history.historyOf': message('History of {title}', 'Title of the page'),
  'history.compareFromChange': message('Compare from change {id}', 'Name for screen readers'),
  'history.compareToChange': message('Compare to change {id}', 'Name for screen readers'),
  'history.filesErased': message(
    '({count, plural, one {# file erased} other {# files erased}})',
    'After the message of a change',
  ),
  'history.nowShown': message('now shown', 'After the version that readers see'),
  'history.andMoreFiles': message('and {count} more', 'After a list of files'),
};
