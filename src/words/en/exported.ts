/** Words of exported sites. */
import { message } from '../message.ts';

export const exportedWords = {
  'exported.changed': message('Changed {day}', '{day} is like “28 October 2026”'),
  'exported.enterWords': message('Enter search words.', 'Search of an exported site'),
  'exported.found': message('Pages found: {count}', 'Search of an exported site'),
  'exported.foundFirst': message(
    'Pages found: {count}; the first {shown} are shown.',
    'Search of an exported site',
  ),
  'exported.mapOfAllPlaces': message('Map of all places', 'Name for screen readers'),
  'exported.movedTo': message('This page is at {address}.', 'Document at an old address'),
  'exported.neighbours': message('Previous and next page', 'Name for screen readers'),
  'exported.noPlaces': message('No page has a location.', 'Instead of a map'),
  'exported.nothingFound': message('Nothing found.', 'Search of an exported site'),
  'exported.pages': message('Pages', 'Name for screen readers: list of the pages of a book'),
  'exported.searchNeedsScripts': message(
    'The search needs JavaScript. <link>All pages</link>',
    'Search of an exported site',
  ),
  'exported.wholeWiki': message('Whole wiki', 'Name for screen readers'),
};
