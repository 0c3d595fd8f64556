/** Words of “not found”. */
import { message } from '../message.ts';

export const notFoundWords = {
  'notFound.didYouMean': message('Did you mean', 'Heading'),
  'notFound.itWouldBeBelowPage': message('It would be below {page}.', 'Words'),
  'notFound.noPageHereYet': message('No page here yet', 'Title of the page'),
  'notFound.searchForIt': message('Search for it', 'Label of a field'),
  'notFound.searchForThisPage': message('Search for this page', 'Name for screen readers'),
  'notFound.writeTitle': message('Write “{title}”', 'Link'),
  'notFound.youCanSignInToWriteItOrIfIt': message(
    'You can <link>sign in to write it</link>, or, if it is private, <link2>sign in to read it</link2>.',
    'Paragraph',
  ),
  'notFound.search': message('Search', 'Button'),
  'notFound.noPageAt': message('There is no page at {path} that you may read.', 'Paragraph'),
};
