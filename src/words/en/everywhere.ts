/** Words that stand in several places. */
import { message } from '../message.ts';

export const everywhereWords = {
  'common.allPages': message('All pages', 'Words in several places'),
  'common.backToThePage': message('Back to the page', 'Words in several places'),
  'common.blockedMembers': message('Blocked members', 'Words in several places'),
  'common.chooseAnAction': message('Choose an action.', 'Words in several places'),
  'common.latest': message('← Latest', 'Words in several places'),
  'common.latestChanges': message('Latest changes', 'Words in several places'),
  'common.link': message('Link', 'Words in several places'),
  'common.markdown': message('Markdown', 'Words in several places'),
  'common.name': message('Name', 'Words in several places'),
  'common.older': message('Older →', 'Words in several places'),
  'common.passphrase': message('Passphrase', 'Words in several places'),
  'common.permissions': message('Permissions', 'Words in several places'),
  'common.place': message('Place', 'Words in several places'),
  'common.signIn': message('Sign in', 'Words in several places'),
  'common.signUpRequests': message('Sign-up requests', 'Words in several places'),
  'common.theWholeWiki': message('The whole wiki', 'Words in several places'),
  'common.thisPage': message('This page', 'Words in several places'),
  'common.type': message('Type', 'Words in several places'),
  'common.wantedPages': message('Wanted pages', 'Words in several places'),
  'common.what': message('What', 'Words in several places'),
  'common.wikitext': message('Wikitext', 'Words in several places'),
  'common.yourAccount': message('Your account', 'Words in several places'),
  'common.andMore': message('and {count} more', 'The end of a list of which only the beginning is shown'),
  'common.by': message('by {name}', 'After a time: who did something'),
  'common.chooseTheseFilesAgain': message(
    'Choose these files again: {files}.',
    'A form was shown again, and browsers cannot keep chosen files',
  ),
};
