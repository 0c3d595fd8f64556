/** Words of “words”. */
import { message } from '../message.ts';

export const wordsWords = {
  'words.goToTheHomePage': message('Go to the home page', 'Link'),
  'words.thisLinkNoLongerWorks': message('This link no longer works', 'Title of the page'),
};
