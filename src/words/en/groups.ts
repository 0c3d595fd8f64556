/** Words of “groups”. */
import { message } from '../message.ts';

export const groupsWords = {
  'groups.pagesCanBeSharedWithGroups': message(
    'Pages can be kept for groups and shared with them: under “Who may read and edit” while writing a page, and on the page about its access.',
    'Paragraph above the list of groups',
  ),
  'groups.andMoreMember': message(
    'And {count, plural, one {# more member} other {# more members}}.',
    'Paragraph',
  ),
  'groups.nameOrEMailOfAMember': message('Name or e-mail of a member', 'Label of a field'),
  'groups.groups': message('Groups', 'Title of the page'),
  'groups.makeAGroup': message('Make a group', 'Button'),
  'groups.newGroup': message('New group', 'Words'),
  'groups.putIn': message('Put in', 'Button'),
  'groups.renameOrDelete': message('Rename or delete', 'Title of a part that opens'),
  'groups.takeOut': message('Take out', 'Button'),
  'groups.thereAreNoGroupsYet': message('There are no groups yet.', 'Words'),
  'groups.youAreNotInAnyGroup': message('You are not in any group.', 'Words'),
  'groups.yourGroups': message('Your groups.', 'Words'),
  'groups.members': message('Members', 'Link'),
  'groups.rename': message('Rename', 'Button'),
  'groups.delete': message('Delete', 'Button'),
};
