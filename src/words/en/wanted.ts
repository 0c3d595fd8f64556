/** Words of “wanted”. */
import { message } from '../message.ts';

export const wantedWords = {
  'wanted.noPagesAreWantedBecauseEvery': message(
    'No pages are wanted, because every link leads to a page.',
    'Words',
  ),
  'wanted.notWrittenYet': message('not written yet', 'Title'),
  'wanted.pagesThatLinksPointToBut': message(
    'Pages that links point to but nobody has written yet, most wanted first.',
    'Words',
  ),
  'wanted.theseAreTheLimitMostWanted': message(
    'These are the {limit} most wanted. <link>Show up to {number}</link>',
    'Words',
  ),
  'wanted.mostWanted': message('These are the {count} most wanted.', 'After a list'),
  'wanted.wantedBy': message(
    'wanted by {count, plural, one {# page} other {# pages}}',
    'After the title of a page that does not exist',
  ),
};
