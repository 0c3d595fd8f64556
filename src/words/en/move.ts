/** Words of “move”. */
import { message } from '../message.ts';

export const moveWords = {
  'move.allPagesBelowItAreMovedAs': message(
    'All pages below it are moved as well. Old addresses redirect to the new ones.',
    'Paragraph',
  ),
  'move.itCannotBeMovedThereBecause': message(
    'It cannot be moved there, because another page has this address:',
    'Words',
  ),
  'move.itsAddressSuchAsCodeEmptyFor': message('Its address, such as {code}; empty for the root.', 'Words'),
  'move.lastPartOfTheNewAddress': message('Last part of the new address', 'Label of a field'),
  'move.message': message('Message', 'Words'),
  'move.moveItTo': message('Move it to', 'Words'),
  'move.movePage': message('Move {count, plural, one {# page} other {# pages}}', 'Button'),
  'move.moveThisPage': message('Move this page', 'Heading'),
  'move.newParentPage': message('New parent page', 'Words'),
  'move.nowAtPath': message('Now at {path}', 'Paragraph'),
  'move.pageMovesToTo': message(
    '{count, plural, one {# page moves} other {# pages move}} to {to}:',
    'Paragraph',
  ),
  'move.showWhichPagesMove': message('Show which pages move', 'Button'),
  'move.signInToMoveAPage': message('Sign in to move a page.', 'Refusal'),
  'move.theLastPartOfAnAddressIsOne': message(
    'The last part of an address is one word, or several words joined by hyphens, without “/”.',
    'Refusal',
  ),
  'move.thePageAlreadyHasThisAddress': message(
    'The page already has this address. Choose another parent page or last part.',
    'Refusal',
  ),
  'move.whoMayReadThePagesDoesNot': message(
    'Who may read the pages does not change. Each page keeps its own permissions ({access}, for this one).',
    'Paragraph',
  ),
  'move.cancel': message('Cancel', 'Link'),
  'move.movedFrom': message('Moved from {path}', 'Example in an empty field: a message'),
  'move.cannotBeMovedThere': message(
    'It cannot be moved there, because {count} other pages have these addresses:',
    'Above a list',
  ),
  'move.noSuchParent': message('The parent page {path} does not exist.', 'Refusal'),
  'move.noSuchPage': message('There is no page at {path} that you may move.', 'Refusal'),
  'move.moveTitle': message('Move {title}', 'Title of the page'),
};
