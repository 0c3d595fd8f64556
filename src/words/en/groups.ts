/** Words of “groups”. */
import { message } from '../message.ts';

export const groupsWords = {
  'groups.aPageCanBelongToAGroupThen': message(
    'A page can belong to a group. Then the second digit of its permissions applies to the members of that group.',
    'Words',
  ),
  'groups.andMoreMember': message(
    'And {count, plural, one {# more member} other {# more members}}.',
    'Paragraph',
  ),
  'groups.eMailOfAMember': message('E-mail of a member', 'Words'),
  'groups.groups': message('Groups', 'Title of the page'),
  'groups.makeAGroup': message('Make a group', 'Button'),
  'groups.newGroup': message('New group', 'Words'),
  'groups.putIn': message('Put in', 'Button'),
  'groups.removeNameFromName2': message('Remove {name} from {name2}', 'Name for screen readers'),
  'groups.renameOrDelete': message('Rename or delete', 'Title of a part that opens'),
  'groups.takeOut': message('Take out', 'Button'),
  'groups.thereAreNoGroupsYet': message('There are no groups yet.', 'Words'),
  'groups.youAreNotInAnyGroup': message('You are not in any group.', 'Words'),
  'groups.yourGroups': message('Your groups.', 'Words'),
  'groups.members': message('Members', 'Link'),
  'groups.rename': message('Rename', 'Button'),
  'groups.delete': message('Delete', 'Button'),
};
