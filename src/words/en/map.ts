/** Words of “map”. */
import { message } from '../message.ts';

export const mapWords = {
  'map.aPageHasALocationIfItsText': message(
    'A page has a location if its text says {code}, or if its form contains one.',
    'Paragraph',
  ),
  'map.map': message('Map', 'Title of the page'),
  'map.noPageHasALocationYet': message('No page has a location yet.', 'Words'),
  'map.places': message('Places', 'Name for screen readers'),
  'map.placesAroundCoordinates': message(
    'Places around {coordinates}, nearest first. <link>Show all places</link>',
    'Words',
  ),
  'map.placesAndMore': message('{count, plural, one {# place} other {# places}} and more.', 'Paragraph'),
  'map.placesShown': message('{count, plural, one {# place.} other {# places.}}', 'Paragraph'),
};
