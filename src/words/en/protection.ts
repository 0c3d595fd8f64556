/** Words of “protection”. */
import { message } from '../message.ts';

export const protectionWords = {
  'protection.chooseAnOptionFromTheList': message('Choose an option from the list.', 'Refusal'),
  'protection.howLong': message('How long', 'Words'),
  'protection.nobodyElseCanEditMoveOr': message(
    'Nobody else can edit, move or delete it until the protection ends, whatever its permissions say.',
    'Paragraph',
  ),
  'protection.protectThisPage': message('Protect this page', 'Heading'),
  'protection.reason': message('Reason', 'Words'),
  'protection.untilTime': message('until {time}', 'Choice'),
  'protection.whoMayChangeIt': message('Who may change it', 'Words'),
  'protection.save': message('Save', 'Button'),
  'protection.cancel': message('Cancel', 'Link'),
  'protection.asItsPermissionsAllow': message('as its permissions allow', 'Who can change a page'),
  'protection.moderatorsAndAdministrators': message('moderators and administrators', 'Who can change a page'),
  'protection.membersOfTheGroupAndAdministrators': message(
    'members of the group “{name}” and administrators',
    'Who can approve a change',
  ),
  'protection.untilSomebodyLiftsIt': message(
    'until somebody lifts the protection',
    'How long a page is protected',
  ),
  'protection.withAllPagesBeneathIt': message('with all pages beneath it', 'A choice'),
  'protection.protectTitle': message('Protect {title}', 'Title of the page'),
};
