/** Words of “view”. */
import { message } from '../message.ts';

export const viewWords = {
  'view.aboutThisPage': message('About this page', 'Name for screen readers'),
  'view.begunBy': message('Begun by', 'Term'),
  'view.contents': message('Contents', 'Name for screen readers'),
  'view.files': message('Files', 'Words'),
  'view.lastChange': message('Last change', 'Term'),
  'view.nearbyPlaces': message('Nearby places', 'Words'),
  'view.noteForWriters': message(
    '{count, plural, one {# note} other {# notes}} for writers',
    'Title of a part that opens',
  ),
  'view.orderThesePages': message('Order these pages', 'Link'),
  'view.pagesBelowThisOne': message('Pages below this one', 'Words'),
  'view.thePageHasNoSuchVersionIts': message(
    'The page has no such version. Its history lists all versions.',
    'Refusal',
  ),
  'view.thereIsNothingAtThisAddress': message('There is nothing at this address.', 'Refusal'),
  'view.whatLinksHere': message('What links here', 'Words'),
  'view.writeTheFirstLines': message('Write the first lines.', 'Link'),
  'view.about': message('About', 'Words'),
  'view.likes': message('Likes', 'Term'),
  'view.thisPage': message('this page', 'After “About”, where nothing else is known'),
  'view.nothingIsWrittenHereYet': message(
    'Nothing is written here yet.',
    'Instead of the text of an empty page',
  ),
};
